package sns_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func (w *world) status(c sns.Connection) sns.ConnectionStatus {
	w.t.Helper()
	st, err := w.sns.ConnectionStatus(w.t.Context(), c.ID)
	if err != nil {
		w.t.Fatalf("ConnectionStatus: %v", err)
	}
	return st
}

func TestStatusOfANewConnection(t *testing.T) {
	w := newWorld(t)
	w.net.verify = answerIdentity(sns.Identity{Account: "@ann@social.example", AccountID: "7", Scopes: []string{"read"}}, nil)
	c := w.login("ann")
	want := sns.ConnectionStatus{Connection: c, LastSuccess: epoch, Scopes: []string{"read"}, CredentialSince: epoch}
	if diff := cmp.Diff(want, w.status(c), ignoreRevision); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	if w.status(c).Failing() {
		t.Error("a new connection is failing")
	}
}

func TestStatusesAreThoseOfAllConnections(t *testing.T) {
	w := newWorld(t)
	ann := w.login("ann")
	w.clock.add(time.Second)
	open, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://open.example"})
	if err != nil {
		t.Fatal(err)
	}
	list, err := w.sns.ConnectionStatuses(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []sns.ConnectionStatus{
		{Connection: ann, LastSuccess: epoch, CredentialSince: epoch},
		{Connection: open, LastSuccess: epoch.Add(time.Second)},
	}
	if diff := cmp.Diff(want, list, ignoreRevision); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestLastFailureIsToldInFull(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.clock.add(time.Hour)
	down := fault.New(fault.UpstreamUnavailable, "It is down; try again later.").RetryAt(epoch.Add(2 * time.Hour))
	w.net.fail(down)
	w.sns.Refresh(t.Context(), c.ID, home)
	w.clock.add(time.Minute)
	w.sns.Refresh(t.Context(), c.ID, tagged)
	st := w.status(c)
	want := &sns.Failure{
		Code: fault.UpstreamUnavailable, Message: "It is down; try again later.",
		At: epoch.Add(time.Hour + time.Minute), Since: epoch.Add(time.Hour), RetryAt: epoch.Add(time.Hour + 2*time.Minute),
	}
	if diff := cmp.Diff(want, st.LastFailure); diff != "" || !st.Failing() || !st.LastSuccess.Equal(epoch) {
		t.Errorf("failing %v since %v, failure (-want +got):\n%s", st.Failing(), st.LastSuccess, diff)
	}
	w.net.answer(nil)
	w.clock.add(time.Minute)
	w.fetch(c, home, "")
	if st := w.status(c); st.Failing() || st.LastFailure == nil || !st.LastSuccess.Equal(w.clock.Now()) {
		t.Errorf("after it works again: failing %v, %+v", st.Failing(), st.LastFailure)
	}
	w.clock.add(time.Minute)
	w.net.fail(down)
	w.sns.Refresh(t.Context(), c.ID, home)
	if st := w.status(c); !st.LastFailure.Since.Equal(w.clock.Now()) {
		t.Errorf("the new failure is said to be since %v", st.LastFailure.Since)
	}
}

func TestBudgetIsWhatTheServerSaid(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	if got := w.status(c).Budget; got != (sns.Budget{}) {
		t.Errorf("before any request: %+v", got)
	}
	g := sns.GateOf(w.sns, c.ID)
	g.(sns.LimitObserver).ObserveLimit(300)
	g.Observe(-1, time.Time{})
	if got := w.status(c).Budget; got.Known {
		t.Errorf("of a server that says nothing: %+v", got)
	}
	g.Observe(12, epoch.Add(5*time.Minute))
	want := sns.Budget{Known: true, Remaining: 12, Limit: 300, Reset: epoch.Add(5 * time.Minute)}
	if got := w.status(c).Budget; got != want {
		t.Errorf("budget = %+v, want %+v", got, want)
	}
	w.clock.add(5 * time.Minute)
	want = sns.Budget{Known: true, Remaining: 300, Limit: 300}
	if got := w.status(c).Budget; got != want {
		t.Errorf("after the reset: %+v, want %+v", got, want)
	}
}

func TestTestConnection(t *testing.T) {
	refused := fault.New(fault.Unauthorized, "No.").With(fault.DetailReconnect, true)
	good := sns.Identity{Account: "@ann@social.example", AccountID: "id-ann", Scopes: []string{"read:statuses"}}
	tests := []struct {
		name    string
		before  func(w *world, c sns.Connection)
		answer  sns.Identity
		err     error
		state   sns.State
		code    string
		failure fault.Code
	}{
		{"works", nil, good, nil, sns.Ready, "", ""},
		{"works again", func(w *world, c sns.Connection) { refuse(w, c) }, good, nil, sns.Ready, "", ""},
		{"is refused", nil, sns.Identity{}, refused, sns.ReauthRequired, sns.CodeTokenRevoked, fault.Unauthorized},
		{"is down", nil, sns.Identity{}, fault.New(fault.UpstreamUnavailable, "Down."), sns.Ready, "", fault.UpstreamUnavailable},
		{"is down after it was refused", func(w *world, c sns.Connection) { refuse(w, c) }, sns.Identity{}, fault.New(fault.UpstreamUnavailable, "Down."), sns.ReauthRequired, sns.CodeTokenRevoked, fault.UpstreamUnavailable},
		{"is somebody else's", nil, sns.Identity{Account: "@bob@social.example", AccountID: "id-bob"}, nil, sns.ReauthRequired, sns.CodeTokenRevoked, fault.Unauthorized},
		{"works while it is switched off", func(w *world, c sns.Connection) { w.pause(c) }, good, nil, sns.Disabled, "", ""},
		{"never answers", nil, sns.Identity{}, context.DeadlineExceeded, sns.Ready, "", fault.Timeout},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			c := w.login("ann")
			w.clock.add(time.Minute)
			if tt.before != nil {
				tt.before(w, c)
			}
			w.net.verify = answerIdentity(tt.answer, tt.err)
			w.clock.add(time.Minute)
			st, err := w.sns.TestConnection(t.Context(), c.ID)
			if err != nil {
				t.Fatal(err)
			}
			if st.State != tt.state || st.StateCode != tt.code || st.Failing() != (tt.failure != "") {
				t.Errorf("%s (%s), failing %v", st.State, st.StateCode, st.Failing())
			}
			if tt.failure == "" && (st.LastFailure != nil || !st.LastSuccess.Equal(w.clock.Now()) || st.Scopes[0] != "read:statuses") {
				t.Errorf("status = %+v", st)
			}
			if tt.failure != "" && (st.LastFailure.Code != tt.failure || !st.LastFailure.At.Equal(w.clock.Now())) {
				t.Errorf("failure = %+v", st.LastFailure)
			}
			if diff := cmp.Diff(st, w.status(c), ignoreRevision); diff != "" {
				t.Errorf("what is stored differs (-answered +stored):\n%s", diff)
			}
		})
	}
}

