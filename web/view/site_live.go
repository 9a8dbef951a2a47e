package view

import (
	"crypto/sha256"
	"encoding/hex"
)

// Events is the stream of hints about changes. deck is what the page shows, and
// column the one it shows of it, "" for none and all.
func (s Site) Events(deck, column string) string {
	return query(s.join("api", "activities", "events"), "deck", deck, "column", column)
}

// Build identifies the program and its browser files: a page that was made by
// another one is out of date.
func (s Site) Build() string {
	sum := sha256.Sum256([]byte(s.Version + "\n" + s.assets["app.js"] + "\n" + s.assets["app.css"]))
	return hex.EncodeToString(sum[:6])
}

// ColumnNews is the fragment of a column as it is stored; of is the definition
// that the page shows.
func (s Site) ColumnNews(deck, column, of string) string {
	return query(s.Column(deck, column), "news", "1", "of", of)
}

// Unfiltered is a column as a page of its own, with the posts that its filters
// hide.
func (s Site) Unfiltered(deck, column string) string {
	return query(s.Column(deck, column), "unfiltered", "1")
}

// RefreshColumn takes the form that asks for one column's new posts.
func (s Site) RefreshColumn(deck, column string) string {
	return s.join("decks", deck, "columns", column, "refresh")
}
