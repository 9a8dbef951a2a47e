package sns_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func TestUpstreamFailureIsNeverStalePosts(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(5)
	c := w.login("ann")
	w.fetch(c, home, "")
	w.clock.add(time.Minute)
	w.net.fail(fault.New(fault.RateLimited, "Too many.").RetryAt(epoch.Add(5 * time.Minute)))
	p, err := w.sns.FetchPosts(t.Context(), c.ID, home, "")
	wantFault(t, err, fault.RateLimited, map[string]any{"connectionId": c.ID, "retryAt": "2026-11-30T12:05:00Z"})
	if len(p.Posts) != 0 {
		t.Errorf("%d posts came with the error", len(p.Posts))
	}
	s := w.stored(c, home)
	if diff := cmp.Diff(numbers(5, 1), ids(s.Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	want := &sns.Failure{Code: fault.RateLimited, Message: "Too many.", At: epoch.Add(time.Minute), Since: epoch.Add(time.Minute), RetryAt: epoch.Add(5 * time.Minute), NextAt: epoch.Add(5 * time.Minute)}
	if diff := cmp.Diff(want, s.Failure); diff != "" {
		t.Errorf("failure (-want +got):\n%s", diff)
	}
}

func TestRevokedTokenMarksTheConnectionAndKeepsItsPosts(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(30)
	c := w.login("ann")
	next := w.fetch(c, home, "").NextCursor
	w.net.fail(fault.New(fault.Unauthorized, "Revoked."))
	_, err := w.sns.FetchPosts(t.Context(), c.ID, home, next)
	wantFault(t, err, fault.Unauthorized, map[string]any{"connectionId": c.ID, "reconnect": true})
	if got := w.connection(c.ID); got.State != sns.ReauthRequired || got.StateCode != sns.CodeTokenRevoked {
		t.Errorf("state = %s (%s)", got.State, got.StateCode)
	}
	if n := len(w.stored(c, home).Posts); n != 20 {
		t.Errorf("%d posts are stored, want 20", n)
	}
	w.net.answer(nil)
	w.fetch(c, home, next)
	if got := w.connection(c.ID); got.State != sns.Ready || got.StateCode != "" {
		t.Errorf("after a success: %s (%s)", got.State, got.StateCode)
	}
}

func TestLateRefusalDoesNotMarkANewCredential(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
		// While the old token is on its way the person signs in again.
		if _, err := w.sns.ForgetSecrets(t.Context()); err != nil {
			t.Error(err)
		}
		w.login("ann")
		return sns.UpstreamPage{}, fault.New(fault.Unauthorized, "Revoked.")
	})
	_, err := w.sns.FetchPosts(t.Context(), c.ID, home, "")
	wantFault(t, err, fault.Unauthorized, nil)
	if got := w.connection(c.ID).State; got != sns.Ready {
		t.Errorf("state = %s, want ready", got)
	}
}

func TestForbiddenDoesNotAskToSignInAgain(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.fail(fault.New(fault.Forbidden, "The token lacks read:notifications."))
	_, err := w.sns.FetchPosts(t.Context(), c.ID, sns.Source{Kind: sns.KindNotifications}, "")
	wantFault(t, err, fault.Forbidden, map[string]any{"connectionId": c.ID, "reconnect": nil})
	if got := w.connection(c.ID).State; got != sns.Ready {
		t.Errorf("state = %s", got)
	}
}

func TestRemovedDuringAFetch(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) {
		if err := w.sns.RemoveConnection(t.Context(), c.ID); err != nil {
			t.Error(err)
		}
		return sns.UpstreamPage{Posts: []sns.Post{post(1)}}, nil
	})
	_, err := w.sns.FetchPosts(t.Context(), c.ID, home, "")
	wantFault(t, err, fault.NotFound, map[string]any{"what": "connection"})
	if n := w.count("SELECT count(*) FROM posts"); n != 0 {
		t.Errorf("%d posts of a removed connection are stored", n)
	}
}

func TestPanicInAProviderFailsTheCallOnly(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(1)
	c := w.login("ann")
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) { panic("a bug with a token-ann in it") })
	_, err := w.sns.FetchPosts(t.Context(), c.ID, home, "")
	wantFault(t, err, fault.Internal, map[string]any{"connectionId": c.ID})
	if m := fault.From(err).Message; strings.Contains(m, "token") {
		t.Errorf("message %q tells about the panic", m)
	}
	w.net.answer(nil)
	w.fetch(c, home, "")
}

// TestPostsThatCannotBeEncodedAreSkipped: a time that JSON has no form for costs
// one post, not its page.
func TestPostsThatCannotBeEncodedAreSkipped(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	never := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	dated, polled, notified := post(2), post(3), post(4)
	dated.CreatedAt = &never
	polled.Poll = &sns.Poll{ExpiresAt: &never}
	notified.Notification = &sns.Notification{Type: "like", At: &never}
	posts := []sns.Post{post(5), notified, polled, dated, post(1)}
	w.net.answer(func(context.Context, request) (sns.UpstreamPage, error) { return sns.UpstreamPage{Posts: posts}, nil })
	p := w.fetch(c, home, "")
	if diff := cmp.Diff([]string{"5", "1"}, ids(p.Posts)); diff != "" || p.Skipped != 3 || len(p.Warnings) != 0 {
		t.Errorf("skipped %d, warnings %q, posts (-want +got):\n%s", p.Skipped, p.Warnings, diff)
	}
	if diff := cmp.Diff([]string{"5", "1"}, ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	w.net.thread = func(context.Context, sns.Account, string) (sns.Thread, error) {
		return sns.Thread{Post: post(9), Ancestors: []sns.Post{dated, post(8)}, Descendants: []sns.Post{polled}}, nil
	}
	thread, err := w.sns.GetThread(t.Context(), c.ID, "9")
	if err != nil || len(thread.Ancestors) != 1 || len(thread.Descendants) != 0 {
		t.Errorf("thread = %v above, %v below, %v", ids(thread.Ancestors), ids(thread.Descendants), err)
	}
}
