package snstest_test

import (
	"bytes"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

const homeTimeline = "home.home_timeline_urt"

// outline is what a timeline has, in order: instructions, and entries by how
// their ids begin.
func outline(w wall) []string {
	var out []string
	for _, in := range w.Instructions {
		out = append(out, strings.TrimSpace(in.Type+" "+in.Direction))
		for _, e := range in.Entries {
			out = append(out, beginning(e))
		}
		if in.Entry.EntryID != "" {
			out = append(out, beginning(in.Entry))
		}
		for _, e := range in.ModuleItems {
			out = append(out, beginning(e))
		}
	}
	return out
}

func beginning(e entry) string {
	name := strings.TrimRight(e.EntryID, "0123456789")
	for _, item := range e.Content.Items {
		name += " " + strings.TrimRight(item.EntryID[len(e.EntryID):], "0123456789")
	}
	return name
}

func TestAHomeTimelineHasMoreThanPosts(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Lean: true, PageSize: 6}})
	p := r.Profile("a1")
	ids := p.AddMany(7)
	p.Add(snstest.Tweet{Author: "cleo", Text: "yes", ReplyTo: ids[6]})
	p.Add(snstest.Tweet{Author: "adfirm", Text: "buy", Promoted: true})

	first := wallOf(t, relayed(t, origin, "a1", "HomeLatestTimeline", nil), homeTimeline)
	_, next := first.posts()
	second := wallOf(t, relayed(t, origin, "a1", "HomeLatestTimeline", object{"cursor": next}), homeTimeline)

	want := []string{
		"TimelineShowAlert", "TimelineAddEntries",
		"promoted-tweet-1-1f2e3d4c5b6a", "messageprompt-", "home-conversation- -tweet- -tweet-", "tweet-", "promoted-tweet-1790000000000000001-1f2e3d4c5b6a", "tweet-", "tweet-",
		"who-to-follow- -user-", "cursor-top-", "cursor-bottom-",
	}
	got := outline(first)
	for i := range got {
		if strings.HasPrefix(got[i], "promoted-tweet-") && !strings.Contains(got[i], "17900000") {
			got[i] = "promoted-tweet-1-1f2e3d4c5b6a"
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("first page (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"TimelineAddEntries", "tweet-", "tweet-", "tweet-", "cursor-top-", "cursor-bottom-"}, outline(second)); diff != "" {
		t.Errorf("second page (-want +got):\n%s", diff)
	}
}

func TestCursorsCanComeByReplacement(t *testing.T) {
	for name, c := range map[string]struct {
		quirks    snstest.RelayQuirks
		operation string
		vars      object
		path      string
		want      []string
	}{
		"a search does it": {
			snstest.RelayQuirks{Lean: true, PageSize: 2},
			"SearchTimeline",
			object{"rawQuery": "post", "product": "Latest"},
			"search_by_raw_query.search_timeline.timeline",
			[]string{"TimelineAddEntries", "tweet-", "tweet-", "TimelineReplaceEntry", "cursor-top-", "TimelineReplaceEntry", "cursor-bottom-"},
		},
		"a quirk does it everywhere": {
			snstest.RelayQuirks{Lean: true, PageSize: 2, ReplaceCursors: true},
			"HomeLatestTimeline", nil, homeTimeline,
			[]string{"TimelineAddEntries", "tweet-", "tweet-", "TimelineReplaceEntry", "cursor-top-", "TimelineReplaceEntry", "cursor-bottom-"},
		},
		"a last page can say so": {
			snstest.RelayQuirks{Lean: true, PageSize: 2, Terminate: true},
			"HomeLatestTimeline", nil, homeTimeline,
			[]string{"TimelineAddEntries", "tweet-", "tweet-", "cursor-top-", "cursor-bottom-", "TimelineTerminateTimeline Bottom"},
		},
		"media are added to their module": {
			snstest.RelayQuirks{Lean: true, PageSize: 2},
			"UserMedia",
			object{"userId": "44"},
			"user.result.timeline.timeline",
			[]string{"TimelineAddToModule", "profile-grid-0-tweet-", "profile-grid-0-tweet-", "TimelineAddEntries", "cursor-top-", "cursor-bottom-"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, origin := newRelay(t, snstest.RelayOptions{Quirks: c.quirks})
			p := r.Profile("a1")
			p.AddPerson(snstest.Person{Handle: "ben", ID: "44"})
			for i := range 4 {
				p.Add(snstest.Tweet{At: r.Now().Add(time.Duration(i-9) * time.Minute), Text: "a post", Media: []snstest.Media{{}}})
			}
			_, next := wallOf(t, relayed(t, origin, "a1", c.operation, c.vars), c.path).posts()
			vars := object{"cursor": next}
			maps.Copy(vars, c.vars)
			got := outline(wallOf(t, relayed(t, origin, "a1", c.operation, vars), c.path))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("second page (-want +got):\n%s", diff)
			}
		})
	}
}

