package twitter_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// story fills the relay with something for every source; names finds what a post
// is called.
func story(w *world) (posts, names map[string]string) {
	posts, names = map[string]string{}, map[string]string{}
	at := epoch.Add(-time.Hour)
	add := func(name string, in snstest.Tweet) {
		at = at.Add(time.Minute)
		in.At = at
		posts[name] = w.a1.Add(in)
		names[posts[name]] = name
	}
	w.a1.AddPerson(snstest.Person{Handle: "far", Stranger: true})
	add("root", snstest.Tweet{Text: "tea & cake #tea", Likes: 1})
	add("answer", snstest.Tweet{Author: "cleo", Text: "more tea", ReplyTo: posts["root"], Likes: 9})
	add("picture", snstest.Tweet{Text: "look", Media: []snstest.Media{{Scene: "tea"}}})
	add("distant", snstest.Tweet{Author: "far", Text: "tea too"})
	add("passed on", snstest.Tweet{Author: "cleo", Repost: posts["distant"]})
	add("mine", snstest.Tweet{Author: "ann", Text: "hello", Pinned: true})
	add("last", snstest.Tweet{Text: "good night"})
	w.a1.Bookmark(posts["distant"], posts["root"])
	w.a1.Like(posts["root"], posts["picture"])
	return posts, names
}

func TestSourcesReadWhatXShows(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	_, names := story(w)
	list := w.a1.AddList(snstest.TweetList{Title: "L", Members: []string{"cleo", "far"}})
	for _, c := range []struct {
		name   string
		source sns.Source
		want   []string
	}{
		{"home", home, []string{"last", "mine", "passed on", "picture", "root", "answer"}},
		{"a list", sns.Source{Kind: sns.KindList, ListID: list}, []string{"passed on", "distant", "answer"}},
		{"a person by name", sns.Source{Kind: sns.KindUser, Account: "@ben"}, []string{"last", "picture", "root"}},
		{"a person by id", sns.Source{Kind: sns.KindUser, Account: w.relay.PersonID("ben")}, []string{"last", "picture", "root"}},
		{"a person's answers too", sns.Source{Kind: sns.KindUser, Account: "cleo"}, []string{"passed on", "answer"}},
		{"a person without answers", sns.Source{Kind: sns.KindUser, Account: "cleo", ExcludeReplies: true}, []string{"passed on"}},
		{"a person's media", sns.Source{Kind: sns.KindUser, Account: "@ben", OnlyMedia: true}, []string{"picture"}},
		{"a search", sns.Source{Kind: sns.KindSearch, Query: "tea -filter:replies"}, []string{"distant", "root"}},
		{"the top of a search", sns.Source{Kind: sns.KindSearch, Query: "tea", Product: "top"}, []string{"root", "answer", "distant"}},
		{"the media of a search", sns.Source{Kind: sns.KindSearch, Query: "look", Product: "media"}, []string{"picture"}},
		{"a hashtag", sns.Source{Kind: sns.KindHashtag, Tag: "tea"}, []string{"root"}},
		{"bookmarks", sns.Source{Kind: sns.KindBookmarks}, []string{"root", "distant"}},
		{"favourites", sns.Source{Kind: sns.KindFavourites}, []string{"picture", "root"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := w.fetch(c.source, "")
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, id := range ids(p.Posts) {
				got = append(got, names[id])
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
			if p.Skipped != 0 || len(p.Warnings) != 0 {
				t.Errorf("skipped = %d, warnings = %q; want none", p.Skipped, p.Warnings)
			}
		})
	}
}

func TestForYouHasEveryPostOnce(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	want := w.a1.AddMany(80)
	got := ids(w.all(forYou))
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestEverySourceIsReadToItsEnd(t *testing.T) {
	for name, quirks := range map[string]snstest.RelayQuirks{
		"plain": {Lean: true}, "replaced cursors": {Lean: true, ReplaceCursors: true}, "said to end": {Lean: true, Terminate: true},
		"as of 2025": {Lean: true, OldUsers: true, OldUserTimeline: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, quirks)
			want := []string{}
			for i := range 50 {
				want = append(want, w.a1.Add(snstest.Tweet{At: epoch.Add(time.Duration(i-100) * time.Minute), Text: "tea", Media: []snstest.Media{{}}}))
			}
			w.a1.Bookmark(want...)
			slices.Reverse(want)
			for _, s := range []sns.Source{
				home,
				{Kind: sns.KindUser, Account: "@ben"},
				{Kind: sns.KindUser, Account: "@ben", OnlyMedia: true},
				{Kind: sns.KindSearch, Query: "tea"},
				{Kind: sns.KindSearch, Query: "tea", Product: "media"},
				{Kind: sns.KindBookmarks},
			} {
				if diff := cmp.Diff(want, ids(w.all(s))); diff != "" {
					t.Errorf("%s %s (-want +got):\n%s", s.Kind, s.Product, diff)
				}
			}
		})
	}
}

