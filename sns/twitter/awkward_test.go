package twitter_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// awkward is the list of inputs that a relay and X may send, or that somebody may
// try, and what must become of them. Each is a subtest of TestAwkward named by its
// number and meaning; the functions are in the awkward_*_test.go files.
//
// Numbers that are absent belong to Mastodon alone.
var awkward = []struct {
	name string
	test func(t *testing.T)
}{
	{"7 a note of 25,000 characters is cut between runes", testLongNote},
	{"8 right-to-left text and names keep their override for the page and lose it for models", testRightToLeft},
	{"9 an unavailable author is unknown and the post is kept", testUnavailableAuthor},
	{"12 a sign-in page with status 200 is not JSON", testLoginPage},
	{"13 an empty body with status 200", testEmptyAnswer},
	{"14 a redirect is refused", testRedirect},
	{"15 a numeric id above 2^53 keeps its digits", testNumericID("110503322889311999")},
	{"16 a numeric id above int64 keeps its post and the page", testNumericID("99999999999999999999")},
	{"18 ids that climb out of their path make no request", testClimbingIDs},
	{"19 an empty, odd or null time keeps the post", testOddTimes},
	{"20 one malformed entry among 20 is skipped with a warning", testMalformedEntry},
	{"21 a null entry is skipped", testNullEntry},
	{"28 a post three times in a page and on the next is shown once", testDuplicates},
	{"29 a cursor of another source or account makes no request", testForeignCursors},
	{"30 a flipped, overlong or pasted cursor makes no request", testBrokenCursors},
	{"31 hashtags in Japanese and with accents are searched as they are", testHashtagNames},
	{"32 names that are no hashtags make no request", testNoHashtags},
	{"34 a list that was deleted is not found", testDeletedList},
	{"35 a sign-out in the middle of paging keeps what is stored", testSignedOutWhilePaging},
	{"44 markup and emoji in a display name are literal", testDisplayName},
	{"45 an unknown kind of notification", testUnknownNotification},
	{"46 a gzip bomb stops at the limit", testGzipBomb},
	{"47 an answer that does not come stops at the total timeout", testSlowAnswer},
	{"49 a 500 that says nothing is left alone for a while", testOpaque},
	{"50 errors of X in a 200", testErrorsOfX},
	{"51 nothing where an account or a post should be", testNothingThere},
	{"52 errors beside a timeline are a warning", testErrorsBesideData},
	{"53 an advertisement in a module goes, its neighbours stay", testAdvertisementInAModule},
	{"54 a visibility wrapper whose inside has no name", testVisibilityWrapper},
	{"55 a tombstone goes from a timeline and stands in a thread", testTombstones},
	{"56 a repost of a note has its whole text", testRepostOfANote},
	{"57 users without legacy and with nothing else", testUsersOldAndNew},
	{"58 a text is unescaped once, a note not at all", testUnescapedOnce},
	{"59 an answer of 98 posts is handed out in pages of 20", testLargeAnswer},
	{"60 cursors that come by replacement, and those that repeat", testReplacedAndRepeatedCursors},
	{"61 nothing is sent without a profile", testNoProfile},
	{"62 a pinned post is not in the flow", testPinned},
	{"63 relay addresses with a path, a user or a query", testRelayAddresses},
	{"64 one relay in several spellings", testRelaySpellings},
	{"65 a relay on a private address is reached only where it was named", testPrivateRelay},
	{"66 a limit that ended in the past, and one that lasts for ever", testOddLimits},
	{"67 a canceled context returns at once and leaves nothing behind", testCancel},
}

func TestAwkward(t *testing.T) {
	for _, tc := range awkward {
		t.Run(tc.name, tc.test)
	}
}

