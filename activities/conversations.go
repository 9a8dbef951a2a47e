package activities

import (
	"cmp"
	"context"
	"slices"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// maxReplies is how many replies of a conversation are shown, the newest ones.
const maxReplies = 50

// Conversations returns the conversations of a list, newest evidence first.
func (s *Service) Conversations(ctx context.Context, q ConversationQuery) (list []Conversation, err error) {
	if q.Limit < 0 || q.Limit > MaxPage {
		return nil, fault.Invalid("limit", "The limit is 1 to %d.", MaxPage)
	}
	q.Limit, q.Filter = cmp.Or(q.Limit, 100), cmp.Or(q.Filter, NeedsReply)
	known, err := s.known(ctx)
	if err != nil {
		return nil, err
	}
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		ids, err := conversationIDs(tx, q.Filter)
		if err != nil {
			return err
		}
		for _, id := range ids[:min(len(ids), q.Limit)] {
			records, err := listConversation(tx, id, maxReplies)
			if err != nil {
				return err
			}
			list = append(list, conversation(records, known))
		}
		return nil
	})
	slices.SortStableFunc(list, func(a, b Conversation) int { return b.NewestAt.Compare(a.NewestAt) })
	return list, err
}

// conversationIDs returns the conversations of a list, newest first.
func conversationIDs(tx *sqlite.Tx, f ConversationFilter) ([]string, error) {
	todo, err := listHeads(tx, todoHeadsSQL)
	if err != nil || f == NeedsReply {
		return newestFirst(todo, nil), err
	}
	snoozed, err := listHeads(tx, snoozedHeadsSQL)
	if err != nil {
		return nil, err
	}
	switch f {
	case WaitingForThem:
		return newestFirst(slices.DeleteFunc(snoozed, func(h head) bool { return !h.waiting }), todo), nil
	case SnoozedReplies:
		return newestFirst(slices.DeleteFunc(snoozed, func(h head) bool { return h.waiting }), todo), nil
	case DoneReplies:
		done, err := listHeads(tx, doneHeadsSQL)
		return newestFirst(done, slices.Concat(todo, snoozed)), err
	}
	return nil, fault.Invalid("filter", "There is no such list; choose another.")
}

// newestFirst returns the conversations of the heads that have none among the
// others, each once.
func newestFirst(heads, without []head) (ids []string) {
	seen := map[string]bool{}
	for _, h := range without {
		seen[h.conversation] = true
	}
	slices.SortStableFunc(heads, func(a, b head) int { return cmp.Compare(b.at, a.at) })
	for _, h := range heads {
		if !seen[h.conversation] {
			ids = append(ids, h.conversation)
		}
		seen[h.conversation] = true
	}
	return ids
}

// Conversation returns one conversation, or a not_found fault.
func (s *Service) Conversation(ctx context.Context, id string) (c Conversation, err error) {
	known, err := s.known(ctx)
	if err != nil {
		return c, err
	}
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		records, err := listConversation(tx, id, maxReplies)
		if err != nil {
			return err
		}
		if len(records) == 0 {
			return fault.Missing("conversation", "There is no such conversation; its replies may have been erased.")
		}
		c = conversation(records, known)
		return nil
	})
	return c, err
}

// conversation makes one of its replies, of which there is at least one.
func conversation(records []record, known map[string]string) (c Conversation) {
	slices.SortStableFunc(records, func(a, b record) int {
		return cmp.Or(-compareBool(a.todo(), b.todo()), cmp.Compare(b.newestAt(), a.newestAt()), cmp.Compare(b.seq, a.seq))
	})
	c.ID = records[0].conversation
	for _, r := range records {
		c.Activities = append(c.Activities, r.public(known))
		if at := moment(r.newestAt()); at.After(c.NewestAt) {
			c.NewestAt = at
		}
		c.describe(r.proposal.Source)
	}
	slices.SortStableFunc(c.Excerpts, func(a, b Excerpt) int { return cmp.Compare(millis(a.At), millis(b.At)) })
	return c
}

// describe fills what is still unknown of the conversation from a reply's source.
func (c *Conversation) describe(s *Source) {
	if s == nil {
		return
	}
	c.Title = cmp.Or(c.Title, s.ConversationTitle)
	c.ConnectionID, c.Network = cmp.Or(c.ConnectionID, s.ConnectionID), cmp.Or(c.Network, s.Network)
	if c.Author == nil {
		c.Author = s.Author
	}
	for _, e := range s.Excerpts {
		if !slices.ContainsFunc(c.Excerpts, e.equal) {
			c.Excerpts = append(c.Excerpts, e)
		}
	}
}

func (e Excerpt) equal(o Excerpt) bool {
	return e.Text == o.Text && e.Warning == o.Warning && e.Author == o.Author && e.URL == o.URL && millis(e.At) == millis(o.At)
}

// todo reports whether the record needs the person now.
func (r record) todo() bool {
	place, _ := r.place()
	return place == ViewTodo
}

// newestAt is the time of the newest evidence, else of the record.
func (r record) newestAt() int64 { return cmp.Or(r.evidenceAt, r.createdAt) }

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
