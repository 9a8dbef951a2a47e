package mcp

import (
	"slices"
	"time"

	"personal-workspace/activities"
	"personal-workspace/internal/richtext"
)

// Limits of an activity's texts in a list, in code points. Who asks for one
// activity alone gets all of them.
const (
	maxListedBody    = 2000
	maxListedExcerpt = 300
)

// activity is an activity as an assistant needs it: what was proposed, what the
// person made of it, nothing that is empty, and no character that a person does
// not see.
type activity struct {
	ID         string   `json:"id"`
	Own        bool     `json:"own,omitempty" jsonschema:"The person's own: leave it as it is"`
	ProposedBy string   `json:"proposedBy,omitempty"`
	Proposal   proposed `json:"proposal"`
	Edits      *edits   `json:"edits,omitempty" jsonschema:"The person's words instead of the proposal's" limit:"shallow"`
	Decision   decision `json:"decision"`
	// ChangedSinceDecision is left out as long as nothing is decided.
	ChangedSinceDecision bool       `json:"changedSinceDecision,omitempty" jsonschema:"The proposal is newer than the decision"`
	Stale                bool       `json:"stale,omitempty" jsonschema:"Withdrawn, or its account is gone"`
	Erased               bool       `json:"erased,omitempty" jsonschema:"The person removed its text"`
	DismissedBefore      *time.Time `json:"dismissedBefore,omitempty" jsonschema:"Newer evidence brought it back once"`
	CreatedAt            time.Time  `json:"createdAt"`
	Truncated            bool       `json:"truncated,omitempty" jsonschema:"This id asked for alone gives as much as an answer holds"`
}

// proposed is the proposal, whose id is the activity's.
type proposed struct {
	Kind      activities.Kind     `json:"kind"`
	Title     string              `json:"title"`
	Body      string              `json:"body,omitempty"`
	Reason    string              `json:"reason,omitempty"`
	DueAt     *time.Time          `json:"dueAt,omitempty"`
	Priority  activities.Priority `json:"priority,omitempty"`
	Source    *origin             `json:"source,omitempty" jsonschema:"As published; its texts are third-party content" limit:"shallow"`
	Withdrawn bool                `json:"withdrawn,omitempty"`
}

// edits are the members that the person changed; a nil one is as proposed.
type edits struct {
	Title *string `json:"title,omitempty"`
	Body  *string `json:"body,omitempty"`
	// DueAt points to nil when the person removed the date.
	DueAt **time.Time `json:"dueAt,omitempty" limit:"nullable"`
}

type decision struct {
	Status         activities.Status `json:"status" jsonschema:"proposed (undecided), accepted, snoozed, done or dismissed"`
	SnoozedUntil   *time.Time        `json:"snoozedUntil,omitempty"`
	WakeOnActivity bool              `json:"wakeOnActivity,omitempty"`
	Waiting        bool              `json:"waiting,omitempty" jsonschema:"For somebody else"`
	DismissReason  string            `json:"dismissReason,omitempty"`
	DecidedAt      *time.Time        `json:"decidedAt,omitempty"`
}

// activityOf makes the whole form of a, with every text.
func activityOf(a activities.Activity) activity {
	out := activity{
		ID: a.ID, Own: a.Own, Proposal: proposedOf(a.Proposal), Edits: editsOf(a.Decision.Edits),
		Decision: decision{
			Status: a.Decision.Status, SnoozedUntil: a.Decision.SnoozedUntil, WakeOnActivity: a.Decision.WakeOnActivity,
			Waiting: a.Decision.Waiting, DismissReason: richtext.ForModel(a.Decision.DismissReason), DecidedAt: a.Decision.DecidedAt,
		},
		ChangedSinceDecision: a.ChangedSinceDecision, Stale: a.Stale, Erased: a.Erased, DismissedBefore: a.DismissedBefore, CreatedAt: a.CreatedAt,
	}
	if !a.Own {
		out.ProposedBy = richtext.ForModel(a.ProposedBy.ClientName)
	}
	return out
}

func proposedOf(p activities.Proposal) proposed {
	return proposed{
		Kind: p.Kind, Title: richtext.ForModel(p.Title), Body: richtext.ForModel(p.Body), Reason: richtext.ForModel(p.Reason),
		DueAt: p.DueAt, Priority: p.Priority, Source: originOf(p.Source), Withdrawn: p.Withdrawn,
	}
}

func originOf(s *activities.Source) *origin {
	if s == nil {
		return nil
	}
	out := &origin{
		ConnectionID: s.ConnectionID, Network: s.Network, URL: s.URL, ConversationKey: s.ConversationKey,
		ConversationTitle: richtext.ForModel(s.ConversationTitle),
	}
	if a := s.Author; a != nil {
		out.Author = &originAuthor{Name: richtext.ForModel(a.Name), Handle: richtext.ForModel(a.Handle), URL: a.URL}
	}
	for _, e := range s.Excerpts {
		out.Excerpts = append(out.Excerpts, excerpt{Text: richtext.ForModel(e.Text), Author: richtext.ForModel(e.Author), At: e.At, URL: e.URL})
	}
	return out
}

func editsOf(e activities.Edits) *edits {
	if e.Empty() {
		return nil
	}
	out := &edits{Title: cleaned(e.Title), Body: cleaned(e.Body)}
	if e.DueAt != nil {
		out.DueAt = &e.DueAt.At
	}
	return out
}

func cleaned(s *string) *string {
	if s == nil {
		return nil
	}
	return new(richtext.ForModel(*s))
}

// listed cuts the texts to what a list shows.
func (out activity) listed() activity {
	out.clipBody()
	out.clipEdits()
	out.clipExcerpts()
	return out
}

func (out *activity) clipBody() { out.Proposal.Body = out.clip(out.Proposal.Body, maxListedBody) }

func (out *activity) clipEdits() {
	if out.Edits != nil && out.Edits.Body != nil {
		cut := *out.Edits
		cut.Body = new(out.clip(*cut.Body, maxListedBody))
		out.Edits = &cut
	}
}

func (out *activity) clipExcerpts() {
	if out.Proposal.Source == nil {
		return
	}
	cut := *out.Proposal.Source
	cut.Excerpts = slices.Clone(cut.Excerpts)
	for i := range cut.Excerpts {
		cut.Excerpts[i].Text = out.clip(cut.Excerpts[i].Text, maxListedExcerpt)
	}
	out.Proposal.Source = &cut
}

// clip cuts a text and notes that it did.
func (out *activity) clip(s string, limit int) string {
	s, cut := clip(s, limit)
	out.Truncated = out.Truncated || cut
	return s
}

// within returns the activity with as much of its texts as limit bytes of JSON
// hold: without the ends of its excerpts, then of its body, then of what the person
// made of that, then without excerpts.
func (out activity) within(limit int) (activity, error) {
	for _, shorten := range []func(*activity){
		func(*activity) {}, (*activity).clipExcerpts, (*activity).clipBody, (*activity).clipEdits, (*activity).dropExcerpts,
	} {
		shorten(&out)
		if text, err := compact(out); err != nil || len(text) <= limit {
			return out, err
		}
	}
	return out, nil
}

func (out *activity) dropExcerpts() {
	if out.Proposal.Source != nil {
		out.Proposal.Source.Excerpts, out.Truncated = nil, true
	}
}
