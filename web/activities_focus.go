package web

import (
	"context"
	"slices"

	"personal-workspace/activities"
	"personal-workspace/web/view"
)

// alone shows one card of a view, with where it stands among all.
func (b *activityCards) alone(ctx context.Context, in *view.Inbox, q activities.Query) error {
	order, err := b.h.activities.Order(ctx, q)
	if err != nil {
		return err
	}
	s := b.state
	in.Next = ""
	in.Focus = &view.FocusMode{Of: len(order) + s.done, End: b.site.Inbox(homeState{view: s.view, kind: s.kind, account: s.account, by: s.by}.query())}
	if len(order) == 0 {
		in.Empty = "Nothing needs you."
		return b.addLines(ctx, in, nil)
	}
	at := s.spotIn(order)
	b.state.spot = at
	in.From = b.from(-1)
	a, err := b.h.activities.Get(ctx, order[at].ID)
	if err != nil {
		return err
	}
	card, err := b.card(ctx, a)
	if err != nil {
		return err
	}
	card.Focus, card.Plain, card.From = true, true, b.from(at)
	b.focused = true
	in.Focus.Place = at + 1 + s.done
	if at > 0 {
		in.Focus.Before = b.site.Inbox(s.focused(order[at-1].ID, at-1).query())
	}
	if at+1 < len(order) {
		in.Focus.After = b.site.Inbox(s.focused(order[at+1].ID, at+1).query())
		card.From = append(card.From, view.Hidden{Name: "next", Value: order[at+1].ID})
	}
	return b.addLines(ctx, in, []listItem{{order[at].Group, view.InboxItem{Card: &card}}})
}

// spotIn is where the card stands that is to be shown: if it is not there any
// more, that of the one that took its place.
func (s homeState) spotIn(order []activities.Ordered) int {
	at := slices.IndexFunc(order, func(o activities.Ordered) bool { return o.ID == s.at })
	if at < 0 && s.at != "" {
		at = min(s.spot, len(order)-1)
	}
	return max(at, 0)
}

// addLines puts the lines of what was just decided before the one card, if any.
func (b *activityCards) addLines(ctx context.Context, in *view.Inbox, list []listItem) error {
	for _, d := range b.state.decided {
		row, err := b.row(ctx, d)
		if err != nil {
			return err
		}
		if row != nil {
			list = putRow(list, decidedPart{0, d.change, d.id}, row)
		}
	}
	in.Groups = grouped(list, activities.Page{}, b.state.view)
	return nil
}

// afterDecision is the state of the focus mode after a decision about its card: the next
// one, but the same for a reply that is still to be sent.
func (s homeState) afterDecision(part decidedPart, a activities.Activity, next string) homeState {
	spot := part.place
	switch {
	case keepsCard(a):
		return s.focused(part.id, spot)
	case s.has(a):
		s = s.focused(next, spot+1)
	default:
		s = s.focused(next, spot)
		s.done++
	}
	s.decided = []decidedPart{{0, part.change, part.id}}
	return s
}

// has reports whether an activity is in the view of the list.
func (s homeState) has(a activities.Activity) bool { return s.shows(a.Decision.Status) }

func (s homeState) shows(status activities.Status) bool {
	switch s.view {
	case activities.ViewAll:
		return true
	case activities.ViewTodo:
		return status == activities.Proposed || status == activities.Accepted
	}
	return string(status) == string(s.view)
}

// returned is the state of the focus mode after decisions were taken back: those
// that came back to the list are not counted as decided any more.
func (h *Handler) returned(ctx context.Context, s homeState, list []activities.Activity) (homeState, error) {
	if !s.focus {
		return s, nil
	}
	for _, a := range list {
		history, err := h.activities.History(ctx, a.ID)
		if err != nil {
			return s, err
		}
		if len(history) > 0 && s.has(a) && !s.shows(history[0].From) {
			s.done = max(s.done-1, 0)
		}
	}
	return s, nil
}