func TestACursorBelongsToItsProfileAndQuestion(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Lean: true, PageSize: 2}})
	r.Profile("a1").AddMany(4)
	r.Profile("a2").Follow("ben")
	_, next := wallOf(t, relayed(t, origin, "a1", "HomeLatestTimeline", nil), homeTimeline).posts()
	for name, c := range map[string]struct{ profile, operation, cursor string }{
		"another profile": {"a2", "HomeLatestTimeline", next}, "another read": {"a1", "HomeTimeline", next}, "made up": {"a1", "HomeLatestTimeline", "DAABx"},
	} {
		got := relayed(t, origin, c.profile, c.operation, object{"cursor": c.cursor})
		if got.status != http.StatusOK || !bytes.Contains(got.body, []byte(`"code":214`)) || !bytes.Contains(got.body, []byte(`"data":{}`)) {
			t.Errorf("%s: %d %s, want error 214 and no data", name, got.status, got.body)
		}
	}
}

func TestATopCursorGivesWhatIsNewer(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Lean: true, Plain: true}})
	p := r.Profile("a1")
	p.AddMany(3)
	top := ""
	for _, e := range wallOf(t, relayed(t, origin, "a1", "HomeLatestTimeline", nil), homeTimeline).Instructions[0].Entries {
		if e.Content.CursorType == "Top" {
			top = e.Content.Value
		}
	}
	none, _ := wallOf(t, relayed(t, origin, "a1", "HomeLatestTimeline", object{"cursor": top}), homeTimeline).posts()
	id := p.Add(snstest.Tweet{Text: "new"})
	newer, _ := wallOf(t, relayed(t, origin, "a1", "HomeLatestTimeline", object{"cursor": top}), homeTimeline).posts()
	if diff := cmp.Diff([][]string{nil, {id}}, [][]string{none, newer}); diff != "" {
		t.Errorf("before and after a new post (-want +got):\n%s", diff)
	}
}

func TestASearchCanStall(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Lean: true, PageSize: 2, SearchStalls: true}})
	r.Profile("a1").AddMany(4)
	const path = "search_by_raw_query.search_timeline.timeline"
	vars := object{"rawQuery": "post", "product": "Latest"}
	first, next := wallOf(t, relayed(t, origin, "a1", "SearchTimeline", vars), path).posts()
	vars["cursor"] = next
	second, other := wallOf(t, relayed(t, origin, "a1", "SearchTimeline", vars), path).posts()
	if diff := cmp.Diff(first, second); diff != "" || other == next {
		t.Errorf("the second page goes on with the same cursor: %t; posts (-first +second):\n%s", other == next, diff)
	}
}

