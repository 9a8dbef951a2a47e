package mastodon_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
	"personal-workspace/sns/mastodon"
)

func decodePage(t testing.TB, body []byte) []sns.Post {
	t.Helper()
	posts, _, err := mastodon.DecodePage(body, now)
	if err != nil {
		t.Fatal(err)
	}
	return posts
}

func readTestdata(t testing.TB, name string) []byte {
	t.Helper()
	body, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// A post with everything a current server sends.
func TestEveryMember(t *testing.T) {
	got := decodePage(t, readTestdata(t, "status.json"))

	at := func(s string) *time.Time {
		parsed, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return &parsed
	}
	n := func(n int64) *int64 { return &n }
	aiko := sns.Author{
		ID: "109000000000000002", Handle: "@aiko@ex.org", DisplayName: "愛子 :cat:", URL: "https://ex.org/@aiko",
		AvatarURL: "https://files.ex.org/aiko.png", Bot: true,
		Emojis: []sns.Emoji{{Shortcode: "cat", URL: "https://files.ex.org/cat.png", StaticURL: "https://files.ex.org/cat-static.png"}},
	}
	want := []sns.Post{{
		ID: "115000000000000001", EntryID: "115000000000000001", Network: sns.Mastodon,
		URL: "https://ex.org/@aiko/115000000000000001", Author: aiko,
		CreatedAt: at("2026-11-30T03:04:05.678Z"), EditedAt: at("2026-11-30T04:00:00Z"), Edited: true,
		Text:           "@ben 猫の日 #猫の日 です。https://example.com/articles/2026/11/a-long-address?ref=1\n\n二行目 :cat:",
		ContentWarning: "動物", Sensitive: true, Language: "ja", Visibility: sns.Unlisted,
		ReplyTo: &sns.ReplyTo{ID: "114999999999999999", AuthorHandle: "@ben@two.example"},
		Media: []sns.Media{
			{Type: "image", URL: "https://files.ex.org/1.jpg", PreviewURL: "https://files.ex.org/1-small.jpg", Alt: "窓辺の猫", Width: 1600, Height: 1200},
			{Type: "gif", URL: "https://two.example/2.mp4", Width: 320, Height: 240, DurationMs: 1500},
		},
		Poll: &sns.Poll{
			Options: []sns.PollOption{{Title: "はい", Votes: n(3)}, {Title: "いいえ", Votes: n(0)}},
			Votes:   3, Voters: n(2), Multiple: true, ExpiresAt: at("2026-12-01T00:00:00Z"),
		},
		Card: &sns.Card{
			URL: "https://example.com/articles/2026/11/a-long-address", Title: "猫の日とは", Description: "説明", ImageURL: "https://files.ex.org/card.jpg", Provider: "Example",
		},
		Links:    []sns.Link{{Text: "https://example.com/articles/2026/11/a-long-address?ref=1", URL: "https://example.com/articles/2026/11/a-long-address?ref=1"}},
		Mentions: []sns.Mention{{Text: "@ben", Handle: "@ben@two.example", URL: "https://two.example/@ben"}},
		Hashtags: []string{"猫の日"},
		Emojis:   []sns.Emoji{{Shortcode: "cat", URL: "https://files.ex.org/cat.png", StaticURL: "https://files.ex.org/cat-static.png"}},
		Counts:   &sns.Counts{Replies: n(1), Boosts: n(0), Likes: n(12), Quotes: n(2)},
		Viewer:   &sns.Viewer{Liked: true, Bookmarked: true},
		Filter:   &sns.Filter{Action: "warn", Titles: []string{"猫"}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("post (-want +got):\n%s", diff)
	}
}

func TestEntriesAreFoundWhateverTheirTextsHold(t *testing.T) {
	body := " [ " + status("3", object{"spoiler_text": `],[{"\\`}) + " ,\n" + status("2", object{"spoiler_text": `\`}) + "," + status("1", object{"spoiler_text": `"`}) + " ] "

	got := []string{}
	for _, p := range decodePage(t, []byte(body)) {
		got = append(got, p.ContentWarning)
	}

	if diff := cmp.Diff([]string{`],[{"\\`, `\`, `"`}, got); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// The members that the library fails a whole page for, and other wrong types.
func TestWrongTypesCostOnlyThemselves(t *testing.T) {
	for _, tc := range []struct{ name, old, new string }{
		{"a time that is empty", `"edited_at":null`, `"edited_at":""`},
		{"a fractional card width", `"card":null`, `"card":{"url":"https://ex.org/","width":640.5,"height":"x"}`},
		{"an account created on a date", `"acct":"ann"`, `"acct":"ann","created_at":"2026-01-01"`},
		{"an object where a list was due", `"mentions":[]`, `"mentions":{}`},
		{"a list where an object was due", `"poll":null`, `"poll":[]`},
		{"a text where a number was due", `"replies_count":1`, `"replies_count":"1"`},
		{"a number where a text was due", `"language":"en"`, `"language":7`},
		{"a number where a boolean was due", `"sensitive":false`, `"sensitive":0`},
		{"a text where a list was due", `"emojis":[]`, `"emojis":"none"`},
		{"nulls in a list", `"tags":[]`, `"tags":[null,{"name":null},5]`},
		{"an unknown member", `"card":null`, `"card":null,"x":{"y":[1,2,{"z":null}]}`},
		{"a number that is too large", `"favourites_count":3`, `"favourites_count":1e400`},
		{"a filter of another form", `"card":null`, `"card":null,"filtered":[{"filter":"x"},7]`},
		{"a quote of another form", `"card":null`, `"card":null,"quote":7`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			st := status("1", nil)
			if !strings.Contains(st, tc.old) {
				t.Fatalf("the post has no %s", tc.old)
			}
			posts := decodePage(t, []byte("["+strings.Replace(st, tc.old, tc.new, 1)+"]"))
			if len(posts) != 1 || posts[0].Text != "post 1" || posts[0].Author.Handle != "@ann@ex.org" || posts[0].CreatedAt == nil {
				t.Errorf("posts = %+v, want the post with its text, author and time", posts)
			}
		})
	}
}

func TestValuesAreConvertedWithoutGuessing(t *testing.T) {
	st := status("1", object{"favourites_count": "12", "replies_count": 1.5, "reblogs_count": -3, "language": 7, "card": object{"url": "https://ex.org/", "title": 5, "width": 1.5}})

	p := decodePage(t, []byte("["+st+"]"))[0]

	likes, boosts := int64(12), int64(0)
	if diff := cmp.Diff(&sns.Counts{Likes: &likes, Boosts: &boosts}, p.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if p.Card == nil || p.Card.Title != "5" {
		t.Errorf("card = %+v, want the title 5", p.Card)
	}
}

func TestUnsafeAddressesAreLeftOut(t *testing.T) {
	account := accountJSON("9", "ann")
	account["url"], account["avatar"] = "javascript:alert(1)", "data:image/png,x"
	account["emojis"] = []object{{"shortcode": "x", "url": "javascript:alert(1)"}}
	st := status("1", object{
		"url": "javascript:alert(1)", "account": account, "card": object{"url": "data:text/html,x", "title": "x"},
		"media_attachments": []object{{"type": "image", "url": "ftp://ex.org/x", "preview_url": "//ex.org/x", "remote_url": "file:///etc/passwd"}},
		"emojis":            []object{{"shortcode": "x", "url": "http:x"}},
	})

	p := decodePage(t, []byte("["+st+"]"))[0]

	if p.URL != "" || p.Author.URL != "" || p.Author.AvatarURL != "" || p.Card != nil || len(p.Emojis)+len(p.Author.Emojis) != 0 {
		t.Errorf("post = %+v, want no address", p)
	}
	if diff := cmp.Diff([]sns.Media{{Type: "image"}}, p.Media); diff != "" {
		t.Errorf("media (-want +got):\n%s", diff)
	}
}

func TestLimitsOfAPost(t *testing.T) {
	long := strings.Repeat("あ", 3000)
	account := accountJSON("9", "ann")
	account["display_name"] = long
	many := func(n int, make func(i int) object) []object {
		out := []object{}
		for i := range n {
			out = append(out, make(i))
		}
		return out
	}
	content := ""
	for i := range 100 {
		content += fmt.Sprintf(`<a href="https://ex.org/%d">l%d</a> <a class="mention" href="https://ex.org/@u%d">@u%d</a> <a class="hashtag" href="https://ex.org/t/%d">#t%d</a> `, i, i, i, i, i, i)
	}
	p := decodePage(t, []byte("["+status("1", object{
		"account": account, "spoiler_text": long, "content": content, "language": long,
		"media_attachments": many(30, func(int) object { return object{"type": "image", "url": "https://ex.org/x", "description": long} }),
		"emojis":            many(100, func(i int) object { return object{"shortcode": fmt.Sprint("e", i), "url": "https://ex.org/e"} }),
		"card":              object{"url": "https://ex.org/", "title": long, "description": long, "provider_name": long},
		"poll":              object{"options": []object{{"title": long}}},
	})+"]"))[0]

	for name, got := range map[string][2]int{
		"display name":     {len(p.Author.DisplayName), 198},
		"content warning":  {len(p.ContentWarning), 999},
		"alt":              {len(p.Media[0].Alt), 1998},
		"card title":       {len(p.Card.Title), 300},
		"card description": {len(p.Card.Description), 498},
		"card provider":    {len(p.Card.Provider), 99},
		"poll option":      {len(p.Poll.Options[0].Title), 198},
		"media":            {len(p.Media), 16},
		"links":            {len(p.Links), 32},
		"mentions":         {len(p.Mentions), 64},
		"hashtags":         {len(p.Hashtags), 64},
		"emojis":           {len(p.Emojis), 64},
		"language":         {len(p.Language), 0},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %d, want %d", name, got[0], got[1])
		}
	}
}

// A short value in a long list grows two hundredfold when it is decoded: bodies
// of 4 MiB made of them must not.
func TestTinyValuesDoNotFillMemory(t *testing.T) {
	const size = 4<<20 - 64
	repeat := func(unit string) string { return strings.TrimSuffix(strings.Repeat(unit, size/len(unit)), ",") }
	for name, body := range map[string]string{
		"entries":             "[" + repeat("{},") + "]",
		"nulls":               "[" + repeat("null,") + "]",
		"media":               `[{"id":"1","media_attachments":[` + repeat("{},") + "]}]",
		"media of wrong type": `[{"id":"1","media_attachments":[` + repeat("0,") + "]}]",
		"filters":             `[{"id":"1","filtered":[` + repeat("{},") + "]}]",
		"boosts in boosts":    "[" + strings.Repeat(`{"id":"1","reblog":`, 9000) + "null" + strings.Repeat("}", 9000) + "]",
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)

			_, _, err := mastodon.DecodePage([]byte(body), now)

			runtime.ReadMemStats(&after)
			if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; grown > 64 {
				t.Errorf("decoding took %d MiB, want at most 64 (err %v)", grown, err)
			}
		})
	}
}

func FuzzDecodePage(f *testing.F) {
	f.Add(readTestdata(f, "status.json"))
	f.Add([]byte("[" + status("1", filtered("hide", "home")) + "]"))
	f.Add([]byte(`[{"id":1,"created_at":"","account":null,"reblog":{"id":"2","poll":{"options":[{"title":1}]}}},null,5]`))
	f.Add([]byte(`[{"id":"3","quote":{"state":"accepted","quoted_status":{"id":"4","content":"<p>x","quote":7}}}]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		posts, _, err := mastodon.DecodePage(body, now)
		if err != nil {
			return
		}
		for _, p := range posts {
			checkPost(t, p)
		}
	})
}

// checkPost asserts what every post promises.
func checkPost(t *testing.T, p sns.Post) {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil || !utf8.Valid(text) {
		t.Fatalf("post cannot be written: %v", err)
	}
	if !sns.ValidID(p.ID) || !sns.ValidID(p.EntryID) || p.Network != sns.Mastodon || p.Visibility == "" {
		t.Errorf("id %q, entry %q, network %q, visibility %q", p.ID, p.EntryID, p.Network, p.Visibility)
	}
	addresses := []string{p.URL, p.Author.URL, p.Author.AvatarURL}
	for _, m := range p.Media {
		addresses = append(addresses, m.URL, m.PreviewURL)
	}
	for _, l := range p.Links {
		addresses = append(addresses, l.URL)
		if !strings.Contains(p.Text, l.Text) {
			t.Errorf("link %q does not stand in the text", l.Text)
		}
	}
	for _, a := range addresses {
		if a != richtext.SafeURL(a) {
			t.Errorf("address %q is not safe", a)
		}
	}
	if len(p.Text) > sns.MaxText || len(p.ContentWarning) > sns.MaxWarning || len(p.Author.DisplayName) > sns.MaxName || len(p.Author.Handle) > sns.MaxHandle {
		t.Errorf("a text is over its limit: %d, %d, %d, %d", len(p.Text), len(p.ContentWarning), len(p.Author.DisplayName), len(p.Author.Handle))
	}
	if p.Quote != nil && p.Quote.Post != nil {
		checkPost(t, *p.Quote.Post)
	}
}

// pageOf20 is an ordinary page: 20 copies of the full post with ids of their own.
func pageOf20(b *testing.B) []byte {
	one := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(string(readTestdata(b, "status.json"))), "["), "]")
	var all []string
	for i := range 20 {
		all = append(all, strings.ReplaceAll(one, "115000000000000001", fmt.Sprint(115000000000000001+i)))
	}
	return []byte("[" + strings.Join(all, ",") + "]")
}

// BenchmarkDecodePage maps a page of 20 posts. The baseline is what
// encoding/json needs to read the same bytes into untyped values.
func BenchmarkDecodePage(b *testing.B) {
	body := pageOf20(b)
	b.Run("posts", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			if len(decodePage(b, body)) != 20 {
				b.Fatal("posts are missing")
			}
		}
	})
	b.Run("baseline json into any", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := json.Unmarshal(body, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}
