package mastodon

import (
	"context"
	"encoding/json"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/sns"
)

// Thread implements sns.Provider.
func (p *Provider) Thread(ctx context.Context, a sns.Account, postID string) (sns.Thread, error) {
	if err := checkID("postId", postID); err != nil {
		return sns.Thread{}, err
	}
	t, _, err := p.thread(ctx, a, postID)
	return t, err
}

// single reads a post, or a post with its thread, as a page.
func (p *Provider) single(ctx context.Context, a sns.Account, s sns.Source) (sns.UpstreamPage, error) {
	if s.Kind == sns.KindPost {
		post, err := p.status(ctx, a, s.PostID)
		if err != nil {
			return sns.UpstreamPage{}, err
		}
		return sns.UpstreamPage{Posts: []sns.Post{post}}, nil
	}
	t, page, err := p.thread(ctx, a, s.PostID)
	if err != nil {
		return sns.UpstreamPage{}, err
	}
	out := page.done(position{})
	out.Posts = append(append(t.Ancestors, t.Post), t.Descendants...)
	return out, nil
}

// status reads one post. A filter that hides it elsewhere does not here: the
// reader asked for this one.
func (p *Provider) status(ctx context.Context, a sns.Account, id string) (sns.Post, error) {
	what := about(sns.KindPost, position{})
	res, err := p.call(ctx, a, what, func(c *api.Client) error {
		_, err := c.GetStatus(ctx, api.ID(id))
		return err
	})
	if err != nil {
		return sns.Post{}, err
	}
	m := p.mapper(a, what)
	m.context = ""
	post, v := m.post(decodeItem[status](res.body))
	if v != keep {
		return sns.Post{}, changed("status")
	}
	return post, nil
}

// thread reads a post and its conversation. The page counts what was left out;
// its posts are those of both sides.
func (p *Provider) thread(ctx context.Context, a sns.Account, id string) (sns.Thread, *pageBuilder, error) {
	post, err := p.status(ctx, a, id)
	if err != nil {
		return sns.Thread{}, nil, err
	}
	what := about(sns.KindThread, position{})
	res, err := p.call(ctx, a, what, func(c *api.Client) error {
		_, err := c.GetStatusContext(ctx, api.ID(id))
		return err
	})
	if err != nil {
		return sns.Thread{}, nil, err
	}
	var around threadContext
	if err := decodeObject(res.body, &around); err != nil {
		return sns.Thread{}, nil, changed("context").Wrap(err)
	}
	m, page := p.mapper(a, what), newPage()
	page.seen[post.EntryID] = true
	page.addStatuses(m, around.Ancestors, maxThread)
	above := len(page.page.Posts)
	page.addStatuses(m, around.Descendants, maxThread)
	all := page.page.Posts
	return sns.Thread{Ancestors: all[:above:above], Post: post, Descendants: all[above:]}, page, nil
}

// addStatuses takes the first of a list of statuses.
func (b *pageBuilder) addStatuses(m *mapper, raws []json.RawMessage, limit int) {
	for _, raw := range raws[:min(len(raws), limit)] {
		st := decodeItem[status](raw)
		post, v := m.post(st)
		b.add(st.id(), post, v)
	}
}
