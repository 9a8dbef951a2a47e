package richtext_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/richtext"
)

func TestSegments(t *testing.T) {
	type seg = richtext.Segment
	marks := richtext.Marks{
		Links:    []richtext.Target{{"https://ex.org/a#b", "https://ex.org/a#b"}, {"the site", "https://ex.org/"}},
		Mentions: []richtext.Target{{"@ann", "https://ex.org/@ann"}, {"@ann@two.example", "https://two.example/@ann"}},
		Hashtags: []string{"猫", "Cat"},
		Emojis:   []richtext.Image{{"blobcat", "https://ex.org/e.png"}},
	}
	for _, tc := range []struct {
		name, text string
		marks      richtext.Marks
		want       []seg
	}{
		{"plain text", "just text", marks, []seg{{Kind: "text", Text: "just text"}}},
		{"nothing", "", marks, nil},
		{"a link between text", "see https://ex.org/a#b now", marks, []seg{
			{Kind: "text", Text: "see "}, {Kind: "link", Text: "https://ex.org/a#b", URL: "https://ex.org/a#b"}, {Kind: "text", Text: " now"},
		}},
		{"links in the order of the text", "https://ex.org/a#b is the site", marks, []seg{
			{Kind: "link", Text: "https://ex.org/a#b", URL: "https://ex.org/a#b"},
			{Kind: "text", Text: " is "},
			{Kind: "link", Text: "the site", URL: "https://ex.org/"},
		}},
		{"a mention", "hi @ann!", marks, []seg{
			{Kind: "text", Text: "hi "}, {Kind: "mention", Text: "@ann", URL: "https://ex.org/@ann"}, {Kind: "text", Text: "!"},
		}},
		{"the longer mention", "@ann@two.example", marks, []seg{{Kind: "mention", Text: "@ann@two.example", URL: "https://two.example/@ann"}}},
		{
			"the longer mention listed first", "@ann@two.example",
			richtext.Marks{Mentions: []richtext.Target{marks.Mentions[1], marks.Mentions[0]}},
			[]seg{{Kind: "mention", Text: "@ann@two.example", URL: "https://two.example/@ann"}},
		},
		{"a mention directly behind Japanese text", "やあ@annさん", marks, []seg{
			{Kind: "text", Text: "やあ"}, {Kind: "mention", Text: "@ann", URL: "https://ex.org/@ann"}, {Kind: "text", Text: "さん"},
		}},
		{"a longer name is no mention", "@anna", marks, []seg{{Kind: "text", Text: "@anna"}}},
		{"an e-mail address is no mention", "me@ann", marks, []seg{{Kind: "text", Text: "me@ann"}}},
		{"a hashtag in any case", "#cAT", marks, []seg{{Kind: "hashtag", Text: "#cAT", Name: "cAT"}}},
		{"a full-width hashtag", "＃猫 と", marks, []seg{{Kind: "hashtag", Text: "＃猫", Name: "猫"}, {Kind: "text", Text: " と"}}},
		{"a hashtag before a separator", "#猫・犬", marks, []seg{{Kind: "hashtag", Text: "#猫", Name: "猫"}, {Kind: "text", Text: "・犬"}}},
		{
			"the longest of the known hashtags", "#猫・犬・鳥 #猫・犬 #猫犬・",
			richtext.Marks{Hashtags: []string{"猫", "猫・犬"}},
			[]seg{
				{Kind: "hashtag", Text: "#猫・犬", Name: "猫・犬"},
				{Kind: "text", Text: "・鳥 "},
				{Kind: "hashtag", Text: "#猫・犬", Name: "猫・犬"},
				{Kind: "text", Text: " #猫犬・"},
			},
		},
		{
			"a hashtag whose lower case has other bytes", "#ȺK x",
			richtext.Marks{Hashtags: []string{"ⱥk"}},
			[]seg{{Kind: "hashtag", Text: "#ȺK", Name: "ȺK"}, {Kind: "text", Text: " x"}},
		},
		{"an unknown hashtag is text", "#dog", marks, []seg{{Kind: "text", Text: "#dog"}}},
		{"a longer word is no hashtag", "#cats", marks, []seg{{Kind: "text", Text: "#cats"}}},
		{"a hash within a word is no hashtag", "a#cat /#cat", marks, []seg{{Kind: "text", Text: "a#cat /#cat"}}},
		{"an emoji", "ok :blobcat::blobcat:", marks, []seg{
			{Kind: "text", Text: "ok "},
			{Kind: "emoji", Text: ":blobcat:", URL: "https://ex.org/e.png", Name: "blobcat"},
			{Kind: "emoji", Text: ":blobcat:", URL: "https://ex.org/e.png", Name: "blobcat"},
		}},
		{"colons that are no emoji", "at 12:30: :x: ::", marks, []seg{{Kind: "text", Text: "at 12:30: :x: ::"}}},
		{"lines stay in the text", "a\n\n#cat\nb", marks, []seg{
			{Kind: "text", Text: "a\n\n"}, {Kind: "hashtag", Text: "#cat", Name: "cat"}, {Kind: "text", Text: "\nb"},
		}},
		{"markup stays text", `<b onclick="x">`, marks, []seg{{Kind: "text", Text: `<b onclick="x">`}}},
		{
			"a link with a script address is text", "click",
			richtext.Marks{Links: []richtext.Target{{"click", "javascript:alert(1)"}}},
			[]seg{{Kind: "text", Text: "click"}},
		},
		{
			"a mention with a script address leads nowhere", "@ann",
			richtext.Marks{Mentions: []richtext.Target{{"@ann", "javascript:alert(1)"}}},
			[]seg{{Kind: "mention", Text: "@ann"}},
		},
		{
			"an emoji with a data address is text", ":x:",
			richtext.Marks{Emojis: []richtext.Image{{"x", "data:image/png,x"}}},
			[]seg{{Kind: "text", Text: ":x:"}},
		},
		{
			"a link that is not in the text is ignored", "b",
			richtext.Marks{Links: []richtext.Target{{"a", "https://ex.org/"}, {"b", "https://ex.org/"}}},
			[]seg{{Kind: "link", Text: "b", URL: "https://ex.org/"}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := richtext.Segments(tc.text, tc.marks)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("Segments(%q) (-want +got):\n%s", tc.text, diff)
			}
		})
	}
}

