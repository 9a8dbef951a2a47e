package twitter_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// ask reads the newest page of a source as a caller does who shares no answer.
func (s *service) ask(src sns.Source) error {
	s.clock.add(16 * time.Second)
	_, err := s.FetchPosts(s.t.Context(), s.conn.ID, src, "")
	return err
}

func TestBudgetCountsAcrossRestarts(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	search := sns.Source{Kind: sns.KindSearch, Query: "tea"}
	first := s.clock.now().Add(16 * time.Second)
	for range 30 {
		if err := s.ask(search); err != nil {
			t.Fatal(err)
		}
		s.start()
	}
	err := s.ask(search)
	wantFault(t, err, fault.BudgetExhausted, nil)
	if n := len(s.relay.CallsOf("SearchTimeline")); n != 30 {
		t.Errorf("%d requests, want 30", n)
	}
	if at := mayRead(t, err); at.Sub(first.Add(15*time.Minute)) > 5*time.Second {
		t.Errorf("retryAt = %s, want 15 minutes after the first at %s", at, first)
	}
	s.clock.add(mayRead(t, err).Sub(s.clock.now()))
	s.start()
	if err := s.ask(search); err != nil {
		t.Errorf("after the window: %v", err)
	}
}

func TestLimitOfXHoldsAcrossARestart(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.relay.Inject("HomeLatestTimeline", 1, snstest.TooManyRequests(600))
	before := s.ask(home)
	s.start()
	after := s.ask(home)
	f := wantFault(t, after, fault.RateLimited, map[string]any{"connectionId": s.conn.ID})
	if want := fault.From(before); f.Message != want.Message || !mayRead(t, after).Equal(mayRead(t, before)) {
		t.Errorf("after the restart: %q, want %q", f.Message, want.Message)
	}
	if n := len(s.relay.CallsOf("HomeLatestTimeline")); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
	s.clock.add(10 * time.Minute)
	s.start()
	if err := s.ask(home); err != nil {
		t.Errorf("after the limit: %v", err)
	}
}

// A process that is started again and again, each time with a column to read,
// leaves a profile alone that fails.
func TestRestsGrowAcrossRestarts(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.relay.Inject("*", 0, snstest.Opaque())
	s.relay.ForgetCalls()
	var err error
	for range 120 {
		s.start()
		s.clock.add(30 * time.Second)
		err = s.Refresh(t.Context(), s.conn.ID, home)
	}
	wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"reason": "relay_opaque"})
	// 30 s, 2 min, 10 min and then every 15 minutes.
	if n := len(s.relay.Calls()); n > 7 {
		t.Errorf("%d requests in an hour, want at most 7", n)
	}
	s.relay.ClearFaults()
	if _, err := s.TestConnection(t.Context(), s.conn.ID); err != nil {
		t.Fatal(err)
	}
	s.start()
	if err := s.ask(home); err != nil {
		t.Errorf("after the test of the connection and a restart: %v", err)
	}
}

func TestStartsAreApartAcrossARestart(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.relay.ForgetCalls()
	for _, src := range []sns.Source{home, forYou, {Kind: sns.KindBookmarks}} {
		s.start()
		if _, err := s.FetchPosts(t.Context(), s.conn.ID, src, ""); err != nil {
			t.Fatal(err)
		}
	}
	calls := s.relay.Calls()
	for i := 1; i < len(calls); i++ {
		if d := calls[i].At.Sub(calls[i-1].At); d < 1500*time.Millisecond {
			t.Errorf("request %d came %s after the one before, want 1.5 s", i, d)
		}
	}
}

// A profile that is connected anew is the same reader to X.
func TestBudgetOutlivesItsConnection(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.relay.Inject("HomeLatestTimeline", 1, snstest.TooManyRequests(600))
	wantFault(t, s.ask(home), fault.RateLimited, nil)
	if err := s.RemoveConnection(t.Context(), s.conn.ID); err != nil {
		t.Fatal(err)
	}
	s.start()
	c, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: s.origin, Profile: "a1", Operator: true})
	if err != nil {
		t.Fatal(err)
	}
	s.conn = c
	wantFault(t, s.ask(home), fault.RateLimited, nil)
}

// What was kept while the clock was wrong must not stop a profile for years.
func TestPaceForgetsTheFuture(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.clock.add(10 * 365 * 24 * time.Hour)
	search := sns.Source{Kind: sns.KindSearch, Query: "tea"}
	for range 30 {
		if err := s.ask(search); err != nil {
			t.Fatal(err)
		}
	}
	s.relay.Inject("HomeLatestTimeline", 1, snstest.TooManyRequests(600))
	wantFault(t, s.ask(home), fault.RateLimited, nil)
	s.clock.add(-10 * 365 * 24 * time.Hour)
	s.start()
	for _, src := range []sns.Source{search, home} {
		if err := s.ask(src); err != nil {
			t.Errorf("%s: %v", src.Kind, err)
		}
	}
}

