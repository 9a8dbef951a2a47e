package twitter_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
	"personal-workspace/sns/twitter"
)

// mayRead is how long to wait before a source is read again, as its fault says.
func mayRead(t *testing.T, err error) time.Time {
	t.Helper()
	s, _ := fault.From(err).Details[fault.DetailRetryAt].(string)
	at, parseErr := time.Parse(time.RFC3339, s)
	if parseErr != nil {
		t.Fatalf("the fault %v has no retryAt", err)
	}
	return at
}

func TestStartsOfOneProfileAreApart(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	for range 4 {
		w.page(home, "")
		w.page(forYou, "")
	}
	calls := w.relay.Calls()
	for i := 1; i < len(calls); i++ {
		if d := calls[i].At.Sub(calls[i-1].At); d < 1500*time.Millisecond || d > 2250*time.Millisecond {
			t.Errorf("request %d came %s after the one before, want 1.5 s to 2.25 s", i, d)
		}
	}
}

func TestProfilesDoNotWaitForEachOther(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.page(home, "")
	a := w.account()
	a.Profile = "a2"
	if _, err := w.provider.Fetch(t.Context(), a, home, ""); err != nil {
		t.Fatal(err)
	}
	if len(w.clock.waits) != 0 {
		t.Errorf("waited %v, want not at all", w.clock.waits)
	}
}

func TestOneRequestOfAProfileIsInFlight(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.a1.AddMany(30)
	var wg sync.WaitGroup
	for _, s := range []sns.Source{home, forYou, {Kind: sns.KindBookmarks}, {Kind: sns.KindSearch, Query: "post"}, {Kind: sns.KindNotifications}} {
		wg.Go(func() {
			if _, err := w.provider.Fetch(t.Context(), w.account(), s, ""); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, c := range w.relay.Calls() {
		if c.InFlight != 1 {
			t.Errorf("%s came while %d requests were in flight, want 1", c.Operation, c.InFlight)
		}
	}
}

func TestBudgetOfAnOperation(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	search := sns.Source{Kind: sns.KindSearch, Query: "tea"}
	for range 30 {
		w.page(search, "")
	}
	_, err := w.fetch(search, "")
	f := wantFault(t, err, fault.BudgetExhausted, nil)
	if n := len(w.relay.CallsOf("SearchTimeline")); n != 30 || !strings.Contains(f.Message, "at most 30 times in 15 minutes") {
		t.Errorf("%d requests and %q, want 30 and the limit", n, f.Message)
	}
	if at := mayRead(t, err); !at.Equal(epoch.Add(15 * time.Minute)) {
		t.Errorf("retryAt = %s, want 15 minutes after the first", at)
	}
	w.page(home, "") // others have budgets of their own
	w.clock.add(15*time.Minute - w.clock.now().Sub(epoch))
	w.page(search, "")
}

// A relay that keeps refusing, whatever with, is left alone for longer and longer;
// what else the profile can read is not.
func TestRefusalsAreFollowedByRests(t *testing.T) {
	for name, c := range map[string]struct {
		fault snstest.Fault
		each  int
		want  string
	}{
		"401":                {snstest.Fail(http.StatusUnauthorized, "?"), 1, "check what stands in front of the relay. It is asked again at 12:44:30 UTC."},
		"403":                {snstest.Fail(http.StatusForbidden, "?"), 1, "check what stands in front of the relay. It is asked again at 12:44:30 UTC."},
		"a sign-in page":     {snstest.HTML(http.StatusOK), 1, "that the workspace reaches the relay itself. It is asked again at 12:44:30 UTC."},
		"404":                {snstest.Fail(http.StatusNotFound, "?"), 1, "check the relay's address and port. It is asked again at 12:44:30 UTC."},
		"a redirect":         {snstest.Redirect("http://127.0.0.1:1/"), 1, "give the relay's own address. It is asked again at 12:44:30 UTC."},
		"an empty answer":    {snstest.Empty(), 1, "look whether its page of X is open. It is asked again at 12:44:30 UTC."},
		"half of an answer":  {snstest.Body("application/json", `{"data":{`), 1, "sent an answer that broke off. It is asked again at 12:44:30 UTC."},
		"a broken gateway":   {snstest.BadGateway(), 2, "has a problem of its own. It is asked again at 12:44:32 UTC."},
		"a cut connection":   {snstest.Cut(), 2, "ended the connection. It is asked again at 12:44:32 UTC."},
		"X that is too busy": {snstest.Refused(130, "Over capacity"), 2, "did not read the Following timeline. It is asked again at 12:44:32 UTC."},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Lean: true})
			w.relay.Inject("HomeLatestTimeline", 0, c.fault)
			for i, want := range []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, 15 * time.Minute, 15 * time.Minute} {
				_, err := w.fetch(home, "")
				f := wantFault(t, err, fault.UpstreamUnavailable, nil)
				if i == 0 && !strings.HasSuffix(f.Message, c.want) {
					t.Errorf("message = %q, want one that ends in %q", f.Message, c.want)
				}
				if d := mayRead(t, err).Sub(w.clock.now()); d < want || d > want+time.Second {
					t.Errorf("rest %d is %s, want %s", i+1, d, want)
				}
				for range 5 {
					_, again := w.fetch(home, "")
					wantFault(t, again, fault.UpstreamUnavailable, nil)
				}
				if n := len(w.relay.CallsOf("HomeLatestTimeline")); n != c.each*(i+1) {
					t.Fatalf("%d requests, want %d", n, c.each*(i+1))
				}
				w.page(forYou, "")
				w.clock.add(want + time.Second)
			}
			w.relay.ClearFaults()
			w.page(home, "")
		})
	}
}

