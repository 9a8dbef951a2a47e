package snstest_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

// world is a relay whose profile a1 has something of everything; names finds
// what a post is called.
func world(t *testing.T, q snstest.RelayQuirks) (r *snstest.Relay, origin string, ids, names map[string]string) {
	t.Helper()
	r, origin = newRelay(t, snstest.RelayOptions{Quirks: q})
	p := r.Profile("a1")
	p.AddPerson(snstest.Person{Handle: "stranger", Stranger: true})
	ids, names = map[string]string{}, map[string]string{}
	at := r.Now().Add(-time.Hour)
	add := func(name string, in snstest.Tweet) {
		at = at.Add(time.Minute)
		in.At = at
		ids[name] = p.Add(in)
		names[ids[name]] = name
	}
	add("root", snstest.Tweet{Text: "tea & cake", Likes: 1})
	add("answer", snstest.Tweet{Author: "cleo", Text: "more tea", ReplyTo: ids["root"], Likes: 9})
	add("picture", snstest.Tweet{Text: "look", Media: []snstest.Media{{Scene: "tea"}}})
	add("far", snstest.Tweet{Author: "stranger", Text: "tea too"})
	add("passed on", snstest.Tweet{Author: "cleo", Repost: ids["far"]})
	add("mine", snstest.Tweet{Author: "ann", Text: "hello", Pinned: true})
	add("last", snstest.Tweet{Text: "good night"})
	p.Bookmark(ids["far"], ids["root"])
	p.Like(ids["root"], ids["picture"])
	return r, origin, ids, names
}

func TestReadsAnswerUnderTheirPaths(t *testing.T) {
	r, origin, ids, names := world(t, snstest.RelayQuirks{Plain: true, Lean: true})
	list := r.Profile("a1").AddList(snstest.TweetList{Title: "L", Members: []string{"Cleo", "stranger"}})
	user := "user.result.timeline.timeline"
	search := "search_by_raw_query.search_timeline.timeline"
	ben, ann := object{"userId": r.PersonID("ben")}, object{"userId": r.PersonID("ann")}
	query := func(q, product string) object { return object{"rawQuery": q, "product": product} }
	for _, c := range []struct {
		name, operation string
		vars            object
		path            string
		want            []string
	}{
		{"following", "HomeLatestTimeline", nil, "home.home_timeline_urt", []string{"last", "mine", "passed on", "picture", "root", "answer"}},
		{"a list", "ListLatestTweetsTimeline", object{"listId": list}, listPath, []string{"passed on", "far", "answer"}},
		{"posts of a person", "UserTweets", ben, user, []string{"last", "picture", "root"}},
		{"and their answers", "UserTweetsAndReplies", object{"userId": r.PersonID("cleo")}, user, []string{"passed on", "answer"}},
		{"media of a person", "UserMedia", ben, user, []string{"picture"}},
		{"own likes", "Likes", ann, user, []string{"picture", "root"}},
		{"the likes of others", "Likes", ben, user, nil},
		{"search", "SearchTimeline", query("tea -filter:replies", "Latest"), search, []string{"far", "root"}},
		{"search for a person's words", "SearchTimeline", query(`from:cleo "more tea"`, "Latest"), search, []string{"answer"}},
		{"search for either", "SearchTimeline", query("hello OR look", "Latest"), search, []string{"mine", "picture"}},
		{"top posts", "SearchTimeline", query("tea", "Top"), search, []string{"root", "answer", "far"}},
		{"search for media", "SearchTimeline", query("look", "Media"), search, []string{"picture"}},
		{"bookmarks", "Bookmarks", nil, "bookmark_timeline_v2.timeline", []string{"root", "far"}},
		{"search in bookmarks", "BookmarkSearchTimeline", object{"rawQuery": "cake"}, "search_by_raw_query.bookmarks_search_timeline.timeline", []string{"root"}},
		{"a thread", "TweetDetail", object{"focalTweetId": ids["answer"]}, "threaded_conversation_with_injections_v2", []string{"root", "answer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := wallOf(t, relayed(t, origin, "a1", c.operation, c.vars), c.path).posts()
			for i, id := range got {
				got[i] = names[id]
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestForYouIsRanked(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Plain: true, Lean: true, PageSize: 50}})
	want := r.Profile("a1").AddMany(30)
	got, _ := wallOf(t, relayed(t, origin, "a1", "HomeTimeline", nil), "home.home_timeline_urt").posts()
	slices.Reverse(want)
	if cmp.Equal(want, got) {
		t.Error("For you is in the order of time")
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestEveryTimelineIsReadToItsEnd(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Lean: true}})
	p := r.Profile("a1")
	var want []string
	start := r.Now().Add(-time.Hour)
	for i := range 50 {
		want = append(want, p.Add(snstest.Tweet{At: start.Add(time.Duration(i) * time.Minute), Text: "tea", Media: []snstest.Media{{}}}))
	}
	p.Bookmark(want...)
	slices.Reverse(want)
	ben := object{"userId": r.PersonID("ben")}
	for _, c := range []struct {
		operation string
		vars      object
		path      string
		length    int
	}{
		{"HomeLatestTimeline", nil, "home.home_timeline_urt", 60},
		{"UserTweets", ben, "user.result.timeline.timeline", 66},
		{"UserMedia", ben, "user.result.timeline.timeline", 66},
		{"SearchTimeline", object{"rawQuery": "tea", "product": "Latest"}, "search_by_raw_query.search_timeline.timeline", 428},
		{"Bookmarks", nil, "bookmark_timeline_v2.timeline", 70},
	} {
		t.Run(c.operation, func(t *testing.T) {
			var got []string
			for cursor := ""; ; {
				vars := object{}
				maps.Copy(vars, c.vars)
				if cursor != "" {
					vars["cursor"] = cursor
				}
				page, next := wallOf(t, relayed(t, origin, "a1", c.operation, vars), c.path).posts()
				got = append(got, page...)
				if len(next) != c.length {
					t.Fatalf("the cursor has %d characters, want %d", len(next), c.length)
				}
				if next == cursor {
					break
				}
				cursor = next
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
		})
	}
}
