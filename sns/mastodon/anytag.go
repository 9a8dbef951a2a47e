package mastodon

import (
	"context"
	"slices"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// anyTag reads posts with the source's hashtag or with one of its Any. A server
// that knows any[] shows that by a post that has only one of those; until it did,
// their timelines are read as well and laid together with its own answer, which
// changes nothing where the answer was complete.
func (p *Provider) anyTag(ctx context.Context, a sns.Account, s sns.Source, at position, b *pageBuilder) (position, error) {
	own, err := p.statuses(ctx, a, s, at)
	if err != nil || p.knowsAny(a, s, own) {
		return b.take(own), err
	}
	parts := []batch{own}
	for _, name := range s.Any {
		one := s
		one.Tag, one.Any = name, nil
		part, err := p.statuses(ctx, a, one, at)
		if err != nil {
			if f := fault.From(err); f.Code == fault.Canceled || f.Code == fault.Timeout {
				return position{}, err
			}
			b.page.Partial = true
			b.warn(hostOf(a) + " may have left out posts with only one of the other hashtags; ask again later.")
			return b.take(own), nil
		}
		parts = append(parts, part)
	}
	return b.take(union(parts)), nil
}

// knowsAny reports whether the server has shown that it knows any[], now or
// before.
func (p *Provider) knowsAny(a sns.Account, s sns.Source, own batch) bool {
	if _, known := p.anyServers.Load(a.Origin); known {
		return true
	}
	tag := foldTag(s.Tag)
	shown := slices.ContainsFunc(own.entries, func(e entry) bool { return e.verdict == keep && !tagsOf(e.status, e.post)[tag] })
	if shown {
		p.anyServers.Store(a.Origin, true)
	}
	return shown
}

// union lays the answers of several hashtags together, newest first. It goes
// down to where the first answer ends: what stands below comes with the next
// page, for which all are asked from there.
func union(parts []batch) batch {
	var out batch
	floor := ""
	for _, part := range parts {
		out.partial = out.partial || part.partial
		out.entries = append(out.entries, part.entries...)
		if id := part.next.maxID; id != "" && (floor == "" || compareIDs(id, floor) > 0) {
			floor = id
		}
	}
	out.entries = slices.DeleteFunc(out.entries, func(e entry) bool { return e.id != "" && compareIDs(e.id, floor) < 0 })
	slices.SortStableFunc(out.entries, func(x, y entry) int { return compareIDs(y.id, x.id) })
	out.next.maxID = floor
	return out
}
