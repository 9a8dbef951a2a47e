package snstest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

func newRelay(t *testing.T, o snstest.RelayOptions) (r *snstest.Relay, origin string) {
	t.Helper()
	if o.Now == nil {
		now := time.Date(2026, 11, 30, 12, 47, 30, 0, time.UTC)
		o.Now = func() time.Time { return now }
	}
	r = snstest.NewRelay(o)
	return r, snstest.Serve(t, r)
}

// object is any JSON object.
type object = map[string]any

var media = object{"count": 20, "includePromotedContent": false, "withClientEventToken": false, "withBirdwatchNotes": false, "withVoice": true}

// reads are how the tests ask for an operation: its query id and the variables
// that have to be there.
var reads = map[string]struct {
	method, id string
	vars       object
}{
	"HomeLatestTimeline":       {"POST", "v8D8YuUcH9097nKOVvRPgA", object{"count": 20, "enableRanking": false, "includePromotedContent": true, "seenTweetIds": []string{}}},
	"HomeTimeline":             {"POST", "-M5P8LkjBRfeMF2MRJfbqA", object{"count": 20, "includePromotedContent": true, "withCommunity": true, "seenTweetIds": []string{}}},
	"ListLatestTweetsTimeline": {"GET", "K77PSxWq_St4HLusAV9nVg", object{"count": 20}},
	"UserTweets":               {"GET", "PNd0vlufvrcIwrAnBYKE9g", object{"count": 20, "includePromotedContent": true, "withQuickPromoteEligibilityTweetFields": true, "withVoice": true}},
	"Viewer":                   {"GET", "_8ClT24oZ8tpylf_OSuNdg", object{"withCommunitiesMemberships": true}},
	"UserByScreenName":         {"GET", "IGgvgiOx4QZndDHuD3x9TQ", object{"withGrokTranslatedBio": true}},
	"UserByRestId":             {"GET", "VQfQ9wwYdk6j_u2O4vt64Q", object{}},
	"UserTweetsAndReplies":     {"GET", "EqtpEwt0CoQXmDfq5DKH0A", object{"count": 20, "includePromotedContent": true, "withCommunity": true, "withVoice": true}},
	"UserMedia":                {"GET", "g_rGPF0fLON-M9cyVjXuzA", media},
	"Likes":                    {"GET", "-a4kQTjMROm_V1cOpbNyXQ", media},
	"SearchTimeline":           {"GET", "-TFXKoMnMTKdEXcCn-eahw", object{"count": 20, "querySource": "typed_query"}},
	"Bookmarks":                {"GET", "R5wixmhMi4oEBUYvBM-44g", object{"count": 20, "includePromotedContent": true}},
	"BookmarkSearchTimeline":   {"GET", "vctB13iDc4trZdZGzhNdVQ", object{"count": 20}},
	"NotificationsTimeline":    {"GET", "pG6NU8KZjNi1Iedss0Nu1Q", object{"count": 20, "timeline_type": "All"}},
	"TweetResultByRestId":      {"GET", "SgZWKwvBiOKrSC0QeOGvXw", object{"withCommunity": false, "includePromotedContent": false, "withVoice": false}},
	"ListOwnerships":           {"GET", "N_9HejNT9Amo1tDF7Gb_TQ", object{"isListMemberTargetUserId": "1", "count": 20}},
	"TweetDetail": {"GET", "6uCvnic3m5reVuehkvHa3w", object{
		"referrer": "tweet", "with_rux_injections": false, "rankingMode": "Relevance", "includePromotedContent": true, "withCommunity": true,
		"withQuickPromoteEligibilityTweetFields": true, "withBirdwatchNotes": true, "withVoice": true,
	}},
	"ListsManagementPageTimeline": {"GET", "I96vj5eyw1D9g_NA0wWj3Q", object{"count": 100}},
}