func TestAwkwardIsComplete(t *testing.T) {
	want := []int{7, 8, 9, 12, 13, 14, 15, 16, 18, 19, 20, 21, 28, 29, 30, 31, 32, 34, 35, 44, 45, 46, 47}
	for row := 49; row <= 67; row++ {
		want = append(want, row)
	}
	got := []int{}
	for _, tc := range awkward {
		number, _, _ := strings.Cut(tc.name, " ")
		row, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("%q has no number", tc.name)
		}
		got = append(got, row)
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows = %v, want %v", got, want)
	}
}

func testLongNote(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	w.a1.Add(snstest.Tweet{Text: strings.Repeat("あ", 25_000)})
	p := w.only(home)
	if want := strings.Repeat("あ", 10_922); p.Text != want || !p.TextTruncated {
		t.Errorf("text has %d bytes, cut %v; want %d bytes and a flag", len(p.Text), p.TextTruncated, len(want))
	}
}

func testRightToLeft(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	w.a1.AddPerson(snstest.Person{Handle: "noa", Name: "\u202Eנועה 🇮🇱"})
	w.a1.Add(snstest.Tweet{Author: "noa", Text: "שלום \u202Eabc"})
	p := w.only(home)
	if p.Text != "שלום \u202Eabc" || p.Author.DisplayName != "\u202Eנועה 🇮🇱" {
		t.Errorf("text %q by %q, want both as written", p.Text, p.Author.DisplayName)
	}
	if got := richtext.ForModel(p.Text) + richtext.ForModel(p.Author.DisplayName); got != "שלום abcנועה 🇮🇱" {
		t.Errorf("for models = %q, want no override", got)
	}
}

func testUnavailableAuthor(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	w.a1.AddPerson(snstest.Person{Handle: "gone", Suspended: true})
	id := w.a1.Add(snstest.Tweet{Author: "gone", Text: "still here"})
	p := w.only(home)
	if !p.Author.Unknown || p.Text != "still here" || p.URL != "https://x.com/i/status/"+id {
		t.Errorf("post = %q by %+v at %s, want it with an unknown author", p.Text, p.Author, p.URL)
	}
}

// testNumericID sends an id as a number of JSON.
func testNumericID(id string) func(t *testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, snstest.RelayQuirks{Plain: true})
		w.a1.Add(snstest.Tweet{Text: "hello", Patch: map[string]any{
			"rest_id": json.Number(id), "legacy.in_reply_to_status_id_str": json.Number(id),
		}})
		p := w.only(home)
		if p.ID != id || p.ReplyTo == nil || p.ReplyTo.ID != id {
			t.Errorf("post %s answers %+v, want %s for both", p.ID, p.ReplyTo, id)
		}
	}
}

func testClimbingIDs(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	for _, s := range []sns.Source{
		{Kind: sns.KindPost, PostID: "1/../../../v2/x?y=1"},
		{Kind: sns.KindThread, PostID: ".."},
		{Kind: sns.KindList, ListID: "1&count=2"},
		{Kind: sns.KindUser, Account: "../x"},
		{Kind: sns.KindHashtag, Tag: "a b"},
		{Kind: sns.KindSearch},
	} {
		_, err := w.fetch(s, "")
		wantFault(t, err, fault.InvalidSource, nil)
	}
	_, err := w.provider.Thread(t.Context(), w.account(), "x")
	wantFault(t, err, fault.InvalidSource, nil)
	if n := len(w.relay.Calls()); n != 0 {
		t.Errorf("%d requests were made, want none", n)
	}
}

func testOddTimes(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		patch map[string]any
		want  *time.Time
	}{
		{"empty", map[string]any{"legacy.created_at": ""}, &at},
		{"null", map[string]any{"legacy.created_at": nil}, &at},
		{"a number", map[string]any{"legacy.created_at": 12}, &at},
		{"in the year 9999", map[string]any{"legacy.created_at": "Fri Dec 31 23:59:59 -1200 9999"}, &at},
		{"before X", map[string]any{"legacy.created_at": "Thu Jan 01 00:00:00 +0000 1970"}, &at},
		{"and an id without a time", map[string]any{"legacy.created_at": "", "rest_id": "20"}, nil},
		{"and an id beyond time", map[string]any{"legacy.created_at": "", "rest_id": "18446744073709551615"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Plain: true})
			w.a1.Add(snstest.Tweet{Text: "hello", At: at, Patch: c.patch})
			if diff := cmp.Diff(c.want, w.only(home).CreatedAt); diff != "" {
				t.Errorf("createdAt (-want +got):\n%s", diff)
			}
		})
	}
}

