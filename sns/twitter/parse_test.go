package twitter_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// full is a tweet with all that one can have, as X sends it.
const full = `{"__typename":"Tweet","rest_id":"2085474086805762419",
"core":{"user_results":{"result":{"__typename":"User","rest_id":"44","core":{"name":"Ann\nB","screen_name":"ann"},
  "avatar":{"image_url":"https://pbs.example/a.jpg"},"privacy":{"protected":false}}}},
"views":{"count":"1234","state":"EnabledWithCount"},
"edit_control":{"edit_control_initial":{"edit_tweet_ids":["1","2"]}},
"quotedRefResult":{"result":{"__typename":"Tweet","rest_id":"77"}},
"card":{"legacy":{"name":"summary_large_image","url":"https://t.co/c","binding_values":[
  {"key":"title","value":{"string_value":"A page"}},{"key":"description","value":{"string_value":"About it"}},{"key":"domain","value":{"string_value":"example.org"}},
  {"key":"card_url","value":{"string_value":"https://t.co/c"}},{"key":"thumbnail_image_large","value":{"image_value":{"url":"https://pbs.example/c.jpg"}}}]}},
"legacy":{"created_at":"Thu Aug 06 21:12:23 +0000 2026","lang":"en","possibly_sensitive":true,
 "full_text":"@ben a &amp; b &lt;c&gt; https://t.co/ab https://t.co/abc #Tea #tea https://t.co/m",
 "entities":{"urls":[{"url":"https://t.co/ab","expanded_url":"https://example.org/?a=1&b=2"},{"url":"https://t.co/abc","expanded_url":"javascript:alert(1)"},{"url":"https://t.co/c","expanded_url":"https://example.org/page"}],
  "hashtags":[{"text":"Tea"},{"text":"tea"}],"user_mentions":[{"screen_name":"ben","id_str":"45"},{"screen_name":"../x"}]},
 "extended_entities":{"media":[
  {"type":"photo","url":"https://t.co/m","media_url_https":"https://pbs.example/p.jpg","ext_alt_text":"A cup &amp; more","original_info":{"width":640.0,"height":"480"}},
  {"type":"video","url":"https://t.co/m","media_url_https":"https://pbs.example/v.jpg","original_info":{"width":1280,"height":720},"video_info":{"duration_millis":9000,"variants":[
    {"content_type":"application/x-mpegURL","url":"https://video.example/v.m3u8"},{"bitrate":256000,"content_type":"video/mp4","url":"https://video.example/low.mp4"},
    {"bitrate":2176000,"content_type":"video/mp4","url":"https://video.example/high.mp4"},{"bitrate":832000,"content_type":"video/mp4","url":"https://video.example/mid.mp4"}]}},
  {"type":"animated_gif","url":"https://t.co/m","media_url_https":"https://pbs.example/g.jpg","video_info":{"variants":[{"bitrate":0,"content_type":"video/mp4","url":"https://video.example/g.mp4"}]}},
  {"type":"photo","url":"https://t.co/m","media_url_https":"https://pbs.example/x.jpg","ext_media_availability":{"status":"Unavailable"}}]},
 "in_reply_to_status_id_str":"2085474086805762000","in_reply_to_screen_name":"ben",
 "reply_count":1,"retweet_count":"2","favorite_count":-3,"quote_count":1e30,"favorited":true,"bookmarked":false}}`

// fromBody reads the one post of an answer.
func fromBody(t *testing.T, tweet string) sns.Post {
	t.Helper()
	p, a, _ := answering(timelineOf(`{"entryId":"tweet-1","content":{"entryType":"TimelineTimelineItem","itemContent":{"itemType":"TimelineTweet","tweet_results":{"result":` + tweet + `}}}}`))
	page, err := p.Fetch(t.Context(), a, home, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Posts) != 1 {
		t.Fatalf("the page has %d posts, %d skipped; want 1", len(page.Posts), page.Skipped)
	}
	return page.Posts[0]
}

