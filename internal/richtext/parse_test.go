package richtext_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/richtext"
)

func TestPlainText(t *testing.T) {
	for _, tc := range []struct{ name, html, want string }{
		{"row 1: paragraphs, breaks and entities", `<p>I &lt;3 &amp; &quot;x&quot;</p><p>two<br>lines</p>`, "I <3 & \"x\"\n\ntwo\nlines"},
		{"row 3: a script goes with its content", `<p>a<script>alert(1)</script>b</p>`, "ab"},
		{"row 3: an image is its alternative text", `<p>see <img src=x onerror=alert(1) alt="a cat"></p>`, "see a cat"},
		{"an image without one is nothing", `<p>see <img src=x onerror=alert(1)></p>`, "see"},
		{"raw ampersands and quotes of minified HTML", `<p>R&D > "x" &lt;b> &amp;lt;</p>`, `R&D > "x" <b> &lt;`},
		{"two breaks make an empty line", `<p>a<br><br>b</p>`, "a\n\nb"},
		{"many breaks make one empty line", `a<br><br><br><br>b`, "a\n\nb"},
		{"a break at the end of a paragraph is nothing", `<p>a<br></p><p>b</p>`, "a\n\nb"},
		{"empty paragraphs are nothing", `<p></p><p>a</p><p></p><p> </p><p>b</p><p></p>`, "a\n\nb"},
		{"a list", `<p>Buy:</p><ul><li>tea</li><li>rice</li></ul><p>done</p>`, "Buy:\n\n- tea\n- rice\n\ndone"},
		{"paragraphs in list items", `<ol><li><p>tea</p></li><li><p>rice</p></li></ol>`, "- tea\n- rice"},
		{"a list in a list", `<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>`, "- a\n  - b\n- c"},
		{"a list item without a list", `<li>a<li>b`, "- a\n- b"},
		{"headings and quotes", `<h1>Title</h1><blockquote>said</blockquote>so`, "Title\n\nsaid\n\nso"},
		{"preformatted lines stay", "<p>x</p><pre><code>if a {\n\tb\n}</code></pre>", "x\n\nif a {\n b\n}"},
		{"line breaks of the source are spaces", "<p>long\n   wrapped\r\ntext</p>\n<p>b</p>", "long wrapped text\n\nb"},
		{"double spaces stay", `<p>a  b　c</p>`, "a  b　c"},
		{"space between inline elements stays", "<b>a</b>\n<i>b</i> <u>c</u>", "a b c"},
		{"text without HTML keeps its lines", "one\ntwo & 3\n\n\n\nfour", "one\ntwo & 3\n\nfour"},
		{"a lone less-than sign is text", "1 < 2 and 3 > 2", "1 < 2 and 3 > 2"},
		{"divisions are lines", `<div>a</div><div>b</div>`, "a\nb"},
		{"controls go", "<p>a\x00b\u0085c\u001bd</p>", "abcd"},
		{"broken UTF-8 is replaced", "<p>a\xffb</p>", "a\uFFFDb"},
		{"unclosed elements are fine", `<p>a<b>b<i>c`, "abc"},
		{"stray ends are fine", `</p></ul></a></span>a</b>`, "a"},
		{"a comment is nothing", `a<!-- b -->c<!doctype html>d`, "acd"},
		{"style, svg, math and templates go", `a<style>b</style><svg><text>c</text></svg><math>d</math><template>e</template>f`, "af"},
		{"nested objects go whole", `a<object>b<object>c</object>d</object>e`, "ae"},
		{"a self-closed svg does not take the rest", `a<svg/>b`, "ab"},
		{"form fields go", `a<textarea>b</textarea><select><option>c</select>d`, "ad"},
		{"iframes and noscript go", `a<iframe src=x>b</iframe><noscript>c</noscript>d`, "ad"},
		{"an upper-case script goes", `a<SCRIPT>b</SCRIPT>c`, "ac"},
		{"the override of writing direction stays for the page", "<p>a\u202eb</p>", "a\u202eb"},
		{"nothing", ``, ""},
		{"only markup", `<p><br></p><div><span></span></div>`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := richtext.Parse(tc.html, richtext.Options{}).Plain()
			if got.Text != tc.want {
				t.Errorf("Plain(%q) = %q, want %q", tc.html, got.Text, tc.want)
			}
		})
	}
}

