package decks

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
)

const listColumnsSQL = `SELECT id, title, columns FROM decks WHERE deleted_at IS NULL ORDER BY position, id`

// ColumnUse is a column that reads a connection, with the deck it is in.
type ColumnUse struct {
	DeckID, DeckTitle string
	Column            Column
	// Name is the column's title, or what it is called without one: a list has
	// its own title, as far as it was ever read.
	Name string
}

// ColumnUses returns the columns of all decks by the connection they read, in
// the order of the decks and of their columns.
func (s *Service) ColumnUses(ctx context.Context) (map[string][]ColumnUse, error) {
	list, err := sqlite.ReadQuery(ctx, s.db, scanColumns, listColumnsSQL)
	if err != nil {
		return nil, err
	}
	titles, err := s.listTitles(ctx, list)
	if err != nil {
		return nil, err
	}
	connections, err := s.posts.ListConnections(ctx)
	if err != nil {
		return nil, err
	}
	networks := map[string]sns.Network{}
	for _, c := range connections {
		networks[c.ID] = c.Network
	}
	uses := map[string][]ColumnUse{}
	for _, d := range list {
		for _, c := range d.Columns {
			name := cmp.Or(c.Title, titles[refOf(c)], c.Source.LabelOn(networks[c.ConnectionID]))
			uses[c.ConnectionID] = append(uses[c.ConnectionID], ColumnUse{DeckID: d.ID, DeckTitle: d.Title, Column: c, Name: name})
		}
	}
	return uses, nil
}

// listRef tells lists apart.
type listRef struct{ connectionID, listID string }

func refOf(c Column) listRef { return listRef{c.ConnectionID, c.Source.ListID} }

// listTitles are the networks' titles of the lists that the decks' columns show;
// one that was never read has none.
func (s *Service) listTitles(ctx context.Context, list []Deck) (map[listRef]string, error) {
	var lists []listRef
	var refs []sns.ColumnRef
	for _, d := range list {
		for _, c := range d.Columns {
			if c.Source.Kind == sns.KindList && !slices.Contains(lists, refOf(c)) {
				lists = append(lists, refOf(c))
				refs = append(refs, sns.ColumnRef{ConnectionID: c.ConnectionID, Source: c.Source})
			}
		}
	}
	titles := map[listRef]string{}
	if len(refs) == 0 {
		return titles, nil
	}
	pages, err := s.posts.StoredColumns(ctx, refs, 1)
	if err != nil {
		return nil, err
	}
	for i, p := range pages {
		titles[lists[i]] = p.Title
	}
	return titles, nil
}

// scanColumns reads of a deck what its columns are.
func scanColumns(row sqlite.Row) (d Deck, err error) {
	var columns string
	if err := row.Scan(&d.ID, &d.Title, &columns); err != nil {
		return d, err
	}
	return d, json.Unmarshal([]byte(columns), &d.Columns)
}