// refuse lets the server refuse the connection's token once.
func refuse(w *world, c sns.Connection) {
	w.net.fail(fault.New(fault.Unauthorized, "No."))
	w.sns.Refresh(context.Background(), c.ID, home)
	w.net.answer(nil)
}

func (w *world) pause(c sns.Connection) {
	w.t.Helper()
	if err := w.sns.PauseConnection(w.t.Context(), c.ID); err != nil {
		w.t.Fatalf("PauseConnection: %v", err)
	}
}

func TestTestingAConnectionThatIsNotThere(t *testing.T) {
	w := newWorld(t)
	_, err := w.sns.TestConnection(t.Context(), "conn_x")
	wantFault(t, err, fault.NotFound, nil)
}

func TestTestingWithoutTheKeyIsNoReasonToSignIn(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.sns.Close()
	w.key = nil
	w.start()
	st, err := w.sns.TestConnection(t.Context(), c.ID)
	if err != nil || st.State != sns.Ready || st.LastFailure == nil || !strings.Contains(st.LastFailure.Message, "credential key") {
		t.Errorf("%s, %+v, %v", st.State, st.LastFailure, err)
	}
}

func TestPausedConnectionAsksNothingAndKeepsItsPosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *sns.Config) { c.Now = time.Now })
		w.run()
		w.net.feed.add(3)
		c := w.login("ann")
		w.fetch(c, home, "")
		w.pause(c)
		w.pause(c) // twice is once
		asked := w.net.asked()
		sleep(time.Hour)
		w.sns.RefreshLater(c.ID, home)
		synctest.Wait()
		wantFault(t, w.sns.Refresh(t.Context(), c.ID, home), fault.Forbidden, map[string]any{"connectionId": c.ID})
		if got := w.net.asked(); got != asked {
			t.Errorf("%d requests while it is off", got-asked)
		}
		if p := w.stored(c, home); len(p.Posts) != 3 || p.Failure != nil {
			t.Errorf("%d posts, failure %+v", len(p.Posts), p.Failure)
		}
		if st := w.status(c); st.State != sns.Disabled || st.Failing() {
			t.Errorf("%s, failing %v", st.State, st.Failing())
		}
		if err := w.sns.ResumeConnection(t.Context(), c.ID); err != nil {
			t.Fatal(err)
		}
		w.sns.RefreshLater(c.ID, home)
		synctest.Wait()
		if got := w.net.asked(); got != asked+1 || w.connection(c.ID).State != sns.Ready {
			t.Errorf("%d requests after it is on, %s", got-asked, w.connection(c.ID).State)
		}
	})
}

