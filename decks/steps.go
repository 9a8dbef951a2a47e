package decks

import (
	"context"
	"slices"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// AddColumn is the input of Service.AddColumn.
type AddColumn struct {
	DeckID           string
	ExpectedRevision int64
	// Column gets an id when it has none.
	Column Column
	// Position counts from 1; 0 is behind all others.
	Position int
}

// AddColumn adds one column. A column id that the deck has already is
// invalid_arguments; a seventh column is limit_exceeded.
//
// This and the other changes of a single thing in a deck are ReplaceDeck with
// the same outcome: the deck must be at the expected revision, else the fault
// is stale_revision; a change that is sent twice, or changes nothing, makes no
// second revision. The fields of faults are those of the input: "title",
// "connectionId", "source.tag", "filters.include[0]".
func (s *Service) AddColumn(ctx context.Context, in AddColumn) (Deck, error) {
	return s.change(ctx, in)
}

func (in AddColumn) against() (string, int64) { return in.DeckID, in.ExpectedRevision }

func (in AddColumn) apply(ctx context.Context, s *Service, was Definition) (Definition, error) {
	if len(was.Columns) >= MaxColumns {
		return was, fault.Limit("columns", MaxColumns, "A deck has at most %d columns; remove one first, or make a second deck.", MaxColumns)
	}
	at, err := place(in.Position, len(was.Columns)+1)
	if err != nil {
		return was, err
	}
	if in.Column.ID != "" && slices.ContainsFunc(was.Columns, hasID(in.Column.ID)) {
		return was, fault.Invalid("id", "The deck has a column of this id already; give the new one another id, or none.")
	}
	c, err := s.validateStep(ctx, in.Column, nil)
	if err != nil {
		return was, err
	}
	was.Columns = slices.Insert(slices.Clone(was.Columns), at, c)
	return was, nil
}

// ChangeColumn is the input of Service.ChangeColumn: the whole new definition
// of one column.
type ChangeColumn struct {
	DeckID           string
	ExpectedRevision int64
	ColumnID         string
	Title            string
	ConnectionID     string
	Source           sns.Source
	// Filters replace those there are; nil removes them.
	Filters *Filters
}

// ChangeColumn changes what one column is. It keeps its id, its place and the
// person's state of it.
func (s *Service) ChangeColumn(ctx context.Context, in ChangeColumn) (Deck, error) {
	return s.change(ctx, in)
}

func (in ChangeColumn) against() (string, int64) { return in.DeckID, in.ExpectedRevision }

func (in ChangeColumn) apply(ctx context.Context, s *Service, was Definition) (Definition, error) {
	at, err := was.find(in.ColumnID)
	if err != nil {
		return was, err
	}
	c, err := s.validateStep(ctx, Column{
		ID: in.ColumnID, Title: in.Title, ConnectionID: in.ConnectionID, Source: in.Source, Filters: in.Filters,
	}, was.Columns)
	if err != nil {
		return was, err
	}
	if c.Filters.empty() {
		c.Filters = nil
		if was.Columns[at].Filters.empty() {
			c.Filters = was.Columns[at].Filters // no change is no revision
		}
	}
	was.Columns = slices.Clone(was.Columns)
	was.Columns[at] = c
	return was, nil
}

// RenameColumn is the input of Service.RenameColumn.
type RenameColumn struct {
	DeckID           string
	ExpectedRevision int64
	ColumnID         string
	// Title is "" for the source's own name.
	Title string
}

// RenameColumn gives one column another title and leaves all else of it, also
// where its account is gone.
func (s *Service) RenameColumn(ctx context.Context, in RenameColumn) (Deck, error) {
	return s.change(ctx, in)
}

func (in RenameColumn) against() (string, int64) { return in.DeckID, in.ExpectedRevision }

func (in RenameColumn) apply(ctx context.Context, s *Service, was Definition) (Definition, error) {
	at, err := was.find(in.ColumnID)
	if err != nil {
		return was, err
	}
	c := was.Columns[at]
	return ChangeColumn{
		ColumnID: c.ID, Title: in.Title, ConnectionID: c.ConnectionID, Source: c.Source, Filters: c.Filters,
	}.apply(ctx, s, was)
}

// MoveColumn is the input of Service.MoveColumn.
type MoveColumn struct {
	DeckID           string
	ExpectedRevision int64
	ColumnID         string
	// Position counts from 1; 0 is behind all others.
	Position int
}

// MoveColumn puts one column in another place; the others keep their order.
func (s *Service) MoveColumn(ctx context.Context, in MoveColumn) (Deck, error) {
	return s.change(ctx, in)
}

func (in MoveColumn) against() (string, int64) { return in.DeckID, in.ExpectedRevision }

func (in MoveColumn) apply(_ context.Context, _ *Service, was Definition) (Definition, error) {
	from, err := was.find(in.ColumnID)
	if err != nil {
		return was, err
	}
	to, err := place(in.Position, len(was.Columns))
	if err != nil {
		return was, err
	}
	c := was.Columns[from]
	was.Columns = slices.Insert(slices.Delete(slices.Clone(was.Columns), from, from+1), to, c)
	return was, nil
}

// RemoveColumn is the input of Service.RemoveColumn.
type RemoveColumn struct {
	DeckID           string
	ExpectedRevision int64
	ColumnID         string
}

// RemoveColumn removes one column; Undo brings it back with the person's state.
func (s *Service) RemoveColumn(ctx context.Context, in RemoveColumn) (Deck, error) {
	return s.change(ctx, in)
}

func (in RemoveColumn) against() (string, int64) { return in.DeckID, in.ExpectedRevision }

func (in RemoveColumn) apply(_ context.Context, _ *Service, was Definition) (Definition, error) {
	at, err := was.find(in.ColumnID)
	if err != nil {
		return was, err
	}
	was.Columns = slices.Delete(slices.Clone(was.Columns), at, at+1)
	return was, nil
}

// RenameDeck is the input of Service.RenameDeck.
type RenameDeck struct {
	DeckID           string
	ExpectedRevision int64
	// Title has 1 to MaxTitle code points.
	Title string
}

// RenameDeck gives a deck another title.
func (s *Service) RenameDeck(ctx context.Context, in RenameDeck) (Deck, error) {
	return s.change(ctx, in)
}

func (in RenameDeck) against() (string, int64) { return in.DeckID, in.ExpectedRevision }

func (in RenameDeck) apply(_ context.Context, _ *Service, was Definition) (Definition, error) {
	var err error
	was.Title, err = title(in.Title, "title", 1)
	return was, err
}

// validateStep checks the one column of a step.
func (s *Service) validateStep(ctx context.Context, c Column, before []Column) (Column, error) {
	conns, err := s.connections(ctx, 1)
	if err != nil {
		return c, err
	}
	return s.validateColumn(conns, c, before, "")
}

// place turns a position of n into an index.
func place(position, n int) (int, error) {
	switch {
	case position < 0 || position > n:
		return 0, fault.Invalid("position", "There is no position %d; use 1 to %d, or 0 for the last.", position, n)
	case position == 0:
		return n - 1, nil
	}
	return position - 1, nil
}

func hasID(id string) func(Column) bool {
	return func(c Column) bool { return c.ID == id }
}

// find returns the index of a column, or a not_found fault.
func (d Definition) find(columnID string) (int, error) {
	if i := slices.IndexFunc(d.Columns, hasID(columnID)); i >= 0 {
		return i, nil
	}
	return 0, noColumn()
}
