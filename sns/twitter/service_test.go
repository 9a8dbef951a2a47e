package twitter_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
	"personal-workspace/sns/twitter"
)

// service is the whole way from the mock relay to the store.
type service struct {
	*sns.Service
	*world
	file string
	conn sns.Connection
}

func serviceOver(t testing.TB, q snstest.RelayQuirks) *service {
	t.Helper()
	s := &service{world: newWorld(t, q), file: filepath.Join(t.TempDir(), "workspace.sqlite")}
	s.start()
	c, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: s.origin, Profile: "a1", Operator: true})
	if err != nil {
		t.Fatal(err)
	}
	s.conn = c
	return s
}

// start opens the store as a new process does.
func (s *service) start() {
	s.t.Helper()
	if s.Service != nil {
		s.Close()
	}
	s.provider = twitter.New(s.config)
	db := sqlitetest.OpenAt(s.t, s.file)
	var err error
	s.Service, err = sns.New(s.t.Context(), sns.Config{
		DB: db, Ledger: ledger.New(ledger.Config{DB: db}), Now: s.clock.now,
		Providers: map[sns.Network]sns.Provider{sns.Twitter: s.provider},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(s.Close)
}

// pages reads a source to its end and returns the ids of each page. Before each
// page but the first it calls between.
func (s *service) pages(src sns.Source, between func()) (out [][]string) {
	s.t.Helper()
	for cursor := ""; ; {
		page, err := s.FetchPosts(s.t.Context(), s.conn.ID, src, cursor)
		if err != nil {
			s.t.Fatalf("FetchPosts: %v", err)
		}
		out = append(out, ids(page.Posts))
		if cursor = page.NextCursor; cursor == "" {
			return out
		}
		if len(out) > 50 {
			s.t.Fatal("the source has no end")
		}
		between()
	}
}

func TestNothingIsLostOrTwiceWhenPostsComeInAbove(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true, Plain: true})
	want := s.a1.AddMany(98)
	slices.Reverse(want)
	list := s.a1.AddList(snstest.TweetList{Title: "L", Members: []string{"ben"}})
	got := s.pages(sns.Source{Kind: sns.KindList, ListID: list}, func() {
		s.clock.add(time.Hour)
		s.a1.Add(snstest.Tweet{Text: "new"})
	})
	if diff := cmp.Diff(want, slices.Concat(got...)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestRankedSourceIsReadOnAfterARestart(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	want := s.a1.AddMany(60)
	got := slices.Concat(s.pages(forYou, s.start)...)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestCursorOfYesterdayIsExpired(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.a1.AddMany(40)
	page, err := s.FetchPosts(t.Context(), s.conn.ID, home, "")
	if err != nil {
		t.Fatal(err)
	}
	s.clock.add(25 * time.Hour)
	_, err = s.FetchPosts(t.Context(), s.conn.ID, home, page.NextCursor)
	wantFault(t, err, fault.InvalidCursor, map[string]any{"reason": "expired"})
}

func TestUnknownProfileMarksTheConnection(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.relay.RemoveProfile("a1")
	_, err := s.FetchPosts(t.Context(), s.conn.ID, home, "")
	f := wantFault(t, err, fault.Unauthorized, map[string]any{"reason": "unknown_profile"})
	if want := "has no profile a1; it has: a2"; !contains(f.Message, want) {
		t.Errorf("message = %q, want one with %q", f.Message, want)
	}
	c, err := s.GetConnection(t.Context(), s.conn.ID)
	if err != nil || c.State != sns.ReauthRequired || c.StateCode != sns.CodeUnknownProfile {
		t.Errorf("connection is %s (%s), %v; want reauth_required (unknown_profile)", c.State, c.StateCode, err)
	}
}

func TestRenamedProfileIsConnectedAnew(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.relay.RemoveProfile("a1")
	s.relay.AddProfile(snstest.RelayProfile{Name: "ann", Owner: snstest.Person{Handle: "ann", Name: "Ann Example"}})
	c, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: s.origin, Profile: "ann", Operator: true})
	if err != nil || c.ID != s.conn.ID || c.Profile != "ann" || c.State != sns.Ready {
		t.Fatalf("AddTwitter = %+v, %v; want the connection %s with the profile ann", c, err, s.conn.ID)
	}
	if _, err := s.FetchPosts(t.Context(), s.conn.ID, home, ""); err != nil {
		t.Errorf("FetchPosts: %v", err)
	}
}

func TestTestingAConnectionTellsWhatIsWrongNow(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.relay.Inject("*", 1, snstest.Locked())
	for _, want := range []string{sns.CodeLocked, sns.CodeUnknownProfile} {
		st, err := s.TestConnection(t.Context(), s.conn.ID)
		if err != nil || st.State != sns.ReauthRequired || st.StateCode != want {
			t.Errorf("status = %s %s, %v; want %s", st.State, st.StateCode, err, want)
		}
		s.relay.RemoveProfile("a1")
	}
}

func TestTestingAConnectionNoticesAnotherAccount(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.relay.RemoveProfile("a1")
	s.relay.AddProfile(snstest.RelayProfile{Name: "a1", Owner: snstest.Person{Handle: "dora"}})
	st, err := s.TestConnection(t.Context(), s.conn.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := "The profile a1 is signed in to X as @dora now; sign it in as @ann again, or connect the other account."
	if st.State != sns.ReauthRequired || st.LastFailure == nil || st.LastFailure.Message != want {
		t.Errorf("status = %s %+v, want %q", st.State, st.LastFailure, want)
	}
}

// swap signs another account in to the profile.
func (s *service) swap() {
	s.relay.RemoveProfile("a1")
	s.relay.AddProfile(snstest.RelayProfile{Name: "a1", Owner: snstest.Person{Handle: "dora"}}).AddMany(5)
}

func (s *service) restore() {
	s.relay.RemoveProfile("a1")
	s.a1 = s.relay.AddProfile(snstest.RelayProfile{Name: "a1", Owner: snstest.Person{Handle: "ann"}})
}

// What another account sees is no part of the connection's timelines, however the
// profile came to be signed in as that one.
func TestProfileOfAnotherAccountIsNotRead(t *testing.T) {
	for name, notice := range map[string]func(*service) error{
		"noticed by a test": func(s *service) error {
			_, err := s.TestConnection(s.t.Context(), s.conn.ID)
			return err
		},
		"noticed by a test before a restart": func(s *service) error {
			_, err := s.TestConnection(s.t.Context(), s.conn.ID)
			s.start()
			return err
		},
		"noticed by a read ten minutes later": func(s *service) error {
			s.clock.add(10 * time.Minute)
			if _, err := s.FetchPosts(s.t.Context(), s.conn.ID, forYou, ""); fault.CodeOf(err) != fault.Unauthorized {
				return errors.Join(errors.New("the read was not refused"), err)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serviceOver(t, snstest.RelayQuirks{Lean: true, Plain: true})
			s.swap()
			if err := notice(s); err != nil {
				t.Fatal(err)
			}
			s.relay.ForgetCalls()
			_, err := s.FetchPosts(t.Context(), s.conn.ID, home, "")
			wantFault(t, err, fault.Unauthorized, map[string]any{"reason": "other_account"})
			if n := len(s.relay.Calls()); n != 0 {
				t.Errorf("%d requests were made, want none", n)
			}
			for _, src := range []sns.Source{home, forYou} {
				if got, err := s.StoredPosts(t.Context(), s.conn.ID, src, sns.StoredQuery{Limit: 20}); err != nil || len(got.Posts) != 0 {
					t.Errorf("%s holds %d posts of the other account, %v", src.Kind, len(got.Posts), err)
				}
			}
			if c, err := s.GetConnection(t.Context(), s.conn.ID); err != nil || c.State != sns.ReauthRequired || c.StateCode != sns.CodeOtherAccount {
				t.Errorf("connection is %s (%s), %v; want reauth_required (other_account)", c.State, c.StateCode, err)
			}
			s.restore()
			if st, err := s.TestConnection(t.Context(), s.conn.ID); err != nil || st.State != sns.Ready {
				t.Fatalf("after signing in as the account again: %s, %v; want ready", st.State, err)
			}
			if _, err := s.FetchPosts(t.Context(), s.conn.ID, home, ""); err != nil {
				t.Errorf("FetchPosts: %v", err)
			}
		})
	}
}

// Two accounts that the profile was signed in as one after the other are two
// connections; only the one that it reads as is read.
func TestProfileReadsForItsOwnAccountOnly(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true, Plain: true})
	s.swap()
	dora, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: s.origin, Profile: "a1", Operator: true})
	if err != nil || dora.ID == s.conn.ID {
		t.Fatalf("AddTwitter = %s, %v; want another connection", dora.ID, err)
	}
	_, err = s.FetchPosts(t.Context(), s.conn.ID, home, "")
	wantFault(t, err, fault.Unauthorized, map[string]any{"reason": "other_account"})
	if page, err := s.FetchPosts(t.Context(), dora.ID, home, ""); err != nil || len(page.Posts) != 5 {
		t.Errorf("%d posts, %v; want the other account's 5", len(page.Posts), err)
	}
}

