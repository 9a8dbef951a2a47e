package decks

import (
	"time"

	"personal-workspace/sns"
)

// Limits of a deck.
const (
	// MaxColumns is the most columns a deck has.
	MaxColumns = 6
	// MaxTitle is the longest title, in code points.
	MaxTitle = 80
	// MaxDecks is the most decks there can be.
	MaxDecks = 100
)

// Deck is a saved set of columns.
type Deck struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Columns []Column `json:"columns"`
	// Revision grows by one with each committed change, also over a deletion
	// and a later reuse of the id.
	Revision  int64     `json:"revision"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Definition returns what a client gives of the deck.
func (d Deck) Definition() Definition { return Definition{Title: d.Title, Columns: d.Columns} }

// Column is one timeline in a deck.
type Column struct {
	ID string `json:"id"`
	// Title is what the person calls the column, "" for the source's own name.
	Title        string     `json:"title,omitempty"`
	ConnectionID string     `json:"connectionId"`
	Source       sns.Source `json:"source"`
	// Filters are applied when posts are shown, never when they are fetched;
	// nil on a kept column id means "as before".
	Filters *Filters `json:"filters,omitempty"`
}

// Summary is a deck in a list.
type Summary struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Revision    int64  `json:"revision"`
	ColumnCount int    `json:"columnCount"`
}
