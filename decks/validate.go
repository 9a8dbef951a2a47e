package decks

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

var idPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

func validID(id string) bool { return idPattern.MatchString(id) }

// validate returns the definition in its normal form: titles trimmed and in
// NFC, sources normalized. A column of before that is sent back as it was
// passes even when its connection is gone or its server lost the kind, so that a
// deck can still be edited.
func (s *Service) validate(ctx context.Context, d Definition, before []Column) (Definition, error) {
	var err error
	if d.Title, err = title(d.Title, "title", 1); err != nil {
		return d, err
	}
	if len(d.Columns) > MaxColumns {
		return d, tooManyColumns("columns", len(d.Columns))
	}
	conns, err := s.connections(ctx, len(d.Columns))
	if err != nil {
		return d, err
	}
	out := make([]Column, len(d.Columns))
	seen := map[string]bool{}
	for i, c := range d.Columns {
		field := fmt.Sprintf("columns[%d]", i)
		if c.ID != "" && seen[c.ID] {
			return d, fault.Invalid(field+".id", "Two columns have the same id; each needs its own, or none.")
		}
		seen[c.ID] = true
		if out[i], err = s.validateColumn(conns, c, before, field); err != nil {
			return d, err
		}
	}
	d.Columns = out
	return d, nil
}

// connections reads the connections when there is a column to check.
func (s *Service) connections(ctx context.Context, columns int) (map[string]sns.Connection, error) {
	if columns == 0 {
		return nil, nil
	}
	list, err := s.posts.ListConnections(ctx)
	if err != nil {
		return nil, err
	}
	return byID(list), nil
}

func byID(list []sns.Connection) map[string]sns.Connection {
	m := make(map[string]sns.Connection, len(list))
	for _, c := range list {
		m[c.ID] = c
	}
	return m
}

func (s *Service) validateColumn(conns map[string]sns.Connection, c Column, before []Column, field string) (Column, error) {
	var err error
	if c.ID != "" && !validID(c.ID) {
		return c, badColumnID(member(field, "id"))
	}
	if c.Title, err = title(c.Title, member(field, "title"), 0); err != nil {
		return c, err
	}
	if c.Filters, err = c.Filters.normalize(member(field, "filters")); err != nil {
		return c, err
	}
	if unchanged(c, before) {
		return c, nil
	}
	conn, ok := conns[c.ConnectionID]
	if !ok {
		return c, fault.Missing("connection", "The account of this column is not connected; choose one that is.").
			With(fault.DetailField, member(field, "connectionId"))
	}
	c.Source, err = s.posts.ValidateSource(conn, c.Source, member(field, "source"))
	return c, err
}

func tooManyColumns(field string, n int) error {
	return fault.Limit(field, MaxColumns, "A deck has at most %d columns, not %d; leave some out or make a second deck.", MaxColumns, n)
}

func badColumnID(field string) error {
	return fault.Invalid(field, "A column id is 1 to 64 letters, digits, _ or -, beginning with a letter or digit.")
}

// member is the path of a member; the members of the only column have no path
// before them.
func member(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

func unchanged(c Column, before []Column) bool {
	for _, b := range before {
		if b.ID == c.ID && b.ConnectionID == c.ConnectionID && reflect.DeepEqual(b.Source, c.Source) {
			return true
		}
	}
	return false
}

// title trims and checks a title of least to MaxTitle code points. One that shows
// nothing is refused: its link could not be found.
func title(s, field string, least int) (string, error) {
	if !utf8.ValidString(s) {
		return "", fault.Invalid(field, "The title is not valid UTF-8; send it again as text.")
	}
	s = norm.NFC.String(strings.TrimSpace(s))
	n := utf8.RuneCountInString(s)
	if n < least {
		return "", fault.Invalid(field, "The title is empty; give it 1 to %d characters.", MaxTitle)
	}
	if n > MaxTitle {
		return "", fault.Invalid(field, "The title has %d characters; the most is %d.", n, MaxTitle).With(fault.DetailLimit, MaxTitle)
	}
	if strings.ContainsFunc(s, unicode.IsControl) {
		return "", fault.Invalid(field, "The title has a control character; leave it out.")
	}
	if n > 0 && !richtext.Visible(s) {
		return "", fault.Invalid(field, "The title has nothing in it that can be seen; write a letter, a digit or a sign.")
	}
	return s, nil
}
