package activities

import "time"

// Publication is the input of Service.Publish.
type Publication struct {
	// RequestID is chosen by the client; the same one with the same activities
	// returns the first receipt again.
	RequestID string
	// ExpectedRevision is the revision the client has read.
	ExpectedRevision int64
	// Activities are 1 to MaxPublication.
	Activities []Proposal
}

// Receipt says what a publication did.
type Receipt struct {
	RequestID  string    `json:"requestId"`
	Revision   int64     `json:"revision"`
	Activities []Outcome `json:"activities"`
}

// Outcome is what a publication did to one activity.
type Outcome struct {
	ID      string `json:"id"`
	Outcome string `json:"outcome"`
	// DismissedAt is when the person dismissed what kept_decision refused.
	DismissedAt *time.Time `json:"dismissedAt,omitempty"`
}

// What a publication does to an activity.
const (
	OutcomeCreated   = "created"
	OutcomeUpdated   = "updated"
	OutcomeUnchanged = "unchanged"
	// OutcomeKept: the person's decision stands and nothing was stored.
	OutcomeKept = "kept_decision"
)

// ContextQuery is the input of Service.Context.
type ContextQuery struct {
	// IDs asks for these activities, at most MaxContext; none asks for all,
	// newest first.
	IDs []string
	// Cursor is the NextCursor of the page before.
	Cursor string
	// Limit is at most MaxContext; 0 means that.
	Limit int
}

// ContextPage is a page for assistants.
type ContextPage struct {
	// Revision is the one to publish against.
	Revision   int64
	Activities []Activity
	// NextCursor is "" after the last page.
	NextCursor string

	cursors []string
}

// CursorAfter returns the cursor that continues after an activity of a page, for
// a front end that shows fewer than it got. It is "" for an activity that came by
// its id.
func (p ContextPage) CursorAfter(i int) string { return p.cursors[i] }

// View is one of the lists of Home.
type View string

// The views.
const (
	// ViewTodo is what needs the person now.
	ViewTodo View = "todo"
	// ViewSnoozed is what waits for a time, for news or for somebody else.
	ViewSnoozed   View = "snoozed"
	ViewDone      View = "done"
	ViewDismissed View = "dismissed"
	ViewAll       View = "all"
)

// Group is a part of the view ViewTodo, in this order.
type Group string

// The groups.
const (
	// GroupOverdue: its date is over.
	GroupOverdue Group = "overdue"
	// GroupToday: due today.
	GroupToday Group = "today"
	// GroupWaiting: somebody waits for the person, that is a reply.
	GroupWaiting Group = "waiting"
	// GroupRest is all else.
	GroupRest Group = "rest"
)

// Query is the input of Service.List.
type Query struct {
	// View is one of the views; "" means ViewTodo.
	View View
	// Kind, ConnectionID and Proposer, a Proposer's Name, narrow the list; ""
	// does not.
	Kind         Kind
	ConnectionID string
	Proposer     string
	// After is the Next of the page before.
	After string
	// Limit is at most MaxPage; 0 means 50.
	Limit int
	// Zone says when a day begins and ends; nil means UTC.
	Zone *time.Location
}

// Page is a page for the person.
type Page struct {
	Revision int64
	Items    []Item
	Counts   Counts
	// Groups are how many activities of ViewTodo each group has under the
	// query's filters.
	Groups map[Group]int
	// Total is how many the view has under the query's filters.
	Total int
	// Next is "" after the last page.
	Next string

	last string
}

// Item is an activity in a list.
type Item struct {
	Activity
	// Group is "" outside ViewTodo.
	Group Group
}

// Ordered is the place of an activity in a list.
type Ordered struct {
	ID string
	// Group is "" outside ViewTodo.
	Group Group
}

// Counts are how many activities there are, whatever the filters.
type Counts struct {
	// NeedsYou is what is in ViewTodo: proposed or accepted. Tasks and Replies
	// are its parts.
	NeedsYou, Tasks, Replies int
	Snoozed, Done, Dismissed int
}

// ConversationFilter is one of the lists of Messages.
type ConversationFilter string

// The filters.
const (
	// NeedsReply: a reply is proposed or accepted.
	NeedsReply ConversationFilter = "needs-reply"
	// WaitingForThem: nothing needs the person and a reply waits for somebody.
	WaitingForThem ConversationFilter = "waiting"
	// SnoozedReplies: nothing needs the person and a reply is put off.
	SnoozedReplies ConversationFilter = "snoozed"
	// DoneReplies: every reply is done or dismissed.
	DoneReplies ConversationFilter = "done"
)

