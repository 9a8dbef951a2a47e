package web

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// deckForm is a deck's definition as a form sends it.
type deckForm struct {
	ID       string
	Revision int64
	Title    string
	Columns  []formColumn
}

// formColumn is a column of a form.
type formColumn struct {
	decks.Column
	// Removed: the column goes when the form is saved.
	Removed bool
}

// kept are the columns that are not removed.
func (f deckForm) kept() []decks.Column {
	out := make([]decks.Column, 0, len(f.Columns))
	for _, c := range f.Columns {
		if !c.Removed {
			out = append(out, c.Column)
		}
	}
	return out
}

// maxFormColumns keeps a forged form from being printed back. The deck's own
// limit is the service's.
const maxFormColumns = 12

// columnMember is the name of an input of a column in a deck's form.
var columnMember = regexp.MustCompile(`^columns\[(0|[1-9][0-9]{0,3})\]\.(.+)$`)

// readDeckForm reads a definition. also are the names of inputs that are not
// part of it; any other that it does not know is refused, so that nothing a
// form says is silently left out.
func readDeckForm(form url.Values, also ...string) (deckForm, error) {
	f := deckForm{ID: form.Get("deckId"), Title: form.Get("title")}
	members := map[int]url.Values{}
	for name, values := range form {
		if m := columnMember.FindStringSubmatch(name); m != nil {
			i, _ := strconv.Atoi(m[1]) // the pattern is of digits
			if members[i] == nil {
				members[i] = url.Values{}
			}
			members[i][m[2]] = values
			continue
		}
		if name != "deckId" && name != "title" && name != "expectedRevision" && !slices.Contains(also, name) {
			return f, unknownMember()
		}
	}
	var err error
	if f.Revision, err = revisionOf(form, "expectedRevision"); err != nil {
		return f, err
	}
	places := make([]int, 0, len(members))
	for i := range members {
		places = append(places, i)
	}
	slices.Sort(places)
	for _, i := range places {
		c, err := readColumn(members[i], fmt.Sprintf("columns[%d].", i))
		if err != nil {
			return f, err
		}
		f.Columns = append(f.Columns, c)
	}
	return f, nil
}

func unknownMember() error {
	return fault.Invalid("body", "The form has a part that does not belong there. Reload its page and send it again; nothing was changed.")
}

// revisionOf reads a revision that a page has put into its form; an absent one
// is 0, which no deck is at.
func revisionOf(form url.Values, name string) (int64, error) {
	text := form.Get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fault.Invalid(name, "The form does not say which revision it is about. Reload its page and send it again; nothing was changed.")
	}
	return n, nil
}

// readColumn reads the inputs of one column by their names without the prefix.
func readColumn(v url.Values, prefix string) (formColumn, error) {
	c := formColumn{Column: decks.Column{ID: v.Get("id"), Title: v.Get("title"), ConnectionID: v.Get("connectionId")}}
	r := reader{values: v}
	c.Removed = r.check("removed")
	c.Source = r.source()
	c.Filters = r.filters()
	for name := range v {
		if !slices.Contains(r.known, name) && name != "id" && name != "title" && name != "connectionId" {
			return c, fault.Invalid(prefix+name, "The form has a part that does not belong there. Reload its page and send it again; nothing was changed.")
		}
	}
	return c, nil
}

// reader takes values by name and remembers which names there are.
type reader struct {
	values url.Values
	known  []string
}

func (r *reader) text(name string) string {
	r.known = append(r.known, name)
	return r.values.Get(name)
}

func (r *reader) check(name string) bool { return r.text(name) != "" }

// names are the words of a text, as hashtags and languages are written.
func (r *reader) names(name string) []string {
	return orNone(strings.FieldsFunc(r.text(name), func(c rune) bool {
		return c == ' ' || c == ',' || c == '、' || c == '\n' || c == '\r' || c == '\t' || c == '\u3000'
	}))
}

// lines are the lines of a text that are not empty.
func (r *reader) lines(name string) []string {
	var out []string
	for l := range strings.Lines(r.text(name)) {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

func (r *reader) several(name string) []string {
	r.known = append(r.known, name)
	return orNone(r.values[name])
}

func orNone(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

func (r *reader) source() sns.Source {
	return sns.Source{
		Kind: sns.Kind(r.text("source.kind")),
		Tag:  r.text("source.tag"), Any: r.names("source.any"), All: r.names("source.all"), None: r.names("source.none"),
		ListID: r.text("source.listId"), Account: r.text("source.account"),
		ExcludeReplies: r.check("source.excludeReplies"), ExcludeBoosts: r.check("source.excludeBoosts"),
		OnlyMedia: r.check("source.onlyMedia"), LocalOnly: r.check("source.localOnly"), RemoteOnly: r.check("source.remoteOnly"),
		Query: r.text("source.query"), Product: r.text("source.product"), Types: r.several("source.types"),
	}
}

// filters are nil when none is set.
func (r *reader) filters() *decks.Filters {
	f := decks.Filters{
		HideBoosts: r.check("filters.hideBoosts"), HideReplies: r.check("filters.hideReplies"),
		HideQuotes: r.check("filters.hideQuotes"), OnlyMedia: r.check("filters.onlyMedia"),
		Languages: r.names("filters.languages"), Include: r.lines("filters.include"), Exclude: r.lines("filters.exclude"),
		Scope: r.text("filters.scope"), Action: r.text("filters.action"),
	}
	if f.Scope == "all" {
		f.Scope = ""
	}
	if f.Action == "hide" {
		f.Action = ""
	}
	if isZero(f) {
		return nil
	}
	return &f
}

func isZero(f decks.Filters) bool {
	return !f.HideBoosts && !f.HideReplies && !f.HideQuotes && !f.OnlyMedia &&
		len(f.Languages)+len(f.Include)+len(f.Exclude) == 0 && f.Scope == "" && f.Action == ""
}

// clearFilters says "none" where the deck has filters and the form has none: for
// the service an absent one means "as before".
func clearFilters(columns, before []decks.Column) []decks.Column {
	for i, c := range columns {
		for _, b := range before {
			if c.Filters == nil && b.Filters != nil && c.ID == b.ID {
				columns[i].Filters = &decks.Filters{}
			}
		}
	}
	return columns
}