func TestLinks(t *testing.T) {
	for _, tc := range []struct {
		name, html, text string
		spans            []richtext.Span
	}{
		{
			"a shortened link is its full address",
			`<p>see <a href="https://example.org/a/long/path?q=1"><span class="invisible">https://</span><span class="ellipsis">example.org/a/long</span><span class="invisible">/path?q=1</span></a> now</p>`,
			"see https://example.org/a/long/path?q=1 now",
			[]richtext.Span{{richtext.Link, 4, 39, "https://example.org/a/long/path?q=1", "example.org/a/long…", "https://example.org/a/long/path?q=1"}},
		},
		{
			"a named link keeps its name",
			`<a href="https://example.org/">the site</a>`, "the site",
			[]richtext.Span{{Kind: richtext.Link, End: 8, Text: "the site", URL: "https://example.org/"}},
		},
		{
			"a mention",
			`<p><span class="h-card"><a href="https://ex.org/@ann" class="u-url mention">@<span>ann</span></a></span> hi</p>`, "@ann hi",
			[]richtext.Span{{Kind: richtext.Mention, End: 4, Text: "@ann", URL: "https://ex.org/@ann"}},
		},
		{
			"a hashtag",
			`<a href="https://ex.org/tags/猫" class="mention hashtag" rel="tag">#<span>猫</span></a>`, "#猫",
			[]richtext.Span{{Kind: richtext.Hashtag, End: 4, Text: "#猫", URL: "https://ex.org/tags/猫"}},
		},
		{
			"a hashtag by its relation only",
			`<a href="https://ex.org/t/cat" rel="nofollow TAG">#cat</a>`, "#cat",
			[]richtext.Span{{Kind: richtext.Hashtag, End: 4, Text: "#cat", URL: "https://ex.org/t/cat"}},
		},
		{"row 3: a script address leaves the text", `<a href="javascript:alert(1)">click</a>`, "click", nil},
		{"a data address leaves the text", `<a href="data:text/html,x">click</a>`, "click", nil},
		{"a relative address leaves the text", `<a href="/x">click</a>`, "click", nil},
		{"an address with a control leaves the text", "<a href=\"https://a.b/\x01x\">click</a>", "click", nil},
		{"an address that is too long leaves the text", `<a href="https://a.b/` + strings.Repeat("x", 2048) + `">click</a>`, "click", nil},
		{
			"text that names another host is replaced by the target",
			`<a href="https://evil.example/">https://bank.example/</a>`, "https://evil.example/",
			[]richtext.Span{{Kind: richtext.Link, End: 21, Text: "https://evil.example/", URL: "https://evil.example/"}},
		},
		{"a link without text is nothing", `a<a href="https://example.org/"></a>b`, "ab", nil},
		{
			"a link that never ends", `a <a href="https://example.org/">b`, "a b",
			[]richtext.Span{{Kind: richtext.Link, Start: 2, End: 3, Text: "b", URL: "https://example.org/"}},
		},
		{
			"a link in a link ends the first", `<a href="https://one.example/">x<a href="https://two.example/">y</a>`, "xy",
			[]richtext.Span{
				{Kind: richtext.Link, End: 1, Text: "x", URL: "https://one.example/"},
				{Kind: richtext.Link, Start: 1, End: 2, Text: "y", URL: "https://two.example/"},
			},
		},
		{
			"a link around two paragraphs is two links", `<a href="https://ex.org/"><p>x</p><p>y</p></a>`, "x\n\ny",
			[]richtext.Span{
				{Kind: richtext.Link, End: 1, Text: "x", URL: "https://ex.org/"},
				{Kind: richtext.Link, Start: 3, End: 4, Text: "y", URL: "https://ex.org/"},
			},
		},
		{
			"space within a link stands outside", `a<a href="https://ex.org/"> b </a>c`, "a b c",
			[]richtext.Span{{Kind: richtext.Link, Start: 2, End: 3, Text: "b", URL: "https://ex.org/"}},
		},
		{
			"an image link has the image's text", `<a href="https://ex.org/"><img src=x alt="map"></a>`, "map",
			[]richtext.Span{{Kind: richtext.Link, End: 3, Text: "map", URL: "https://ex.org/"}},
		},
		{
			"places hold after lines were trimmed", `<p>a   </p><br><br><p>b <a href="https://ex.org/">c</a></p>`, "a\n\nb c",
			[]richtext.Span{{Kind: richtext.Link, Start: 5, End: 6, Text: "c", URL: "https://ex.org/"}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := richtext.Parse(tc.html, richtext.Options{}).Plain()
			if got.Text != tc.text {
				t.Errorf("text = %q, want %q", got.Text, tc.text)
			}
			if diff := cmp.Diff(tc.spans, got.Spans); diff != "" {
				t.Errorf("spans (-want +got):\n%s", diff)
			}
		})
	}
}

