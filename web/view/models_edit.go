package view

import "strings"

// Field is one input of a form.
type Field struct {
	// Name is the input's name, and with other signs its id.
	Name, Label, Value string
	// Kind is text, area, time, check, choice (a list to choose one of) or several
	// (boxes to tick); "" is text.
	Kind string
	// Checked is of a check.
	Checked bool
	Options []Option
	// Suggestions are offered while a text is typed.
	Suggestions []string
	Hint        string
	// Problem says what is wrong with the value, "" for nothing.
	Problem string
	// Required must not be empty; Max is the most characters, 0 for no limit.
	Required bool
	Max      int
	// Focus puts the cursor here when the page opens.
	Focus bool
}

// Option is one of a Field's options.
type Option struct {
	Value, Label string
	Chosen       bool
}

var idReplacer = strings.NewReplacer("[", "-", "]", "", ".", "-")

func (f Field) id() string { return idReplacer.Replace(f.Name) }

// describedBy are the ids of what explains the field.
func (f Field) describedBy() string {
	var ids []string
	if f.Problem != "" {
		ids = append(ids, f.id()+"-problem")
	}
	if f.Hint != "" {
		ids = append(ids, f.id()+"-hint")
	}
	return strings.Join(ids, " ")
}

func (f Field) invalid() bool { return f.Problem != "" }

// Hidden is a value that a form sends without showing it.
type Hidden struct{ Name, Value string }

// NewDeckPage is the form that makes a deck.
type NewDeckPage struct {
	Page
	// Problem is about the whole form, "" for nothing.
	Problem  string
	Hidden   []Hidden
	Title    Field
	Starters []Starter
	// Accounts are those a starter can read; none means that one must be
	// connected first.
	Accounts []Option
	// TakenOver is a form that an earlier page filled in: its columns are sent
	// along.
	TakenOver []string
}

// Starter is a kind of deck to begin with.
type Starter struct {
	Value, Name, Text string
	// Missing says why it cannot be made, "" when it can.
	Missing string
	Chosen  bool
	Fields  []Field
}

// EditPage is a deck's whole definition as a form.
type EditPage struct {
	Page
	ID       string
	Revision string
	// Unsaved says that the form differs from the deck.
	Unsaved bool
	Problem string
	Title   Field
	Columns []EditColumn
	// Room says that another column fits.
	Room bool
	// Focus is the id of the button that the cursor goes to, "" for none.
	Focus string
}

// EditColumn is a column in the form of a deck.
type EditColumn struct {
	// Index is its place among the form's columns, from 0.
	Index int
	// Key does not change with the place.
	Key string
	// Name and Source say what it is; Account whose.
	Name, Source, Account string
	Tone                  Tone
	// Removed: it goes when the form is saved.
	Removed     bool
	First, Last bool
	Hidden      []Hidden
	Title       Field
	// Accounts is the choice of the account, none when there is no other.
	Accounts []Field
	Options  []Field
	Filters  []Field
	// Open shows the options at once, because something in them is wrong.
	Open bool
}

// ColumnFormPage is the form of one column, a new one or one of a deck.
type ColumnFormPage struct {
	Page
	DeckTitle, DeckURL string
	// Action takes the form.
	Action  string
	Heading string
	// Source and Account say what the column reads.
	Source, Account string
	Tone            Tone
	// Cost says what reading the source takes of a limit, "" for nothing.
	Cost string
	// Notice explains what could not be offered, "" for nothing.
	Notice  string
	Problem string
	Hidden  []Hidden
	// Accounts is the choice of the account, none when there is no other.
	Accounts []Field
	Name     Field
	Options  []Field
	Filters  []Field
	// FiltersOpen shows the filters at once.
	FiltersOpen bool
	// Tags are followed hashtags to begin with.
	Tags []Link
	// Back leads to the step before, "" for none.
	Back string
	// Submit is the name of the button.
	Submit string
}

// Link is a link with its text.
type Link struct{ URL, Text string }

