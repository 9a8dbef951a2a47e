package view

import (
	"strconv"

	"github.com/a-h/templ"
)

// HomePage is what waits for the person's decision.
type HomePage struct {
	Page
	Inbox Inbox
	// Health says how the accounts do, "" for nothing to say; HealthURL is where
	// more is.
	Health, HealthURL string
	// Reading leads on to a deck; nil when there is none.
	Reading *ReadOn
	// First: nothing was ever proposed. Sample: the card that shows what it would
	// look like was not dismissed.
	First, Sample bool
	// NoAccount: none is connected.
	NoAccount bool
	// Live connects the page to what changes.
	Live Stream
}

// ReadOn leads on to the deck that was read last.
type ReadOn struct {
	Site          Site
	DeckID, Title string
	// New is "37 new", "" for nothing new.
	New string
}

func (r ReadOn) news() string {
	if r.New == "" {
		return ""
	}
	return ", " + r.New
}

// Inbox is a list of activities: a page's and a fragment.
type Inbox struct {
	Site Site
	// URL is the list's own address, Revision that of the workspace it shows.
	URL, Revision string
	// Heading names the view.
	Heading string
	Views   []InboxView
	Filter  InboxFilter
	Groups  []ActivityGroup
	// Empty says why there is nothing, "" when there is something.
	Empty string
	// Next leads to what comes after the last item, First back to the beginning;
	// "" for nothing.
	Next, First string
	// From is sent along with every form: where it leads back to.
	From []Hidden
	// Last is the decision that can be taken back, one of them for several; "" for
	// none.
	Last string
	// Snoozes are the times to choose from for several at once.
	Snoozes []SnoozeOption
	// Batch is the line about several that were decided in one go; nil for none.
	Batch *BatchLine
	// Focus shows one item alone; nil for a list.
	Focus *FocusMode
	// FocusURL leads to that.
	FocusURL string
	// Problem says why a form was refused, "" for nothing.
	Problem string
}

// FocusMode is where the one item shown stands.
type FocusMode struct {
	Place, Of          int
	Before, After, End string
}

func (f FocusMode) text() string { return strconv.Itoa(f.Place) + " of " + strconv.Itoa(f.Of) }

// InboxView leads to a part of the activities.
type InboxView struct {
	URL, Text string
	// Count is in figures, "" for none.
	Count   string
	Current bool
}

// InboxFilter is the form that narrows a list.
type InboxFilter struct {
	// View is sent along.
	View string
	// Fields are lists to choose of.
	Fields []Field
	// Active says in words what is left out, "" for nothing; Clear leads to all.
	Active, Clear string
}

// ActivityGroup is a part of the list that belongs together.
type ActivityGroup struct {
	ID, Name string
	Count    int
	Items    []InboxItem
}

func (g ActivityGroup) countText() string { return strconv.Itoa(g.Count) }

// InboxItem is one of: a card, or the line that a decision left in its place.
type InboxItem struct {
	Card *ActivityCard
	Row  *DecidedRow
}

// DecidedRow is the line in the place of a card after a decision.
type DecidedRow struct {
	Site     Site
	ID       string
	Title    string
	URL      string
	Text     string
	Revision string
	// Change is the decision that Undo takes back, "" for none.
	Change string
	// Part names the line in the address of a list.
	Part string
	From []Hidden
	// AskReason: a dismissal may say why.
	AskReason bool
	Reason    string
	// Plain: it stands above its card, and forms lead to a new page.
	Plain bool
	// Focus puts the cursor here.
	Focus bool
}

// BatchLine says what was decided about several in one go, or taken back.
type BatchLine struct {
	Site Site
	// Text is "12 dismissed", Title what one alone is called, "" for several.
	Text, Title string
	// Change is one of the changes that Undo takes back, "" for none.
	Change string
	From   []Hidden
	// URL leads to where they are now, "" for here.
	URL string
	// Focus puts the cursor here: there is no card for it.
	Focus bool
}