func TestFullTweet(t *testing.T) {
	at := time.Date(2026, 8, 6, 21, 12, 23, 0, time.UTC)
	want := sns.Post{
		ID: "2085474086805762419", EntryID: "2085474086805762419", Network: sns.Twitter, ConnectionID: "conn_1",
		URL:       "https://x.com/ann/status/2085474086805762419",
		Author:    sns.Author{ID: "44", Handle: "@ann", DisplayName: "Ann B", URL: "https://x.com/ann", AvatarURL: "https://pbs.example/a.jpg"},
		CreatedAt: &at, Edited: true,
		Text:      "@ben a & b <c> https://example.org/?a=1&b=2 https://t.co/abc #Tea #tea",
		Sensitive: true, Language: "en", Visibility: sns.Public,
		ReplyTo: &sns.ReplyTo{ID: "2085474086805762000", AuthorHandle: "@ben"},
		Quote:   &sns.Quote{State: sns.QuoteAvailable, ID: "77", URL: "https://x.com/i/status/77"},
		Media: []sns.Media{
			{Type: "image", URL: "https://pbs.example/p.jpg", PreviewURL: "https://pbs.example/p.jpg", Alt: "A cup &amp; more", Width: 640, Height: 480},
			{Type: "video", URL: "https://video.example/high.mp4", PreviewURL: "https://pbs.example/v.jpg", Width: 1280, Height: 720, DurationMs: 9000},
			{Type: "gif", URL: "https://video.example/g.mp4", PreviewURL: "https://pbs.example/g.jpg"},
			{Type: "unknown", PreviewURL: "https://pbs.example/x.jpg"},
		},
		Card:     &sns.Card{URL: "https://example.org/page", Title: "A page", Description: "About it", ImageURL: "https://pbs.example/c.jpg", Provider: "example.org"},
		Links:    []sns.Link{{Text: "https://example.org/?a=1&b=2", URL: "https://example.org/?a=1&b=2"}},
		Mentions: []sns.Mention{{Text: "@ben", Handle: "@ben", URL: "https://x.com/ben"}},
		Hashtags: []string{"Tea"},
		Counts:   &sns.Counts{Replies: new(int64(1)), Boosts: new(int64(2)), Likes: new(int64(0)), Views: new(int64(1234))},
		Viewer:   &sns.Viewer{Liked: true},
	}
	if diff := cmp.Diff(want, fromBody(t, full)); diff != "" {
		t.Errorf("post (-want +got):\n%s", diff)
	}
}