func TestASearchMayNeedPOST(t *testing.T) {
	_, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{SearchByPOST: true}})
	if got := relayed(t, origin, "a1", "SearchTimeline", object{"rawQuery": "x", "product": "Latest"}).status; got != http.StatusInternalServerError {
		t.Errorf("by GET = %d, want 500", got)
	}
	body := `{"queryId":"-TFXKoMnMTKdEXcCn-eahw","variables":{"rawQuery":"x","count":20,"querySource":"typed_query","product":"Latest"},"features":` + features + `}`
	if got := request(t, http.MethodPost, origin+"/i/api/graphql/-TFXKoMnMTKdEXcCn-eahw/SearchTimeline", as("a1"), body).status; got != http.StatusOK {
		t.Errorf("by POST = %d, want 200", got)
	}
}

func TestAProfilePinsApart(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Lean: true, PageSize: 2, OldUserTimeline: true}})
	p := r.Profile("a1")
	p.Add(snstest.Tweet{At: r.Now().Add(-99 * time.Hour), Text: "old", Pinned: true})
	p.AddMany(2)
	got := outline(wallOf(t, relayed(t, origin, "a1", "UserTweets", object{"userId": r.PersonID("ben")}), "user.result.timeline_v2.timeline"))
	want := []string{"TimelineClearCache", "TimelinePinEntry", "tweet-", "TimelineAddEntries", "tweet-", "tweet-", "cursor-top-", "cursor-bottom-"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("timeline (-want +got):\n%s", diff)
	}
}

func TestThreads(t *testing.T) {
	const path = "threaded_conversation_with_injections_v2"
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Lean: true, PageSize: 2}})
	p := r.Profile("a1")
	at := r.Now().Add(-time.Hour)
	say := func(to string, in snstest.Tweet) string {
		at = at.Add(time.Minute)
		in.At, in.ReplyTo = at, to
		return p.Add(in)
	}
	root := say("", snstest.Tweet{Gone: "This Post is from an account that no longer exists."})
	focal := say(root, snstest.Tweet{Text: "so?"})
	one := say(focal, snstest.Tweet{Text: "one"})
	deep := one
	for range 4 {
		deep = say(deep, snstest.Tweet{Text: "deeper"})
	}
	say(focal, snstest.Tweet{Text: "two"})
	say(focal, snstest.Tweet{Text: "three"})

	first := wallOf(t, relayed(t, origin, "a1", "TweetDetail", object{"focalTweetId": focal}), path)
	_, next := first.posts()
	second := wallOf(t, relayed(t, origin, "a1", "TweetDetail", object{"focalTweetId": focal, "cursor": next}), path)

	want := []string{
		"TimelineAddEntries", "tombstone-", "tweet-", "conversationthread- -tweet- -tweet- -tweet- -promoted-tweet- -cursor-showmore-",
		"conversationthread- -tweet-", "cursor-bottom-", "TimelineTerminateTimeline Top",
	}
	if diff := cmp.Diff(want, outline(first)); diff != "" {
		t.Errorf("first page (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"TimelineAddEntries", "conversationthread- -tweet- -promoted-tweet-", "TimelineTerminateTimeline Top"}, outline(second)); diff != "" {
		t.Errorf("second page (-want +got):\n%s", diff)
	}
	more := member(t, relayed(t, origin, "a1", "TweetDetail", object{"focalTweetId": focal}).body,
		"data."+path+".instructions.0.entries.2.content.items.4.item.itemContent.value")
	rest := wallOf(t, relayed(t, origin, "a1", "TweetDetail", object{"focalTweetId": focal, "cursor": strings.Trim(more, `"`)}), path)
	if diff := cmp.Diff([]string{"TimelineAddToModule", "conversationthread-" + one + "-tweet-", "conversationthread-" + one + "-tweet-"}, outline(rest)); diff != "" {
		t.Errorf("the rest of the thread (-want +got):\n%s", diff)
	}
}