func testMalformedEntry(t *testing.T) {
	for name, raw := range map[string]string{
		"a number": `7`, "a list": `[1]`, "no id": `{"__typename":"Tweet","legacy":{"full_text":"x"}}`, "an id that is none": `{"rest_id":"../x","legacy":{}}`,
		"no text": `{"__typename":"Tweet","rest_id":"5","legacy":{}}`, "text of another type": `{"rest_id":"5","legacy":{"full_text":{"a":1}}}`, "a wrapper in a wrapper without end": `{"__typename":"TweetWithVisibilityResults","tweet":{"__typename":"TweetWithVisibilityResults","tweet":{"__typename":"TweetWithVisibilityResults","tweet":{"__typename":"TweetWithVisibilityResults","tweet":7}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Plain: true})
			want := w.a1.AddMany(19)
			w.a1.Add(snstest.Tweet{Text: "odd", At: epoch.Add(-5*time.Minute - time.Second), Raw: json.RawMessage(raw)})
			p := w.page(home, "")
			slices.Reverse(want)
			if diff := cmp.Diff(want, ids(p.Posts)); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
			if p.Skipped != 1 || !slices.Equal(p.Warnings, []string{"1 entry could not be read and is left out."}) {
				t.Errorf("skipped %d with %q, want one with a warning", p.Skipped, p.Warnings)
			}
		})
	}
}

func testNullEntry(t *testing.T) {
	entry := func(id string) string {
		return `{"entryId":"tweet-` + id + `","content":{"itemContent":` + tweetItem(id, "t") + `}}`
	}
	p, a, _ := answering(timelineOf(entry("5"), "null", entry("4"), `{"entryId":"tweet-3","content":null}`, `{"entryId":"tweet-2","content":{"itemContent":null}}`))
	page, err := p.Fetch(t.Context(), a, home, "")
	if err != nil || !slices.Equal(ids(page.Posts), []string{"5", "4"}) || page.Skipped != 0 {
		t.Errorf("posts %v, %d skipped, %v; want the two that are there", ids(page.Posts), page.Skipped, err)
	}
}

func testDisplayName(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	const name = "Ann 🫖 :cup: <b>x</b> &amp;"
	w.a1.AddPerson(snstest.Person{Handle: "cup", Name: name})
	w.a1.Add(snstest.Tweet{Author: "cup", Text: "hello"})
	if got := w.only(home).Author.DisplayName; got != name {
		t.Errorf("name = %q, want %q", got, name)
	}
}

func testUnknownNotification(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	w.a1.Notify(snstest.Notice{Kind: "users_shrugged", From: []string{"ben"}, Text: "Ben shrugged"})
	p := w.only(sns.Source{Kind: sns.KindNotifications})
	if n := p.Notification; n.Type != "other" || n.RawType != "users_shrugged" || p.Text != "Ben shrugged" || p.Author.Handle != "@ben" {
		t.Errorf("notification %+v with %q by %s, want it kept as another kind", n, p.Text, p.Author.Handle)
	}
}

func testHashtagNames(t *testing.T) {
	for tag, want := range map[string]string{"日本語": "#日本語", "CAFÉ": "#CAFÉ", "7・5": "#7・5", "می\u200cخواهم": "#می\u200cخواهم"} {
		w := newWorld(t, snstest.RelayQuirks{Plain: true})
		w.page(sns.Source{Kind: sns.KindHashtag, Tag: tag}, "")
		var vars struct{ RawQuery string }
		if err := json.Unmarshal(w.relay.Calls()[0].Variables, &vars); err != nil || vars.RawQuery != want {
			t.Errorf("%s is searched as %q, %v; want %q", tag, vars.RawQuery, err, want)
		}
	}
}

func testNoHashtags(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	for _, tag := range []string{"123", "a-b", "_", "..", "☕", "a b", `a" OR from:ben`, "a from:ben", "", strings.Repeat("a", 101)} {
		_, err := w.fetch(sns.Source{Kind: sns.KindHashtag, Tag: tag}, "")
		wantFault(t, err, fault.InvalidSource, map[string]any{"field": "source.tag"})
	}
	if n := len(w.relay.Calls()); n != 0 {
		t.Errorf("%d requests were made, want none", n)
	}
}

