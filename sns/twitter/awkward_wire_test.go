package twitter_test

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
	"personal-workspace/sns/twitter"
)

// wireFault is an answer that is none, and what becomes of it.
type wireFault struct {
	name     string
	fault    snstest.Fault
	code     fault.Code
	reason   any
	requests int
}

func (c wireFault) test(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.relay.Inject("HomeLatestTimeline", 0, c.fault)
	_, err := w.fetch(home, "")
	f := wantFault(t, err, c.code, map[string]any{"reason": c.reason})
	if strings.Contains(f.Message, "<") || !strings.HasSuffix(f.Message, ".") {
		t.Errorf("message = %q, want a sentence of ours", f.Message)
	}
	if n := len(w.relay.Calls()); n != c.requests {
		t.Errorf("%d requests, want %d", n, c.requests)
	}
}

func testLoginPage(t *testing.T) {
	wireFault{fault: snstest.HTML(http.StatusOK), code: fault.UpstreamUnavailable, reason: "not_json", requests: 1}.test(t)
}

func testEmptyAnswer(t *testing.T) {
	wireFault{fault: snstest.Empty(), code: fault.UpstreamUnavailable, reason: "empty_body", requests: 1}.test(t)
}

func testRedirect(t *testing.T) {
	reached := snstest.NewRelay(snstest.RelayOptions{})
	elsewhere := snstest.Serve(t, reached)
	wireFault{fault: snstest.Redirect(elsewhere), code: fault.UpstreamUnavailable, reason: "redirect", requests: 1}.test(t)
	if n := len(reached.Calls()); n != 0 {
		t.Errorf("the other address got %d requests, want none", n)
	}
}

func testGzipBomb(t *testing.T) {
	wireFault{fault: snstest.GzipBomb(64 << 20), code: fault.ResponseTooLarge, requests: 1}.test(t)
}

func testOpaque(t *testing.T) {
	wireFault{fault: snstest.Opaque(), code: fault.UpstreamUnavailable, reason: "relay_opaque", requests: 1}.test(t)
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.relay.Inject("HomeLatestTimeline", 0, snstest.Opaque())
	for range 3 {
		_, err := w.fetch(home, "")
		if at := mayRead(t, err); !at.Equal(epoch.Add(30 * time.Second)) {
			t.Errorf("retryAt = %s, want 30 s after the error", at)
		}
	}
	if n := len(w.relay.Calls()); n != 1 {
		t.Errorf("%d requests before the end of the rest, want 1", n)
	}
}

func TestWireFaults(t *testing.T) {
	for _, c := range []wireFault{
		{"an answer of 9 MiB", snstest.Spaces(9 << 20), fault.ResponseTooLarge, nil, 1},
		{"a cut connection", snstest.Cut(), fault.UpstreamUnavailable, "reset", 2},
		{"a connection that is reset", snstest.Reset(), fault.UpstreamUnavailable, "reset", 2},
		{"a cut answer", snstest.CutMidway(), fault.UpstreamUnavailable, "reset", 2},
		{"a gateway", snstest.BadGateway(), fault.UpstreamUnavailable, "status_502", 2},
		{"half of an answer", snstest.Body("application/json", `{"data":{"home":{`), fault.UpstreamUnavailable, "broken_answer", 1},
		{"what asks for a sign-in", snstest.Fail(http.StatusUnauthorized, "who are you"), fault.UpstreamUnavailable, "refused", 1},
		{"no relay", snstest.Fail(http.StatusNotFound, "?"), fault.UpstreamUnavailable, "not_relay", 1},
		{"no data", snstest.NoData(), fault.UpstreamChanged, "HomeLatestTimeline", 1},
		{"a list", snstest.Body("application/json", `[]`), fault.UpstreamChanged, "HomeLatestTimeline", 1},
		{"null", snstest.Body("application/json", `null`), fault.UpstreamChanged, "HomeLatestTimeline", 1},
	} {
		t.Run(c.name, c.test)
	}
}

// A port that speaks plain http is no relay with a bad certificate.
func TestRelayWithoutHTTPS(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	a := w.account()
	a.Origin = "https" + strings.TrimPrefix(a.Origin, "http")

	_, err := w.provider.Fetch(t.Context(), a, home, "")

	f := wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"reason": "not_https"})
	if strings.Contains(f.Message, "certificate") || !strings.Contains(f.Message, "does not speak https") {
		t.Errorf("message = %q", f.Message)
	}
}

// A name may be somebody else's by the time that its account is gone.
func TestNameOfAnAccountThatIsGoneIsLookedUpAgain(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.a1.Add(snstest.Tweet{Text: "tea", At: epoch})
	ben := sns.Source{Kind: sns.KindUser, Account: "@ben"}
	w.relay.Inject("UserTweetsAndReplies", 1, snstest.Body("application/json", `{"data":{"user":{}}}`))
	_, err := w.fetch(ben, "")
	wantFault(t, err, fault.NotFound, map[string]any{"what": "account"})

	if _, err := w.fetch(ben, ""); err != nil {
		t.Fatal(err)
	}
	w.page(ben, "")

	if n := len(w.relay.CallsOf("UserByScreenName")); n != 2 {
		t.Errorf("lookups of the name = %d, want once before and once after the account was gone", n)
	}
}

func testSlowAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := twitter.New(twitter.Config{Transport: hanging{}})
		a := sns.Account{Origin: "http://relay.test", Operator: true, Profile: "a1", Gate: &gate{}}
		start := time.Now()
		_, err := p.Fetch(t.Context(), a, home, "")
		wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"reason": "timeout"})
		if d := time.Since(start); d != 45*time.Second {
			t.Errorf("it took %s, want 45s", d)
		}
	})
}

