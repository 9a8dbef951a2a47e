package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"personal-workspace/decks"
	"personal-workspace/mcp"
	"personal-workspace/sns"
)

type answeredPage struct {
	Posts []struct {
		ID, EntryID, Text string
		Hidden            bool
	}
	NextCursor *string
	Warnings   []string
}

func TestPostsAreShort(t *testing.T) {
	at := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	full := sns.Post{
		ID: "9007199254740993", EntryID: "9007199254740999", Network: sns.Mastodon, ConnectionID: "conn_1",
		URL:    "https://social.example/@ann/1",
		Author: sns.Author{ID: "7", Handle: "@ann@social.example", DisplayName: "Ann\u202e :blobcat:", URL: "https://social.example/@ann", AvatarURL: "https://media.example/a.png", Bot: true},
		Emojis: []sns.Emoji{{Shortcode: "blobcat", URL: "https://media.example/e.png"}}, CreatedAt: &at, EditedAt: &at,
		Text: "See <b>this</b> & that\u200b: https://example.org/x @cleo", ContentWarning: "food", Sensitive: true, Language: "en", Visibility: sns.Unlisted,
		ReplyTo:   &sns.ReplyTo{ID: "5", AuthorHandle: "@cleo@third.example"},
		BoostedBy: &sns.Boost{ID: "9007199254740999", At: &at, Author: sns.Author{Handle: "@bob@other.example", DisplayName: "Bob"}},
		Quote:     &sns.Quote{State: sns.QuoteAvailable, Post: &sns.Post{ID: "4", URL: "https://x.example/4", Author: sns.Author{Handle: "@dan@x.example"}, Text: "Quoted"}},
		Media:     []sns.Media{{Type: "image", URL: "https://media.example/1.jpg", PreviewURL: "https://media.example/1s.jpg", Alt: "A cup", Width: 10, Height: 10}},
		Poll:      &sns.Poll{Options: []sns.PollOption{{Title: "Yes", Votes: new(int64(3))}, {Title: "No"}}, Votes: 3, ExpiresAt: &at, Expired: true},
		Card:      &sns.Card{URL: "https://example.org/x", Title: "X", Description: "About x", ImageURL: "https://example.org/x.png"},
		Links:     []sns.Link{{Text: "https://example.org/x", URL: "https://example.org/x"}, {Text: "this", URL: "https://example.org/hidden"}},
		Mentions:  []sns.Mention{{Text: "@cleo", Handle: "@cleo@third.example"}},
		Hashtags:  []string{"x"}, Counts: &sns.Counts{Replies: new(int64(0)), Likes: new(int64(2))}, Viewer: &sns.Viewer{Liked: true},
		Filter: &sns.Filter{Action: "warn", Titles: []string{"Spoilers"}},
	}
	want := `{"posts":[{"id":"9007199254740993","entryId":"9007199254740999","url":"https://social.example/@ann/1",` +
		`"author":{"id":"7","handle":"@ann@social.example","name":"Ann :blobcat:","bot":true},"createdAt":"2026-11-30T10:00:00Z","edited":true,` +
		`"text":"See <b>this</b> & that: https://example.org/x @cleo","contentWarning":"food","sensitive":true,"language":"en","visibility":"unlisted",` +
		`"replyTo":{"id":"5","handle":"@cleo@third.example"},"boostedBy":{"handle":"@bob@other.example","name":"Bob","at":"2026-11-30T10:00:00Z"},` +
		`"quote":{"state":"available","id":"4","url":"https://x.example/4","author":{"handle":"@dan@x.example"},"text":"Quoted"},` +
		`"media":[{"type":"image","url":"https://media.example/1.jpg","alt":"A cup"}],` +
		`"poll":{"options":[{"title":"Yes","votes":3},{"title":"No"}],"votes":3,"expiresAt":"2026-11-30T10:00:00Z","expired":true},` +
		`"card":{"url":"https://example.org/x","title":"X","description":"About x"},"links":[{"text":"this","url":"https://example.org/hidden"}],` +
		`"mentions":["@cleo@third.example"],"counts":{"likes":2},"viewer":{"liked":true},"filtered":["Spoilers"],"hidden":true}],"nextCursor":null}`
	got, _, err := mcp.PackedPage(sns.Page{Posts: []sns.Post{full}}, []bool{true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("post (-want +got):\n%s", diff)
	}
}

func TestPlainPostHasNothingEmpty(t *testing.T) {
	got, _, err := mcp.PackedPage(sns.Page{Posts: []sns.Post{{ID: "1", EntryID: "1", Visibility: sns.Public, Author: sns.Author{Handle: "@a@b"}, Text: "Hi"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"posts":[{"id":"1","author":{"handle":"@a@b"},"text":"Hi"}],"nextCursor":null}`; string(got) != want {
		t.Errorf("page %s, want %s", got, want)
	}
}

// A like of an old post is news of its own time, and a follow has no post that
// anybody could see or not.
func TestNotificationsHaveTheirOwnTime(t *testing.T) {
	then := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	at := then.Add(20 * time.Minute)
	bob := sns.Author{ID: "7", Handle: "@bob@other.example"}
	got, _, err := mcp.PackedPage(sns.Page{Posts: []sns.Post{
		{
			ID: "1", EntryID: "n2", Visibility: sns.Public, CreatedAt: &then, Text: "Old",
			Notification: &sns.Notification{Type: "like", RawType: "favourite", At: &at, Actors: []sns.Author{bob}, ActorCount: 1},
		},
		{
			ID: "notification:n1", EntryID: "n1", CreatedAt: &then, Author: bob,
			Notification: &sns.Notification{Type: "follow", RawType: "follow", At: &then, Actors: []sns.Author{bob}, ActorCount: 1},
		},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"posts":[{"id":"1","entryId":"n2","author":{},"createdAt":"2026-11-30T10:00:00Z","text":"Old",` +
		`"notification":{"type":"like","at":"2026-11-30T10:20:00Z","actors":["@bob@other.example"],"actorCount":1}},` +
		`{"id":"notification:n1","entryId":"n1","author":{"id":"7","handle":"@bob@other.example"},"createdAt":"2026-11-30T10:00:00Z","text":"",` +
		`"notification":{"type":"follow","at":"2026-11-30T10:00:00Z","actors":["@bob@other.example"],"actorCount":1}}],"nextCursor":null}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
}

func TestLongTextIsCutAtCodePoints(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.posts = plainPosts(2)
	w.net.posts[0].Text = strings.Repeat("雨", 2001)
	w.net.posts[1].Text = strings.Repeat("雨", 2000)
	r := w.call(t, "fetch_posts", `{"connectionId":"conn_1","source":{"kind":"home"}}`)
	var p struct {
		Posts []struct {
			Text          string
			TextTruncated bool
		}
	}
	if err := json.Unmarshal(r.Structured, &p); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false} {
		if n := utf8.RuneCountInString(p.Posts[i].Text); n != 2000 || p.Posts[i].TextTruncated != want {
			t.Errorf("post %d has %d code points, truncated %v; want 2000, %v", i, n, p.Posts[i].TextTruncated, want)
		}
	}
}

// TestTwentyOrdinaryPosts is the budget of an ordinary answer.
func TestTwentyOrdinaryPosts(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.posts = ordinaryPosts()
	r := w.call(t, "fetch_posts", `{"connectionId":"conn_1","source":{"kind":"home"}}`)
	var p answeredPage
	if err := json.Unmarshal(r.Structured, &p); err != nil || len(p.Posts) != 20 {
		t.Fatalf("%d posts, %v", len(p.Posts), err)
	}
	if n := len(r.Structured); n > 20_000 {
		t.Errorf("20 ordinary posts have %d bytes, the most is 20,000", n)
	}
	t.Logf("20 ordinary posts: %d bytes", len(r.Structured))
}

// TestLargePostsArePagedWithoutLossOrRepeat reads a timeline of long posts, more
// than fit into one answer, to its end.
func TestLargePostsArePagedWithoutLossOrRepeat(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.posts, w.net.pageSize = plainPosts(65), 20
	var want []string
	for i := range w.net.posts {
		w.net.posts[i].Text = strings.Repeat("長い投稿です。", 300)
		want = append(want, w.net.posts[i].ID)
	}
	var got []string
	cursor, calls := "", 0
	for {
		r := w.call(t, "fetch_posts", fmt.Sprintf(`{"connectionId":"conn_1","source":{"kind":"home"},"cursor":%q}`, cursor))
		var p answeredPage
		if err := json.Unmarshal(r.Structured, &p); err != nil {
			t.Fatalf("%v: %+v", err, r)
		}
		if len(r.Structured) > mcp.PackTo {
			t.Errorf("an answer has %d bytes, want at most %d", len(r.Structured), mcp.PackTo)
		}
		for _, one := range p.Posts {
			got = append(got, one.ID)
		}
		if calls++; p.NextCursor == nil || calls > 100 {
			break
		}
		cursor = *p.NextCursor
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("posts of %d calls (-want +got):\n%s", calls, diff)
	}
}

func TestColumnMarksWhatItsFiltersHide(t *testing.T) {
	w := newWorld(t)
	c := w.connect(t, "zoe")
	w.net.posts = plainPosts(3)
	w.net.posts[1].Text = "An advert"
	_, err := w.decks.CreateDeck(t.Context(), decks.CreateDeck{ID: "main", Title: "Main", Columns: []decks.Column{
		{ID: "c1", ConnectionID: c.ID, Source: sns.Source{Kind: sns.KindHome}, Filters: &decks.Filters{Exclude: []string{"advert"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var p answeredPage
	w.structured(t, "fetch_column_posts", `{"deckId":"main","columnId":"c1"}`, &p)
	var hidden []bool
	for _, one := range p.Posts {
		hidden = append(hidden, one.Hidden)
	}
	if diff := cmp.Diff([]bool{false, true, false}, hidden); diff != "" {
		t.Errorf("hidden (-want +got):\n%s", diff)
	}
	for _, c := range []struct{ arguments, what string }{
		{`{"deckId":"main","columnId":"c9"}`, "column"},
		{`{"deckId":"gone","columnId":"c1"}`, "deck"},
	} {
		if f := w.call(t, "fetch_column_posts", c.arguments).fault(t); f.Code != "not_found" || f.Details["what"] != c.what {
			t.Errorf("%s: %+v, want not_found of a %s", c.arguments, f, c.what)
		}
	}
}

// TestIncompletePagesSaySo: the upstream answered while it was still preparing.
func TestIncompletePagesSaySo(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.posts, w.net.partial, w.net.warnings = plainPosts(1), true, []string{"One post could not be read."}
	w.call(t, "create_deck", `{"title":"Main","deckId":"main","columns":[{"id":"c1","connectionId":"conn_1","source":{"kind":"home"}}]}`)
	want := []string{
		"One post could not be read.",
		"The network has not prepared this page completely; ask again later for the posts that are missing.",
	}
	for tool, arguments := range map[string]string{
		"fetch_posts":        `{"connectionId":"conn_1","source":{"kind":"home"}}`,
		"fetch_column_posts": `{"deckId":"main","columnId":"c1"}`,
	} {
		var p answeredPage
		w.structured(t, tool, arguments, &p)
		if diff := cmp.Diff(want, p.Warnings); diff != "" {
			t.Errorf("warnings of %s (-want +got):\n%s", tool, diff)
		}
	}
}

func TestWarningsAreTold(t *testing.T) {
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.warnings = []string{"The server cannot search posts."}
	var p answeredPage
	w.structured(t, "fetch_posts", `{"connectionId":"conn_1","source":{"kind":"search","query":"x"}}`, &p)
	if diff := cmp.Diff([]string{"The server cannot search posts."}, p.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// TestAnyPageFits packs pages of extreme posts: whatever a network sends, the
// answer has at least one post and is never too large.
func TestAnyPageFits(t *testing.T) {
	texts := []string{"", "x", "雨", "\u2028", `"`, "\\", "🧑‍🌾", "\u202e", "\x00"}
	rapid.Check(t, func(r *rapid.T) {
		text := func(label string, limit int) string {
			return strings.Repeat(rapid.SampledFrom(texts).Draw(r, label), rapid.SampledFrom([]int{1, limit / 3, limit}).Draw(r, label+" length"))
		}
		posts := make([]sns.Post, rapid.IntRange(1, 20).Draw(r, "posts"))
		for i := range posts {
			posts[i] = extremePost(i, text)
		}
		page := sns.Page{Posts: posts, NextCursor: strings.Repeat("c", sns.MaxCursor)}
		got, n, err := mcp.PackedPage(page, nil)
		if err != nil {
			r.Fatalf("PackedPage: %v", err)
		}
		if len(got) > mcp.MaxAnswer || n < 1 || !utf8.Valid(got) {
			r.Errorf("%d posts became %d in %d bytes, valid %v", len(posts), n, len(got), utf8.Valid(got))
		}
		if len(got) > mcp.PackTo {
			r.Errorf("packed to %d bytes, want at most %d", len(got), mcp.PackTo)
		}
	})
}

func extremePost(i int, text func(label string, limit int) string) sns.Post {
	p := sns.Post{
		ID: fmt.Sprint(i), EntryID: "e" + fmt.Sprint(i), URL: "https://a.example/" + text("url", sns.MaxURL), Text: text("text", sns.MaxText),
		ContentWarning: text("warning", sns.MaxWarning),
		Author:         sns.Author{ID: "1", Handle: text("handle", sns.MaxHandle), DisplayName: text("name", sns.MaxName)},
		Card:           &sns.Card{URL: "https://a.example/" + text("card", sns.MaxURL), Title: text("title", 300), Description: text("about", 500)},
		Quote:          &sns.Quote{State: sns.QuoteAvailable, Post: &sns.Post{ID: "q", Text: text("quoted", sns.MaxText)}},
		Poll:           &sns.Poll{Options: slices.Repeat([]sns.PollOption{{Title: text("option", 200)}}, 20)},
		Media:          slices.Repeat([]sns.Media{{Type: "image", URL: "https://a.example/" + text("media", sns.MaxURL), Alt: text("alt", sns.MaxAlt)}}, 16),
		Links:          slices.Repeat([]sns.Link{{Text: text("link", 200), URL: "https://b.example/" + text("target", sns.MaxURL)}}, 32),
		Mentions:       slices.Repeat([]sns.Mention{{Handle: text("mention", sns.MaxHandle)}}, 64),
	}
	return p
}