// The text and the marks are a stranger's. Each case took minutes when its work
// was the product of two of its lengths.
func TestSegmentsOfTextsMadeToTakeLong(t *testing.T) {
	const size = 1 << 20
	separators := "#" + strings.Repeat("·", size/2)
	name := strings.Repeat("·", size/4) + "x"
	var tags []string
	for i := range 100 {
		tags = append(tags, strings.Repeat("·", 1000+i)+"x")
	}
	for _, tc := range []struct {
		name, text string
		marks      richtext.Marks
	}{
		{"separators without hashtags", separators, richtext.Marks{}},
		{"separators with a short hashtag", separators, richtext.Marks{Hashtags: []string{"cat"}}},
		{"separators with a long hashtag", separators, richtext.Marks{Hashtags: []string{name}}},
		{"many runs with many hashtags", strings.Repeat("#"+strings.Repeat("·", 500)+" ", 1000), richtext.Marks{Hashtags: tags}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := richtext.Segments(tc.text, tc.marks)
			if len(got) != 1 || got[0].Text != tc.text {
				t.Errorf("Segments gives %d segments, want the text as one", len(got))
			}
		})
	}
}

func FuzzSegments(f *testing.F) {
	f.Add("see https://ex.org/a @ann #cat :x:", "https://ex.org/a", "@ann", "cat", "x")
	f.Add("#a#a@a:a:", "a", "@a", "a", "a")
	f.Add("＃猫・犬", "・", "犬", "猫", "")
	f.Add("\xff#\xff", "\xff", "#", "\xff", ":")
	f.Fuzz(func(t *testing.T, text, link, mention, tag, emoji string) {
		got := richtext.Segments(text, richtext.Marks{
			Links:    []richtext.Target{{link, "https://ex.org/"}, {link, mention}, {tag, "http://ex.org"}},
			Mentions: []richtext.Target{{mention, link}, {"@" + tag, "https://ex.org/"}},
			Hashtags: []string{tag, emoji},
			Emojis:   []richtext.Image{{emoji, "https://ex.org/e"}, {tag, link}},
		})
		var b strings.Builder
		for _, s := range got {
			b.WriteString(s.Text)
			if s.Text == "" || s.URL != richtext.SafeURL(s.URL) {
				t.Errorf("segment %+v is empty or unsafe", s)
			}
			if s.Kind != richtext.SegmentText && strings.Contains(s.Text, "\n") {
				t.Errorf("segment %+v has a newline", s)
			}
		}
		if b.String() != text {
			t.Errorf("segments hold %q, want %q", b.String(), text)
		}
	})
}