// Where the account itself is refused nothing at all is asked, other than whether
// that is over.
func TestRefusedAccountIsLeftAlone(t *testing.T) {
	for name, c := range map[string]struct {
		fault  snstest.Fault
		reason string
	}{
		"signed out": {snstest.SignedOut(), "signed_out"},
		"locked":     {snstest.Locked(), "account_locked"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Lean: true})
			w.relay.Inject("*", 0, c.fault)
			_, err := w.fetch(home, "")
			f := wantFault(t, err, fault.Unauthorized, map[string]any{"reason": c.reason})
			if want := "then test the connection. Until 12:44:30 UTC nothing more is asked."; !strings.HasSuffix(f.Message, want) {
				t.Errorf("message = %q, want one that ends in %q", f.Message, want)
			}
			for _, s := range []sns.Source{home, forYou, {Kind: sns.KindBookmarks}, {Kind: sns.KindNotifications}} {
				_, err := w.fetch(s, "")
				wantFault(t, err, fault.Unauthorized, map[string]any{"reason": c.reason})
			}
			if n := len(w.relay.Calls()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
			w.clock.add(31 * time.Second)
			_, err = w.fetch(forYou, "")
			wantFault(t, err, fault.Unauthorized, nil)
			if d := mayRead(t, err).Sub(w.clock.now()).Truncate(time.Second); d != 2*time.Minute {
				t.Errorf("the second rest is %s, want 2m0s", d)
			}
			_, err = w.provider.Verify(t.Context(), w.account())
			wantFault(t, err, fault.Unauthorized, nil)
			w.relay.ClearFaults()
			if _, err := w.provider.Verify(t.Context(), w.account()); err != nil {
				t.Fatalf("asking whose the profile is: %v, want an answer at once", err)
			}
			w.page(home, "")
		})
	}
}

func TestBudgetOfEachOperation(t *testing.T) {
	want := map[string]int{
		"HomeLatestTimeline": 60, "HomeTimeline": 60, "ListLatestTweetsTimeline": 60, "Bookmarks": 60, "TweetDetail": 60, "TweetResultByRestId": 60,
		"UserTweets": 30, "UserTweetsAndReplies": 30, "UserMedia": 30, "Likes": 30, "SearchTimeline": 30, "NotificationsTimeline": 30,
		"UserByScreenName": 30, "ListsManagementPageTimeline": 30, "Viewer": 30,
	}
	p, a, c := answering(`{"data":7}`)
	got := map[string]int{}
	for _, name := range twitter.OperationNames() {
		before := len(c.requests)
		for n := 0; fault.CodeOf(p.AskNth(t.Context(), a, name, n)) != fault.BudgetExhausted; n++ {
			if got[name] = len(c.requests) - before; got[name] > 100 {
				t.Fatalf("%s has no budget", name)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests in 15 minutes (-want +got):\n%s", diff)
	}
}

// Every error without a reason is followed by a longer rest, in which nothing is
// sent.
func TestRestsAfterErrorsGrow(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.relay.Inject("*", 0, snstest.Opaque())
	for i, want := range []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, 15 * time.Minute, 15 * time.Minute} {
		_, err := w.fetch(home, "")
		wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"reason": "relay_opaque"})
		if d := mayRead(t, err).Sub(w.clock.now()); d != want {
			t.Errorf("rest %d is %s, want %s", i+1, d, want)
		}
		w.clock.add(want - time.Second)
		if _, again := w.fetch(home, ""); fault.From(again).Message != fault.From(err).Message {
			t.Errorf("before the end of rest %d: %v, want the same fault", i+1, again)
		}
		if n := len(w.relay.Calls()); n != i+1 {
			t.Fatalf("%d requests, want %d", n, i+1)
		}
		w.clock.add(time.Second)
	}
	w.relay.ClearFaults()
	w.page(home, "")
	w.relay.Inject("*", 1, snstest.Opaque())
	_, err := w.fetch(home, "")
	if d := mayRead(t, err).Sub(w.clock.now()).Truncate(time.Second); d != 30*time.Second {
		t.Errorf("the rest after an answer is %s, want 30s again", d)
	}
}