func TestDiagnosisHoldsAcrossRestarts(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.relay.SetQueryID("HomeLatestTimeline", "aNewQueryIdOfToday_xyz")
	wantFault(t, s.ask(home), fault.UpstreamUnavailable, map[string]any{"reason": "relay_opaque"})
	s.start()
	s.clock.add(time.Minute)
	if err := s.ask(forYou); err != nil {
		t.Fatal(err)
	}
	s.start()
	wantFault(t, s.ask(home), fault.UpstreamUnavailable, map[string]any{"reason": "query_outdated"})
}

// forgetful is a memory that can keep nothing, or cannot be read.
type forgetful struct{ recall, remember error }

func (f forgetful) Recall(context.Context) (map[string]string, error) { return nil, f.recall }

func (f forgetful) Remember(context.Context, string, string) error { return f.remember }

// What the workspace could forget is not asked: each process would begin anew.
func TestNothingIsSentThatCannotBeCounted(t *testing.T) {
	full := errors.New("disk full")
	for name, m := range map[string]forgetful{"not read": {recall: full}, "not written": {remember: full}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Lean: true})
			a := w.account()
			a.Memory = m
			_, err := w.provider.Fetch(t.Context(), a, home, "")
			f := wantFault(t, err, fault.Internal, nil)
			if want := "The workspace could not note the request, so X was not asked; look at its log, then try again."; f.Message != want {
				t.Errorf("message = %q, want %q", f.Message, want)
			}
			if n := len(w.relay.Calls()); n != 0 {
				t.Errorf("%d requests were made, want none", n)
			}
		})
	}
}

// kept is a memory in the test.
type kept map[string]string

func (k kept) Recall(context.Context) (map[string]string, error) { return k, nil }

func (k kept) Remember(_ context.Context, name, note string) error {
	k[name] = note
	return nil
}

func TestNotesThatCannotBeReadTellNothing(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	a := w.account()
	a.Memory = kept{
		"HomeLatestTimeline": `{"starts":"x"}`, "HomeTimeline": `{"until":9223372036854775807,"code":"rate_limited","message":"No."}`,
		"Bookmarks": `{"failures":-3,"until":-1,"starts":[-9223372036854775808,0]}`, "CreateTweet": `{"starts":[1]}`, "Viewer": `[]`,
	}
	for _, src := range []sns.Source{home, forYou, {Kind: sns.KindBookmarks}} {
		if _, err := w.provider.Fetch(t.Context(), a, src, ""); err != nil {
			t.Errorf("%s: %v", src.Kind, err)
		}
	}
}

func TestAnswersThatChangeNothingAreKeptOnce(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	a, m := w.account(), &counting{kept: kept{}}
	a.Memory = m
	for range 3 {
		if _, err := w.provider.Fetch(t.Context(), a, home, ""); err != nil {
			t.Fatal(err)
		}
	}
	if m.writes != 3 {
		t.Errorf("3 requests wrote %d notes, want 3", m.writes)
	}
}

// A note that could not be written is written with the next one, else a process
// that is started again would not know what its predecessor leaves alone.
func TestNoteThatCouldNotBeWrittenIsWrittenLater(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.relay.Inject("HomeLatestTimeline", 1, snstest.TooManyRequests(600))
	a, m := w.account(), &faltering{kept: kept{}, fails: 2}
	a.Memory = m
	_, limited := w.provider.Fetch(t.Context(), a, home, "")
	wantFault(t, limited, fault.RateLimited, nil)
	if _, err := w.provider.Fetch(t.Context(), a, forYou, ""); err != nil {
		t.Fatal(err)
	}

	w.restart()
	_, err := w.provider.Fetch(t.Context(), a, home, "")

	wantFault(t, err, fault.RateLimited, nil)
	if n := len(w.relay.CallsOf("HomeLatestTimeline")); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

// faltering is a memory that cannot keep one note.
type faltering struct {
	kept
	// fails counts down to the note that is not kept.
	fails int
}

func (f *faltering) Remember(ctx context.Context, name, note string) error {
	if f.fails--; f.fails == 0 {
		return errors.New("disk full")
	}
	return f.kept.Remember(ctx, name, note)
}

type counting struct {
	kept
	writes int
}

func (c *counting) Remember(ctx context.Context, name, note string) error {
	c.writes++
	return c.kept.Remember(ctx, name, note)
}
