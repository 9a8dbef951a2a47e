package deckstest

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"personal-workspace/decks"
)

// Whole is a client for a way in that creates, replaces and deletes whole decks:
// it makes each single change as an assistant does, which reads the deck and
// sends all of it back.
func Whole(c Client) Client { return &whole{Client: c, seen: map[string]decks.Definition{}} }

type whole struct {
	Client
	// seen are definitions by deck and revision, as an assistant remembers them.
	seen map[string]decks.Definition
}

func (w *whole) Do(t *testing.T, op Operation) Outcome {
	t.Helper()
	out := w.Client.Do(t, w.translate(op))
	if op.Do != Create && op.Do != Replace {
		out.Field = columnPath.ReplaceAllString(out.Field, "")
	}
	for _, d := range w.List(t) {
		w.seen[key(d.ID, d.Revision)] = w.Deck(t, d.ID).Definition()
	}
	return out
}

// columnPath is what the path of a member of some column begins with.
var columnPath = regexp.MustCompile(`^columns\[\d+\]\.`)

func key(id string, revision int64) string { return fmt.Sprint(id, " ", revision) }

// translate says an operation in terms of whole decks.
func (w *whole) translate(op Operation) Operation {
	was, known := w.before(op)
	out := Operation{Do: Replace, DeckID: op.DeckID, ExpectedRevision: op.ExpectedRevision, Title: was.Title, Columns: slices.Clone(was.Columns)}
	i := slices.IndexFunc(out.Columns, func(c decks.Column) bool { return c.ID == op.Column.ID })
	switch op.Do {
	case Create, Replace, Delete:
		return op
	case Add:
		out.Columns = insert(out.Columns, op.Column, op.Position)
	case Change:
		out.Columns[i] = op.Column
		if op.Column.Filters == nil {
			out.Columns[i].Filters = without(was.Columns[i].Filters)
		}
	case Move:
		c := out.Columns[i]
		out.Columns = insert(slices.Delete(out.Columns, i, i+1), c, op.Position)
	case Remove:
		out.Columns = slices.Delete(out.Columns, i, i+1)
	case Rename:
		out.Title = op.Title
	case Duplicate:
		if !known {
			return Operation{Do: Replace, DeckID: op.DeckID, ExpectedRevision: 1, Title: "x"}
		}
		return Operation{Do: Create, DeckID: op.NewID, Title: was.Title + " (copy)", Columns: was.Columns}
	case Undo:
		return w.undo(op)
	}
	if !known {
		out.Title = "x" // the deck is not there, and that is what will be said
	}
	return out
}

// before is the definition that an operation is made against.
func (w *whole) before(op Operation) (decks.Definition, bool) {
	revision := op.ExpectedRevision
	if op.Do == Duplicate {
		revision = 1
	}
	def, ok := w.seen[key(op.DeckID, revision)]
	return def, ok
}

// undo makes again what was before: a deleted deck is created, a created one
// deleted.
func (w *whole) undo(op Operation) Operation {
	was, existed := w.seen[key(op.DeckID, op.ExpectedRevision-1)]
	_, lived := w.seen[key(op.DeckID, op.ExpectedRevision)]
	switch {
	case !existed:
		return Operation{Do: Delete, DeckID: op.DeckID, ExpectedRevision: op.ExpectedRevision}
	case !lived:
		return Operation{Do: Create, DeckID: op.DeckID, Title: was.Title, Columns: was.Columns}
	}
	return Operation{Do: Replace, DeckID: op.DeckID, ExpectedRevision: op.ExpectedRevision, Title: was.Title, Columns: was.Columns}
}

func insert(list []decks.Column, c decks.Column, position int) []decks.Column {
	if position == 0 {
		return append(list, c)
	}
	return slices.Insert(list, position-1, c)
}

// without is how filters are removed: none at all would keep those there are.
func without(f *decks.Filters) *decks.Filters {
	if f == nil {
		return nil
	}
	return &decks.Filters{}
}