// relayed sends a request for an operation as a profile.
func relayed(t *testing.T, origin, profile, operation string, vars object) reply {
	t.Helper()
	read := reads[operation]
	all := object{}
	for _, some := range []object{read.vars, vars} {
		maps.Copy(all, some)
	}
	features := object{"responsive_web_graphql_timeline_navigation_enabled": true}
	address := origin + "/i/api/graphql/" + read.id + "/" + operation
	header := http.Header{"Accept": {"application/json"}, "X-Profile-Name": {profile}}
	if read.method == http.MethodGet {
		return request(t, http.MethodGet, address+"?"+url.Values{"variables": {encoded(t, all)}, "features": {encoded(t, features)}}.Encode(), header, "")
	}
	return request(t, http.MethodPost, address, header, encoded(t, object{"variables": all, "features": features, "queryId": read.id}))
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func request(t *testing.T, method, address string, header http.Header, body string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header
	resp, err := new(http.Client).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{status: resp.StatusCode, header: resp.Header, body: raw}
}

// wall is the part of a timeline's answer that the tests look at.
type wall struct {
	Instructions []struct {
		Type        string
		Direction   string
		Entries     []entry
		Entry       entry
		Replace     string `json:"entry_id_to_replace"`
		ModuleItems []entry
	}
}

// entry is an entry or an item of a module.
type entry struct {
	EntryID string
	Content struct {
		EntryType, CursorType, Value string
		Items                        []entry
	}
}

// wallOf finds the timeline under the path of the operation.
func wallOf(t *testing.T, r reply, path string) (w wall) {
	t.Helper()
	raw := json.RawMessage(r.body)
	for name := range strings.SplitSeq("data."+path, ".") {
		var level map[string]json.RawMessage
		if err := json.Unmarshal(raw, &level); err != nil {
			t.Fatalf("no %s in %.300s: %v", name, r.body, err)
		}
		raw = level[name]
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		t.Fatalf("no timeline under %s in %.300s: %v", path, r.body, err)
	}
	return w
}

var postID = regexp.MustCompile(`^(?:[a-z]+-[a-z0-9]+-(?:[0-9]+-)?)?tweet-([0-9]+)$`)

// posts are the ids of the posts in a timeline, those in modules included and
// advertisements left out, and bottom is where it goes on.
func (w wall) posts() (ids []string, bottom string) {
	take := func(e entry) {
		for _, one := range append([]entry{e}, e.Content.Items...) {
			if id := postID.FindStringSubmatch(one.EntryID); id != nil {
				ids = append(ids, id[1])
			}
		}
		if e.Content.CursorType == "Bottom" {
			bottom = e.Content.Value
		}
	}
	for _, in := range w.Instructions {
		for _, e := range slices.Concat(in.ModuleItems, in.Entries) {
			take(e)
		}
		if in.Type == "TimelineReplaceEntry" {
			take(in.Entry)
		}
	}
	return ids, bottom
}

const listPath = "list.tweets_timeline.timeline"

func TestAListComesInPagesOf98(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	p := r.Profile("a1")
	want := p.AddMany(150)
	list := p.AddList(snstest.TweetList{Title: "Friends", Members: []string{"ben"}})

	first := relayed(t, origin, "a1", "ListLatestTweetsTimeline", object{"listId": list})
	ids, next := wallOf(t, first, listPath).posts()
	if len(ids) != 98 || len(next) != 46 {
		t.Fatalf("%d posts and a cursor of %d characters, want 98 and 46", len(ids), len(next))
	}
	if size := len(first.body); size < 1_000_000 || size > 1_250_000 {
		t.Errorf("the page has %d bytes, want about 1.1 MB", size)
	}
	second, end := wallOf(t, relayed(t, origin, "a1", "ListLatestTweetsTimeline", object{"listId": list, "cursor": next}), listPath).posts()
	ids = append(ids, second...)
	none, same := wallOf(t, relayed(t, origin, "a1", "ListLatestTweetsTimeline", object{"listId": list, "cursor": end}), listPath).posts()
	if len(none) != 0 || same != end {
		t.Errorf("behind the last page are %d posts and the cursor %q, want none and %q", len(none), same, end)
	}
	slices.Reverse(want)
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestHomeHasWhatTheProfileFollows(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	mine := r.Profile("a1").Add(snstest.Tweet{Text: "for a1"})
	theirs := r.Profile("a2").Add(snstest.Tweet{Author: "cleo", Text: "for a2"})
	for profile, want := range map[string][]string{"a1": {mine}, "a2": {theirs}} {
		got, _ := wallOf(t, relayed(t, origin, profile, "HomeLatestTimeline", nil), "home.home_timeline_urt").posts()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("home of %s (-want +got):\n%s", profile, diff)
		}
	}
}

func TestOnlyReadsAreAnsweredAndOnlyWithAProfile(t *testing.T) {
	r := snstest.NewRelay(snstest.RelayOptions{})
	origin, err := r.StartLoopback(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	accept := http.Header{"Accept": {"application/json"}, "X-Profile-Name": {"a1"}}

	write := request(t, http.MethodPost, origin+"/i/api/graphql/abc/CreateTweet", accept, `{"variables":{},"features":{},"queryId":"abc"}`)
	nobody := relayed(t, origin, "", "Viewer", nil)
	if write.status != http.StatusInternalServerError || !bytes.Equal(write.body, []byte("Internal Server Error")) || nobody.status != http.StatusOK {
		t.Errorf("a write = %d %q, without a profile = %d", write.status, write.body, nobody.status)
	}
	var got []string
	for _, v := range r.Violations() {
		what, _, _ := strings.Cut(v, "?")
		got = append(got, what)
	}
	want := []string{"POST /i/api/graphql/abc/CreateTweet is none of the reads", "GET /i/api/graphql/_8ClT24oZ8tpylf_OSuNdg/Viewer names no profile"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
}
