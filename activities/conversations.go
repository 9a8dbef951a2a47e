package activities

import (
	"cmp"
	"context"
	"math"
	"slices"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// maxReplies is how many replies of a conversation are shown at once.
const maxReplies = 50

// Conversations returns a page of a list, newest evidence first. Every reply of a
// conversation counts for that, so that a decision moves none but those that leave
// the list.
func (s *Service) Conversations(ctx context.Context, q ConversationQuery) (p ConversationPage, err error) {
	if q.Limit < 0 || q.Limit > MaxPage {
		return p, fault.Invalid("limit", "The limit is 1 to %d.", MaxPage)
	}
	q.Limit = cmp.Or(q.Limit, 100)
	after, err := parseTalkPlace(q.After)
	if err != nil {
		return p, err
	}
	known, err := s.known(ctx)
	if err != nil {
		return p, err
	}
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		all, most, err := talkPlaces(tx, q.Filter)
		if err != nil {
			return err
		}
		p.Total, p.Most = len(all), most
		list := behind(all, after)
		if len(list) > q.Limit {
			list = list[:q.Limit]
			p.Next = list[q.Limit-1].String()
		}
		for _, at := range list {
			c, err := readConversation(tx, at.conversation, "", known)
			if err != nil {
				return err
			}
			c.NewestAt = moment(at.at)
			p.Conversations = append(p.Conversations, c)
		}
		return nil
	})
	return p, err
}

// NextConversation returns the conversation that follows one in a list, or the
// first when none follows; listed reports whether the one is itself in the list.
// Without another one the conversation's ID is "".
func (s *Service) NextConversation(ctx context.Context, filter ConversationFilter, id string) (next Conversation, listed bool, err error) {
	known, err := s.known(ctx)
	if err != nil {
		return next, false, err
	}
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		all, _, err := talkPlaces(tx, filter)
		if err != nil {
			return err
		}
		listed = slices.ContainsFunc(all, func(p talkPlace) bool { return p.conversation == id })
		all = slices.DeleteFunc(all, func(p talkPlace) bool { return p.conversation == id })
		if len(all) == 0 {
			return nil
		}
		here, err := findTalkPlace(tx, id)
		if err != nil {
			return err
		}
		to := all[0]
		if list := behind(all, here); len(list) > 0 {
			to = list[0]
		}
		next, err = readConversation(tx, to.conversation, "", known)
		return err
	})
	return next, listed, err
}

// talkPlaces returns where the conversations of a list stand in it, in order, and
// how many replies the list is made of if there may be more, else 0.
func talkPlaces(tx *sqlite.Tx, f ConversationFilter) (list []talkPlace, most int, err error) {
	todo, err := listHeads(tx, todoHeadsSQL, mostOpen)
	if err != nil || f == NeedsReply || f == "" {
		return newestFirst(todo, nil), full(todo, mostOpen), err
	}
	snoozed, err := listHeads(tx, snoozedHeadsSQL, mostOpen)
	if err != nil {
		return nil, 0, err
	}
	switch f {
	case WaitingForThem, SnoozedReplies:
		other := func(h head) bool { return h.waiting != (f == WaitingForThem) }
		most = full(snoozed, mostOpen)
		return newestFirst(slices.DeleteFunc(snoozed, other), todo), most, nil
	case DoneReplies:
		done, err := listHeads(tx, doneHeadsSQL, mostDone)
		return newestFirst(done, slices.Concat(todo, snoozed)), full(done, mostDone), err
	}
	return nil, 0, fault.Invalid("filter", "There is no such list; choose another.")
}

// full returns most when the heads are so many, else 0.
func full(heads []head, most int) int {
	if len(heads) < most {
		return 0
	}
	return most
}

// newestFirst returns the conversations of the heads that have none among the
// others, each once.
func newestFirst(heads, without []head) (list []talkPlace) {
	seen := map[string]bool{}
	for _, h := range without {
		seen[h.conversation] = true
	}
	for _, h := range heads {
		if !seen[h.conversation] {
			list = append(list, h.talkPlace)
		}
		seen[h.conversation] = true
	}
	slices.SortFunc(list, talkPlace.compare)
	return list
}

// Conversation returns one conversation with its replies behind a cursor, "" for
// the first of them, or a not_found fault.
func (s *Service) Conversation(ctx context.Context, id, after string) (c Conversation, err error) {
	known, err := s.known(ctx)
	if err != nil {
		return c, err
	}
	err = s.db.Read(ctx, func(tx *sqlite.Tx) (err error) {
		c, err = readConversation(tx, id, after, known)
		return err
	})
	return c, err
}

// readConversation reads one with a page of its replies: those that need the
// person first, then the newest.
func readConversation(tx *sqlite.Tx, id, after string, known map[string]string) (c Conversation, err error) {
	from := position{list: listReplies, seq: math.MaxInt64}
	if after != "" {
		if from, err = parsePosition(after, listReplies); err != nil {
			return c, err
		}
	}
	records, err := listConversation(tx, id, from, maxReplies+1)
	if err != nil {
		return c, err
	}
	if len(records) == 0 {
		return c, fault.Missing("conversation", "There is no such conversation; its replies may have been erased.")
	}
	next := ""
	if len(records) > maxReplies {
		records = records[:maxReplies]
		last := records[maxReplies-1]
		next = position{listReplies, last.rank(), 0, last.seq}.String()
	}
	c = conversation(records, known)
	c.NextReplies = next
	return c, nil
}

// conversation makes one of its replies, of which there is at least one.
func conversation(records []record, known map[string]string) (c Conversation) {
	slices.SortStableFunc(records, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.newestAt(), a.newestAt()), cmp.Compare(b.seq, a.seq))
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

// rank is 0 for what needs the person now, else 1.
func (r record) rank() int64 {
	if place, _ := r.place(); place == ViewTodo {
		return 0
	}
	return 1
}

// newestAt is the time of the newest evidence, else of the record.
func (r record) newestAt() int64 { return cmp.Or(r.evidenceAt, r.createdAt) }
