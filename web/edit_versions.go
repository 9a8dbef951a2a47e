package web

import (
	"strconv"
	"strings"

	"personal-workspace/decks"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// versions sets the columns of two versions side by side.
func (b *editBuilder) versions(c decks.Conflict, f deckForm) []view.ColumnVersions {
	diffs := c.Columns
	if c.Mine == nil {
		// What the form was made from is not stored any more.
		diffs = decks.Compare(nil, f.kept(), c.Theirs.Columns)
	}
	var out []view.ColumnVersions
	for _, d := range diffs {
		if d.Mine == nil && d.Theirs == nil {
			continue
		}
		v := view.ColumnVersions{Mine: b.version(d.Mine, d.MineAt), Theirs: b.version(d.Theirs, d.TheirsAt)}
		v.State, v.Kind = difference(d)
		out = append(out, v)
	}
	return out
}

// version says in words what a column is in one version, its place first.
func (b *editBuilder) version(c *decks.Column, at int) []string {
	if c == nil {
		return nil
	}
	first := strconv.Itoa(at) + ". " + b.name(*c)
	lines := []string{first}
	if s := b.source(*c); s != b.name(*c) {
		lines = append(lines, s)
	}
	lines = append(lines, b.account(*c))
	network := b.connection(*c).Network
	lines = append(lines, sourceWords(network, *c)...)
	return append(lines, filterWords(network, c.Filters)...)
}

func sourceWords(n sns.Network, c decks.Column) []string {
	s := c.Source
	return words(
		s.ExcludeReplies, "Without replies", s.ExcludeBoosts, "Without boosts", s.OnlyMedia, "Only with media",
		s.LocalOnly, "Only from this server", s.RemoteOnly, "Only from other servers",
		len(s.Types) > 0, "Only "+inWordsOf(n, strings.Join(typeNames(s.Types), ", ")), s.Product != "", "Which: "+s.Product,
	)
}

func filterWords(n sns.Network, f *decks.Filters) []string {
	if f == nil {
		return nil
	}
	return words(
		f.HideBoosts, inWordsOf(n, "No boosts"), f.HideReplies, "No replies", f.HideQuotes, "No quotes", f.OnlyMedia, "Only posts with media",
		len(f.Languages) > 0, "Languages: "+strings.Join(f.Languages, ", "),
		len(f.Include) > 0, "Only with: "+strings.Join(f.Include, ", "),
		len(f.Exclude) > 0, "Not with: "+strings.Join(f.Exclude, ", "),
		f.Scope == "boosts", inWordsOf(n, "Words are looked for in boosts only"), f.Action == "fold", "The others are folded",
	)
}

// words are the texts whose condition holds; pairs are a condition and a text.
func words(pairs ...any) []string {
	var out []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i].(bool) {
			out = append(out, pairs[i+1].(string))
		}
	}
	return out
}

// difference says how a column differs between the two versions.
func difference(d decks.ColumnDiff) (text, kind string) {
	switch {
	case d.Theirs == nil && d.Before == nil:
		return "Only in mine", "good"
	case d.Theirs == nil:
		return "Removed from the deck", "bad"
	case d.Mine == nil && d.Before == nil:
		return "Added to the deck", "good"
	case d.Mine == nil:
		return "Removed in mine", "bad"
	case !d.Agree():
		return "Differs", "warn"
	case d.MineAt != d.TheirsAt:
		return "Another place", "warn"
	}
	return "The same", ""
}
