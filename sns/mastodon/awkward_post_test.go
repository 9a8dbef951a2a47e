package mastodon_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns"
)

func filtered(action string, contexts ...string) object {
	return object{"filtered": []object{{
		"filter":          object{"id": "1", "title": "spoilers", "context": contexts, "filter_action": action, "expires_at": nil},
		"keyword_matches": []string{"x"}, "status_matches": nil,
	}}}
}

func testFilterContext(t *testing.T) {
	body := "[" + status("2", filtered("hide", "home")) + "," + status("1", nil) + "]"
	for _, tc := range []struct {
		name   string
		source sns.Source
		want   []string
	}{
		{"hidden on home", home, []string{"1"}},
		{"hidden on a list", sns.Source{Kind: sns.KindList, ListID: "3"}, []string{"1"}},
		{"shown on a hashtag", sns.Source{Kind: sns.KindHashtag, Tag: "cat"}, []string{"2", "1"}},
		{"shown in bookmarks", sns.Source{Kind: sns.KindBookmarks}, []string{"2", "1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			page := serve(t, answerJSON(body)).page(t, tc.source, "")
			if diff := cmp.Diff(tc.want, ids(page.Posts)); diff != "" || page.Skipped != 0 {
				t.Errorf("skipped %d, posts (-want +got):\n%s", page.Skipped, diff)
			}
		})
	}
	t.Run("a page that is hidden whole still continues", func(t *testing.T) {
		page := serve(t, func(w http.ResponseWriter, r *http.Request) {
			below, err := strconv.Atoi(r.URL.Query().Get("max_id"))
			if err != nil {
				below = 1000
			}
			entries := ""
			for id := below - 1; id >= below-20; id-- {
				entries += "," + status(fmt.Sprint(id), filtered("hide", "home"))
			}
			io.WriteString(w, "["+entries[1:]+"]")
		}).page(t, home, "")
		if len(page.Posts) != 0 || len(page.Received) != 60 || page.Next != "max_id=940" {
			t.Errorf("%d posts of %d, next %q; want 0 of 60, max_id=940", len(page.Posts), len(page.Received), page.Next)
		}
	})
}

func testFilterAction(t *testing.T) {
	for action, want := range map[string]string{"sparkle": "warn", "warn": "warn", "blur": "blur", "": "warn"} {
		t.Run(action, func(t *testing.T) {
			p := homePost(t, status("1", filtered(action, "home")))
			if diff := cmp.Diff(&sns.Filter{Action: want, Titles: []string{"spoilers"}}, p.Filter); diff != "" {
				t.Errorf("filter (-want +got):\n%s", diff)
			}
		})
	}
}