func TestVerifySaysWhoseTheProfileIs(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	got, err := w.provider.Verify(t.Context(), w.account())
	if err != nil {
		t.Fatal(err)
	}
	want := sns.Identity{Account: "@ann", AccountID: w.relay.PersonID("ann"), Title: "Ann Example"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("identity (-want +got):\n%s", diff)
	}
}

func TestListsAreTheAccountsOwn(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	a := w.a1.AddList(snstest.TweetList{Title: "Bread & <b>butter</b>", Private: true})
	w.a1.AddList(snstest.TweetList{Title: "Buy this", Recommended: true})
	b := w.a1.AddList(snstest.TweetList{Title: "東京"})
	got, err := w.provider.Lists(t.Context(), w.account())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]sns.List{{ID: a, Title: "Bread & <b>butter</b>"}, {ID: b, Title: "東京"}}, got); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
}

func TestThreadStandsAroundItsPost(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	root := w.a1.Add(snstest.Tweet{Text: "root", At: epoch.Add(-5 * time.Hour)})
	lost := w.a1.Add(snstest.Tweet{Text: "lost", Gone: "This Post was deleted by the Post author.", ReplyTo: root, At: epoch.Add(-4 * time.Hour)})
	focal := w.a1.Add(snstest.Tweet{Text: "focal", ReplyTo: lost, At: epoch.Add(-3 * time.Hour)})
	first := w.a1.Add(snstest.Tweet{Text: "first", ReplyTo: focal, At: epoch.Add(-2 * time.Hour)})
	second := w.a1.Add(snstest.Tweet{Text: "second", ReplyTo: focal, At: epoch.Add(-time.Hour)})
	got, err := w.provider.Thread(t.Context(), w.account(), focal)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{root, lost}, ids(got.Ancestors)); diff != "" {
		t.Errorf("above (-want +got):\n%s", diff)
	}
	if u := got.Ancestors[1].Unavailable; u == nil || u.Reason != "This Post was deleted by the Post author." {
		t.Errorf("what is gone = %+v, want a tombstone with X's words", got.Ancestors[1])
	}
	if got.Post.ID != focal || got.Post.Text != "focal" {
		t.Errorf("post = %s %q, want %s", got.Post.ID, got.Post.Text, focal)
	}
	if diff := cmp.Diff([]string{first, second}, ids(got.Descendants)); diff != "" {
		t.Errorf("below (-want +got):\n%s", diff)
	}
}

