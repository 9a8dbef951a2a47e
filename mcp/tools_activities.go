package mcp

import (
	"context"
	"time"

	"personal-workspace/activities"
)

const (
	contextTool = "get_activity_context"
	publishTool = "publish_activities"
)

// proposal is activities.Proposal as a tool's input. The lengths are the
// service's to enforce; the schema tells them in advance.
type proposal struct {
	ID        string     `json:"id,omitempty" limit:"max=64 pattern=^[A-Za-z0-9][A-Za-z0-9_-]*$"`
	Kind      string     `json:"kind" limit:"enum=task|reply"`
	Title     string     `json:"title" limit:"min=1 max=200"`
	Body      string     `json:"body,omitempty" limit:"max=8000" jsonschema:"Notes, or the text of the reply"`
	Reason    string     `json:"reason,omitempty" limit:"max=1000"`
	DueAt     *time.Time `json:"dueAt,omitempty"`
	Priority  string     `json:"priority,omitempty" limit:"enum=low|normal|high"`
	Source    *origin    `json:"source,omitempty"`
	Withdrawn bool       `json:"withdrawn,omitempty" jsonschema:"No longer right"`
}

// origin is activities.Source as a tool's input.
type origin struct {
	ConnectionID      string        `json:"connectionId,omitempty"`
	Network           string        `json:"network,omitempty"`
	URL               string        `json:"url,omitempty"`
	ConversationKey   string        `json:"conversationKey,omitempty"`
	ConversationTitle string        `json:"conversationTitle,omitempty"`
	Author            *originAuthor `json:"author,omitempty"`
	Excerpts          []excerpt     `json:"excerpts,omitempty" limit:"max=10"`
}

type originAuthor struct {
	Name   string `json:"name,omitempty"`
	Handle string `json:"handle,omitempty"`
	URL    string `json:"url,omitempty"`
}

type excerpt struct {
	Text   string     `json:"text" limit:"min=1 max=2000"`
	Author string     `json:"author,omitempty"`
	At     *time.Time `json:"at,omitempty"`
	URL    string     `json:"url,omitempty"`
}

// activity says the proposal to the service.
func (p proposal) activity() activities.Proposal {
	return activities.Proposal{
		ID: p.ID, Kind: activities.Kind(p.Kind), Title: p.Title, Body: p.Body, Reason: p.Reason, DueAt: p.DueAt,
		Priority: activities.Priority(p.Priority), Source: p.Source.source(), Withdrawn: p.Withdrawn,
	}
}

func (o *origin) source() *activities.Source {
	if o == nil {
		return nil
	}
	out := &activities.Source{
		ConnectionID: o.ConnectionID, Network: o.Network, URL: o.URL, ConversationKey: o.ConversationKey,
		ConversationTitle: o.ConversationTitle, Author: (*activities.Author)(o.Author),
	}
	for _, e := range o.Excerpts {
		out.Excerpts = append(out.Excerpts, activities.Excerpt{Text: e.Text, Author: e.Author, At: e.At, URL: e.URL})
	}
	return out
}

type publishInput struct {
	RequestID        string     `json:"requestId" limit:"max=64 pattern=^[A-Za-z0-9][A-Za-z0-9_-]*$" jsonschema:"New for each publication, the same when you repeat one"`
	ExpectedRevision int64      `json:"expectedRevision" limit:"min=0" jsonschema:"From get_activity_context"`
	Activities       []proposal `json:"activities" limit:"min=1 max=100"`
}

// receipt is activities.Receipt as a result.
type receipt struct {
	RequestID  string    `json:"requestId"`
	Revision   int64     `json:"revision" jsonschema:"The expectedRevision of the next publication"`
	Activities []outcome `json:"activities"`
}

type outcome struct {
	ID          string     `json:"id"`
	Outcome     string     `json:"outcome" limit:"enum=created|updated|unchanged|kept_decision"`
	DismissedAt *time.Time `json:"dismissedAt,omitempty"`
}

