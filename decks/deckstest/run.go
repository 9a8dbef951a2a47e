package deckstest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
)

// Outcome is how an operation ended: the code and the field of its fault, both
// "" for success.
type Outcome struct {
	Code  fault.Code
	Field string
}

// Client is one way in, to a workspace of its own.
type Client interface {
	// Do makes an operation. The field of a column's member begins at the
	// column when the operation has only the one.
	Do(t *testing.T, op Operation) Outcome
	// List returns the decks in the person's order.
	List(t *testing.T) []decks.Summary
	// Deck returns a deck that is there.
	Deck(t *testing.T, id string) decks.Deck
}

// Run runs the whole table through a way in. open makes a client of an empty
// workspace and returns it with its one connection, an account on Mastodon.
func Run(t *testing.T, open func(t *testing.T) (c Client, connectionID string)) {
	for i, c := range table("") {
		t.Run(c.Name, func(t *testing.T) {
			client, connectionID := open(t)
			if _, whole := client.(*whole); whole && c.InSteps {
				return
			}
			table(connectionID)[i].run(t, client)
		})
	}
}

func table(connectionID string) []Case {
	return append(Cases(connectionID), Steps(connectionID)...)
}

func (c Case) run(t *testing.T, client Client) {
	t.Helper()
	for _, op := range c.Given {
		if o := client.Do(t, op); o.Code != "" {
			t.Fatalf("given %+v: %+v", op, o)
		}
	}

	o := client.Do(t, c.Op)

	if want := (Outcome{c.Code, c.Field}); o != want {
		t.Errorf("outcome %+v, want %+v", o, want)
	}
	if diff := cmp.Diff(c.Want, withoutMade(client.List(t), c.Want)); diff != "" {
		t.Errorf("decks afterwards (-want +got):\n%s", diff)
	}
	if c.Definition != nil && !t.Failed() {
		id := c.Op.DeckID
		if c.Op.NewID != "" {
			id = c.Op.NewID
		}
		if diff := cmp.Diff(*c.Definition, definitionOf(client.Deck(t, id), *c.Definition)); diff != "" {
			t.Errorf("the deck afterwards (-want +got):\n%s", diff)
		}
	}
}

// withoutMade drops the ids that the workspace made.
func withoutMade(list, want []decks.Summary) []decks.Summary {
	if len(list) == 0 {
		return nil
	}
	list = slices.Clone(list)
	for i := range list {
		if i < len(want) && want[i].ID == "" {
			list[i].ID = ""
		}
	}
	return list
}

func definitionOf(d decks.Deck, want decks.Definition) decks.Definition {
	def := d.Definition()
	def.Columns = slices.Clone(def.Columns)
	for i := range def.Columns {
		if i < len(want.Columns) && want.Columns[i].ID == "" {
			def.Columns[i].ID = ""
		}
		if f := def.Columns[i].Filters; f != nil && cmp.Equal(*f, decks.Filters{}) {
			def.Columns[i].Filters = nil
		}
	}
	return def
}
