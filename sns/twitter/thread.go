package twitter

import (
	"context"
	"slices"
	"strings"

	"personal-workspace/sns"
)

// threadPosts are the posts of an answer about one tweet: what it answers, itself
// and what answers it. Tweets that are gone stand as such: the others would seem
// to answer what they do not.
func (m *mapper) threadPosts(tl *timeline) (posts []sns.Post, skipped int) {
	seen := map[string]bool{}
	for _, it := range tl.items {
		p, v := m.threadPost(it)
		switch {
		case v == skip:
			skipped++
		case v == keep && !seen[p.EntryID]:
			seen[p.EntryID] = true
			posts = append(posts, p)
		}
	}
	return posts, skipped
}

func (m *mapper) threadPost(it item) (sns.Post, verdict) {
	id := idInEntry(it.id)
	if it.content.get("itemType").str() == "TimelineTombstone" {
		info := it.content.get("tombstoneInfo")
		note := info.get("text").str()
		if note == "" {
			note = info.get("richText", "text").str()
		}
		return m.gone(id, note)
	}
	result := it.content.get("tweet_results", "result")
	p, v := m.post(result)
	if v == hide {
		_, _, note := unwrap(result)
		return m.gone(id, note)
	}
	return p, v
}

func (m *mapper) gone(id, note string) (sns.Post, verdict) {
	if id == "" {
		return sns.Post{}, hide
	}
	return m.tombstone(id, note), keep
}

// idInEntry is the tweet's id in the id of its entry, such as tweet-20, "" when
// there is none.
func idInEntry(entryID string) string {
	i := strings.LastIndex(entryID, "-")
	if id := entryID[i+1:]; i >= 0 && isNumber(id) {
		return id
	}
	return ""
}

// thread puts the posts of an answer around the one that was asked for. It is
// false when that is not among them.
func thread(posts []sns.Post, id string) (sns.Thread, bool) {
	i := slices.IndexFunc(posts, func(p sns.Post) bool { return p.EntryID == id })
	if i < 0 {
		i = slices.IndexFunc(posts, func(p sns.Post) bool { return p.ID == id })
	}
	if i < 0 {
		return sns.Thread{}, false
	}
	return sns.Thread{Ancestors: posts[:i:i], Post: posts[i], Descendants: posts[i+1:]}, true
}

// Thread implements sns.Provider.
func (p *Provider) Thread(ctx context.Context, a sns.Account, postID string) (sns.Thread, error) {
	t, _, err := p.conversation(ctx, a, postID, place{})
	return t, err
}

// threadPage reads a thread as a source.
func (p *Provider) threadPage(ctx context.Context, a sns.Account, postID string, at place) (sns.UpstreamPage, error) {
	t, page, err := p.conversation(ctx, a, postID, at)
	if err != nil {
		return sns.UpstreamPage{}, err
	}
	if at.cursor == "" {
		page.Posts = slices.Concat(t.Ancestors, []sns.Post{t.Post}, t.Descendants)
	}
	return page, nil
}

// conversation reads what stands around a post, or what follows at a place.
func (p *Provider) conversation(ctx context.Context, a sns.Account, postID string, at place) (sns.Thread, sns.UpstreamPage, error) {
	if !isNumber(postID) {
		return sns.Thread{}, sns.UpstreamPage{}, sns.InvalidMember("postId", "This is not the id of a post of X; use one as it was given.")
	}
	q := question{op: opThread, vars: map[string]any{"focalTweetId": postID}}.at(at)
	r, err := p.ask(ctx, a, q)
	if err != nil {
		return sns.Thread{}, sns.UpstreamPage{}, err
	}
	tl, ok := readTimeline(r.data)
	if !ok {
		return sns.Thread{}, sns.UpstreamPage{}, q.changed()
	}
	b := newPage(p.mapper(a), everything)
	posts, skipped := b.m.threadPosts(tl)
	for _, post := range posts {
		b.add(post.EntryID, post, keep)
	}
	b.page.Skipped = skipped
	if r.warning {
		b.warn(beside)
	}
	page := b.done(tl, at)
	t, ok := thread(posts, postID)
	if !ok && at.cursor == "" {
		return sns.Thread{}, sns.UpstreamPage{}, q.notFound()
	}
	return t, page, nil
}

// singlePost reads one post as a page.
func (p *Provider) singlePost(ctx context.Context, a sns.Account, postID string) (sns.UpstreamPage, error) {
	if !isNumber(postID) {
		return sns.UpstreamPage{}, sns.InvalidMember("postId", "This is not the id of a post of X; use one as it was given.")
	}
	q := question{op: opPost, vars: map[string]any{"tweetId": postID}, isData: anyMember}
	r, err := p.ask(ctx, a, q)
	if err != nil {
		return sns.UpstreamPage{}, err
	}
	post, v := p.mapper(a).post(r.data)
	switch v {
	case hide:
		return sns.UpstreamPage{}, q.notFound()
	case skip:
		return sns.UpstreamPage{}, q.changed()
	}
	return sns.UpstreamPage{Posts: []sns.Post{post}}, nil
}