func (t *tools) publishActivities() (tool, error) {
	return define(definition[publishInput, receipt]{
		name:  publishTool,
		title: "Propose tasks and replies",
		about: "Proposes tasks and reply drafts to the person, who alone decides. " +
			"Use it after get_activity_context, against its revision; on stale_revision read that again and send what is still right. " +
			"All or nothing. If an answer is lost, repeat the call unchanged: you get the same receipt. " +
			"Each entry is a whole proposal; with its id, or the url and kind of an open one, it updates that. " +
			"It changes no decision and no text the person edited; kept_decision: leave it to the person. " +
			"A reply is a draft that nobody but the person sends: it is never sent from here. " +
			"Give evidence in source.excerpts. " + thirdParty + " Next: get_activity_context.",
		hints: hints{idempotent: true},
		call:  t.publish,
	})
}

func (in publishInput) publication() activities.Publication {
	p := activities.Publication{RequestID: in.RequestID, ExpectedRevision: in.ExpectedRevision, Activities: make([]activities.Proposal, len(in.Activities))}
	for i, a := range in.Activities {
		p.Activities[i] = a.activity()
	}
	return p
}

func (t *tools) publish(ctx context.Context, in publishInput) (receipt, error) {
	r, err := t.activities.Publish(ctx, in.publication())
	if err != nil {
		return receipt{}, err
	}
	out := receipt{RequestID: r.RequestID, Revision: r.Revision, Activities: make([]outcome, len(r.Activities))}
	for i, o := range r.Activities {
		out.Activities[i] = outcome(o)
	}
	return out, nil
}

type contextInput struct {
	ActivityIDs []string `json:"activityIds,omitempty" limit:"max=100"`
	Cursor      string   `json:"cursor,omitempty"`
	Limit       int      `json:"limit,omitempty" limit:"min=1 max=100"`
}

type contextPage struct {
	Revision   int64      `json:"revision" jsonschema:"The expectedRevision of the next publication"`
	Activities []activity `json:"activities"`
	NextCursor *string    `json:"nextCursor" jsonschema:"null at the end" limit:"nullable"`

	page activities.ContextPage
}

func (t *tools) getActivityContext() (tool, error) {
	return define(definition[contextInput, contextPage]{
		name:  contextTool,
		title: "Read proposals and decisions",
		about: "Lists proposed tasks and replies, newest first, with what the person decided and wrote, and the revision to publish against; " +
			"use it before each publish_activities, also to see what became of yours. edits replace the proposal's members. " +
			"dismissed is a lasting no (dismissReason says why): do not propose it again, unless a newer post is in its excerpts. " +
			"Lists cut long texts (truncated); one id in activityIds gets as much as fits. It cannot decide anything. " +
			thirdParty + " " + nextPage,
		hints: hints{readOnly: true, idempotent: true},
		call:  t.context,
		fit:   contextPage.fit,
	})
}

func (t *tools) context(ctx context.Context, in contextInput) (contextPage, error) {
	p, err := t.activities.Context(ctx, activities.ContextQuery{IDs: in.ActivityIDs, Cursor: in.Cursor, Limit: in.Limit})
	if err != nil {
		return contextPage{}, err
	}
	out := contextPage{Revision: p.Revision, Activities: make([]activity, len(p.Activities)), page: p}
	for i, a := range p.Activities {
		if out.Activities[i] = activityOf(a); len(in.ActivityIDs) != 1 {
			out.Activities[i] = out.Activities[i].listed()
		}
	}
	return out.until(len(p.Activities)), nil
}

// maxFrame is more than a page has beside its activities, in bytes.
const maxFrame = 500

// until is the page's first n activities, with the cursor that continues after
// them.
func (p contextPage) until(n int) contextPage {
	next := p.page.NextCursor
	if n < len(p.Activities) {
		p.Activities, next = p.Activities[:n], p.page.CursorAfter(n-1)
	}
	p.NextCursor = nil
	if next != "" {
		p.NextCursor = &next
	}
	return p
}

// fit drops activities from the end until the page's JSON has at most limit
// bytes. The first always stays, in a shorter form if need be: a page must move
// on.
func (p contextPage) fit(limit int) (contextPage, error) {
	kept, left, err := pack(p.Activities, maxFrame, limit)
	if err != nil || left == 0 {
		return p, err
	}
	if len(kept) > 0 {
		return p.until(len(kept)), nil
	}
	p = p.until(1)
	p.Activities[0], err = p.Activities[0].within(limit - maxFrame)
	return p, err
}
