package sns_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func TestListLists(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	asked := 0
	w.net.listing = func(_ context.Context, a sns.Account) ([]sns.List, error) {
		asked++
		return []sns.List{{ID: "2", Title: "Zoo"}, {ID: "a/b", Title: "Bad"}, {ID: "1", Title: "A\nB " + a.Token}}, nil
	}
	got, err := w.sns.ListLists(t.Context(), c.ID)
	if err != nil {
		t.Fatalf("ListLists: %v", err)
	}
	if diff := cmp.Diff([]sns.List{{ID: "2", Title: "Zoo"}, {ID: "1", Title: "A B token-ann"}}, got); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
	got[0].Title = "changed by the caller"
	again, err := w.sns.ListLists(t.Context(), c.ID)
	if err != nil || again[0].Title != "Zoo" || asked != 1 {
		t.Errorf("again: %v, %v after %d requests", again, err, asked)
	}
}

func TestOfferListsFallsBackOnThoseOfTheLastHour(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	var fail error
	w.net.listing = func(context.Context, sns.Account) ([]sns.List, error) {
		return []sns.List{{ID: "2", Title: "Zoo"}}, fail
	}
	if _, err := w.sns.OfferLists(t.Context(), c.ID); err != nil {
		t.Fatalf("OfferLists: %v", err)
	}
	fail = fault.New(fault.UpstreamUnavailable, "Not now.")
	w.clock.add(59 * time.Minute)
	known, err := w.sns.OfferLists(t.Context(), c.ID)
	if diff := cmp.Diff([]sns.List{{ID: "2", Title: "Zoo"}}, known); diff != "" || err != nil {
		t.Errorf("lists (-want +got):\n%s%v", diff, err)
	}
	_, err = w.sns.ListLists(t.Context(), c.ID)
	wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"connectionId": c.ID})
	w.clock.add(2 * time.Minute)
	_, err = w.sns.OfferLists(t.Context(), c.ID)
	wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"connectionId": c.ID})
}

func TestListListsWithoutLogin(t *testing.T) {
	w := newWorld(t)
	c, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://open.example"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.sns.ListLists(t.Context(), c.ID)
	wantFault(t, err, fault.Unsupported, map[string]any{"capability": "lists", "connectionId": c.ID})
}

func TestListListsRefused(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.listing = func(context.Context, sns.Account) ([]sns.List, error) {
		return nil, fault.New(fault.Unauthorized, "No.")
	}
	_, err := w.sns.ListLists(t.Context(), c.ID)
	wantFault(t, err, fault.Unauthorized, map[string]any{"connectionId": c.ID, "reconnect": true})
	if got := w.connection(c.ID).State; got != sns.ReauthRequired {
		t.Errorf("state = %s", got)
	}
}

func TestGetThread(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.thread = func(_ context.Context, _ sns.Account, id string) (sns.Thread, error) {
		n := number(id)
		return sns.Thread{
			Ancestors:   []sns.Post{post(n - 1), {ID: "a/b"}},
			Post:        post(n),
			Descendants: []sns.Post{post(n + 1), post(n + 2), post(n + 1)},
		}, nil
	}
	got, err := w.sns.GetThread(t.Context(), c.ID, "5")
	if err != nil {
		t.Fatalf("GetThread: %v", err)
	}
	if s := fmt.Sprint(ids(got.Ancestors), ids([]sns.Post{got.Post}), ids(got.Descendants)); s != "[4] [5] [6 7]" {
		t.Errorf("thread = %s", s)
	}
	if got.Post.ConnectionID != c.ID || got.Descendants[0].ConnectionID != c.ID {
		t.Error("the posts do not name their connection")
	}
	if n := w.count("SELECT count(*) FROM posts WHERE connection_id = ?", c.ID); n != 4 {
		t.Errorf("%d posts are stored, want 4", n)
	}
	_, err = w.sns.GetThread(t.Context(), c.ID, "../5")
	wantFault(t, err, fault.InvalidSource, map[string]any{"field": "source.postId"})
}
