package mcp

import (
	"context"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"personal-workspace/sns"
)

type fetchInput struct {
	ConnectionID string `json:"connectionId"`
	Source       source `json:"source"`
	Cursor       string `json:"cursor,omitempty"`
}

type fetchColumnInput struct {
	DeckID   string `json:"deckId"`
	ColumnID string `json:"columnId"`
	Cursor   string `json:"cursor,omitempty"`
}

type postPage struct {
	Posts      []post   `json:"posts" limit:"max=20"`
	NextCursor *string  `json:"nextCursor" jsonschema:"null at the end" limit:"nullable"`
	Warnings   []string `json:"warnings,omitempty" jsonschema:"What is missing here and why"`

	page sns.Page
}

// incomplete is said of a page to which the network has yet to add.
const incomplete = "The network has not prepared this page completely; ask again later for the posts that are missing."

// pageOf makes an answer of a page. hidden is nil or as long as its posts.
func pageOf(p sns.Page, hidden []bool) postPage {
	out := postPage{Posts: make([]post, len(p.Posts)), Warnings: p.Warnings, page: p}
	if p.Partial {
		out.Warnings = append(slices.Clone(p.Warnings), incomplete)
	}
	for i, one := range p.Posts {
		out.Posts[i] = postOf(one, hidden != nil && hidden[i])
	}
	return out.until(len(p.Posts))
}

// until is the page's first n posts, with the cursor that continues after them.
func (p postPage) until(n int) postPage {
	next := p.page.NextCursor
	if n < len(p.Posts) {
		p.Posts, next = p.Posts[:n], p.page.CursorAfter(n-1)
	}
	p.NextCursor = nil
	if next != "" {
		p.NextCursor = &next
	}
	return p
}

// fit drops posts from the end until the page's JSON has at most limit bytes.
// One post always stays, in a shorter form if need be: a page must move on.
func (p postPage) fit(limit int) (postPage, error) {
	rest, err := p.until(0).size()
	if err != nil {
		return p, err
	}
	room := limit - rest - sns.MaxCursor
	n := 0
	for ; n < len(p.Posts); n++ {
		text, err := compact(p.Posts[n])
		if err != nil {
			return p, err
		}
		if room -= len(text) + 1; room < 0 {
			break
		}
	}
	if n == 0 {
		n = 1
		p.Posts[0] = p.Posts[0].essence()
	}
	return p.until(n), nil
}

func (p postPage) size() (int, error) {
	text, err := compact(p)
	return len(text), err
}

// essence is a post without everything that can be large but its text.
func (out post) essence() post {
	out.MediaOmitted += len(out.Media)
	out.Media, out.Links, out.Mentions, out.Filtered, out.Card, out.Poll = nil, nil, nil, nil, nil, nil
	if out.Notification != nil {
		out.Notification = &notification{Type: out.Notification.Type, ActorCount: out.Notification.ActorCount}
	}
	return out
}

func (t *tools) fetchPosts() (tool, error) {
	return define(definition[fetchInput, postPage]{
		name:  "fetch_posts",
		title: "Fetch posts",
		about: "Reads up to 20 posts, newest first, of any timeline, search or thread. " +
			"Use it to read something once; it saves no deck and marks nothing as read. " + thirdParty + " Cite each post's url. " + nextPage,
		hints: hints{readOnly: true, idempotent: true, openWorld: true},
		refine: func(in *jsonschema.Schema) {
			in.Properties["source"].Description = fetchedKinds
		},
		call: func(ctx context.Context, in fetchInput) (postPage, error) {
			p, err := t.connections.FetchPosts(ctx, in.ConnectionID, sns.Source(in.Source), in.Cursor)
			about(ctx, in.ConnectionID, err)
			return pageOf(p, nil), err
		},
		fit: postPage.fit,
	})
}

func (t *tools) fetchColumnPosts() (tool, error) {
	return define(definition[fetchColumnInput, postPage]{
		name:  "fetch_column_posts",
		title: "Fetch a column's posts",
		about: "Reads up to 20 posts, newest first, of a saved column; use it for what a deck shows. " +
			"The column's filters are not applied: hidden: true marks what they hide. " + thirdParty + " Cite each post's url. " + nextPage,
		hints: hints{readOnly: true, idempotent: true, openWorld: true},
		call: func(ctx context.Context, in fetchColumnInput) (postPage, error) {
			p, err := t.decks.FetchColumnPosts(ctx, in.DeckID, in.ColumnID, in.Cursor)
			about(ctx, p.Column.ConnectionID, err)
			return pageOf(p.Page, p.Hidden), err
		},
		fit: postPage.fit,
	})
}