func TestResumingWhatIsOnChangesNothing(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	refuse(w, c)
	if err := w.sns.ResumeConnection(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	if got := w.connection(c.ID); got.State != sns.ReauthRequired {
		t.Errorf("the connection is %s", got.State)
	}
	for _, f := range []func(context.Context, string) error{w.sns.PauseConnection, w.sns.ResumeConnection} {
		wantFault(t, f(t.Context(), "conn_x"), fault.NotFound, nil)
	}
}

// Whatever else changes the connection at the same time, what the person wants
// of it counts.
func TestSwitchingIsNotLostToAnotherChange(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	for i := range 40 {
		do, want := w.sns.PauseConnection, sns.Disabled
		if i%2 == 1 {
			do, want = w.sns.ResumeConnection, sns.Ready
		}
		var both sync.WaitGroup
		both.Go(func() {
			if _, err := w.sns.RenameConnection(t.Context(), c.ID, fmt.Sprint("Name ", i)); err != nil {
				t.Error(err)
			}
		})
		both.Go(func() {
			if err := do(t.Context(), c.ID); err != nil {
				t.Error(err)
			}
		})
		both.Wait()
		if got := w.connection(c.ID).State; got != want {
			t.Fatalf("after switch %d the connection is %s, want %s", i, got, want)
		}
	}
}

func TestRenameConnection(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	got, err := w.sns.RenameConnection(t.Context(), c.ID, "  Harbour 港 ")
	if err != nil || got.Label != "Harbour 港" || w.connection(c.ID).Label != "Harbour 港" {
		t.Errorf("label = %q, %v", got.Label, err)
	}
	for name, label := range map[string]string{"nothing": " ", "81 characters": strings.Repeat("名", 81), "two lines": "a\nb", "nothing to see": "\u200b\u3164"} {
		t.Run(name, func(t *testing.T) {
			_, err := w.sns.RenameConnection(t.Context(), c.ID, label)
			wantFault(t, err, fault.InvalidArguments, map[string]any{"field": "label"})
		})
	}
	_, err = w.sns.RenameConnection(t.Context(), "conn_x", "X")
	wantFault(t, err, fault.NotFound, nil)
}

func TestNetworkWithoutOAuthCannotBeSignedInTo(t *testing.T) {
	w := newWorld(t)
	_, err := w.sns.BeginLogin(t.Context(), sns.BeginLogin{Origin: "https://social.example", Browser: "b"})
	wantFault(t, err, fault.Unsupported, map[string]any{"capability": "oauth"})
}

// tagNetwork is a network that tells followed hashtags.
type tagNetwork struct {
	*network
	tags []string
	err  error
	asks int
}

func (n *tagNetwork) FollowedTags(context.Context, sns.Account) ([]string, error) {
	n.asks++
	return n.tags, n.err
}

func TestListFollowedTags(t *testing.T) {
	tests := []struct {
		name string
		tags []string
		err  error
		want []string
		code fault.Code
	}{
		{"some", []string{"tea", "no tag", "猫"}, nil, []string{"tea", "猫"}, ""},
		{"a token that may not", nil, fault.New(fault.Forbidden, "No."), []string{}, ""},
		{"a server without them", nil, fault.New(fault.Unsupported, "No."), []string{}, ""},
		{"a server that is down", nil, fault.New(fault.UpstreamUnavailable, "Down."), nil, fault.UpstreamUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := &tagNetwork{tags: tt.tags, err: tt.err}
			w := newWorld(t, func(c *sns.Config) {
				n.network = c.Providers[sns.Mastodon].(*network)
				c.Providers[sns.Mastodon] = n
			})
			c := w.login("ann")
			for range 2 {
				got, err := w.sns.ListFollowedTags(t.Context(), c.ID)
				if diff := cmp.Diff(tt.want, got); diff != "" || fault.CodeOf(err) != tt.code {
					t.Errorf("%v, tags (-want +got):\n%s", err, diff)
				}
			}
			if tt.err == nil && n.asks != 1 {
				t.Errorf("%d requests, want one that is shared", n.asks)
			}
			if st := w.status(c); st.Failing() != (tt.code != "") {
				t.Errorf("failing = %v", st.Failing())
			}
		})
	}
	t.Run("a network without them", func(t *testing.T) {
		w := newWorld(t)
		if got, err := w.sns.ListFollowedTags(t.Context(), w.login("ann").ID); err != nil || len(got) != 0 || got == nil {
			t.Errorf("tags = %v, %v", got, err)
		}
	})
}