// An answer of a time that is still to come, kept when the clock was wrong, does not
// tell that the page is loaded.
func TestAnswerFromTheFutureWarmsNoPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := twitter.New(twitter.Config{Transport: hanging{}})
		nextYear := strconv.FormatInt(time.Now().AddDate(1, 0, 0).UnixMilli(), 10)
		a := sns.Account{
			Origin: "http://relay.test", Operator: true, Profile: "a1", Gate: &gate{},
			Memory: kept{"HomeTimeline": `{"answered":` + nextYear + `}`},
		}
		start := time.Now()
		_, err := p.Fetch(t.Context(), a, home, "")
		wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"reason": "timeout"})
		if d := time.Since(start); d != 45*time.Second {
			t.Errorf("it took %s, want the 45s of a page that may have to load", d)
		}
	})
}

// hanging answers nothing.
type hanging struct{}

func (hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func testErrorsOfX(t *testing.T) {
	for _, c := range []struct {
		name     string
		fault    snstest.Fault
		code     fault.Code
		reason   any
		requests int
	}{
		{"88", snstest.TooManyRequests(0), fault.RateLimited, nil, 1},
		{"32", snstest.SignedOut(), fault.Unauthorized, "signed_out", 1},
		{"89", snstest.Refused(89, "Invalid or expired token"), fault.Unauthorized, "signed_out", 1},
		{"326", snstest.Locked(), fault.Unauthorized, "account_locked", 1},
		{"64", snstest.Refused(64, "Your account is suspended"), fault.Unauthorized, "account_locked", 1},
		{"336", snstest.Refused(336, "The following features cannot be null: x"), fault.UpstreamChanged, "ListLatestTweetsTimeline", 1},
		{"34", snstest.Refused(34, "Sorry, that page does not exist"), fault.NotFound, nil, 1},
		{"130", snstest.Refused(130, "Over capacity"), fault.UpstreamUnavailable, "busy", 2},
		{"214", snstest.Refused(214, "Bad request"), fault.InvalidSource, nil, 1},
		{"an unknown code", snstest.Refused(7777, "<b>What?</b>"), fault.UpstreamUnavailable, "error_7777", 1},
		{"words without a code", snstest.Body("application/json", `{"errors":[{"message":"OverCapacity: Unspecified"}],"data":null}`), fault.UpstreamUnavailable, "busy", 2},
		{"an error of another form", snstest.Body("application/json", `{"errors":[7,{"code":"88"}],"data":{}}`), fault.RateLimited, nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{})
			list := w.a1.AddList(snstest.TweetList{Title: "L"})
			w.relay.Inject("ListLatestTweetsTimeline", 0, c.fault)
			_, err := w.fetch(sns.Source{Kind: sns.KindList, ListID: list}, "")
			f := wantFault(t, err, c.code, map[string]any{"reason": c.reason})
			if strings.Contains(f.Message, "<b>") || !strings.HasSuffix(f.Message, ".") {
				t.Errorf("message = %q, want a sentence of ours", f.Message)
			}
			if n := len(w.relay.Calls()); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
		})
	}
}

func testNothingThere(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	w.a1.AddPerson(snstest.Person{Handle: "banned", Suspended: true})
	for _, c := range []struct {
		name   string
		source sns.Source
		what   string
	}{
		{"a name", sns.Source{Kind: sns.KindUser, Account: "@nobody"}, "account"},
		{"an id", sns.Source{Kind: sns.KindUser, Account: "999"}, "account"},
		{"a suspended account", sns.Source{Kind: sns.KindUser, Account: "@banned"}, "account"},
		{"a post", sns.Source{Kind: sns.KindPost, PostID: "999"}, "post"},
		{"a thread", sns.Source{Kind: sns.KindThread, PostID: "999"}, "post"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := w.provider.Fetch(t.Context(), w.account(), c.source, "")
			wantFault(t, err, fault.NotFound, map[string]any{"what": c.what})
		})
	}
}

func testErrorsBesideData(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	id := w.a1.Add(snstest.Tweet{Text: "hello"})
	w.relay.Inject("HomeLatestTimeline", 1, snstest.Beside(131, "Dependency: Internal error."))
	p := w.page(home, "")
	if !slices.Equal(ids(p.Posts), []string{id}) || !slices.Equal(p.Warnings, []string{"X could not read a part of this page."}) {
		t.Errorf("posts %v with %q, want the post and a warning", ids(p.Posts), p.Warnings)
	}
}

func testNoProfile(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	a := w.account()
	a.Profile = ""
	_, err := w.provider.Fetch(t.Context(), a, home, "")
	wantFault(t, err, fault.Unauthorized, map[string]any{"reason": "unknown_profile"})
	if n := len(w.relay.Calls()); n != 0 {
		t.Errorf("%d requests were made, want none", n)
	}
}

func testCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := twitter.New(twitter.Config{Transport: hanging{}})
		a := sns.Account{Origin: "http://relay.test", Operator: true, Profile: "a1", Gate: &gate{}}
		first, endFirst := context.WithCancel(t.Context())
		second, endSecond := context.WithCancel(t.Context())
		done := make(chan error, 2)
		go func() {
			_, err := p.Fetch(first, a, home, "")
			done <- err
		}()
		synctest.Wait()
		go func() {
			_, err := p.Fetch(second, a, forYou, "")
			done <- err
		}()
		synctest.Wait()
		start := time.Now()
		endSecond()
		wantFault(t, <-done, fault.Canceled, nil)
		endFirst()
		wantFault(t, <-done, fault.Canceled, nil)
		if d := time.Since(start); d != 0 {
			t.Errorf("they ended after %s, want at once", d)
		}
	})
}