// A relay that cannot say whose profile it is goes on being read: the operation
// that tells may be the outdated one.
func TestIdentityThatCannotBeReadStopsNothing(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true, Plain: true})
	s.relay.Inject("Viewer", 0, snstest.Opaque())
	for range 8 {
		s.clock.add(10 * time.Minute)
		if err := s.Refresh(t.Context(), s.conn.ID, home); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.relay.CallsOf("Viewer")); n > 9 {
		t.Errorf("asked %d times whose the profile is, want at most once in 10 minutes", n)
	}
}

// With a relay that answers 500 to everything the column keeps its posts, says
// what is wrong and until when nothing is asked.
func TestColumnKeepsItsPostsWhileTheRelayFails(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true, Plain: true})
	s.a1.AddMany(5)
	if err := s.Refresh(t.Context(), s.conn.ID, home); err != nil {
		t.Fatal(err)
	}
	s.relay.Inject("*", 0, snstest.Opaque())
	s.relay.ForgetCalls()
	for range 60 {
		s.clock.add(time.Minute)
		if err := s.Refresh(t.Context(), s.conn.ID, home); err == nil {
			t.Fatal("the relay answered")
		}
	}
	got, err := s.StoredPosts(t.Context(), s.conn.ID, home, sns.StoredQuery{Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Posts) != 5 || got.Failure == nil || !got.Failure.RetryAt.After(s.clock.now()) || !contains(got.Failure.Message, "the profile a1") {
		t.Errorf("%d posts with %+v, want all 5 and what is wrong", len(got.Posts), got.Failure)
	}
	// 30 s, 2 min, 10 min and then every 15 minutes, asked by the minute.
	if n := len(s.relay.Calls()); n > 7 {
		t.Errorf("%d requests in an hour, want at most 7", n)
	}
}

