package activities

import (
	"time"

	"personal-workspace/internal/ledger"
)

// Kind is what an activity asks of the person.
type Kind string

// The kinds of activities.
const (
	// KindTask is something to do; its body is notes.
	KindTask Kind = "task"
	// KindReply is an answer to somebody; its body is the draft of its text.
	KindReply Kind = "reply"
)

// Priority is how much the proposer says an activity matters.
type Priority string

// The priorities; "" counts as PriorityNormal.
const (
	PriorityLow    Priority = "low"
	PriorityNormal Priority = "normal"
	PriorityHigh   Priority = "high"
)

// Status is what the person has decided.
type Status string

// The states of a decision.
const (
	// Proposed: nothing is decided yet.
	Proposed Status = "proposed"
	// Accepted: the person means to do it.
	Accepted Status = "accepted"
	// Snoozed: not now; or, when the decision waits, somebody else's turn.
	Snoozed Status = "snoozed"
	// Done: finished.
	Done Status = "done"
	// Dismissed: a lasting no for this source and kind.
	Dismissed Status = "dismissed"
)

// Limits, in code points unless they say otherwise.
const (
	MaxTitle       = 200
	MaxBody        = 8000
	MaxReason      = 1000
	MaxExcerpts    = 10
	MaxExcerptText = 2000
	// MaxPostText is how much of a post is kept with a task that is made from it.
	MaxPostText = 8000
	// MaxName is the longest name of an author, a network, a conversation or its
	// key.
	MaxName = 200
	// MaxActivity is the most bytes one activity may have as compact JSON.
	MaxActivity = 32 << 10
	// MaxPublication is the most activities of one publication.
	MaxPublication = 100
	// MaxBatch is the most activities one verb may be about.
	MaxBatch = 1000
	// MaxContext is the most activities of one page for assistants.
	MaxContext = 100
	// MaxPage is the most activities of one page for the person.
	MaxPage = 200
)

// Excerpt is a piece of evidence: text that the proposer says stands at the
// source.
type Excerpt struct {
	Text   string     `json:"text"`
	Author string     `json:"author,omitempty"`
	At     *time.Time `json:"at,omitempty"`
	URL    string     `json:"url,omitempty"`
	// Warning hides the text until the reader opens it; "" for none. Only what is
	// kept of a post has one.
	Warning string `json:"warning,omitempty"`
}

// Author is who wrote what an activity is about.
type Author struct {
	Name   string `json:"name,omitempty"`
	Handle string `json:"handle,omitempty"`
	URL    string `json:"url,omitempty"`
}

// Source is where an activity comes from.
type Source struct {
	ConnectionID      string    `json:"connectionId,omitempty"`
	Network           string    `json:"network,omitempty"`
	URL               string    `json:"url,omitempty"`
	ConversationKey   string    `json:"conversationKey,omitempty"`
	ConversationTitle string    `json:"conversationTitle,omitempty"`
	Author            *Author   `json:"author,omitempty"`
	Excerpts          []Excerpt `json:"excerpts,omitempty"`
}

// Proposal is what an assistant publishes.
type Proposal struct {
	// ID names the activity; "" finds the open one of the same connection,
	// address and kind, or makes a new one.
	ID       string     `json:"id,omitempty"`
	Kind     Kind       `json:"kind"`
	Title    string     `json:"title"`
	Body     string     `json:"body,omitempty"`
	Reason   string     `json:"reason,omitempty"`
	DueAt    *time.Time `json:"dueAt,omitempty"`
	Priority Priority   `json:"priority,omitempty"`
	Source   *Source    `json:"source,omitempty"`
	// Withdrawn: the proposer no longer thinks it is needed.
	Withdrawn bool `json:"withdrawn,omitempty"`
}

// Due is a date the person set, or that there shall be none.
type Due struct {
	// At is nil when the person removed the date.
	At *time.Time
}

