package twitter

import (
	"context"
	"slices"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

const (
	// listCount is how many lists are asked for, maxLists how many are taken.
	listCount = 100
	maxLists  = 500
)

// Lists implements sns.Provider.
func (p *Provider) Lists(ctx context.Context, a sns.Account) ([]sns.List, error) {
	q := question{op: opLists, vars: map[string]any{"count": listCount}}
	r, err := p.ask(ctx, a, q)
	if err != nil {
		return nil, err
	}
	return readLists(r.data), nil
}

// readLists takes the lists that the account has or follows, not those that X
// recommends.
func readLists(v value) []sns.List {
	r := &reader{}
	for in := range v.get("instructions").elements() {
		r.instruction(in)
	}
	out := []sns.List{}
	take := func(list value) {
		id := list.get("id_str").str()
		known := slices.ContainsFunc(out, func(l sns.List) bool { return l.ID == id })
		if isNumber(id) && !known && len(out) < maxLists {
			out = append(out, sns.List{ID: id, Title: richtext.CutLine(list.get("name").str(), sns.MaxName)})
		}
	}
	for _, e := range r.entries {
		if skipped(e.id) || skipped(e.module) {
			continue
		}
		content := e.v.get("content")
		take(content.get("itemContent", "list"))
		take(e.v.get("item", "itemContent", "list"))
		for it := range content.get("items").elements() {
			take(it.get("item", "itemContent", "list"))
		}
	}
	return out
}
