package richtext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"personal-workspace/internal/richtext"
)

func TestForModel(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"plain text stays", "two\nlines, 日本語 & émoji 😀", "two\nlines, 日本語 & émoji 😀"},
		{"row 8: direction overrides go", "abc\u202Edef\u202C\u2066g\u2069", "abcdefg"},
		{"zero-width spaces go", "a\u200Bb\uFEFFc\u2060d\u200Ee\u00ADf", "abcdef"},
		{"tag characters go", "hi\U000E0049\U000E0067\U000E006E", "hi"},
		{"supplementary variation selectors go", "x\U000E0100\U000E01EF", "x"},
		{"joined emoji stay", "👩\u200D💻 ❤\uFE0F\u200D🔥", "👩\u200D💻 ❤\uFE0F\u200D🔥"},
		{"a Persian non-joiner stays", "می\u200Cخواهم", "می\u200Cخواهم"},
		{"a row of joiners carries no message", "a\u200D\u200C\u200D\u200D\u200Cb", "a\u200Db"},
		{"controls but newline go", "a\x00\x1b[31mb\u0085c\r\nd\te", "a[31mbc\nde"},
		{"broken UTF-8 is replaced", "a\xffé", "a\uFFFDé"},
		{"right-to-left text stays", "שלום עולם", "שלום עולם"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := richtext.ForModel(tc.text); got != tc.want {
				t.Errorf("ForModel(%q) = %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"lines become one", " Ann\n\tLee\u2028x ", "Ann  Lee x"},
		{"markup stays literal", ":blobcat: <b>x</b>", ":blobcat: <b>x</b>"},
		{"broken UTF-8 is replaced", "A\xff", "A\uFFFD"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := richtext.Line(tc.text); got != tc.want {
				t.Errorf("Line(%q) = %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

func TestCutLine(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		limit      int
		want       string
	}{
		{"as long as it may be", "Ann", 3, "Ann"},
		{"longer", "Anne", 3, "Ann"},
		{"between two runes", "aéé", 4, "aé"},
		{"lines", "A\nnne", 3, "A n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := richtext.CutLine(tc.text, tc.limit); got != tc.want {
				t.Errorf("CutLine(%q, %d) = %q, want %q", tc.text, tc.limit, got, tc.want)
			}
		})
	}
}

func TestLines(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"lines stay", "\n Ann\r\n\nLee \n", "Ann\n\nLee"},
		{"other controls go", "A\tn\x00n\r\u0085", "Ann"},
		{"broken UTF-8 is replaced", "A\xff", "A\uFFFD"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := richtext.Lines(tc.text); got != tc.want {
				t.Errorf("Lines(%q) = %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

func TestSafeURL(t *testing.T) {
	for _, tc := range []struct{ name, url, want string }{
		{"https", "https://ex.org/a?b#c", "https://ex.org/a?b#c"},
		{"http", "http://ex.org", "http://ex.org"},
		{"international", "https://例え.テスト/猫", "https://例え.テスト/猫"},
		{"upper-case scheme", "HTTPS://ex.org", "HTTPS://ex.org"},
		{"space around it", " https://ex.org\n", "https://ex.org"},
		{"script", "javascript:alert(1)", ""},
		{"script in other case", "JaVaScRiPt://ex.org/%0aalert(1)", ""},
		{"data", "data:text/html,x", ""},
		{"relative", "/a", ""},
		{"protocol-relative", "//ex.org", ""},
		{"no host", "https:///a", ""},
		{"opaque", "https:ex.org", ""},
		{"a newline within", "https://ex.org/\nx", ""},
		{"a space within", "https://ex.org/a b", ""},
		{"too long", "https://ex.org/" + strings.Repeat("x", 2048), ""},
		{"broken UTF-8", "https://ex.org/\xff", ""},
		{"a name that looks like the server", "https://x.com@ex.org/a", ""},
		{"a password", "https://me:secret@ex.org/a.jpg", ""},
		{"a handle in the path", "https://ex.org/@me", "https://ex.org/@me"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := richtext.SafeURL(tc.url); got != tc.want {
				t.Errorf("SafeURL(%q) = %q, want %q", tc.url, got, tc.want)
			}
		})
	}
}

func TestCut(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		limit      int
		want       string
		cut        bool
	}{
		{"short enough", "abc", 3, "abc", false},
		{"between runes", "ああ", 5, "あ", true},
		{"at a rune", "ああ", 3, "あ", true},
		{"to nothing", "あ", 2, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, cut := richtext.Cut(tc.text, tc.limit)
			if got != tc.want || cut != tc.cut {
				t.Errorf("Cut(%q, %d) = %q, %v; want %q, %v", tc.text, tc.limit, got, cut, tc.want, tc.cut)
			}
		})
	}
}

func FuzzForModel(f *testing.F) {
	f.Add("a\u202E\u200D\u200D\xff\U000E0041")
	f.Fuzz(func(t *testing.T, s string) {
		once := richtext.ForModel(s)
		if !utf8.ValidString(once) || richtext.ForModel(once) != once {
			t.Errorf("ForModel(%q) = %q, which it would change again", s, once)
		}
	})
}

func TestVisible(t *testing.T) {
	for s, want := range map[string]bool{
		"a": true, "7": true, "?": true, "港": true, "مرحبا": true, "🍞": true, "🇯🇵": true, "👩‍👩‍👧": true, "\u200bx": true, "กำ": true,
		"": false, " \t\n\u3000": false, "\u200b\u200d\u2060\ufeff": false, "\u00ad": false, "\u202e": false, "\u0301": false,
		"\u3164\u115f\uffa0\u2800": false, "\U000e0041": false, "\xff": true, "\x00": false,
	} {
		if got := richtext.Visible(s); got != want {
			t.Errorf("Visible(%q) = %v, want %v", s, got, want)
		}
	}
}