func testQuotes(t *testing.T) {
	inner := object{"id": "4", "content": "<p>innermost</p>", "account": accountJSON("5", "eve")}
	middle := object{"id": "3", "content": "<p>middle</p>", "account": accountJSON("5", "eve"), "quote": object{"state": "accepted", "quoted_status": inner}}
	quoted := object{
		"id": "2", "url": "https://ex.org/@eve/2", "content": "<p>quoted</p>", "account": accountJSON("5", "eve"),
		"quote": object{"state": "accepted", "quoted_status": middle},
	}
	t.Run("one level", func(t *testing.T) {
		q := homePost(t, status("1", object{"quote": object{"state": "accepted", "quoted_status": quoted}})).Quote
		if q == nil || q.State != "available" || q.Post == nil || q.Post.Text != "quoted" || q.ID != "2" || q.URL != "https://ex.org/@eve/2" {
			t.Fatalf("quote = %+v, want the quoted post", q)
		}
		if q.Post.Quote != nil {
			t.Errorf("the quoted post has a quote: %+v", q.Post.Quote)
		}
	})
	for _, tc := range []struct {
		name  string
		quote object
		want  *sns.Quote
	}{
		{"an unknown state", object{"state": "wat", "quoted_status": quoted}, &sns.Quote{State: "unavailable"}},
		{"pending", object{"state": "pending", "quoted_status": nil}, &sns.Quote{State: "pending"}},
		{"deleted", object{"state": "deleted", "quoted_status": nil}, &sns.Quote{State: "deleted"}},
		{"revoked", object{"state": "revoked", "quoted_status": nil}, &sns.Quote{State: "unavailable"}},
		{"shallow", object{"state": "accepted", "quoted_status_id": "2"}, &sns.Quote{State: "available", ID: "2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, homePost(t, status("1", object{"quote": tc.quote})).Quote); diff != "" {
				t.Errorf("quote (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("a muted author is hidden", func(t *testing.T) {
		q := homePost(t, status("1", object{"quote": object{"state": "muted_account", "quoted_status": quoted}})).Quote
		if q == nil || q.State != "hidden" || q.Post == nil {
			t.Errorf("quote = %+v, want it hidden with its post", q)
		}
	})
	t.Run("a filter hides only the quote", func(t *testing.T) {
		hidden := object{"id": "2", "content": "<p>quoted</p>", "account": accountJSON("5", "eve"), "filtered": filtered("hide", "home")["filtered"]}
		p := homePost(t, status("1", object{"quote": object{"state": "accepted", "quoted_status": hidden}}))
		if diff := cmp.Diff(&sns.Quote{State: "hidden", ID: "2"}, p.Quote); diff != "" {
			t.Errorf("quote (-want +got):\n%s", diff)
		}
	})
	t.Run("of a boosted post", func(t *testing.T) {
		boost := encode(object{"id": "9", "content": "", "account": accountJSON("3", "bob"), "reblog": "R"})
		p := homePost(t, replace(boost, `"R"`, status("1", object{"quote": object{"state": "accepted", "quoted_status": quoted}})))
		if p.Quote == nil || p.Quote.Post == nil || p.Quote.Post.Text != "quoted" {
			t.Errorf("quote = %+v, want the quoted post", p.Quote)
		}
	})
}

func testPoll(t *testing.T) {
	options := []object{}
	for i := range 25 {
		options = append(options, object{"title": fmt.Sprint("option ", i), "votes_count": nil})
	}
	p := homePost(t, status("1", object{"poll": object{
		"id": "1", "expires_at": nil, "expired": false, "multiple": true,
		"votes_count": nil, "voters_count": nil, "options": options, "emojis": []any{},
	}}))

	if p.Poll == nil || len(p.Poll.Options) != 20 {
		t.Fatalf("poll = %+v, want 20 options", p.Poll)
	}
	if p.Poll.ExpiresAt != nil || p.Poll.Voters != nil || p.Poll.Options[0].Votes != nil {
		t.Errorf("poll = %+v, want unknown numbers to stay unknown", p.Poll)
	}
	if want := (sns.PollOption{Title: "option 19"}); p.Poll.Options[19] != want {
		t.Errorf("last option = %+v, want %+v", p.Poll.Options[19], want)
	}
}

func testUnknownMedia(t *testing.T) {
	p := homePost(t, status("1", object{"media_attachments": []object{
		{"id": "1", "type": "unknown", "url": nil, "preview_url": nil, "description": nil, "meta": nil},
		{"id": "2", "type": "hologram", "url": "https://ex.org/h", "meta": object{"original": object{"width": 640.5, "height": -3, "size": 7}}},
		{"id": "3", "type": "video", "url": "https://ex.org/v.mp4", "meta": object{"original": object{"width": 1920, "height": 1080, "duration": 12.345}}},
	}}))

	want := []sns.Media{
		{Type: "unknown"},
		{Type: "unknown", URL: "https://ex.org/h", Width: 640},
		{Type: "video", URL: "https://ex.org/v.mp4", Width: 1920, Height: 1080, DurationMs: 12345},
	}
	if diff := cmp.Diff(want, p.Media); diff != "" {
		t.Errorf("media (-want +got):\n%s", diff)
	}
	t.Run("a whole number written as a fraction", func(t *testing.T) {
		st := status("1", object{"media_attachments": []object{{"id": "1", "type": "image", "url": "https://ex.org/a.png", "meta": object{"original": object{"width": "W"}}}}})
		p := homePost(t, replace(st, `"W"`, `640.0`))
		if p.Media[0].Width != 640 {
			t.Errorf("width = %d, want 640", p.Media[0].Width)
		}
	})
}

func testUnknownWords(t *testing.T) {
	t.Run("visibility", func(t *testing.T) {
		if got := homePost(t, status("1", object{"visibility": "local"})).Visibility; got != sns.VisibilityUnknown {
			t.Errorf("visibility = %q, want unknown", got)
		}
	})
	t.Run("notification", func(t *testing.T) {
		page := serve(t, answerJSON(`[{"id":"5","type":"pleroma:emoji_reaction","created_at":"2026-11-30T12:00:00Z","account":`+
			encode(accountJSON("3", "bob"))+`,"status":`+status("1", nil)+`}]`)).page(t, sns.Source{Kind: sns.KindNotifications}, "")
		if len(page.Posts) != 1 {
			t.Fatalf("%d posts, want 1", len(page.Posts))
		}
		p := page.Posts[0]
		if p.Notification == nil || p.Notification.Type != "other" || p.Notification.RawType != "pleroma:emoji_reaction" || p.Text != "post 1" {
			t.Errorf("notification = %+v of %q, want it as other with its post", p.Notification, p.Text)
		}
	})
}