// AddPage is a step before the form of a new column.
type AddPage struct {
	Page
	DeckTitle, DeckURL string
	// Full: the deck has as many columns as fit.
	Full bool
	// Accounts are the connections to choose from, in the first step.
	Accounts []AccountLink
	// Account is the chosen one, in the second step; Kinds what it has, and
	// Missing what not, with the reason.
	Account string
	Tone    Tone
	Kinds   []KindLink
	Missing []Reason
	Back    string
}

// AccountLink chooses an account.
type AccountLink struct {
	Account
	URL string
}

// KindLink chooses a kind of source.
type KindLink struct{ URL, Name, Text string }

// Reason says why something is not offered.
type Reason struct{ Name, Text string }

// ConflictPage shows two versions of a deck.
type ConflictPage struct {
	Page
	DeckURL, Action string
	// Gone: the deck was deleted meanwhile.
	Gone bool
	// Mine and Theirs are the titles.
	Mine, Theirs string
	Columns      []ColumnVersions
	// Hidden is the form as it was sent, with the revision it would replace.
	Hidden []Hidden
}

// ColumnVersions is a column as the person has it and as the deck has it; an
// empty one is not there.
type ColumnVersions struct {
	// State is in words, Kind one of the chips.
	State, Kind  string
	Mine, Theirs []string
}

// StepConflict asks whether to do a step all the same, after the deck changed.
type StepConflict struct {
	Page
	DeckURL string
	Text    string
	// Again is the button that does it all the same, to Action; "" for none.
	Again, Action string
	Hidden        []Hidden
}

// DeletedPage is a deck that was deleted.
type DeletedPage struct {
	Page
	Undo Undo
}

// Undo is a row that takes back what was done.
type Undo struct {
	// ID is unique on the page.
	ID string
	// Name is of what was done to, Text what.
	Name, Text string
	// Action takes the form; Dismiss is the page without the row, "" for none.
	Action, Dismiss string
	Hidden          []Hidden
	// Focus moves the cursor to the button.
	Focus bool
}

// ColumnMenu is what can be done with a column of a deck.
type ColumnMenu struct {
	Site             Site
	DeckID, ColumnID string
	Revision         string
	// Place is from 1; Count is how many columns the deck has.
	Place, Count int
	// Name is what the column is called, Title what the person calls it, "" for
	// nothing.
	Name, Title string
	Paused      bool
	// NewID is of the column that duplicating makes.
	NewID string
	// Focus moves the cursor to the menu.
	Focus bool
	// Cost says what reading the column has taken of a limit, "" for nothing.
	Cost string
}

// UndoAt is an undo row in the place of a column.
type UndoAt struct {
	Undo
	// Index is the place among the columns, from 0.
	Index int
}

// DeckPatch changes a deck's page after something was done in its menus: no post
// is printed again.
type DeckPatch struct {
	Page
	Revision string
	// Address is where a reload shows the same page.
	Address string
	// Title is the deck's new name, "" when it is the same.
	Title string
	// Columns are all of the deck, in their order, without posts.
	Columns []Column
	// Renamed is the id of the column whose name is printed again, and Paused of
	// the one whose state is.
	Renamed, Paused string
	// Removed is the row in the place of the column RemovedID.
	Removed   *Undo
	RemovedID string
	// Added is a new column with its posts; it comes behind the column After, or
	// takes the place of the row Row.
	Added      *Column
	After, Row string
}

func (p DeckPatch) order() string {
	ids := make([]string, len(p.Columns))
	for i, c := range p.Columns {
		ids[i] = c.domID("")
	}
	return strings.Join(ids, " ")
}

// ImportPage is the form that takes a deck file.
type ImportPage struct {
	Page
	Problem string
	Text    Field
}

// PreviewPage is what an import would make. Nothing is stored yet.
type PreviewPage struct {
	Page
	Problem string
	// Text is the file, sent along.
	Text   string
	DeckID string
	// Title is nil for a file of several decks.
	Title    *Field
	Decks    []PreviewDeck
	Accounts []Field
}

// PreviewDeck is a deck of a file.
type PreviewDeck struct {
	Title string
	// Exists: there is one of this title already.
	Exists  bool
	Columns []PreviewColumn
}

// PreviewColumn is a column of a file.
type PreviewColumn struct{ Name, Account string }