// ConversationQuery is the input of Service.Conversations.
type ConversationQuery struct {
	// Filter is one of the filters; "" means NeedsReply.
	Filter ConversationFilter
	// After is the Next of the page before.
	After string
	// Limit is at most MaxPage; 0 means 100.
	Limit int
}

// ConversationPage is a page of a list of Messages.
type ConversationPage struct {
	Conversations []Conversation
	// Total is how many the list has.
	Total int
	// Most is of how many replies the list is made if there may be more, else 0.
	Most int
	// Next is "" after the last page.
	Next string
}

// Conversation is the replies to one conversation.
type Conversation struct {
	// ID is made of the connection and the conversation's key or the canonical
	// address of its root; fit for a path.
	ID string
	// Title is what the proposer calls it, "" for no name.
	Title string
	// ConnectionID and Network are those of its newest reply.
	ConnectionID, Network string
	// Author is the author of the newest reply's source; nil when unknown.
	Author *Author
	// NewestAt is the time of the newest excerpt, or of the newest reply without.
	NewestAt time.Time
	// Excerpts are those of all replies, each once, oldest first; those without a
	// time first.
	Excerpts []Excerpt
	// Activities are the replies, those that need the person first, newest first.
	Activities []Activity
	// NextReplies is the cursor of more of them, "" for no more.
	NextReplies string
}

// Verb is what the person does to activities.
type Verb string

// The verbs.
const (
	VerbAccept  Verb = "accept"
	VerbSnooze  Verb = "snooze"
	VerbDismiss Verb = "dismiss"
	VerbDone    Verb = "done"
	VerbReopen  Verb = "reopen"
	VerbWait    Verb = "wait"
)

// Decide is the input of Service.Decide.
type Decide struct {
	// IDs are 1 to MaxBatch activities, each once.
	IDs  []string
	Verb Verb
	// SnoozedUntil is for snooze and wait: when to wake it. Snooze needs it
	// unless WakeOnActivity is set.
	SnoozedUntil *time.Time
	// WakeOnActivity is for snooze: new evidence wakes it too. A wait always has
	// it.
	WakeOnActivity bool
	// Reason is for dismiss: why, at most MaxReason code points, for the
	// assistants.
	Reason string
	// Expected are the revisions of the activities the person saw; one that was
	// decided or edited since, to something else, is stale_revision. Missing ones
	// are not checked.
	Expected map[string]int64
}

// Result is what a decision led to.
type Result struct {
	// Revision is the workspace's after it.
	Revision int64
	// Activities are as they are now, in the order of the input.
	Activities []Activity
	// ChangeIDs are the history's rows of this decision by activity, for
	// UndoDecision; an activity that was so already has none.
	ChangeIDs map[string]string
	// Undone is how many an undo took back, 0 when all was taken back before.
	Undone int
}

// Edit is the input of Service.Edit: the members that the person saved. A member
// equal to the proposal's is no edit any more.
type Edit struct {
	ID string
	// Title, Body and DueAt are nil to stay as they are.
	Title, Body *string
	DueAt       *Due
	// BaseRevision is the revision of the activity the person started from; 0 is
	// not checked and stands for the present one. A decision or an edit since then
	// is stale_revision; a newer proposal is not, it is shown beside the edits.
	BaseRevision int64
	// Keep says that the person saw the proposal of BaseRevision beside the edits
	// and keeps them, changed or not.
	Keep bool
}

// Own is the input of Service.Create: an activity the person makes.
type Own struct {
	// ID makes a form sent twice harmless: the same id with the same content
	// returns the activity that is there. "" makes one.
	ID     string
	Title  string
	Body   string
	DueAt  *time.Time
	Source *Source
}

// Draft is what the person is typing and has not saved.
type Draft struct {
	// Title, Body and Due are as typed; nil was not touched.
	Title, Body, Due *string
	// Zone is the one of Due, for SaveDraft; nil means UTC.
	Zone *time.Location
	// BaseRevision is the revision of the activity the person started from.
	BaseRevision int64
	// SavedAt is set by the service.
	SavedAt time.Time
}

// Change is one row of an activity's history.
type Change struct {
	// ID is for UndoDecision.
	ID string
	At time.Time
	// Actor is who changed it.
	Actor Proposer
	// What is published, updated, edited, created, erased, woken, undone or a
	// verb.
	What string
	// From and To are the statuses before and after.
	From, To Status
	// Until, Reason and Waiting are those of the decision after.
	Until   *time.Time
	Reason  string
	Waiting bool
	// Undone: the change was taken back. Undoable: UndoDecision can take it back
	// now.
	Undone, Undoable bool
	// Revision is the workspace's of the change.
	Revision int64
}