func TestGetPost(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(2)
	c := w.login("ann")
	w.fetch(c, home, "")
	asked := w.net.asked()
	got, err := w.sns.GetPost(t.Context(), c.ID, "2")
	if err != nil || got.ID != "2" || got.ConnectionID != c.ID || got.EntryID != "2" || w.net.asked() != asked {
		t.Errorf("stored post = %+v, %v after %d requests", got, err, w.net.asked()-asked)
	}
	w.net.answer(func(_ context.Context, r request) (sns.UpstreamPage, error) {
		if r.Source.Kind != sns.KindPost {
			return sns.UpstreamPage{}, errors.New("asked for something else")
		}
		return sns.UpstreamPage{Posts: []sns.Post{post(9)}}, nil
	})
	for range 2 {
		if got, err = w.sns.GetPost(t.Context(), c.ID, "9"); err != nil || got.ID != "9" {
			t.Errorf("post = %+v, %v", got, err)
		}
	}
	if n := w.net.asked() - asked; n != 1 {
		t.Errorf("%d requests for a post that was not stored, want 1", n)
	}
	if n := w.count("SELECT count(*) FROM timelines WHERE source LIKE '%post%'"); n != 0 {
		t.Errorf("%d timelines of single posts", n)
	}
}

func TestGetPostFails(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.fail(fault.Missing("post", "It has no such post."))
	_, err := w.sns.GetPost(t.Context(), c.ID, "404")
	wantFault(t, err, fault.NotFound, map[string]any{"what": "post", "connectionId": c.ID})
	_, err = w.sns.GetPost(t.Context(), c.ID, "../x")
	wantFault(t, err, fault.InvalidSource, nil)
	_, err = w.sns.GetPost(t.Context(), "conn_x", "1")
	wantFault(t, err, fault.NotFound, map[string]any{"what": "connection"})
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) { return sns.UpstreamPage{}, nil })
	_, err = w.sns.GetPost(t.Context(), c.ID, "2")
	wantFault(t, err, fault.UpstreamChanged, nil)
}
