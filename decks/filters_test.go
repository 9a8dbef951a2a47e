package decks

import (
	"slices"
	"strings"
	"testing"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func TestFiltersHide(t *testing.T) {
	boost := &sns.Boost{ID: "b", Author: sns.Author{Handle: "@eve@e.example"}}
	post := sns.Post{
		Text: "Fresh Bread from the oven", Language: "de-AT", Hashtags: []string{"Baking"},
		Author: sns.Author{Handle: "@ann@a.example"}, Mentions: []sns.Mention{{Handle: "@bob@b.example"}},
	}
	with := func(change func(*sns.Post)) sns.Post { p := post; change(&p); return p }
	for _, tc := range []struct {
		name string
		f    Filters
		p    sns.Post
		want bool
	}{
		{"nothing set shows everything", Filters{}, post, false},
		{"boosts", Filters{HideBoosts: true}, with(func(p *sns.Post) { p.BoostedBy = boost }), true},
		{"not a boost", Filters{HideBoosts: true}, post, false},
		{"replies", Filters{HideReplies: true}, with(func(p *sns.Post) { p.ReplyTo = &sns.ReplyTo{ID: "1"} }), true},
		{"quotes", Filters{HideQuotes: true}, with(func(p *sns.Post) { p.Quote = &sns.Quote{} }), true},
		{"only media without media", Filters{OnlyMedia: true}, post, true},
		{"only media with media", Filters{OnlyMedia: true}, with(func(p *sns.Post) { p.Media = []sns.Media{{}} }), false},
		{"another language", Filters{Languages: []string{"en"}}, post, true},
		{"the language without its region", Filters{Languages: []string{"de"}}, post, false},
		{"no language named", Filters{Languages: []string{"en"}}, with(func(p *sns.Post) { p.Language = "" }), false},
		{"an excluded word in another case", Filters{Exclude: []string{"bread"}}, post, true},
		{"an excluded tag", Filters{Exclude: []string{"#baking"}}, post, true},
		{"a tag is not a word", Filters{Exclude: []string{"#bread"}}, post, false},
		{"an excluded author", Filters{Exclude: []string{"@ann@a.example"}}, post, true},
		{"an excluded author on any host", Filters{Exclude: []string{"@ANN"}}, post, true},
		{"a handle is not a prefix", Filters{Exclude: []string{"@an"}}, post, false},
		{"an excluded mention", Filters{Exclude: []string{"@bob"}}, post, true},
		{"an excluded booster", Filters{Exclude: []string{"@eve"}}, with(func(p *sns.Post) { p.BoostedBy = boost }), true},
		{"an expression", Filters{Exclude: []string{`/\bfresh\s+bread/`}}, post, true},
		{"an included word that is there", Filters{Include: []string{"oven"}}, post, false},
		{"an included word that is missing", Filters{Include: []string{"cake"}}, post, true},
		{"a word behind a warning", Filters{Exclude: []string{"spoiler"}}, with(func(p *sns.Post) { p.ContentWarning = "Spoiler" }), true},
		{"a word in a description", Filters{Exclude: []string{"loaf"}}, with(func(p *sns.Post) { p.Media = []sns.Media{{Alt: "A loaf"}} }), true},
		{"terms for boosts only, not a boost", Filters{Scope: "boosts", Exclude: []string{"bread"}}, post, false},
		{"terms for boosts only, a boost", Filters{Scope: "boosts", Exclude: []string{"bread"}}, with(func(p *sns.Post) { p.BoostedBy = boost }), true},
		{"one's own post", Filters{Exclude: []string{"bread"}}, with(func(p *sns.Post) { p.Author.Handle = "@me@m.example" }), false},
		{"one's own post boosted by another", Filters{HideBoosts: true}, with(func(p *sns.Post) {
			p.Author.Handle = "@me@m.example"
			p.BoostedBy = boost
		}), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, err := tc.f.normalize("filters")
			if err != nil {
				t.Fatal(err)
			}
			if got := f.compile("@me@m.example").hides(tc.p); got != tc.want {
				t.Errorf("hides = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestExpressionsAreBounded(t *testing.T) {
	huge := "/(?:" + strings.Repeat("a?", 60) + "){1000}b/"
	for _, tc := range []struct {
		name  string
		f     Filters
		code  fault.Code
		field string
	}{
		{"an ordinary one", Filters{Exclude: []string{`/\bcats?\b|dogs{2,5}/`}}, "", ""},
		{"large repeats", Filters{Exclude: []string{huge}}, fault.InvalidArguments, "filters.exclude[0]"},
		{"nested repeats", Filters{Include: []string{"/((a{30}){30}){30}/"}}, fault.InvalidArguments, "filters.include[0]"},
		{"large character classes by the thousand", Filters{Exclude: []string{`/(?:\pL?){501}/`}}, fault.InvalidArguments, "filters.exclude[0]"},
		{"many of some size", Filters{Include: slices.Repeat([]string{"/a{100}/"}, 3), Exclude: slices.Repeat([]string{"/b{100}/"}, 3)}, fault.LimitExceeded, "filters"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := tc.f.normalize("filters")
			f := fault.From(err)
			if fault.CodeOf(err) != tc.code || f != nil && f.Details["field"] != tc.field {
				t.Errorf("normalize = %+v, want %q for %q", f, tc.code, tc.field)
			}
		})
	}
}

// TestAStoredExpressionThatIsTooLargeIsLeftOut covers decks saved before the
// bound.
func TestAStoredExpressionThatIsTooLargeIsLeftOut(t *testing.T) {
	f := &Filters{Exclude: []string{"/(?:a?){1000}(?:a?){1000}b/", "cake"}}

	m := f.compile("")

	if got := len(m.exclude); got != 1 {
		t.Errorf("%d terms, want 1", got)
	}
	if !m.hides(sns.Post{Text: "Cake"}) {
		t.Error("the other term does not hide")
	}
}

func FuzzFilterTerm(f *testing.F) {
	for _, s := range []string{"word", "#tag", "@user@host", "/^a+$/", "/(/", "//", "/", "#", "@", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, term string) {
		filters, err := (&Filters{Exclude: []string{term}}).normalize("filters")
		if err != nil {
			return
		}
		filters.compile("").hides(sns.Post{Text: term, Hashtags: []string{"x"}})
	})
}
