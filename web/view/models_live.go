package view

// Stream is what a page needs to hear of changes.
type Stream struct {
	// URL is where the hints come from.
	URL string
	// Seen stands for what had happened when the page was made.
	Seen string
	// Deck is what the page shows, and Revision its definition's.
	Deck, Revision string
	// Show leads to the deck as it is now.
	Show string
}