func TestLists(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Lean: true}})
	p := r.Profile("a1")
	id := p.AddList(snstest.TweetList{ID: "1580000000000000001", Title: "港の人", Members: []string{"ben", "cleo"}, Private: true})
	p.AddList(snstest.TweetList{Title: "News of the world", Recommended: true})
	gone := p.AddList(snstest.TweetList{Title: "Gone"})
	p.DeleteList(gone)

	body := relayed(t, origin, "a1", "ListsManagementPageTimeline", nil).body
	got := outline(wallOf(t, reply{body: body}, "viewer.list_management_timeline.timeline"))
	want := []string{
		"TimelineClearCache", "TimelineAddEntries", "list-to-follow-module- -list-", "owned-subscribed-list-module- -list-",
		"cursor-top-", "cursor-bottom-", "TimelineTerminateTimeline Top",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	list := "data.viewer.list_management_timeline.timeline.instructions.1.entries.1.content.items.0.item.itemContent.list."
	for name, want := range map[string]string{"id_str": `"` + id + `"`, "name": `"港の人"`, "member_count": "2", "mode": `"Private"`} {
		if got := member(t, body, list+name); got != want {
			t.Errorf("%s = %s, want %s", name, got, want)
		}
	}
	owned := wallOf(t, relayed(t, origin, "a1", "ListOwnerships", object{"userId": r.PersonID("ann")}), "user.result.timeline.timeline")
	if diff := cmp.Diff([]string{"TimelineAddEntries", "list-", "cursor-bottom-"}, outline(owned)); diff != "" {
		t.Errorf("ownerships (-want +got):\n%s", diff)
	}
}

func TestNotices(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Lean: true}})
	p := r.Profile("a1")
	p.AddPerson(snstest.Person{Handle: "vera", Verified: true})
	mine := p.Add(snstest.Tweet{Author: "ann", Text: "tea?"})
	answer := p.Add(snstest.Tweet{Author: "ben", Text: "@ann yes", ReplyTo: mine})
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	p.Notify(snstest.Notice{Kind: "reply", From: []string{"ben"}, Post: answer, At: at})
	p.Notify(snstest.Notice{Kind: "like", From: []string{"vera", "cleo", "dora"}, Post: mine, At: at.Add(time.Minute)})
	p.Notify(snstest.Notice{Kind: "follow", From: []string{"dora"}, At: at.Add(2 * time.Minute), ISO: true})
	p.Notify(snstest.Notice{Kind: "users_shrugged", From: []string{"dora"}, At: at.Add(3 * time.Minute)})

	const path = "viewer_v2.user_results.result.notification_timeline.timeline"
	ask := func(kind string) []byte {
		return relayed(t, origin, "a1", "NotificationsTimeline", object{"timeline_type": kind}).body
	}
	entries := "data." + path + ".instructions.1.entries."
	var got []string
	body := ask("All")
	for _, path := range []string{
		"0.content.clientEventInfo.element", "1.content.itemContent.timestamp_ms", "1.content.itemContent.template.__typename", "1.content.itemContent.notification_icon",
		"2.content.itemContent.timestamp_ms", "2.content.itemContent.template.from_users.2.user_results.result.core.screen_name",
		"2.content.itemContent.template.target_objects.0.tweet_results.result.rest_id", "2.content.itemContent.rich_message.text",
		"3.content.itemContent.tweet_results.result.rest_id", "3.content.clientEventInfo.element",
	} {
		got = append(got, member(t, body, entries+path))
	}
	want := []string{
		`"users_shrugged"`, `"2026-11-30T09:02:00.000Z"`, `"TimelineNotificationAggregateUserActionsV1"`, `"person_icon"`,
		`"1796029260000"`, `"dora"`, `"` + mine + `"`, `"Vera and 2 others liked your post"`, `"` + answer + `"`, `"user_replied_to_your_tweet"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notifications (-want +got):\n%s", diff)
	}
	for kind, want := range map[string]int{"All": 4, "Mentions": 1, "Verified": 1} {
		n := 0
		for _, name := range outline(wallOf(t, reply{body: ask(kind)}, path)) {
			if strings.HasPrefix(name, "notification-") {
				n++
			}
		}
		if n != want {
			t.Errorf("%s has %d notifications, want %d", kind, n, want)
		}
	}
}
