package mastodon

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// timeline reads the sources that are lists of statuses.
func (p *Provider) timeline(ctx context.Context, a sns.Account, s sns.Source, at position, b *pageBuilder) (position, error) {
	if len(s.Any) > 0 {
		return p.anyTag(ctx, a, s, at, b)
	}
	answer, err := p.statuses(ctx, a, s, at)
	return b.take(answer), err
}

// batch is one answer with statuses.
type batch struct {
	entries []entry
	partial bool
	// next is where the answer after this one begins.
	next position
}

// entry is one of them, with what is made of it.
type entry struct {
	// id is the server's, "" of what could not be read.
	id      string
	status  *status
	post    sns.Post
	verdict verdict
}

// take adds the entries of an answer and returns where the next one begins.
func (b *pageBuilder) take(from batch) position {
	for _, e := range from.entries {
		b.add(e.id, e.post, e.verdict)
	}
	b.page.Partial = b.page.Partial || from.partial
	return from.next
}

// statuses reads one answer of a timeline.
func (p *Provider) statuses(ctx context.Context, a sns.Account, s sns.Source, at position) (batch, error) {
	what := about(s.Kind, at)
	res, err := p.readTimeline(ctx, a, s, at, what)
	if s.Kind == sns.KindHashtag && unknownTag(err) {
		return batch{}, nil
	}
	if err != nil {
		return batch{}, err
	}
	m, out, last := p.mapper(a, what), batch{partial: res.partial}, ""
	err = eachItem(res.body, maxItems, func(raw []byte) {
		e := m.entry(s, decodeItem[status](raw))
		out.entries = append(out.entries, e)
		if sns.ValidID(e.id) {
			last = e.id
		}
	})
	if err != nil {
		return batch{}, changed(string(s.Kind)).Wrap(err)
	}
	out.next = at.next(what, res.link, last, len(out.entries))
	return out, nil
}

// entry maps a status of a source.
func (m *mapper) entry(s sns.Source, st *status) entry {
	post, v := m.post(st)
	if v == keep && !m.fits(s, st, post) {
		v = hide
	}
	return entry{st.id(), st, post, v}
}

// id is the status's id, "" of what could not be read.
func (st *status) id() string {
	if st == nil {
		return ""
	}
	return string(st.ID)
}

// unknownTag reports whether the server says that it does not know a hashtag: one
// that nobody used yet is an empty timeline.
func unknownTag(err error) bool {
	e, ok := errors.AsType[*statusError](err)
	return ok && e.status == http.StatusNotFound
}

func (p *Provider) readTimeline(ctx context.Context, a sns.Account, s sns.Source, at position, what subject) (answer, error) {
	switch s.Kind {
	case sns.KindLocal, sns.KindFederated:
		return p.public(ctx, a, s, at, what)
	case sns.KindHashtag:
		return p.hashtag(ctx, a, s, at, what)
	case sns.KindUser:
		return p.user(ctx, a, s, at, what)
	}
	return p.call(ctx, a, what, func(c *api.Client) error {
		var err error
		switch s.Kind {
		case sns.KindHome:
			_, err = c.GetTimelineHome(ctx, at.pagination())
		case sns.KindList:
			_, err = c.GetTimelineList(ctx, api.ID(s.ListID), at.pagination())
		case sns.KindBookmarks:
			_, err = c.GetBookmarks(ctx, at.pagination())
		case sns.KindFavourites:
			_, err = c.GetFavourites(ctx, at.pagination())
		}
		return err
	})
}

// public reads the local or the federated timeline. The library lacks the
// parameters only_media and remote.
func (p *Provider) public(ctx context.Context, a sns.Account, s sns.Source, at position, what subject) (answer, error) {
	local := s.Kind == sns.KindLocal
	if !s.OnlyMedia && !s.RemoteOnly {
		return p.call(ctx, a, what, func(c *api.Client) error {
			_, err := c.GetTimelinePublic(ctx, local, at.pagination())
			return err
		})
	}
	q := at.values()
	setTrue(q, "local", local)
	setTrue(q, "remote", s.RemoteOnly)
	setTrue(q, "only_media", s.OnlyMedia)
	return p.get(ctx, a, what, "/api/v1/timelines/public", q)
}

func (p *Provider) hashtag(ctx context.Context, a sns.Account, s sns.Source, at position, what subject) (answer, error) {
	if !s.OnlyMedia {
		return p.call(ctx, a, what, func(c *api.Client) error {
			narrow := &api.TagData{Any: s.Any, All: s.All, None: s.None}
			_, err := c.GetTimelineHashtagMultiple(ctx, s.Tag, s.LocalOnly, narrow, at.pagination())
			return err
		})
	}
	q := at.values()
	q["any[]"], q["all[]"], q["none[]"] = s.Any, s.All, s.None
	setTrue(q, "local", s.LocalOnly)
	setTrue(q, "only_media", true)
	return p.get(ctx, a, what, "/api/v1/timelines/tag/"+url.PathEscape(s.Tag), q)
}

func (p *Provider) user(ctx context.Context, a sns.Account, s sns.Source, at position, what subject) (answer, error) {
	id, err := p.accountID(ctx, a, s.Account)
	if err != nil {
		return answer{}, err
	}
	q := url.Values{}
	setTrue(q, "exclude_replies", s.ExcludeReplies)
	setTrue(q, "exclude_reblogs", s.ExcludeBoosts)
	setTrue(q, "only_media", s.OnlyMedia)
	res, err := p.call(ctx, a, what, func(c *api.Client) error {
		_, err := c.GetAccountStatusesParams(ctx, api.ID(id), q, at.pagination())
		return err
	})
	if fault.CodeOf(err) == fault.NotFound { // moved or deleted: look it up again next time
		p.accounts.Forget(a, s.Account)
	}
	return res, err
}

func setTrue(q url.Values, name string, on bool) {
	if on {
		q.Set(name, "true")
	}
}