func TestRestsVaryByAFifth(t *testing.T) {
	for random, want := range map[float64]time.Duration{0: 24 * time.Second, 1: 36 * time.Second} {
		w := newWorld(t, snstest.RelayQuirks{Lean: true})
		w.config.Random = func() float64 { return random }
		w.restart()
		w.relay.Inject("*", 0, snstest.Opaque())
		_, err := w.fetch(home, "")
		if d := mayRead(t, err).Sub(w.clock.now()); d != want {
			t.Errorf("with %v the rest is %s, want %s", random, d, want)
		}
	}
}

func TestDiagnosisTellsAnOutdatedQueryFromADeadPage(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.relay.SetQueryID("HomeLatestTimeline", "aNewQueryIdOfToday_xyz")
	_, err := w.fetch(home, "")
	wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"reason": "relay_opaque"})
	w.clock.add(time.Minute)
	w.page(forYou, "")
	_, err = w.fetch(home, "")
	f := wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"reason": "query_outdated"})
	if !strings.Contains(f.Message, "query id is probably outdated, or X limits it") || !strings.Contains(f.Message, "WORKSPACE_TWITTER_CATALOG") {
		t.Errorf("message = %q, want the likely causes and the setting", f.Message)
	}
}

func TestDiagnosisOfADeadPage(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.relay.Inject("*", 0, snstest.Opaque())
	_, _ = w.fetch(home, "")
	w.clock.add(time.Minute)
	_, err := w.fetch(home, "")
	if f := fault.From(err); !strings.Contains(f.Message, "reads nothing with the profile a1; look whether its page is open and signed in to X") {
		t.Errorf("message = %q, want what to look at", f.Message)
	}
}

func TestVerifyOfADeadPageSaysWhatToLookAt(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.relay.Inject("*", 0, snstest.Opaque())
	_, err := w.provider.Verify(t.Context(), w.account())
	want := "The relay cannot ask X with the profile a1; look whether its page is open and signed in to X, then try again at 12:44:30 UTC."
	if f := wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"reason": "relay_opaque"}); f.Message != want {
		t.Errorf("message = %q, want %q", f.Message, want)
	}
}

// Who has mended the relay and tests the connection does not wait for its columns.
func TestVerifyEndsRests(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.relay.Inject("*", 2, snstest.Opaque())
	_, _ = w.fetch(home, "")
	_, _ = w.fetch(forYou, "")
	if _, err := w.provider.Verify(t.Context(), w.account()); err != nil {
		t.Fatal(err)
	}
	w.page(home, "")
}

func TestLimitOfXIsKeptForItsOperation(t *testing.T) {
	for name, c := range map[string]struct {
		seconds int
		want    time.Duration
	}{"said": {90, 90 * time.Second}, "not said": {0, 15 * time.Minute}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Lean: true})
			w.relay.Inject("HomeLatestTimeline", 0, snstest.TooManyRequests(c.seconds))
			_, err := w.fetch(home, "")
			wantFault(t, err, fault.RateLimited, nil)
			if d := mayRead(t, err).Sub(w.clock.now()); d != c.want {
				t.Errorf("limited for %s, want %s", d, c.want)
			}
			_, err = w.fetch(home, "")
			wantFault(t, err, fault.RateLimited, nil)
			if n := len(w.relay.Calls()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
			w.page(forYou, "")
			w.relay.ClearFaults()
			w.clock.add(c.want)
			w.page(home, "")
		})
	}
}