func TestThreadAsASourceIsReadToItsEnd(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	focal := w.a1.Add(snstest.Tweet{Text: "focal", At: epoch.Add(-9 * time.Hour)})
	want := []string{focal}
	for i := range 30 {
		want = append(want, w.a1.Add(snstest.Tweet{Text: "answer", ReplyTo: focal, At: epoch.Add(time.Duration(i-60) * time.Minute)}))
	}
	if diff := cmp.Diff(want, ids(w.all(sns.Source{Kind: sns.KindThread, PostID: focal}))); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestSinglePost(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	id := w.a1.Add(snstest.Tweet{Text: "one"})
	gone := w.a1.Add(snstest.Tweet{Text: "no", Gone: "This Post is from an account that no longer exists."})
	if p := w.only(sns.Source{Kind: sns.KindPost, PostID: id}); p.ID != id || p.Text != "one" {
		t.Errorf("post = %s %q, want %s one", p.ID, p.Text, id)
	}
	_, err := w.fetch(sns.Source{Kind: sns.KindPost, PostID: gone}, "")
	wantFault(t, err, fault.NotFound, map[string]any{"what": "post"})
}

func TestNotificationsSayWhatHappened(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	mine := w.a1.Add(snstest.Tweet{Author: "ann", Text: "mine", At: epoch.Add(-10 * time.Hour)})
	answer := w.a1.Add(snstest.Tweet{Author: "cleo", Text: "@ann yes", ReplyTo: mine, At: epoch.Add(-9 * time.Hour)})
	naming := w.a1.Add(snstest.Tweet{Author: "ben", Text: "hello @ann", At: epoch.Add(-8 * time.Hour)})
	for i, n := range []snstest.Notice{
		{Kind: "like", From: []string{"ben", "cleo"}, Post: mine},
		{Kind: "repost", From: []string{"ben"}, Post: mine, ISO: true},
		{Kind: "follow", From: []string{"dee"}},
		{Kind: "reply", Post: answer},
		{Kind: "mention", Post: naming},
		{Kind: "login", Text: "There was a login from Oslo."},
		{Kind: "unheard_of", From: []string{"ben"}},
	} {
		n.At = epoch.Add(time.Duration(i-50) * time.Minute)
		w.a1.Notify(n)
	}
	type row struct {
		Type, RawType, Text string
		Actors              []string
		At                  time.Time
	}
	got := []row{}
	for _, p := range w.page(sns.Source{Kind: sns.KindNotifications}, "").Posts {
		r := row{Type: p.Notification.Type, RawType: p.Notification.RawType, Text: p.Text, At: *p.Notification.At}
		for _, a := range p.Notification.Actors {
			r.Actors = append(r.Actors, a.Handle)
		}
		got = append(got, r)
	}
	at := func(i int) time.Time { return epoch.Add(time.Duration(i-50) * time.Minute) }
	want := []row{
		{"other", "unheard_of", "Ben something happened", []string{"@ben"}, at(6)},
		{"other", "generic_login_notification", "There was a login from Oslo.", nil, at(5)},
		{"mention", "user_mentioned_you", "hello @ann", []string{"@ben"}, epoch.Add(-8 * time.Hour)},
		{"reply", "user_replied_to_your_tweet", "@ann yes", []string{"@cleo"}, epoch.Add(-9 * time.Hour)},
		{"follow", "users_followed_you", "", []string{"@dee"}, at(2)},
		{"boost", "users_retweeted_your_tweet", "mine", []string{"@ben"}, at(1)},
		{"like", "users_liked_your_tweet", "mine", []string{"@ben", "@cleo"}, at(0)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notifications (-want +got):\n%s", diff)
	}
}

func TestNotificationsAreNarrowed(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	mine := w.a1.Add(snstest.Tweet{Author: "ann", Text: "mine"})
	answer := w.a1.Add(snstest.Tweet{Author: "cleo", Text: "@ann yes", ReplyTo: mine})
	w.a1.Notify(snstest.Notice{Kind: "like", From: []string{"ben"}, Post: mine})
	w.a1.Notify(snstest.Notice{Kind: "reply", Post: answer})
	p := w.page(sns.Source{Kind: sns.KindNotifications, Types: []string{"like"}}, "")
	if len(p.Posts) != 1 || p.Posts[0].Notification.Type != "like" || len(p.Received) != 2 {
		t.Errorf("posts %v of the received %v, want the like of two", ids(p.Posts), p.Received)
	}
	w.page(sns.Source{Kind: sns.KindNotifications, Types: []string{"mention", "reply"}}, "")
	calls := w.relay.CallsOf("NotificationsTimeline")
	if len(calls) != 2 || !strings.Contains(string(calls[0].Variables), `"timeline_type":"All"`) || !strings.Contains(string(calls[1].Variables), `"timeline_type":"Mentions"`) {
		t.Errorf("asked %s, want All and then Mentions", variablesOf(calls))
	}
}

func variablesOf(calls []snstest.Call) (out []json.RawMessage) {
	for _, c := range calls {
		out = append(out, c.Variables)
	}
	return out
}

func TestEveryRequestNamesTheProfileAndIsCounted(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	_, _ = story(w)
	first := w.page(sns.Source{Kind: sns.KindSearch, Query: "tea"}, "")
	if first.Next != "" {
		w.page(sns.Source{Kind: sns.KindSearch, Query: "tea"}, first.Next)
	}
	w.page(sns.Source{Kind: sns.KindUser, Account: "@ben"}, "")
	calls := w.relay.Calls()
	for _, c := range calls {
		if c.Profile != "a1" || c.UserAgent != "personal-workspace" || c.Accept != "application/json" {
			t.Errorf("%s went as profile %q, agent %q, accepting %q", c.Operation, c.Profile, c.UserAgent, c.Accept)
		}
	}
	if w.gate.asked != len(calls) {
		t.Errorf("the gate was asked %d times for %d requests", w.gate.asked, len(calls))
	}
}

func TestLookedUpAccountIsRemembered(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	w.a1.Add(snstest.Tweet{Text: "hello"})
	w.page(sns.Source{Kind: sns.KindUser, Account: "@ben"}, "")
	w.page(sns.Source{Kind: sns.KindUser, Account: "BEN"}, "")
	if n := len(w.relay.CallsOf("UserByScreenName")); n != 1 {
		t.Errorf("the account was looked up %d times, want once", n)
	}
}
