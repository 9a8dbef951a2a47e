package mastodon

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// timeline reads the sources that are lists of statuses.
func (p *Provider) timeline(ctx context.Context, a sns.Account, s sns.Source, at position) (sns.UpstreamPage, error) {
	what := about(s.Kind, at)
	res, err := p.readTimeline(ctx, a, s, at, what)
	if s.Kind == sns.KindHashtag && unknownTag(err) {
		return sns.UpstreamPage{}, nil
	}
	if err != nil {
		return sns.UpstreamPage{}, err
	}
	m, page := p.mapper(a, what), newPage()
	err = eachItem(res.body, maxItems, func(raw []byte) {
		st := decodeItem[status](raw)
		post, v := m.post(st)
		if v == keep && s.RemoteOnly && isLocal(st) {
			v = hide
		}
		page.add(st.id(), post, v)
	})
	if err != nil {
		return sns.UpstreamPage{}, changed(string(s.Kind)).Wrap(err)
	}
	page.page.Partial = res.partial
	return page.done(at.next(what, res.link, page.last, page.count)), nil
}

// id is the status's id, "" of what could not be read.
func (st *status) id() string {
	if st == nil {
		return ""
	}
	return string(st.ID)
}

// isLocal reports whether the author is of the server itself. Some servers
// ignore that only remote posts were asked for.
func isLocal(st *status) bool {
	return !strings.Contains(st.Account.Acct, "@") && st.Account.Acct != ""
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
		p.accounts.forget(a, s.Account)
	}
	return res, err
}

func setTrue(q url.Values, name string, on bool) {
	if on {
		q.Set(name, "true")
	}
}
