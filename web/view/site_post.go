package view

// From is the column of a deck that a page was opened from; the zero value is
// none.
type From struct{ Deck, Column string }

// Post is the page of a post, as one account sees it; from is the column that
// it leads back to.
func (s Site) Post(connection, id string, from From) string {
	return query(s.join("posts", connection, id), "deck", from.Deck, "column", from.Column)
}

// MakeTask takes the form that makes a task from a post of a connection.
func (s Site) MakeTask(connection string) string { return s.join("posts", connection, "task") }

// Thread is the page of a post once its network has told what stands around it,
// and as a fragment that part alone.
func (s Site) Thread(connection, id string, from From) string {
	return query(s.join("posts", connection, id), "deck", from.Deck, "column", from.Column, "thread", "1")
}