func testDeletedList(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	list := w.a1.AddList(snstest.TweetList{Title: "L"})
	w.a1.DeleteList(list)
	_, err := w.fetch(sns.Source{Kind: sns.KindList, ListID: list}, "")
	wantFault(t, err, fault.NotFound, map[string]any{"what": "list"})
}

func testAdvertisementInAModule(t *testing.T) {
	body := timelineOf(`{"entryId":"home-conversation-1","content":{"entryType":"TimelineTimelineModule","items":[
		{"entryId":"home-conversation-1-tweet-1","item":{"itemContent":` + tweetItem("1", "one") + `}},
		{"entryId":"home-conversation-1-tweet-2","item":{"itemContent":{"promotedMetadata":{"a":1},` + tweetItem("2", "buy")[1:] + `}},
		{"entryId":"home-conversation-1-tweet-3","item":{"itemContent":` + tweetItem("3", "three") + `}}]}}`)
	p, a, _ := answering(body)
	page, err := p.Fetch(t.Context(), a, home, "")
	if err != nil || !slices.Equal(ids(page.Posts), []string{"1", "3"}) {
		t.Errorf("posts %v, %v; want the neighbours alone", ids(page.Posts), err)
	}
}

func testVisibilityWrapper(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	id := w.a1.Add(snstest.Tweet{Text: "limited", Limited: true})
	if p := w.only(home); p.ID != id || p.Text != "limited" {
		t.Errorf("post %s %q, want %s limited", p.ID, p.Text, id)
	}
}

func testTombstones(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	gone := w.a1.Add(snstest.Tweet{Text: "x", Gone: "This Post was deleted.", At: epoch.Add(-time.Hour)})
	w.a1.Add(snstest.Tweet{Text: "x", Preview: true})
	id := w.a1.Add(snstest.Tweet{Text: "hello", ReplyTo: gone})
	p := w.page(home, "")
	if !slices.Equal(ids(p.Posts), []string{id}) || p.Skipped != 0 {
		t.Errorf("posts %v, %d skipped; want the one that is there and no complaint", ids(p.Posts), p.Skipped)
	}
	p = w.page(sns.Source{Kind: sns.KindThread, PostID: id}, "")
	if !slices.Equal(ids(p.Posts), []string{gone, id}) || p.Posts[0].Unavailable == nil || p.Posts[0].Unavailable.Reason != "This Post was deleted." {
		t.Errorf("thread %v begins with %+v, want what is gone with X's words", ids(p.Posts), p.Posts[0].Unavailable)
	}
}

func testRepostOfANote(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	text := strings.Repeat("All of it. ", 60) + "End"
	w.a1.AddPerson(snstest.Person{Handle: "far", Stranger: true})
	note := w.a1.Add(snstest.Tweet{Author: "far", Text: text, Likes: 7, At: epoch.Add(-time.Hour)})
	repost := w.a1.Add(snstest.Tweet{Author: "ben", Repost: note, At: epoch.Add(-time.Minute)})
	p := w.only(home)
	if p.ID != note || p.EntryID != repost || p.Text != text || p.Author.Handle != "@far" || *p.Counts.Likes != 7 {
		t.Errorf("post %s as %s by %s with %d bytes, want the whole note", p.ID, p.EntryID, p.Author.Handle, len(p.Text))
	}
	if b := p.BoostedBy; b == nil || b.ID != repost || b.Author.Handle != "@ben" || !b.At.Equal(epoch.Add(-time.Minute)) {
		t.Errorf("boostedBy = %+v, want @ben with the repost", b)
	}
}