func TestQuoteInline(t *testing.T) {
	const (
		mastodon = `<p class="quote-inline">RE: <a href="https://ex.org/@ann/1">https://ex.org/@ann/1</a></p><p>yes</p>`
		unclosed = `<p class="quote-inline">RE: x<p>yes`
		inText   = `<p>yes<span class="quote-inline"><br><br>RE: <span>x</span></span></p>`
	)
	for _, tc := range []struct {
		name, html, want string
		drop             bool
	}{
		{"row 41: left out when the quote is shown", mastodon, "yes", true},
		{"row 41: kept when it is not", mastodon, "RE: https://ex.org/@ann/1\n\nyes", false},
		{"an unclosed one ends at the next paragraph", unclosed, "yes", true},
		{"one within the text", inText, "yes", true},
		{"on an element without content it takes nothing away", `a<br class="quote-inline">b`, "a\nb", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := richtext.Parse(tc.html, richtext.Options{DropQuoteInline: tc.drop}).Plain()
			if got.Text != tc.want {
				t.Errorf("text = %q, want %q", got.Text, tc.want)
			}
		})
	}
}

func TestDeepNestingIsText(t *testing.T) {
	html := strings.Repeat("<div>", 5000) + "deep" + strings.Repeat("</div>", 5000)

	got := richtext.Parse(html, richtext.Options{}).Plain()

	if got.Text != "deep" {
		t.Errorf("text = %q, want deep", got.Text)
	}
}

func TestLongTextIsCutBetweenRunes(t *testing.T) {
	html := "<p>" + strings.Repeat("あ", 25_000) + "</p>"

	got := richtext.Parse(html, richtext.Options{}).Plain()

	if !got.Truncated || len(got.Text) != 32766 || !utf8.ValidString(got.Text) {
		t.Errorf("got %d bytes, truncated %v, valid %v; want 32766, true, true", len(got.Text), got.Truncated, utf8.ValidString(got.Text))
	}
}

func TestTextAtTheLimitIsNotCut(t *testing.T) {
	got := richtext.Parse("<p>"+strings.Repeat("a", richtext.MaxText)+"</p>", richtext.Options{}).Plain()

	if got.Truncated || len(got.Text) != richtext.MaxText {
		t.Errorf("got %d bytes, truncated %v; want %d, false", len(got.Text), got.Truncated, richtext.MaxText)
	}
}

func TestHugeInputIsBounded(t *testing.T) {
	for _, tc := range []struct{ name, unit string }{
		{"text", "abcde"},
		{"links", `<a href="https://ex.org/">`},
		{"open spans in a link", `<span class="ellipsis">`},
		{"an attribute", `<p title="`},
		{"breaks", `<br>`},
		{"entities", `&amp;`},
		{"list items", `<ul><li>x`},
		{"broken bytes", "\xff"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			html := "<a href='https://ex.org/x'>" + strings.Repeat(tc.unit, 5<<20/len(tc.unit))

			got := richtext.Parse(html, richtext.Options{}).Plain()

			if !got.Truncated || len(got.Text) > richtext.MaxText {
				t.Errorf("got %d bytes, truncated %v; want at most %d, true", len(got.Text), got.Truncated, richtext.MaxText)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`<p>I &lt;3 <a href="https://ex.org/"><span class="invisible">https://</span><span class="ellipsis">ex</span></a></p>`,
		"<ul><li>a<pre>\n b</pre></ul>c", `<p class="quote-inline">x<p>y`, "<svg><title>a</svg>b", "a\xff<b", "</p>\u2028 <br/>x",
		`<a href=https://ex.org/ > x </a>y`,
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, html string, drop bool) {
		checkPlain(t, richtext.Parse(html, richtext.Options{DropQuoteInline: drop}).Plain())
	})
}

// checkPlain asserts what every plain text promises.
func checkPlain(t *testing.T, p richtext.Plain) {
	t.Helper()
	if !utf8.ValidString(p.Text) || len(p.Text) > richtext.MaxText {
		t.Errorf("text of %d bytes is not valid", len(p.Text))
	}
	if strings.Contains(p.Text, "\n\n\n") || strings.HasPrefix(p.Text, "\n") || strings.HasSuffix(p.Text, "\n") {
		t.Errorf("text %q has empty lines to spare", p.Text)
	}
	if strings.ContainsFunc(p.Text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
		t.Errorf("text %q has controls", p.Text)
	}
	at := 0
	for _, s := range p.Spans {
		if s.Start < at || s.End > len(p.Text) || p.Text[s.Start:s.End] != s.Text || s.Text == "" {
			t.Fatalf("span %+v does not stand in %q", s, p.Text)
		}
		if s.URL != richtext.SafeURL(s.URL) || s.Kind == richtext.Link && s.URL == "" {
			t.Errorf("span %+v leads to an unsafe address", s)
		}
		at = s.End
	}
}

func BenchmarkParse(b *testing.B) {
	html := strings.Repeat(`<p>今日は<a href="https://ex.org/tags/猫" class="mention hashtag" rel="tag">#<span>猫</span></a>の日です。`+
		`<a href="https://example.org/a/long/path"><span class="invisible">https://</span><span class="ellipsis">example.org/a</span></a></p>`, 4)
	b.SetBytes(int64(len(html)))
	b.ReportAllocs()
	for b.Loop() {
		richtext.Parse(html, richtext.Options{}).Plain()
	}
}
