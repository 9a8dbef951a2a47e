package decks

import (
	"context"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
)

// ColumnPage is one page of a column. Hidden[i] says that the column's filters
// hide Posts[i]; the post is there all the same.
type ColumnPage struct {
	sns.Page
	Column Column
	Hidden []bool
}

// FetchColumnPosts asks the upstream for one page of a saved column. Filters
// are not applied, only marked.
func (s *Service) FetchColumnPosts(ctx context.Context, deckID, columnID, cursor string) (ColumnPage, error) {
	d, err := s.GetDeck(ctx, deckID)
	if err != nil {
		return ColumnPage{}, err
	}
	c, err := d.Column(columnID)
	if err != nil {
		return ColumnPage{}, err
	}
	page, err := s.posts.FetchPosts(ctx, c.ConnectionID, c.Source, cursor)
	if err != nil {
		return ColumnPage{}, err
	}
	hidden, err := s.hidden(ctx, []Column{c}, [][]sns.Post{page.Posts})
	if err != nil {
		return ColumnPage{}, err
	}
	return ColumnPage{Page: page, Column: c, Hidden: hidden[0]}, nil
}

// Column returns the column with the id, or a not_found fault.
func (d Deck) Column(id string) (Column, error) {
	i, err := d.Definition().find(id)
	if err != nil {
		return Column{}, err
	}
	return d.Columns[i], nil
}

func noColumn() error {
	return fault.Missing("column", "The deck has no such column; it may have been removed.")
}

// StoredColumn is what is stored of a column.
type StoredColumn struct {
	Column Column
	State  ColumnState
	Page   sns.StoredPage
	// Hidden is as in ColumnPage.
	Hidden []bool
}

// StoredDeck returns a deck with the newest limit stored posts of each column.
// It never waits for a network.
func (s *Service) StoredDeck(ctx context.Context, id string, limit int) (Deck, []StoredColumn, error) {
	d, err := s.GetDeck(ctx, id)
	if err != nil {
		return d, nil, err
	}
	refs := make([]sns.ColumnRef, len(d.Columns))
	for i, c := range d.Columns {
		refs[i] = sns.ColumnRef{ConnectionID: c.ConnectionID, Source: c.Source}
	}
	pages, err := s.posts.StoredColumns(ctx, refs, limit)
	if err != nil {
		return d, nil, err
	}
	posts := make([][]sns.Post, len(pages))
	for i, p := range pages {
		posts[i] = p.Posts
	}
	hidden, err := s.hidden(ctx, d.Columns, posts)
	if err != nil {
		return d, nil, err
	}
	states, err := s.states(ctx, d.ID)
	if err != nil {
		return d, nil, err
	}
	out := make([]StoredColumn, len(d.Columns))
	for i, c := range d.Columns {
		out[i] = StoredColumn{Column: c, State: states[c.ID], Page: pages[i], Hidden: hidden[i]}
	}
	return d, out, nil
}

// HiddenPosts marks the posts that the column's filters hide, for posts that
// were read without this service.
func (s *Service) HiddenPosts(ctx context.Context, c Column, posts []sns.Post) ([]bool, error) {
	hidden, err := s.hidden(ctx, []Column{c}, [][]sns.Post{posts})
	if err != nil {
		return nil, err
	}
	return hidden[0], nil
}

// hidden marks the posts that each column's filters hide. Connections are read
// only when a column has filters: own posts are exempt.
func (s *Service) hidden(ctx context.Context, columns []Column, posts [][]sns.Post) ([][]bool, error) {
	out := make([][]bool, len(columns))
	var own map[string]sns.Connection
	for i, c := range columns {
		out[i] = make([]bool, len(posts[i]))
		if c.Filters == nil {
			continue
		}
		if own == nil {
			var err error
			if own, err = s.connections(ctx, 1); err != nil {
				return nil, err
			}
		}
		m := c.Filters.compile(own[c.ConnectionID].Account)
		for j, p := range posts[i] {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			out[i][j] = m.hides(p)
		}
	}
	return out, nil
}

// ListRevisions returns the stored definitions of a deck, newest first; a
// deleted deck has them too.
func (s *Service) ListRevisions(ctx context.Context, id string) (list []Revision, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		list, err = listRevisions(tx, id)
		return err
	})
	return list, err
}