func TestPoll(t *testing.T) {
	asList := `[{"key":"choice1_label","value":{"string_value":"Tea"}},{"key":"choice1_count","value":{"string_value":"3"}},
		{"key":"choice2_label","value":{"string_value":"Coffee"}},{"key":"choice2_count","value":{"string_value":"4"}},
		{"key":"end_datetime_utc","value":{"string_value":"2026-12-24T00:00:00Z"}},{"key":"counts_are_final","value":{"boolean_value":false}}]`
	asObject := `{"choice1_label":{"string_value":"Tea"},"choice1_count":{"string_value":"3"},"choice2_label":{"string_value":"Coffee"},
		"choice2_count":{"string_value":"4"},"end_datetime_utc":{"string_value":"2026-12-24T00:00:00Z"}}`
	end := time.Date(2026, 12, 24, 0, 0, 0, 0, time.UTC)
	want := &sns.Poll{Options: []sns.PollOption{{Title: "Tea", Votes: new(int64(3))}, {Title: "Coffee", Votes: new(int64(4))}}, Votes: 7, ExpiresAt: &end}
	for name, values := range map[string]string{"as a list": asList, "as an object": asObject} {
		t.Run(name, func(t *testing.T) {
			p := fromBody(t, `{"rest_id":"5","card":{"legacy":{"name":"poll2choice_text_only","binding_values":`+values+`}},"legacy":{"full_text":"?"}}`)
			if diff := cmp.Diff(want, p.Poll); diff != "" {
				t.Errorf("poll (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEndedPoll(t *testing.T) {
	for name, values := range map[string]string{
		"by its time": `{"choice1_label":{"string_value":"Tea"},"end_datetime_utc":{"string_value":"2026-11-01T00:00:00Z"}}`,
		"as X says":   `{"choice1_label":{"string_value":"Tea"},"counts_are_final":{"boolean_value":true}}`,
	} {
		p := fromBody(t, `{"rest_id":"5","card":{"legacy":{"name":"poll2choice_image","binding_values":`+values+`}},"legacy":{"full_text":"?"}}`)
		if p.Poll == nil || !p.Poll.Expired || p.Poll.Options[0].Votes != nil {
			t.Errorf("%s: poll = %+v, want an ended one without votes", name, p.Poll)
		}
	}
}

func TestQuotes(t *testing.T) {
	whole := `{"rest_id":"9","core":{"user_results":{"result":{"rest_id":"3","core":{"screen_name":"met"}}}},"legacy":{"full_text":"rain"},"quoted_status_result":{"result":{"rest_id":"10","legacy":{"full_text":"deeper"}}}}`
	for _, c := range []struct {
		name, members       string
		state, id, url, say string
	}{
		{"whole", `"quoted_status_result":{"result":` + whole + `}`, "available", "9", "https://x.com/met/status/9", "rain"},
		{"in a visibility wrapper", `"quoted_status_result":{"result":{"__typename":"TweetWithVisibilityResults","tweet":` + whole + `}}`, "available", "9", "https://x.com/met/status/9", "rain"},
		{"shallow", `"quotedRefResult":{"result":{"__typename":"Tweet","rest_id":"9"}}`, "available", "9", "https://x.com/i/status/9", ""},
		{"gone", `"quoted_status_result":{"result":{"__typename":"TweetTombstone","tombstone":{"text":{"text":"x"}}}},"quoted_id":1`, "unavailable", "", "", ""},
		{"empty, but named", `"quoted_status_result":{},"quotes":1`, "available", "8", "https://twitter.com/a/status/8", ""},
		{"gone, but named", `"quoted_status_result":{"result":{}},"quotes":1`, "unavailable", "8", "https://twitter.com/a/status/8", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			legacy := `{"full_text":"look"}`
			if strings.Contains(c.name, "named") {
				legacy = `{"full_text":"look","quoted_status_id_str":"8","quoted_status_permalink":{"expanded":"https://twitter.com/a/status/8"}}`
			}
			q := fromBody(t, `{"rest_id":"5",`+c.members+`,"legacy":`+legacy+`}`).Quote
			if q == nil || q.State != c.state || q.ID != c.id || q.URL != c.url {
				t.Fatalf("quote = %+v, want %s of %q at %q", q, c.state, c.id, c.url)
			}
			if (q.Post != nil) != (c.say != "") || q.Post != nil && (q.Post.Text != c.say || q.Post.Quote != nil) {
				t.Errorf("quoted post = %+v, want %q one level deep", q.Post, c.say)
			}
		})
	}
}

func TestEditedPost(t *testing.T) {
	for control, want := range map[string]bool{
		`{"edit_tweet_ids":["5"]}`: false, `{"edit_tweet_ids":["4","5"]}`: true, `{"edit_control_initial":{"edit_tweet_ids":["4","5"]}}`: true,
		`{"edit_control_initial":{"edit_tweet_ids":["5"]}}`: false, `{}`: false, `null`: false, `{"edit_tweet_ids":{"a":1,"b":2}}`: false,
	} {
		if p := fromBody(t, `{"rest_id":"5","edit_control":`+control+`,"legacy":{"full_text":"x"}}`); p.Edited != want || p.EditedAt != nil {
			t.Errorf("%s: edited %v at %v, want %v at a time that X does not tell", control, p.Edited, p.EditedAt, want)
		}
	}
}

func TestRepostInEitherPlace(t *testing.T) {
	original := `"retweeted_status_result":{"result":{"rest_id":"9","core":{"user_results":{"result":{"rest_id":"3","core":{"screen_name":"met"}}}},"legacy":{"full_text":"rain"}}}`
	for name, members := range map[string]string{"in legacy": `"legacy":{"full_text":"RT @met: r…",` + original + `}`, "beside it": original + `,"legacy":{"full_text":"RT @met: r…"}`} {
		p := fromBody(t, `{"rest_id":"12","core":{"user_results":{"result":{"rest_id":"4","core":{"screen_name":"ben"}}}},`+members+`}`)
		if p.ID != "9" || p.EntryID != "12" || p.Text != "rain" || p.Author.Handle != "@met" || p.BoostedBy == nil || p.BoostedBy.ID != "12" || p.BoostedBy.Author.Handle != "@ben" {
			t.Errorf("%s: post %s as %s with %q by %s, passed on by %+v", name, p.ID, p.EntryID, p.Text, p.Author.Handle, p.BoostedBy)
		}
	}
}

// Only what is below goes on: the others are for what is newer, for a gap and for
// the rest of one answer.
func TestCursorsOfAllDirections(t *testing.T) {
	entry := `{"entryId":"tweet-5","content":{"itemContent":` + tweetItem("5", "t") + `}}`
	as := func(kind string) string {
		return `{"entryId":"cursor-` + kind + `","content":{"entryType":"TimelineTimelineCursor","cursorType":"` + kind + `","value":"` + kind + `-value"}}`
	}
	inModule := func(kind string) string {
		return `{"entryId":"m","content":{"items":[{"entryId":"m-cursor-1","item":{"itemContent":{"itemType":"TimelineTimelineCursor","cursorType":"` + kind + `","value":"` + kind + `-value"}}}]}}`
	}
	for _, c := range []struct {
		name    string
		entries []string
		want    string
	}{
		{"both, the top one last", []string{entry, as("Bottom"), as("Top")}, ".Bottom-value"},
		{"above alone", []string{as("Top"), entry}, ""},
		{"a gap", []string{entry, as("Gap"), as("Bottom"), as("Gap")}, ".Bottom-value"},
		{"the rest of an answer", []string{entry, inModule("ShowMore")}, ""},
		{"more answers", []string{entry, as("ShowMoreThreads")}, ".ShowMoreThreads-value"},
		{"more answers, perhaps offensive ones", []string{entry, inModule("ShowMoreThreadsPrompt")}, ".ShowMoreThreadsPrompt-value"},
		{"one in a module", []string{entry, inModule("Bottom")}, ".Bottom-value"},
		{"below before more answers", []string{entry, as("Bottom"), as("ShowMoreThreads")}, ".Bottom-value"},
		{"a direction that nobody knows", []string{entry, as("Sideways")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, a, _ := answering(timelineOf(c.entries...))
			page, err := p.Fetch(t.Context(), a, home, "")
			if err != nil || !strings.HasSuffix(page.Next, c.want) || (c.want == "") != (page.Next == "") {
				t.Errorf("next = %q, %v; want one that ends in %q", page.Next, err, c.want)
			}
		})
	}
}

func TestArticleIsACard(t *testing.T) {
	p := fromBody(t, `{"rest_id":"5","article":{"article_results":{"result":{"rest_id":"6","title":"On tea","preview_text":"It is hot."}}},"legacy":{"full_text":"https://t.co/a","entities":{"urls":[{"url":"https://t.co/a","expanded_url":"https://x.com/i/article/6"}]}}}`)
	want := &sns.Card{URL: "https://x.com/i/article/6", Title: "On tea", Description: "It is hot.", Provider: "x.com"}
	if diff := cmp.Diff(want, p.Card); diff != "" || p.Text != "https://x.com/i/article/6" {
		t.Errorf("text %q, card (-want +got):\n%s", p.Text, diff)
	}
}

func TestPostWithOnlyAPictureIsKept(t *testing.T) {
	p := fromBody(t, `{"rest_id":"5","legacy":{"full_text":"https://t.co/m","extended_entities":{"media":[{"type":"photo","url":"https://t.co/m","media_url_https":"https://pbs.example/p.jpg"}]}}}`)
	if p.Text != "" || len(p.Media) != 1 {
		t.Errorf("text %q with %d pictures, want none and one", p.Text, len(p.Media))
	}
}

func TestWordsThatAreNoLanguage(t *testing.T) {
	for word, want := range map[string]string{"ja": "ja", "zh-CN": "zh-CN", "und": "", "qme": "", "zxx": "", "qht": "", "art": "", "<b>": ""} {
		if got := fromBody(t, `{"rest_id":"5","legacy":{"full_text":"x","lang":"`+word+`"}}`).Language; got != want {
			t.Errorf("%s gives %q, want %q", word, got, want)
		}
	}
}

func TestTextOfANoteUsesItsOwnEntities(t *testing.T) {
	p := fromBody(t, `{"rest_id":"5","note_tweet":{"note_tweet_results":{"result":{"text":"long &amp; https://t.co/n #Note","entity_set":{"urls":[{"url":"https://t.co/n","expanded_url":"https://example.org/n"}],"hashtags":[{"text":"Note"}]}}}},"legacy":{"full_text":"long…"}}`)
	if p.Text != "long &amp; https://example.org/n #Note" || !cmp.Equal(p.Hashtags, []string{"Note"}) {
		t.Errorf("text = %q with %v, want the note's", p.Text, p.Hashtags)
	}
}

// Everything in a timeline that is no post of it, around one that is.
// What stands in a text only seems to be an address for the sake of the time that
// looking for it takes. Each of these texts keeps a processor busy for minutes when
// every word is looked for in the whole of it, again and again.
func TestLongTextsAreReadOnce(t *testing.T) {
	var urls strings.Builder
	for i := range 60 {
		fmt.Fprintf(&urls, `{"url":"https://t.co/gone%d","expanded_url":"https://example.org/"},`, i)
	}
	for name, tc := range map[string]struct{ word, entity, want string }{
		"of a letter that is said to be an address": {"e", "e", "e"},
		"of addresses":               {"https://t.co/a ", "https://t.co/a", "https://example.org/ "},
		"of beginnings of addresses": {"https", "https://t.co/a", "https"},
	} {
		t.Run(name, func(t *testing.T) {
			p := fromBody(t, `{"__typename":"Tweet","rest_id":"20","legacy":{"full_text":"`+strings.Repeat(tc.word, 400_000/len(tc.word))+`",
				"entities":{"urls":[`+urls.String()+`{"url":"`+tc.entity+`","expanded_url":"https://example.org/"}]}}}`)
			want := strings.Repeat(tc.want, sns.MaxText/len(tc.want)+1)[:sns.MaxText]
			if p.Text != want || !p.TextTruncated {
				t.Errorf("the text has %d bytes %.60q, cut: %t; want %d of %.60q", len(p.Text), p.Text, p.TextTruncated, len(want), want)
			}
		})
	}
}

func TestDeepTweetTakesNoNeighboursWithIt(t *testing.T) {
	p, a, _ := answering(timelineOf(
		`{"entryId":"tweet-31","content":{"itemContent":`+tweetItem("31", "above")+`}}`,
		`{"entryId":"tweet-30","content":{"itemContent":{"itemType":"TimelineTweet","tweet_results":{"result":{"rest_id":"30","legacy":`+
			strings.Repeat(`{"a":[`, 10_000)+`1`+strings.Repeat(`]}`, 10_000)+`}}}}}`,
		`{"entryId":"tweet-29","content":{"itemContent":`+tweetItem("29", "below")+`}}`))
	page, err := p.Fetch(t.Context(), a, home, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"31", "29"}, ids(page.Posts)); diff != "" || page.Skipped != 1 {
		t.Errorf("%d skipped, posts (-want +got):\n%s", page.Skipped, diff)
	}
}

func TestEntriesThatAreNoPosts(t *testing.T) {
	item := func(id, content string) string {
		return `{"entryId":"` + id + `","content":{"entryType":"TimelineTimelineItem","itemContent":` + content + `}}`
	}
	entries := []string{
		item("promoted-tweet-1", tweetItem("1", "buy")),
		item("tweet-2", `{"promotedMetadata":{},`+tweetItem("2", "buy")[1:]),
		`{"entryId":"who-to-follow-3","content":{"entryType":"TimelineTimelineModule","items":[{"entryId":"who-to-follow-3-user-1","item":{"itemContent":{"itemType":"TimelineUser"}}}]}}`,
		`{"entryId":"toptabsrpusermodule-4","content":{"items":[{"entryId":"x","item":{"itemContent":` + tweetItem("4", "no") + `}}]}}`,
		item("who-to-subscribe-1", tweetItem("1", "no")), item("list-to-follow-module-1", tweetItem("1", "no")), item("community-to-join-1", tweetItem("1", "no")),
		item("label-1", tweetItem("1", "no")), item("relevanceprompt-1", tweetItem("1", "no")), item("messageprompt-1", tweetItem("1", "no")),
		item("list-1", `{"itemType":"TimelineTwitterList","list":{"id_str":"1"}}`), item("prompt-1", `{"itemType":"TimelinePrompt"}`),
		item("community-1", `{"itemType":"TimelineCommunity"}`),
		item("messageprompt-5", `{"itemType":"TimelineMessagePrompt"}`),
		item("trend-6", `{"itemType":"TimelineTrend"}`),
		item("user-7", `{"itemType":"TimelineUser"}`),
		item("tweet-8", tweetItem("8", "here")),
		item("tweet-8", tweetItem("8", "again")),
		`null`, `7`, `{}`, `{"entryId":9,"content":[]}`, `{"entryId":"x","content":{"items":{"a":1}}}`,
		`{"entryId":"cursor-top-1","content":{"entryType":"TimelineTimelineCursor","cursorType":"Top","value":"T"}}`,
		item("cursor-bottom-0", `{"itemType":"TimelineTimelineCursor","cursorType":"Bottom","value":"B=="}`),
	}
	p, a, _ := answering(timelineOf(entries...))
	page, err := p.Fetch(t.Context(), a, home, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"8"}, ids(page.Posts)); diff != "" || page.Skipped != 0 || page.Posts[0].Text != "here" {
		t.Errorf("%d skipped, posts (-want +got):\n%s", page.Skipped, diff)
	}
	if !strings.HasSuffix(page.Next, ".B==") {
		t.Errorf("next = %q, want X's cursor in it", page.Next)
	}
}

func TestInstructions(t *testing.T) {
	entry := func(id string) string {
		return `{"entryId":"tweet-` + id + `","content":{"itemContent":` + tweetItem(id, "t") + `}}`
	}
	cursor := func(value string) string {
		return `{"entryId":"cursor-bottom-0","content":{"cursorType":"Bottom","value":"` + value + `"}}`
	}
	add := `{"type":"TimelineAddEntries","entries":[` + entry("5") + `,` + cursor("old") + `]}`
	for _, c := range []struct {
		name, instructions string
		want               []string
		next               string
	}{
		{"a cursor that is replaced", add + `,{"type":"TimelineReplaceEntry","entry_id_to_replace":"cursor-bottom-0","entry":` + cursor("new") + `}`, []string{"5"}, ".new"},
		{"a cursor that replaces one of the page before", `{"type":"TimelineAddEntries","entries":[` + entry("5") + `]},{"type":"TimelineReplaceEntry","entry_id_to_replace":"cursor-bottom-0","entry":` + cursor("new") + `}`, []string{"5"}, ".new"},
		{"a post that is replaced", add + `,{"type":"TimelineReplaceEntry","entry_id_to_replace":"tweet-5","entry":` + entry("6") + `}`, []string{"6"}, ".old"},
		{"the end below", add + `,{"type":"TimelineTerminateTimeline","direction":"Bottom"}`, []string{"5"}, ""},
		{"the end on both sides", add + `,{"type":"TimelineTerminateTimeline","direction":"TopAndBottom"}`, []string{"5"}, ""},
		{"the end above", add + `,{"type":"TimelineTerminateTimeline","direction":"Top"}`, []string{"5"}, ".old"},
		{"a pinned post", `{"type":"TimelinePinEntry","entry":` + entry("1") + `},` + add, []string{"5"}, ".old"},
		{"items for a module", add + `,{"type":"TimelineAddToModule","moduleEntryId":"profile-grid-0","moduleItems":[{"entryId":"profile-grid-0-tweet-6","item":{"itemContent":` + tweetItem("6", "t") + `}}]}`, []string{"5", "6"}, ".old"},
		{"items in front", add + `,{"type":"TimelineAddToModule","prepend":true,"moduleEntryId":"g","moduleItems":[{"entryId":"g-tweet-6","item":{"itemContent":` + tweetItem("6", "t") + `}}]}`, []string{"6", "5"}, ".old"},
		{"items for what is not shown", add + `,{"type":"TimelineAddToModule","moduleEntryId":"who-to-follow-1","moduleItems":[{"entryId":"x","item":{"itemContent":` + tweetItem("6", "t") + `}}]}`, []string{"5"}, ".old"},
		{"no posts", `{"type":"TimelineAddEntries","entries":[` + cursor("old") + `]}`, []string{}, ""},
		{"no instructions", ``, []string{}, ""},
		{"what nobody knows", `{"type":"TimelineDance"},null,7,` + add + `,{"type":"TimelineAddEntries","entries":{}}`, []string{"5"}, ".old"},
		{"a cursor that cannot be sent back", `{"type":"TimelineAddEntries","entries":[` + entry("5") + `,` + cursor("a b") + `,` + cursor(strings.Repeat("x", 2049)) + `]}`, []string{"5"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, a, _ := answering(`{"data":{"home":{"home_timeline_urt":{"instructions":[` + c.instructions + `]}}}}`)
			page, err := p.Fetch(t.Context(), a, home, "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, ids(page.Posts)); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
			if !strings.HasSuffix(page.Next, c.next) || (c.next == "") != (page.Next == "") {
				t.Errorf("next = %q, want one that ends in %q", page.Next, c.next)
			}
		})
	}
}

func TestCursorsThatAreNotOfTheProviderAreRefused(t *testing.T) {
	p, a, c := answering(timelineOf())
	for _, cursor := range []string{"x", "DAABCgABF", "0123456789abcdef", "0123456789abcdef.", "0123456789abcdef.a b", "." + "x", "0123456789abcdef." + strings.Repeat("x", 2049)} {
		if _, err := p.Fetch(t.Context(), a, home, cursor); err == nil {
			t.Errorf("the cursor %.30q was taken", cursor)
		} else {
			wantFault(t, err, "invalid_cursor", map[string]any{"reason": "malformed"})
		}
	}
	if len(c.requests) != 0 {
		t.Errorf("%d requests were made, want none", len(c.requests))
	}
}

func TestCursorThatXRefuses(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	_, err := w.fetch(home, "0123456789abcdef.DAABnever")
	wantFault(t, err, "invalid_cursor", map[string]any{"reason": "upstream_rejected"})
}