// MarshalJSON is the date or null.
func (d Due) MarshalJSON() ([]byte, error) {
	if d.At == nil {
		return []byte("null"), nil
	}
	return d.At.UTC().MarshalJSON()
}

// Edits are the members that the person changed; a nil one is as proposed.
type Edits struct {
	Title *string `json:"title,omitempty"`
	Body  *string `json:"body,omitempty"`
	DueAt *Due    `json:"dueAt,omitempty"`
}

// Empty reports whether the person changed nothing.
func (e Edits) Empty() bool { return e == Edits{} }

// Decision is what the person said about an activity.
type Decision struct {
	Status Status `json:"status"`
	// SnoozedUntil is when a snoozed one wakes; nil means by new evidence alone.
	SnoozedUntil *time.Time `json:"snoozedUntil,omitempty"`
	// WakeOnActivity: new evidence wakes it before that.
	WakeOnActivity bool `json:"wakeOnActivity,omitempty"`
	// Edits are the person's words in place of the proposal's.
	Edits Edits `json:"edits,omitzero"`
	// DismissReason is why it was dismissed, for the assistants; "" says nothing.
	DismissReason string `json:"dismissReason,omitempty"`
	// Waiting: a snoozed one waits for somebody else.
	Waiting bool `json:"waiting,omitempty"`
	// DecidedAt is when the person last decided or edited, of what is closed when
	// it was closed; nil means never.
	DecidedAt *time.Time `json:"decidedAt,omitempty"`
}

// Activity is one task or reply as it is.
type Activity struct {
	// ID is act_…, or what the proposer chose.
	ID string
	// Own: the person made it, and no assistant may change it.
	Own bool
	// Proposal is the newest one; its ID is "".
	Proposal Proposal
	// Decision is the person's.
	Decision Decision
	// ProposedBy is who published the proposal.
	ProposedBy Proposer
	// CreatedAt is when it was first published, ProposedAt when the proposal last
	// changed, ConfirmedAt when it was last published, changed or not.
	CreatedAt, ProposedAt, ConfirmedAt time.Time
	// UpdatedAt is when anything of it last changed.
	UpdatedAt time.Time
	// ChangedSinceDecision: the proposal is newer than the last decision or edit.
	ChangedSinceDecision bool
	// SuggestionChanged: the proposal is newer than the edits that hide it.
	SuggestionChanged bool
	// Stale: it was withdrawn, or the account of its source is gone.
	Stale bool
	// DismissedBefore is when the person dismissed an earlier activity about the
	// same thing, which newer evidence brought back as this one.
	DismissedBefore *time.Time
	// Erased: the person removed its text for good.
	Erased bool
	// ConversationID is the conversation of a reply, see Conversation.
	ConversationID string
	// Revision is the workspace's activity revision at which it last changed.
	Revision int64
}

// Proposer is who published a proposal.
type Proposer struct {
	ledger.Actor
	// ClientName and ClientVersion are what the client says of itself; no
	// identity.
	ClientName, ClientVersion string
}

// Name is what a person may call the proposer: the client's name, else the
// actor's id.
func (p Proposer) Name() string {
	if p.ClientName != "" {
		return p.ClientName
	}
	return p.ID
}

// Effective returns what the person sees: the proposal with the edits on top.
func (a Activity) Effective() (title, body string, dueAt *time.Time) {
	return effective(a.Proposal, a.Decision.Edits)
}

func effective(p Proposal, e Edits) (title, body string, dueAt *time.Time) {
	title, body, dueAt = p.Title, p.Body, p.DueAt
	if e.Title != nil {
		title = *e.Title
	}
	if e.Body != nil {
		body = *e.Body
	}
	if e.DueAt != nil {
		dueAt = e.DueAt.At
	}
	return title, body, dueAt
}

// Open reports whether it still needs the person, now or later.
func (a Activity) Open() bool {
	return !a.Erased && a.Decision.Status != Done && a.Decision.Status != Dismissed
}
