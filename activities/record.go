package activities

import (
	"crypto/sha256"
	"encoding/base32"
	"reflect"
	"strings"
	"time"
)

// record is a stored activity.
type record struct {
	seq      int64
	id       string
	own      bool
	erased   bool
	proposal Proposal
	// doc is the proposal as it is stored, without its id.
	doc      string
	decision decision
	// key is keyOf the source, "" without an address.
	key          string
	conversation string
	// evidenceAt is the time of the newest excerpt that any proposal had, 0 for none.
	evidenceAt      int64
	root            string
	dismissedBefore int64
	by              Proposer

	createdAt, proposedAt, confirmedAt, updatedAt int64

	proposalRevision, touchedRevision, revision int64
}

// decision is a Decision as it is stored, with what is needed to go back.
type decision struct {
	Status Status `json:"status"`
	// Until is when a snoozed one wakes, 0 for no time.
	Until int64 `json:"until,omitempty"`
	// From is the status a snoozed one wakes to.
	From    Status `json:"from,omitempty"`
	Wake    bool   `json:"wake,omitempty"`
	Waiting bool   `json:"waiting,omitempty"`
	Reason  string `json:"reason,omitempty"`
	// Title, Body and Due are edits; NoDue removes the proposal's date.
	Title *string `json:"title,omitempty"`
	Body  *string `json:"body,omitempty"`
	Due   int64   `json:"due,omitempty"`
	NoDue bool    `json:"noDue,omitempty"`
	// At and Revision are those of the last decision or edit, 0 for none; Edited
	// is the revision that the person saw at the last edit.
	At       int64 `json:"at,omitempty"`
	Revision int64 `json:"revision,omitempty"`
	Edited   int64 `json:"edited,omitempty"`
}

func (d decision) closed() bool { return d.Status == Done || d.Status == Dismissed }

// same reports whether two decisions say the same, whenever they were made.
func (d decision) same(e decision) bool {
	d.At, d.Revision, d.Edited = e.At, e.Revision, e.Edited
	return reflect.DeepEqual(d, e)
}

// settle returns the decision in another status, with the edits alone kept.
func (d decision) settle(to Status) decision {
	return decision{Status: to, Title: d.Title, Body: d.Body, Due: d.Due, NoDue: d.NoDue, At: d.At, Revision: d.Revision, Edited: d.Edited}
}

// wake is the decision after a snooze.
func (d decision) wake() decision { return d.settle(d.From) }

func (d decision) edits() (e Edits) {
	e.Title, e.Body = d.Title, d.Body
	if d.NoDue || d.Due != 0 {
		e.DueAt = &Due{At: timeOf(d.Due)}
	}
	return e
}

func (d decision) public() Decision {
	return Decision{
		Status: d.Status, SnoozedUntil: timeOf(d.Until), WakeOnActivity: d.Wake, Edits: d.edits(),
		DismissReason: d.Reason, Waiting: d.Waiting, DecidedAt: timeOf(d.At),
	}
}

// open reports whether a publication may still change the record.
func (r record) open() bool { return !r.erased && !r.decision.closed() }

// takenBack reports whether the record is a task of the person's whose making was
// undone: it is closed by the decision that it began with.
func (r record) takenBack() bool {
	return r.own && r.decision.Status == Dismissed && r.decision.Revision == r.proposalRevision
}

// dismissedAt is when the person dismissed the record, 0 for never.
func (r record) dismissedAt() int64 {
	if r.decision.Status != Dismissed {
		return 0
	}
	return r.decision.At
}

// first is the id of the first activity about the same thing.
func (r record) first() string {
	if r.root != "" {
		return r.root
	}
	return r.id
}

// far is the time in place_at of what no time wakes, in Unix milliseconds.
const far = 253402300799000

// place returns the list the record is in and its time there.
func (r record) place() (place View, at int64) {
	switch d := r.decision; {
	case r.erased:
		return placeErased, 0
	case d.Status == Snoozed && d.Until == 0:
		return ViewSnoozed, far
	case d.Status == Snoozed:
		return ViewSnoozed, d.Until
	case d.Status == Done:
		return ViewDone, d.At
	case d.Status == Dismissed:
		return ViewDismissed, d.At
	}
	return ViewTodo, 0
}

// placeErased is no view: what is erased is in no list.
const placeErased View = "erased"

// urgency is the smaller the more a proposal matters.
func (p Proposal) urgency() int {
	switch p.Priority {
	case PriorityHigh:
		return 0
	case PriorityLow:
		return 2
	}
	return 1
}

func (r record) public(known map[string]string) Activity {
	d := r.decision
	a := Activity{
		ID: r.id, Own: r.own, Erased: r.erased, Proposal: r.proposal, Decision: d.public(), ProposedBy: r.by,
		CreatedAt: moment(r.createdAt), ProposedAt: moment(r.proposedAt), ConfirmedAt: moment(r.confirmedAt), UpdatedAt: moment(r.updatedAt),
		DismissedBefore: timeOf(r.dismissedBefore), ConversationID: r.conversation, Revision: r.revision,
	}
	a.ChangedSinceDecision = d.At != 0 && r.proposalRevision > d.Revision
	a.SuggestionChanged = r.suggestionChanged()
	a.Stale = r.proposal.Withdrawn || r.sourceGone(known)
	return a
}

// suggestionChanged reports whether there is a proposal that the person has not
// seen beside their edits.
func (r record) suggestionChanged() bool {
	return !r.decision.edits().Empty() && r.proposalRevision > r.decision.Edited
}

// sourceGone reports whether the account of the source is connected no more.
func (r record) sourceGone(known map[string]string) bool {
	s := r.proposal.Source
	if s == nil || s.ConnectionID == "" {
		return false
	}
	_, ok := known[s.ConnectionID]
	return !ok
}

func moment(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// timeOf is the time of a stored one, nil for 0.
func timeOf(ms int64) *time.Time {
	if ms == 0 {
		return nil
	}
	t := moment(ms)
	return &t
}

// millis is a time as it is stored, 0 for nil.
func millis(t *time.Time) int64 {
	if t == nil {
		return 0
	}
	return t.UnixMilli()
}

// newestEvidence is the time of the newest excerpt, 0 for none.
func (p Proposal) newestEvidence() (at int64) {
	if p.Source == nil {
		return 0
	}
	for _, e := range p.Source.Excerpts {
		at = max(at, millis(e.At))
	}
	return at
}

// connectionID is the connection of the source, "" for none.
func (p Proposal) connectionID() string {
	if p.Source == nil {
		return ""
	}
	return p.Source.ConnectionID
}

// keyOf says what a proposal is about: the connection, the canonical address and
// the kind; "" without an address. It is a hash, so that it may stay when the
// text is erased.
func keyOf(connectionID, canonicalURL string, kind Kind) string {
	if canonicalURL == "" {
		return ""
	}
	return hash(connectionID, canonicalURL, string(kind))
}

// conversationOf names the conversation of a reply.
func conversationOf(p Proposal, canonicalURL, id string) string {
	s := p.Source
	switch {
	case p.Kind != KindReply:
		return ""
	case s != nil && s.ConversationKey != "":
		return hash(s.ConnectionID, "key", s.ConversationKey)
	case canonicalURL != "":
		return hash(s.ConnectionID, "url", canonicalURL)
	}
	return hash("", "id", id)
}

var hashEncoding = base32.HexEncoding.WithPadding(base32.NoPadding)

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return strings.ToLower(hashEncoding.EncodeToString(sum[:16]))
}
