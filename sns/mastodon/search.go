package mastodon

import (
	"context"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// maxOffset is how far a search goes: beyond it servers refuse or grow slow.
const maxOffset = 200

const searchEnds = "A search shows its first 200 posts; narrow it to find others."

// search reads statuses the server finds. It has no ids to continue from, only
// a count of what to leave out.
func (p *Provider) search(ctx context.Context, a sns.Account, s sns.Source, at position) (sns.UpstreamPage, error) {
	if at.offset >= maxOffset {
		return sns.UpstreamPage{Warnings: []string{searchEnds}}, nil
	}
	what := about(s.Kind, at)
	q := at.values()
	q.Set("q", s.Query)
	q.Set("type", "statuses")
	res, err := p.get(ctx, a, what, "/api/v2/search", q)
	if fault.CodeOf(err) == fault.Unsupported {
		return sns.UpstreamPage{Warnings: []string{hostOf(a) + " has no search for posts; use a hashtag instead."}}, nil
	}
	if err != nil {
		return sns.UpstreamPage{}, err
	}
	var found searchResults
	if err := decodeObject(res.body, &found); err != nil {
		return sns.UpstreamPage{}, changed(string(s.Kind)).Wrap(err)
	}
	page := newPage()
	page.addStatuses(p.mapper(a, what), found.Statuses, maxItems)
	next := position{offset: at.offset + pageSize}
	if page.count < pageSize {
		next = position{}
	} else if next.offset >= maxOffset {
		next = position{}
		page.page.Warnings = append(page.page.Warnings, searchEnds)
	}
	return page.done(next), nil
}