func (l BatchLine) name() string {
	if l.Title == "" {
		return l.Text
	}
	return l.Text + ": " + l.Title
}

// swaps makes a form change the line in its place, where the page allows it.
func (d DecidedRow) swaps(url string) templ.Attributes {
	return ActivityCard{ID: d.ID, Plain: d.Plain}.asks("hx-post", url)
}

// ActivityCard is an activity as it is shown.
type ActivityCard struct {
	Site     Site
	ID       string
	Title    string
	Kind     string
	Reply    bool
	URL      string
	Revision string
	// Account is whose it is, "" for none.
	Account string
	Tone    Tone
	// Status says what was decided, "" while nothing was; Mood chooses a colour.
	Status, Mood string
	// Due is in words, Overdue that it is late.
	Due     string
	DueAt   *Time
	Overdue bool
	// Priority is in words, "" for an ordinary one.
	Priority string
	// Excerpts are the evidence; More is how many are only on the own page.
	Excerpts []ActivityExcerpt
	More     int
	// Conversation is what the source calls itself.
	Conversation string
	// Reason is why it was proposed, Text the draft or the notes.
	Reason, Text string
	// Edited: Text or the title is the person's.
	Edited bool
	// By is who proposed it, "" for the person; At when.
	By            string
	At, Confirmed *Time
	// Source is where it came from, "" for nowhere.
	Source string
	// Changed leads to the comparison with a newer proposal, "" for none.
	Changed string
	// Notes are further remarks.
	Notes []string
	// Draft is when an edit was begun that is not saved; nil for none.
	Draft *Time
	Verbs Verbs
	// Snoozes are the times to choose from.
	Snoozes []SnoozeOption
	From    []Hidden
	// Edit is the form in the card's place; nil when it is not edited.
	Edit *TextForm
	// EditURL is where the form is.
	EditURL string
	// Alone: the card is a page of its own. Pick: it can be selected.
	Alone, Pick bool
	// Plain: forms lead to a new page rather than change this one.
	Plain bool
	// Focus puts the cursor here.
	Focus bool
}

func (c ActivityCard) moreText() string {
	if c.More == 1 {
		return "1 more excerpt"
	}
	return strconv.Itoa(c.More) + " more excerpts"
}

// copies reports whether there is a text to take along to where it is sent.
func (c ActivityCard) copies() bool { return c.Reply && c.Text != "" && c.Source != "" }

func (c ActivityCard) formID() string { return "verbs-" + c.ID }

// renewed makes an element ask for the list as it is now, in its own place.
func renewed(in Inbox) templ.Attributes {
	return templ.Attributes{"data-revision": in.Revision, "hx-get": in.URL, "hx-trigger": "renew", "hx-target": "this", "hx-swap": "outerMorph"}
}

// swaps makes a form change the card in its place, where the page allows it.
func (c ActivityCard) swaps(url string) templ.Attributes { return c.asks("hx-post", url) }

// opens makes a link do so.
func (c ActivityCard) opens(url string) templ.Attributes { return c.asks("hx-get", url) }

func (c ActivityCard) asks(attribute, url string) templ.Attributes {
	if c.Plain {
		return nil
	}
	return templ.Attributes{attribute: url, "hx-target": "#activity-" + c.ID, "hx-swap": "outerHTML"}
}

// renews makes a form bring the list anew.
func renews(url string) templ.Attributes {
	return templ.Attributes{"hx-post": url, "hx-target": "#inbox", "hx-swap": "outerMorph"}
}

// Verbs are what can be decided.
type Verbs struct{ Accept, Edit, Snooze, Dismiss, Done, Reopen, Wait bool }

// ActivityExcerpt is a piece of evidence that an assistant has given.
type ActivityExcerpt struct {
	Text, Author string
	At           *Time
	URL          string
	Truncated    bool
	// Warning hides the text until it is opened; Opened: it is from the start.
	Warning string
	Opened  bool
}

