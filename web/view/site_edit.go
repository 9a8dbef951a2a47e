package view

// NewDeck is the page that makes a deck, and takes its form.
func (s Site) NewDeck() string { return s.join("decks", "new") }

// ImportDeck is the page that reads a deck file, and takes its forms.
func (s Site) ImportDeck() string { return s.join("decks", "import") }

// EditDeck is the page with a deck's whole definition, and takes its form.
func (s Site) EditDeck(id string) string { return s.join("decks", id, "edit") }

// ExportDeck is the deck as a file.
func (s Site) ExportDeck(id string) string { return s.join("decks", id, "export") }

// ExportDecks is all decks as one file.
func (s Site) ExportDecks() string { return s.join("export", "decks") }

// DeleteDeck takes a form of a deck's menu, like the actions below it.
func (s Site) DeleteDeck(id string) string { return s.join("decks", id, "delete") }

// DuplicateDeck is as DeleteDeck.
func (s Site) DuplicateDeck(id string) string { return s.join("decks", id, "duplicate") }

// RenameDeck is as DeleteDeck.
func (s Site) RenameDeck(id string) string { return s.join("decks", id, "rename") }

// MoveDeck is as DeleteDeck.
func (s Site) MoveDeck(id string) string { return s.join("decks", id, "move") }

// UndoDeck is as DeleteDeck.
func (s Site) UndoDeck(id string) string { return s.join("decks", id, "undo") }

// DeletedDecks is the list of decks with the undo rows of deleted ones, each
// named by its place, a dot and its id.
func (s Site) DeletedDecks(deleted ...string) string { return s.DecksAt("", deleted...) }

// DecksAt is DeletedDecks with the cursor on a deck.
func (s Site) DecksAt(id string, deleted ...string) string {
	pairs := []string{"at", id}
	for _, d := range deleted {
		pairs = append(pairs, "deleted", d)
	}
	return query(s.Decks(), pairs...)
}

// ChangedDeck is a deck that shows how to take back the change that made a
// revision.
func (s Site) ChangedDeck(id, revision string) string { return query(s.Deck(id), "undo", revision) }

// DeckColumn is a deck with a column in view.
func (s Site) DeckColumn(deck, column string) string { return s.Deck(deck) + "#column-" + column }

// AddColumn is the page that adds a column to a deck, at the step that is next
// for what is chosen already, "" for nothing; it takes the last step's form.
func (s Site) AddColumn(deck, connection, kind string) string {
	return query(s.join("decks", deck, "add"), "connection", connection, "kind", kind)
}

// AddTagColumn is AddColumn with a hashtag filled in.
func (s Site) AddTagColumn(deck, connection, tag string) string {
	return query(s.join("decks", deck, "add"), "connection", connection, "kind", "hashtag", "tag", tag)
}

// EditColumn is the page with one column's options, and takes its form.
func (s Site) EditColumn(deck, column string) string { return s.columnAction(deck, column, "edit") }

// Filters is EditColumn with the filters open.
func (s Site) Filters(deck, column string) string {
	return query(s.EditColumn(deck, column), "filters", "open") + "#filters"
}

// RenameColumn takes a form of a column's menu, like the actions below it.
func (s Site) RenameColumn(deck, column string) string { return s.columnAction(deck, column, "rename") }

// MoveColumn is as RenameColumn.
func (s Site) MoveColumn(deck, column string) string { return s.columnAction(deck, column, "move") }

// RemoveColumn is as RenameColumn.
func (s Site) RemoveColumn(deck, column string) string { return s.columnAction(deck, column, "remove") }

// DuplicateColumn is as RenameColumn.
func (s Site) DuplicateColumn(deck, column string) string {
	return s.columnAction(deck, column, "duplicate")
}

// PauseColumn is as RenameColumn.
func (s Site) PauseColumn(deck, column string) string { return s.columnAction(deck, column, "pause") }

func (s Site) columnAction(deck, column, action string) string {
	return s.join("decks", deck, "columns", column, action)
}
