package view

import "strconv"

// Page is what the frame of a page needs.
type Page struct {
	Site Site
	// Title stands before the product's name in the window title.
	Title string
	// Section is the entry of the main navigation that the page belongs to.
	Section string
	// Columns are the entries of a deck's own navigation.
	Columns []ColumnLink
	// Look is how this browser wants it.
	Look Look
	// Keys: the keyboard commands of a single character work.
	Keys bool
	// NeedsYou is how many activities wait for the person.
	NeedsYou int
}

func (p Page) windowTitle() string {
	title := p.Title + " – Personal Workspace"
	if p.NeedsYou > 0 {
		title = "(" + strconv.Itoa(p.NeedsYou) + ") " + title
	}
	return title
}

// ColumnLink leads to a column of the page.
type ColumnLink struct {
	Digit   int
	Name    string
	Account string
	Tone    Tone
	// Target is the fragment without "#".
	Target string
}

// Tone is one of a few colours, so that the same account has the same one
// everywhere. It only supports text that says the same.
type Tone int

// Tones is how many there are.
const Tones = 10

// NoTone is the colour of what belongs to no account.
const NoTone Tone = -1

func (t Tone) class() string {
	if t == NoTone {
		return "tone-none"
	}
	return "tone-" + strconv.Itoa(int(t))
}

// Time is a moment, written three ways.
type Time struct {
	// ISO is for machines: RFC 3339 with the offset of the person's zone.
	ISO string
	// Short is for the eye: "5 min" or "12 Nov".
	Short string
	// Full is the whole date and time.
	Full string
}

// Problem is a page that says what is wrong.
type Problem struct {
	Page
	Text string
	// Decks: the way on may also be to the decks.
	Decks bool
}

// LoginPage is the sign-in form.
type LoginPage struct {
	Page
	// Next is where to go on to, a path without the base path.
	Next string
	// Problem says why the last try failed, "" at first.
	Problem string
	// NoPassword: none is set yet.
	NoPassword bool
}

// SetupPage is the form that sets the password.
type SetupPage struct {
	Page
	Token string
	// Field is the input that Problem is about.
	Field, Problem string
}

// DecksPage is the list of decks.
type DecksPage struct {
	Page
	Decks []DeckItem
	// Deleted are the names of deleted decks whose undo rows are shown.
	Deleted []string
	// Full: there can be no more decks.
	Full bool
	// Accounts are the connected ones.
	Accounts []Account
}

// DeckItem is a deck in the list, or the row that brings a deleted one back.
type DeckItem struct {
	ID, URL, Title, Columns string
	Revision                string
	// Place is from 1.
	Place int
	Last  bool
	// NewID is that of a copy.
	NewID string
	// Focus puts the cursor here.
	Focus bool
	Undo  *Undo
}

// Account is a connected account in the list.
type Account struct {
	Name, Network string
	Tone          Tone
	// State is in words; Mood is good, warn or bad and only chooses a colour.
	State, Mood string
	// URL is the account's page; SignIn, when set, is where it gets the
	// credential that it lacks.
	URL, SignIn string
}

// DeckPage is a deck with its columns.
type DeckPage struct {
	Page
	ID, Title string
	// Revision of the definition that the page shows.
	Revision string
	Columns  []Column
	// Undo is the row in the place of a column that was removed; nil for none.
	Undo *UndoAt
	// NewID is that of a copy of the deck.
	NewID string
	// Live connects the page to what changes.
	Live Stream
}

// ColumnPage is one column alone, at its newest or at an older part.
type ColumnPage struct {
	Page
	DeckTitle, DeckURL string
	Column             Column
	// Live connects the page to what changes.
	Live Stream
	// Refresh takes the form that asks for news.
	Refresh string
}

// Column is a timeline on a page.
type Column struct {
	// ID is unique on the page; the ids of all its parts begin with it.
	ID      string
	Name    string
	Account string
	Network string
	Tone    Tone
	URL     string
	State   State
	// Panel explains what went wrong or that there is nothing; nil for none.
	Panel *Panel
	Rows  []Row
	// Filtered: the column has filters.
	Filtered bool
	// Hidden is how many posts the filters left out of Rows.
	Hidden int
	// Unfiltered leads to the column with those posts.
	Unfiltered string
	// Older leads to what comes after the last row, "" at the end; Newest back
	// to the newest posts, "" when they are shown.
	Older, Newest string
	// Missing leads to posts that are missing above the first row.
	Missing string
	// End says that nothing is older than the last row.
	End bool
	// Loader makes the browser ask for the column again; nil when there is no
	// need.
	Loader *Loader
	// Trouble says at the end why older posts did not come; nil for none.
	Trouble *Panel
	// Skeleton draws empty rows: nothing is stored yet and an answer is awaited.
	Skeleton bool
	// Menu is what can be done with the column; nil for no menu.
	Menu *ColumnMenu
	// Connection is the account's id.
	Connection string
	// Tasks takes the form that makes a task from a post.
	Tasks string
	// News is the column printed again as it is stored.
	News string
	// Held is how many posts wait to be shown, for HeldPart.
	Held int
}

func (c Column) domID(part string) string {
	if part == "" {
		return "column-" + c.ID
	}
	return part + "-" + c.ID
}

// Loader asks for the fragment at URL, DelayMs after it was put on the page.
// ID differs from that of the loader before it.
type Loader struct {
	ID, URL string
	DelayMs int
}

func (l Loader) trigger() string { return "load delay:" + strconv.Itoa(l.DelayMs) + "ms" }

// State is what a column says about its freshness, always in words.
type State struct {
	// Kind is ok, busy, warn or bad and only chooses a colour.
	Kind string
	// Text stands before At, such as "Updated" or "Limited until".
	Text string
	// Live: the column is well. While the page hears of news by itself, it says
	// so instead of when the last ones came.
	Live bool
	// Paused: the person wants no news of it.
	Paused bool
	// At is a time of day, nil for none.
	At *Time
}

// Panel is a message in a column's place or above its posts.
type Panel struct {
	Title, Text string
	// Command is a line to type on the server, "" for none.
	Command string
	// Alarm: something went wrong, rather than being empty.
	Alarm bool
	// Links lead to what can be done about it.
	Links []PanelLink
}

// PanelLink is something to do.
type PanelLink struct{ URL, Text string }

// Row is one place in a feed: a post, a folded post or a gap.
type Row struct {
	Post Post
	// Folded hides the post behind a line that says why.
	Folded string
	// Gap, when set, leads to posts that are missing before the next row.
	Gap string
}
