package deckstest

import (
	"strings"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// steps makes the cases of single changes. They all begin with the deck "main",
// called Main, with the columns a, b and c.
type steps struct{ connection string }

// Steps returns the part of the table with changes of a single thing.
func Steps(connectionID string) []Case {
	s := steps{connectionID}
	list := append(s.columnCases(), s.refusedColumnCases()...)
	list = append(list, s.placeCases()...)
	list = append(list, s.titleCases()...)
	return append(append(list, s.copyCases()...), s.undoCases()...)
}

func (s steps) tag(id, tag string) decks.Column {
	return decks.Column{ID: id, ConnectionID: s.connection, Source: sns.Source{Kind: sns.KindHashtag, Tag: tag}}
}

// filtered is column a of the deck, the one with filters.
func (s steps) filtered() decks.Column {
	c := s.tag("a", "apple")
	c.Filters = &decks.Filters{HideBoosts: true}
	return c
}

func (s steps) columns() []decks.Column {
	return []decks.Column{s.filtered(), s.tag("b", "bread"), s.tag("c", "cake")}
}

func (s steps) main() Operation {
	return Operation{Do: Create, DeckID: "main", Title: "Main", Columns: s.columns()}
}

// given makes a case that begins with the deck and whose success leads to one
// more revision.
func (s steps) given(name string, op Operation, title string, columns ...decks.Column) Case {
	op.DeckID, op.ExpectedRevision = "main", 1
	return Case{
		Name: name, Given: []Operation{s.main()}, Op: op, Definition: &decks.Definition{Title: title, Columns: columns},
		Want: []decks.Summary{{ID: "main", Title: title, Revision: 2, ColumnCount: len(columns)}},
	}
}

// refused makes a case that begins with the deck and leaves it as it is.
func (s steps) refused(name string, op Operation, code fault.Code, field string) Case {
	c := s.given(name, op, "Main", s.columns()...)
	c.Code, c.Field, c.Want[0].Revision = code, field, 1
	return c
}

// twice sends a case's operation once more, with the same outcome.
func twice(c Case) Case {
	c.Name += ", sent twice"
	c.Given = append(c.Given, c.Op)
	return c
}

// late makes a case's operation stale by a change before it.
func (s steps) late(c Case) Case {
	c.Name += ", too late"
	c.Given = append(c.Given, Operation{Do: Rename, DeckID: "main", ExpectedRevision: 1, Title: "Changed"})
	c.Code, c.Field = fault.StaleRevision, ""
	c.Definition = &decks.Definition{Title: "Changed", Columns: s.columns()}
	c.Want = []decks.Summary{{ID: "main", Title: "Changed", Revision: 2, ColumnCount: 3}}
	return c
}

func (s steps) columnCases() []Case {
	cols := s.columns()
	add := s.given("add a column", Operation{Do: Add, Column: s.tag("", "date")}, "Main", cols[0], cols[1], cols[2], s.tag("", "date"))
	first := s.given("add a column before the others", Operation{Do: Add, Column: s.tag("d", "date"), Position: 1}, "Main", s.tag("d", "date"), cols[0], cols[1], cols[2])
	changed := s.tag("b", "date")
	changed.Title, changed.Filters = "Dates", &decks.Filters{HideReplies: true}
	change := s.given("change a column", Operation{Do: Change, Column: changed}, "Main", cols[0], changed, cols[2])
	bare := s.tag("a", "apple")
	remove := s.given("remove a column", Operation{Do: Remove, Column: decks.Column{ID: "b"}}, "Main", cols[0], cols[2])
	move := s.given("move a column to the front", Operation{Do: Move, Column: decks.Column{ID: "c"}, Position: 1}, "Main", cols[2], cols[0], cols[1])
	return []Case{
		add, twice(add), s.late(add), first, twice(first), change, twice(change), s.late(change),
		s.given("change a column to have no filters", Operation{Do: Change, Column: bare}, "Main", bare, cols[1], cols[2]),
		s.refused("change a column into itself", Operation{Do: Change, Column: cols[0]}, "", ""),
		remove, twice(remove), s.late(remove), move, twice(move), s.late(move),
		s.given("move a column to the end", Operation{Do: Move, Column: decks.Column{ID: "a"}}, "Main", cols[1], cols[2], cols[0]),
		s.given("move a column by one", Operation{Do: Move, Column: decks.Column{ID: "a"}, Position: 2}, "Main", cols[1], cols[0], cols[2]),
		s.refused("move a column to where it is", Operation{Do: Move, Column: decks.Column{ID: "b"}, Position: 2}, "", ""),
	}
}

func (s steps) refusedColumnCases() []Case {
	gone, titled, pattern, kind := s.tag("", "date"), s.tag("", "date"), s.tag("", "date"), s.tag("", "date")
	gone.ConnectionID = "conn_gone"
	titled.Title = strings.Repeat("字", decks.MaxTitle+1)
	pattern.Filters = &decks.Filters{Include: []string{"/(/"}}
	kind.Source = sns.Source{Kind: sns.KindForYou}
	var list []Case
	for _, c := range []struct {
		name   string
		column decks.Column
		code   fault.Code
		field  string
	}{
		{"of an account that is not there", gone, fault.NotFound, "connectionId"},
		{"with a title of 81", titled, fault.InvalidArguments, "title"},
		{"with a filter that is no pattern", pattern, fault.InvalidArguments, "filters.include[0]"},
		{"of a kind the network lacks", kind, fault.InvalidSource, "source.kind"},
		{"of a hashtag with a space", s.tag("", "a b"), fault.InvalidSource, "source.tag"},
		{"without a hashtag", s.tag("", ""), fault.InvalidSource, "source.tag"},
	} {
		list = append(list, s.refused("add a column "+c.name, Operation{Do: Add, Column: c.column}, c.code, c.field))
		c.column.ID = "b"
		list = append(list, s.refused("make a column one "+c.name, Operation{Do: Change, Column: c.column}, c.code, c.field))
	}
	return append(
		list,
		s.refused("add a column with dots for an id", Operation{Do: Add, Column: s.tag("..", "date")}, fault.InvalidArguments, "id"),
		s.refused("add a column under an id in use", Operation{Do: Add, Column: s.tag("a", "date")}, fault.InvalidArguments, "id"),
	)
}

func (s steps) placeCases() []Case {
	six := s.main()
	six.Columns = append(six.Columns, s.columns()...)
	for i := range six.Columns {
		six.Columns[i].ID = ""
	}
	step := func(c Case) Case { c.InSteps = true; return c }
	return []Case{
		{
			Name: "add a seventh column", Given: []Operation{six},
			Op:   Operation{Do: Add, DeckID: "main", ExpectedRevision: 1, Column: s.tag("", "date")},
			Code: fault.LimitExceeded, Field: "columns", Want: []decks.Summary{{ID: "main", Title: "Main", Revision: 1, ColumnCount: 6}},
		},
		step(s.refused("add a column at the fifth place of three", Operation{Do: Add, Column: s.tag("", "date"), Position: 5}, fault.InvalidArguments, "position")),
		step(s.refused("move a column to the fourth place of three", Operation{Do: Move, Column: decks.Column{ID: "a"}, Position: 4}, fault.InvalidArguments, "position")),
		step(s.refused("move a column before the first", Operation{Do: Move, Column: decks.Column{ID: "a"}, Position: -1}, fault.InvalidArguments, "position")),
		step(s.refused("move a column that is not there", Operation{Do: Move, Column: decks.Column{ID: "x"}, Position: 1}, fault.NotFound, "")),
		step(s.refused("remove a column that is not there", Operation{Do: Remove, Column: decks.Column{ID: "x"}}, fault.NotFound, "")),
		step(s.refused("change a column that is not there", Operation{Do: Change, Column: s.tag("x", "date")}, fault.NotFound, "")),
		{
			Name: "add a column to a deck that is not there", Code: fault.NotFound,
			Op: Operation{Do: Add, DeckID: "gone", ExpectedRevision: 1, Column: s.tag("", "date")},
		},
	}
}

func (s steps) titleCases() []Case {
	rename := s.given("rename", Operation{Do: Rename, Title: "  Abend 🌙 "}, "Abend 🌙", s.columns()...)
	return []Case{
		rename, twice(rename), s.late(rename),
		s.given("rename with a script", Operation{Do: Rename, Title: "<script>alert(1)</script>"}, "<script>alert(1)</script>", s.columns()...),
		s.refused("rename to the same", Operation{Do: Rename, Title: "Main"}, "", ""),
		s.refused("rename to nothing", Operation{Do: Rename, Title: " "}, fault.InvalidArguments, "title"),
		s.refused("rename to 81 characters", Operation{Do: Rename, Title: strings.Repeat("字", decks.MaxTitle+1)}, fault.InvalidArguments, "title"),
		s.refused("rename with a line break", Operation{Do: Rename, Title: "a\nb"}, fault.InvalidArguments, "title"),
		{Name: "rename a deck that is not there", Op: Operation{Do: Rename, DeckID: "gone", ExpectedRevision: 1, Title: "x"}, Code: fault.NotFound},
	}
}

func (s steps) copyCases() []Case {
	main := decks.Summary{ID: "main", Title: "Main", Revision: 1, ColumnCount: 3}
	copied := Case{
		Name: "duplicate", Given: []Operation{s.main()}, Op: Operation{Do: Duplicate, DeckID: "main", NewID: "new"},
		Definition: &decks.Definition{Title: "Main (copy)", Columns: s.columns()},
		Want:       []decks.Summary{main, {ID: "new", Title: "Main (copy)", Revision: 1, ColumnCount: 3}},
	}
	return []Case{
		copied, twice(copied),
		{
			Name: "duplicate under the id of another deck", Given: []Operation{s.main(), {Do: Create, DeckID: "new", Title: "New"}}, Op: copied.Op,
			Code: fault.RequestConflict, Want: []decks.Summary{main, {ID: "new", Title: "New", Revision: 1}},
		},
		{Name: "duplicate a deck that is not there", Op: Operation{Do: Duplicate, DeckID: "gone", NewID: "new"}, Code: fault.NotFound},
	}
}

func (s steps) undoCases() []Case {
	remove := Operation{Do: Remove, DeckID: "main", ExpectedRevision: 1, Column: decks.Column{ID: "a"}}
	undone := Case{
		Name: "undo removing a column", Given: []Operation{s.main(), remove},
		Op:         Operation{Do: Undo, DeckID: "main", ExpectedRevision: 2},
		Definition: &decks.Definition{Title: "Main", Columns: s.columns()},
		Want:       []decks.Summary{{ID: "main", Title: "Main", Revision: 3, ColumnCount: 3}},
	}
	back := undone
	back.Name, back.Given = "undo deleting", []Operation{s.main(), {Do: Delete, DeckID: "main", ExpectedRevision: 1}}
	again := Case{
		Name: "undo the undo", Given: append(undone.Given, undone.Op), Op: Operation{Do: Undo, DeckID: "main", ExpectedRevision: 3},
		Definition: &decks.Definition{Title: "Main", Columns: s.columns()[1:]},
		Want:       []decks.Summary{{ID: "main", Title: "Main", Revision: 4, ColumnCount: 2}},
	}
	late := again
	late.Name, late.Op.ExpectedRevision, late.Code = "undo after another change", 2, fault.StaleRevision
	late.Given = []Operation{s.main(), remove, {Do: Rename, DeckID: "main", ExpectedRevision: 2, Title: "Changed"}}
	late.Definition = &decks.Definition{Title: "Changed", Columns: s.columns()[1:]}
	late.Want = []decks.Summary{{ID: "main", Title: "Changed", Revision: 3, ColumnCount: 2}}
	return []Case{
		undone, twice(undone), back, twice(back), again, late,
		{Name: "undo creating", Given: []Operation{s.main()}, Op: Operation{Do: Undo, DeckID: "main", ExpectedRevision: 1}},
		{
			Name: "undo duplicating", Given: []Operation{s.main(), {Do: Duplicate, DeckID: "main", NewID: "new"}},
			Op: Operation{Do: Undo, DeckID: "new", ExpectedRevision: 1}, Want: []decks.Summary{{ID: "main", Title: "Main", Revision: 1, ColumnCount: 3}},
		},
		{Name: "undo in a deck that never was", Op: Operation{Do: Undo, DeckID: "gone", ExpectedRevision: 1}, Code: fault.NotFound},
	}
}
