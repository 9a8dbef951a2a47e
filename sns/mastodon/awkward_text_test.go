package mastodon_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

func testEntities(t *testing.T) {
	p := homePost(t, status("1", object{"content": `<p>I &lt;3 &amp; &quot;x&quot;</p><p>two<br>lines</p>`}))

	if want := "I <3 & \"x\"\n\ntwo\nlines"; p.Text != want {
		t.Errorf("text = %q, want %q", p.Text, want)
	}
}

func testImageOnly(t *testing.T) {
	p := homePost(t, status("1", object{"content": "", "media_attachments": []object{{
		"id": "5", "type": "image", "url": "https://ex.org/a.jpg", "preview_url": "https://ex.org/a-small.jpg",
		"description": "a cat\non a mat", "meta": object{"original": object{"width": 800, "height": 600}},
	}}}))

	if p.Text != "" {
		t.Errorf("text = %q, want none", p.Text)
	}
	want := []sns.Media{{Type: "image", URL: "https://ex.org/a.jpg", PreviewURL: "https://ex.org/a-small.jpg", Alt: "a cat\non a mat", Width: 800, Height: 600}}
	if diff := cmp.Diff(want, p.Media); diff != "" {
		t.Errorf("media (-want +got):\n%s", diff)
	}
}

func testHostileContent(t *testing.T) {
	p := homePost(t, status("1", object{"content": `<p onclick="x()">a<script>alert(1)</script> <a href="javascript:alert(1)">click</a> <img src=x onerror=alert(1) alt="pic"></p>`}))

	if want := "a click pic"; p.Text != want {
		t.Errorf("text = %q, want %q", p.Text, want)
	}
	if len(p.Links) != 0 {
		t.Errorf("links = %v, want none", p.Links)
	}
}

func testBoost(t *testing.T) {
	p := homePost(t, `{"id":"20","created_at":"2026-11-30T12:30:00.000Z","content":"","visibility":"public","account":`+
		encode(accountJSON("3", "bob@two.example"))+`,"reblog":`+status("10", nil)+`}`)

	if p.ID != "10" || p.EntryID != "20" || p.Text != "post 10" || p.Author.Handle != "@ann@ex.org" {
		t.Errorf("id %q, entry %q, text %q, author %q; want 10, 20, post 10, @ann@ex.org", p.ID, p.EntryID, p.Text, p.Author.Handle)
	}
	if p.BoostedBy == nil || p.BoostedBy.ID != "20" || p.BoostedBy.Author.Handle != "@bob@two.example" || p.BoostedBy.At == nil {
		t.Errorf("boosted by %+v, want bob by entry 20 with a time", p.BoostedBy)
	}
}

func testNothingToShow(t *testing.T) {
	t.Run("boost", func(t *testing.T) {
		page := serve(t, answerJSON(`[`+status("2", object{"content": ""})+`,`+status("1", nil)+`]`)).page(t, home, "")
		if diff := cmp.Diff([]string{"1"}, ids(page.Posts)); diff != "" || page.Skipped != 1 {
			t.Errorf("skipped %d, posts (-want +got):\n%s", page.Skipped, diff)
		}
	})
	t.Run("conversation", func(t *testing.T) {
		page := serve(t, answerJSON(`[{"id":"8","accounts":[],"last_status":null},{"id":"7","accounts":[],"last_status":`+status("1", nil)+`}]`)).
			page(t, sns.Source{Kind: sns.KindConversations}, "")
		if diff := cmp.Diff([]string{"1"}, ids(page.Posts)); diff != "" || page.Skipped != 1 {
			t.Errorf("skipped %d, posts (-want +got):\n%s", page.Skipped, diff)
		}
	})
}

func testContentWarning(t *testing.T) {
	p := homePost(t, status("1", object{"spoiler_text": "food <b>", "sensitive": false}))

	if p.ContentWarning != "food <b>" || p.Sensitive || p.Text != "post 1" {
		t.Errorf("warning %q, sensitive %v, text %q; want the warning as text, false, post 1", p.ContentWarning, p.Sensitive, p.Text)
	}
}

func testLongPosts(t *testing.T) {
	t.Run("whole", func(t *testing.T) {
		p := homePost(t, status("1", object{"content": "<p>" + strings.Repeat("あ", 5000) + "</p>"}))
		if p.TextTruncated || utf8.RuneCountInString(p.Text) != 5000 {
			t.Errorf("%d characters, truncated %v; want 5000, false", utf8.RuneCountInString(p.Text), p.TextTruncated)
		}
	})
	t.Run("cut", func(t *testing.T) {
		p := homePost(t, status("1", object{"content": "<p>" + strings.Repeat("あ", 25_000) + "</p>"}))
		if !p.TextTruncated || len(p.Text) != 32766 || !utf8.ValidString(p.Text) {
			t.Errorf("%d bytes, truncated %v; want 32766, true", len(p.Text), p.TextTruncated)
		}
	})
}

func testRightToLeft(t *testing.T) {
	account := accountJSON("9", "ann")
	account["display_name"] = "\u202eحسن"
	p := homePost(t, status("1", object{"content": "<p>שלום \u202eabc</p>", "account": account}))

	if p.Text != "שלום \u202eabc" || p.Author.DisplayName != "\u202eحسن" {
		t.Errorf("text %q by %q, want both as they were", p.Text, p.Author.DisplayName)
	}
	if got := richtext.ForModel(p.Text) + richtext.ForModel(p.Author.DisplayName); got != "שלום abcحسن" {
		t.Errorf("for models = %q, want no override", got)
	}
}

func testMissingAccount(t *testing.T) {
	for name, account := range map[string]any{"null": nil, "empty": object{}} {
		t.Run(name, func(t *testing.T) {
			p := homePost(t, status("1", object{"account": account}))
			if diff := cmp.Diff(sns.Author{Unknown: true}, p.Author); diff != "" || p.Text != "post 1" {
				t.Errorf("text %q, author (-want +got):\n%s", p.Text, diff)
			}
		})
	}
}

func testQuoteInline(t *testing.T) {
	const content = `<p class="quote-inline">RE: <a href="https://ex.org/@bob/5">https://ex.org/@bob/5</a></p><p>yes</p>`
	for _, tc := range []struct {
		name  string
		quote any
		want  string
	}{
		{"with the quote", object{"state": "accepted", "quoted_status": object{"id": "5", "content": "<p>x</p>"}}, "yes"},
		{"without it", nil, "RE: https://ex.org/@bob/5\n\nyes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if p := homePost(t, status("1", object{"content": content, "quote": tc.quote})); p.Text != tc.want {
				t.Errorf("text = %q, want %q", p.Text, tc.want)
			}
		})
	}
}

func testDisplayName(t *testing.T) {
	account := accountJSON("9", "ann")
	account["display_name"] = "Ann :blobcat: <b>x</b>"
	account["emojis"] = []object{{"shortcode": "blobcat", "url": "https://ex.org/b.gif", "static_url": "https://ex.org/b.png"}}
	p := homePost(t, status("1", object{"account": account}))

	if want := "Ann :blobcat: <b>x</b>"; p.Author.DisplayName != want {
		t.Errorf("name = %q, want %q", p.Author.DisplayName, want)
	}
	want := []sns.Emoji{{Shortcode: "blobcat", URL: "https://ex.org/b.gif", StaticURL: "https://ex.org/b.png"}}
	if diff := cmp.Diff(want, p.Author.Emojis); diff != "" {
		t.Errorf("emojis (-want +got):\n%s", diff)
	}
}