func testUsersOldAndNew(t *testing.T) {
	for name, q := range map[string]snstest.RelayQuirks{"new": {Plain: true}, "old": {Plain: true, OldUsers: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, q)
			w.a1.AddPerson(snstest.Person{Handle: "Ben_7", Name: "Ben", Protected: true})
			w.a1.Add(snstest.Tweet{Author: "Ben_7", Text: "hello"})
			p := w.only(home)
			got := p.Author
			got.AvatarURL = ""
			want := sns.Author{ID: w.relay.PersonID("Ben_7"), Handle: "@Ben_7", DisplayName: "Ben", URL: "https://x.com/Ben_7", Protected: true}
			if diff := cmp.Diff(want, got); diff != "" || p.Author.AvatarURL == "" || p.Visibility != sns.Private {
				t.Errorf("author (-want +got):\n%s\navatar %q, visibility %s", diff, p.Author.AvatarURL, p.Visibility)
			}
		})
	}
}

func testUnescapedOnce(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	w.a1.Add(snstest.Tweet{Text: "a & b <c> &amp;lt;"})
	if got := w.only(home).Text; got != "a & b <c> &amp;lt;" {
		t.Errorf("text = %q, want it as written", got)
	}
	w.a1.Add(snstest.Tweet{Text: "note with &amp; in it " + strings.Repeat(".", 300)})
	if got := w.page(home, "").Posts[0].Text; !strings.HasPrefix(got, "note with &amp; in it ..") {
		t.Errorf("text = %q, want the note left as it is", got)
	}
}

func testReplacedAndRepeatedCursors(t *testing.T) {
	search := sns.Source{Kind: sns.KindSearch, Query: "post"}
	for name, c := range map[string]struct {
		quirks   snstest.RelayQuirks
		posts    int
		requests int
	}{
		"by replacement, and the last one repeats": {snstest.RelayQuirks{Plain: true, Lean: true, ReplaceCursors: true}, 50, 4},
		"always new before the same posts":         {snstest.RelayQuirks{Plain: true, Lean: true, SearchStalls: true}, 20, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, c.quirks)
			want := w.a1.AddMany(c.posts)
			slices.Reverse(want)
			if diff := cmp.Diff(want, ids(w.all(search))); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
			if n := len(w.relay.Calls()); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
		})
	}
}

func testPinned(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true, PageSize: 5})
	pinned := w.a1.Add(snstest.Tweet{Text: "pinned", Pinned: true, At: epoch.Add(-1000 * time.Hour)})
	w.a1.AddMany(9)
	p := w.page(sns.Source{Kind: sns.KindUser, Account: "@ben"}, "")
	if len(p.Posts) != 5 || slices.Contains(ids(p.Posts), pinned) {
		t.Errorf("posts %v, want 5 without the pinned %s", ids(p.Posts), pinned)
	}
}

// timelineOf is an answer of the home timeline with entries.
func timelineOf(entries ...string) string {
	return `{"data":{"home":{"home_timeline_urt":{"instructions":[{"type":"TimelineAddEntries","entries":[` + strings.Join(entries, ",") + `]}]}}}}`
}

// tweetItem is the content of an item with a tweet.
func tweetItem(id, text string) string {
	return `{"itemType":"TimelineTweet","tweet_results":{"result":{"__typename":"Tweet","rest_id":"` + id + `","legacy":{"full_text":"` + text + `"}}}}`
}