// A page that answered a moment ago needs no 45 seconds.
func TestWarmPageIsGivenLessTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &canned{body: timelineOf()}
		p := twitter.New(twitter.Config{Transport: c})
		a := sns.Account{Origin: "http://relay.test", Operator: true, Profile: "a1", Gate: &gate{}}
		for range 2 {
			if _, err := p.Fetch(t.Context(), a, home, ""); err != nil {
				t.Fatal(err)
			}
			<-time.After(5 * time.Minute)
		}
		if _, err := p.Fetch(t.Context(), a, home, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Fetch(t.Context(), a, home, ""); err != nil {
			t.Fatal(err)
		}
		if diff := []time.Duration{45 * time.Second, 45 * time.Second, 45 * time.Second, 20 * time.Second}; !slices.Equal(c.limits, diff) {
			t.Errorf("limits = %v, want %v", c.limits, diff)
		}
	})
}

func TestCostOfAColumn(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	for want, list := range map[int][]sns.Source{
		60: {home, forYou, {Kind: sns.KindList, ListID: "1"}, {Kind: sns.KindBookmarks}},
		30: {{Kind: sns.KindUser, Account: "@ben"}, {Kind: sns.KindSearch, Query: "tea"}, {Kind: sns.KindHashtag, Tag: "tea"}, {Kind: sns.KindNotifications}},
	} {
		for _, s := range list {
			if c, ok := w.provider.Cost(s); !ok || c != (sns.Cost{Requests: 1, Limit: want, Per: 15 * time.Minute}) {
				t.Errorf("%s costs %+v (%v), want one of %d in 15 minutes", s.Kind, c, ok, want)
			}
		}
	}
	if _, ok := w.provider.Cost(sns.Source{Kind: sns.KindLocal}); ok {
		t.Error("a kind that X lacks has a cost")
	}
}

// That the workspace itself looks now and then who is signed in mends nothing.
func TestOwnLookAtTheAccountEndsNoRest(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.page(forYou, "")
	w.relay.Inject("HomeLatestTimeline", 0, snstest.Opaque())
	for _, after := range []time.Duration{time.Minute, time.Minute, 3 * time.Minute} { // the third time for 10 minutes
		w.clock.add(after)
		_, err := w.fetch(home, "")
		wantFault(t, err, fault.UpstreamUnavailable, nil)
	}
	w.clock.add(6 * time.Minute)
	w.page(forYou, "")
	if n := len(w.relay.CallsOf("Viewer")); n != 1 {
		t.Fatalf("the account was looked at %d times, want once", n)
	}
	_, err := w.fetch(home, "")
	wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"reason": "query_outdated"})
	if n := len(w.relay.CallsOf("HomeLatestTimeline")); n != 3 {
		t.Errorf("home was asked %d times, want 3", n)
	}
}

func TestVerifyOfAPageWithoutAnAccount(t *testing.T) {
	for name, answer := range map[string]snstest.Fault{
		"no viewer": snstest.NoData(), "an empty viewer": snstest.Body("application/json", `{"data":{"viewer":{}}}`),
		"no account": snstest.Body("application/json", `{"data":{"viewer":{"user_results":{}}}}`), "an error": snstest.SignedOut(),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Lean: true})
			w.relay.Inject("Viewer", 0, answer)
			_, err := w.provider.Verify(t.Context(), w.account())
			f := wantFault(t, err, fault.Unauthorized, map[string]any{"reason": "signed_out"})
			if want := "Nobody is signed in to X in the profile a1; sign in on x.com in the relay's browser, then test the connection."; f.Message != want {
				t.Errorf("message = %q, want %q", f.Message, want)
			}
		})
	}
}

// An error with a reason is an answer: it ends the row of those without one.
func TestLimitAfterAnErrorWithoutAReason(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.relay.Inject("*", 1, snstest.Opaque())
	_, err := w.fetch(home, "")
	wantFault(t, err, fault.UpstreamUnavailable, nil)
	w.clock.add(time.Minute)
	w.relay.Inject("*", 1, snstest.TooManyRequests(600))
	for range 2 {
		_, err = w.fetch(home, "")
		wantFault(t, err, fault.RateLimited, nil)
	}
}