func TestLimitOfXIsTheColumns(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.relay.Inject("HomeLatestTimeline", 0, snstest.TooManyRequests(600))
	err := s.Refresh(t.Context(), s.conn.ID, home)
	wantFault(t, err, fault.RateLimited, nil)
	got, err := s.StoredPosts(t.Context(), s.conn.ID, home, sns.StoredQuery{Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	if f := got.Failure; f == nil || f.RetryAt.Sub(f.At).Truncate(time.Minute) != 10*time.Minute {
		t.Errorf("failure = %+v, want one that ends in 10 minutes", f)
	}
}

func TestRelayNamesItsProfiles(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	got, err := w.provider.Profiles(t.Context(), w.account())
	if diff := cmp.Diff([]string{"a1", "a2"}, got); diff != "" || err != nil {
		t.Errorf("%v, profiles (-want +got):\n%s", err, diff)
	}
	a := w.account()
	a.Operator = false
	_, err = w.provider.Profiles(t.Context(), a)
	wantFault(t, err, fault.BlockedOrigin, nil)
}

func TestListOfProfilesIsShort(t *testing.T) {
	long := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(bytes.Repeat([]byte(" "), 65<<10))
	}))
	defer long.Close()

	_, err := twitter.New(twitter.Config{}).Profiles(t.Context(), sns.Account{Origin: long.URL, Operator: true})

	f := wantFault(t, err, fault.ResponseTooLarge, map[string]any{"limit": int64(64 << 10)})
	if want := "The relay's answer is over 65536 bytes and was not read; check the relay's address and port."; f.Message != want {
		t.Errorf("message = %q, want %q", f.Message, want)
	}
}

