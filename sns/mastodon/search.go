package mastodon

import (
	"context"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// maxOffset is how far a search goes: beyond it servers refuse or grow slow.
const maxOffset = 200

const searchEnds = "A search shows its first 200 posts; narrow it to find others."

// search reads statuses the server finds. They page by a count of what to leave
// out. A server that ignores the count is asked for what is below the last id
// instead, as long as it orders what it finds by id: otherwise that would lose
// some and repeat others.
func (p *Provider) search(ctx context.Context, a sns.Account, s sns.Source, at position, b *pageBuilder) (position, error) {
	if at.offset >= maxOffset {
		b.warn(searchEnds)
		return position{}, nil
	}
	found, err := p.find(ctx, a, s, at)
	if fault.CodeOf(err) == fault.Unsupported {
		b.warn(hostOf(a) + " has no search for posts; use a hashtag instead.")
		return position{}, nil
	}
	fresh := at.fresh(found)
	if err == nil && len(fresh) == 0 && at.maxID != "" && !at.byID {
		at.byID = true
		found, err = p.find(ctx, a, s, at)
		fresh = at.fresh(found)
	}
	if err != nil {
		return position{}, err
	}
	fresh = fresh[:min(len(fresh), maxOffset-at.offset)]
	b.take(batch{entries: fresh})
	next := at.afterFound(found, fresh)
	if next.offset >= maxOffset {
		b.warn(searchEnds)
		next = position{}
	}
	return next, nil
}

// find makes one search.
func (p *Provider) find(ctx context.Context, a sns.Account, s sns.Source, at position) ([]entry, error) {
	what := about(s.Kind, at)
	q := at.values()
	q.Set("q", s.Query)
	q.Set("type", "statuses")
	res, err := p.get(ctx, a, what, "/api/v2/search", q)
	if err != nil {
		return nil, err
	}
	var found searchResults
	if err := decodeObject(res.body, &found); err != nil {
		return nil, changed(string(s.Kind)).Wrap(err)
	}
	m := p.mapper(a, what)
	entries := []entry{}
	for _, raw := range found.Statuses[:min(len(found.Statuses), maxItems)] {
		entries = append(entries, m.entry(s, decodeItem[status](raw)))
	}
	return entries, nil
}

// fresh are the entries that were not found before, as far as their order tells.
// New posts push the ones above the place into it; a server that ignores the
// place repeats itself.
func (at position) fresh(found []entry) []entry {
	if at.maxID == "" || !at.byID && !descending(found) {
		return found
	}
	var out []entry
	for _, e := range found {
		if e.id == "" || compareIDs(e.id, at.maxID) < 0 {
			out = append(out, e)
		}
	}
	return out
}

// afterFound is where the next search begins. An answer that is less than half
// full is the last: servers leave out what the account may not see after they
// have counted, but hardly so much.
func (at position) afterFound(found, fresh []entry) position {
	if len(found) < pageSize/2 || len(fresh) == 0 {
		return position{}
	}
	low := lowest(fresh)
	switch {
	case at.byID && low == "":
		return position{}
	case at.byID:
		return position{byID: true, maxID: low, offset: at.offset + len(fresh)}
	case descending(found) && (at.offset == 0 || at.maxID != ""):
		return position{maxID: low, offset: at.offset + max(pageSize, len(found))}
	}
	return position{offset: at.offset + max(pageSize, len(found))}
}

// descending reports whether each entry's id is below that of the one before.
func descending(entries []entry) bool {
	last := ""
	for _, e := range entries {
		if e.id != "" && last != "" && compareIDs(e.id, last) >= 0 {
			return false
		}
		if e.id != "" {
			last = e.id
		}
	}
	return true
}

func lowest(entries []entry) string {
	low := ""
	for _, e := range entries {
		if sns.ValidID(e.id) && (low == "" || compareIDs(e.id, low) < 0) {
			low = e.id
		}
	}
	return low
}