// SnoozeOption is a moment to sleep until.
type SnoozeOption struct {
	// Label is in words, When the time; Value is for the form.
	Label, When, Value string
}

// TextForm is an activity's text to change.
type TextForm struct {
	Site   Site
	ID     string
	Reply  bool
	Action string
	// Title, Body and Due are what is typed; Base is what they began from.
	Title, Body, Due, Base string
	// Was stands for the text at the beginning.
	Was string
	// Count is how long Body is as its network counts, Limit the most it takes, 0
	// for not known; Counts is how it counts.
	Count, Limit int
	Counts       string
	// Draft is when the text was kept without being saved; nil for never.
	Draft *Time
	From  []Hidden
	// Problem and Field say what is wrong.
	Problem, Field string
	// Swap: the form stands in a card's place and changes that.
	Swap bool
	// Newer says that the text was changed meanwhile: it is shown to compare.
	Newer string
}

// leaves keeps what is typed and puts the card back in the form's place.
func (f TextForm) leaves() templ.Attributes {
	if !f.Swap {
		return nil
	}
	return templ.Attributes{"hx-post": f.Site.DraftActivity(f.ID), "hx-target": "#activity-" + f.ID, "hx-swap": "outerHTML", "hx-sync": "closest form:queue all"}
}

// invalid marks the field that the problem is about.
func (f TextForm) invalid(field string) templ.Attributes {
	if f.Field != field {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true"}
}

func (f TextForm) limitText() string { return strconv.Itoa(f.Limit) }

func (f TextForm) countText() string {
	if f.Limit == 0 {
		return strconv.Itoa(f.Count) + " characters"
	}
	text := strconv.Itoa(f.Count) + " of " + strconv.Itoa(f.Limit) + " characters"
	if f.over() {
		text += ", " + strconv.Itoa(f.Count-f.Limit) + " too many"
	}
	return text
}

func (f TextForm) over() bool { return f.Limit > 0 && f.Count > f.Limit }

// ActivityPage is an activity alone.
type ActivityPage struct {
	Page
	Card    ActivityCard
	Row     *DecidedRow
	History []ActivityChange
	// Back leads to the list, which is BackName.
	Back, BackName string
	EraseURL       string
	Live           Stream
}

// NewActivityPage is the form that makes a task of the person's own.
type NewActivityPage struct {
	Page
	// ID is what the task will be called, so that a form sent twice makes one.
	ID         string
	Title, Due Field
	// Body are the notes, Count how many characters they have and Limit the most;
	// BodyProblem says what is wrong with them.
	Body, Count, Limit, BodyProblem string
	// Problem is about the whole form, "" for nothing.
	Problem string
}

func (p NewActivityPage) bodyDescribedBy() string {
	if p.BodyProblem != "" {
		return "body-problem count-new"
	}
	return "count-new"
}

// ActivityChange is a row of an activity's history.
type ActivityChange struct {
	Text, Who string
	At        *Time
}

// EditActivityPage is the form as a page.
type EditActivityPage struct {
	Page
	Name string
	Back string
	// About is what the text answers or notes.
	About ActivityCard
	Form  TextForm
}

// ComparePage shows an edited text beside a newer proposal.
type ComparePage struct {
	Page
	ID, Name, Back string
	Parts          []ComparedPart
	Keep, Take     []Hidden
	Action         string
}

// ComparedPart is one text in both versions.
type ComparedPart struct {
	Name string
	// Mine is the person's, Theirs the proposal's.
	Mine, Theirs []DiffWords
}

// DiffWords is a run of words: in both texts, in the person's alone ("mine") or
// in the proposal's alone ("theirs").
type DiffWords struct{ Text, In string }

// ErasePage asks before an activity's text is removed for good.
type ErasePage struct {
	Page
	ID, Name, Back, Action string
}