// The list of profiles is the relay's own: no profile is to blame for its trouble.
func TestRelayThatCannotListItsProfiles(t *testing.T) {
	for status, want := range map[int]string{
		http.StatusInternalServerError: "The relay %s has a problem of its own; try again later.",
		http.StatusNotFound:            "%s does not answer like a relay; check the relay's address and port.",
	} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			ill := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
			defer ill.Close()

			_, err := twitter.New(twitter.Config{}).Profiles(t.Context(), sns.Account{Origin: ill.URL, Operator: true})

			f := wantFault(t, err, fault.UpstreamUnavailable, nil)
			if want := fmt.Sprintf(want, strings.TrimPrefix(ill.URL, "http://")); f.Message != want {
				t.Errorf("message = %q, want %q", f.Message, want)
			}
		})
	}
}

// A search of X shows now these and now those of the posts: what a hashtag's column
// has stays.
func TestHashtagKeepsWhatASearchLeavesOut(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true, Plain: true})
	var posts []string
	for i := range 3 {
		posts = append(posts, s.a1.Add(snstest.Tweet{Text: "#tea", At: epoch.Add(time.Duration(i-9) * time.Minute)}))
	}
	tag := sns.Source{Kind: sns.KindHashtag, Tag: "tea"}
	if err := s.Refresh(t.Context(), s.conn.ID, tag); err != nil {
		t.Fatal(err)
	}
	s.relay.Delete(posts[1])
	s.clock.add(time.Minute)
	if err := s.Refresh(t.Context(), s.conn.ID, tag); err != nil {
		t.Fatal(err)
	}
	got, err := s.StoredPosts(t.Context(), s.conn.ID, tag, sns.StoredQuery{Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(posts)
	if diff := cmp.Diff(posts, ids(got.Posts)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

// What X shows of a source that it ranks has no order, so that nothing can be
// missing between two looks at it: it goes on only below all that was seen.
func TestRankedSourceGoesOnBelowAllOfIt(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true, Plain: true, PageSize: 5, Terminate: true})
	top := sns.Source{Kind: sns.KindSearch, Query: "tea", Product: "top"}
	want := []string{}
	for look := range 4 {
		for i := range 6 { // each look has better ones than the one before
			want = append(want, s.a1.Add(snstest.Tweet{Text: "tea", Likes: 10*look + i}))
		}
		s.clock.add(time.Minute)
		if err := s.Refresh(t.Context(), s.conn.ID, top); err != nil {
			t.Fatal(err)
		}
		s.wantOnlyLastGap(s.stored(top))
	}
	for page := s.stored(top); !page.End; page = s.stored(top) {
		s.wantOnlyLastGap(page)
		s.clock.add(time.Minute)
		if _, err := s.FetchPosts(t.Context(), s.conn.ID, top, page.Gaps[page.Posts[len(page.Posts)-1].EntryID]); err != nil {
			t.Fatal(err)
		}
		if n := len(s.relay.CallsOf("SearchTimeline")); n > 20 {
			t.Fatalf("%d requests and no end", n)
		}
	}
	got := ids(s.stored(top).Posts)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestForYouHasNoGapsBetweenTwoLooks(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true, Plain: true, PageSize: 5})
	s.a1.AddMany(30)
	for range 3 {
		s.clock.add(time.Minute)
		if err := s.Refresh(t.Context(), s.conn.ID, forYou); err != nil {
			t.Fatal(err)
		}
		page := s.stored(forYou)
		s.wantOnlyLastGap(page)
		for _, p := range page.Posts[:5] {
			s.relay.Delete(p.ID) // the next look shows others
		}
	}
}

func (s *service) stored(src sns.Source) sns.StoredPage {
	s.t.Helper()
	page, err := s.StoredPosts(s.t.Context(), s.conn.ID, src, sns.StoredQuery{Limit: sns.MaxStored})
	if err != nil {
		s.t.Fatal(err)
	}
	return page
}

func (s *service) wantOnlyLastGap(page sns.StoredPage) {
	s.t.Helper()
	last := page.Posts[len(page.Posts)-1].EntryID
	if len(page.Gaps) != 1 || page.Gaps[last] == "" {
		s.t.Errorf("of %v there are gaps below %v, want one below the last", ids(page.Posts), slices.Collect(maps.Keys(page.Gaps)))
	}
}
