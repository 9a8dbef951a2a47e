package decks

import (
	"context"

	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
)

// ExportDeck returns a deck as a file.
func (s *Service) ExportDeck(ctx context.Context, id string) (File, error) {
	d, err := s.GetDeck(ctx, id)
	if err != nil {
		return File{}, err
	}
	return s.export(ctx, []Deck{d})
}

// ExportAll returns all decks as one file, in the person's order. A workspace
// without decks gives a file without any, which cannot be imported.
func (s *Service) ExportAll(ctx context.Context) (File, error) {
	records, err := sqlite.ReadQuery(ctx, s.db, scanDeck, allDecksSQL)
	if err != nil {
		return File{}, err
	}
	list := make([]Deck, len(records))
	for i, r := range records {
		list[i] = r.Deck
	}
	return s.export(ctx, list)
}

func (s *Service) export(ctx context.Context, list []Deck) (File, error) {
	conns, err := s.connections(ctx, 1)
	if err != nil {
		return File{}, err
	}
	titles, err := s.listTitles(ctx, list)
	if err != nil {
		return File{}, err
	}
	f := File{Decks: make([]FileDeck, len(list))}
	for i, d := range list {
		states, err := s.states(ctx, d.ID)
		if err != nil {
			return File{}, err
		}
		f.Decks[i] = fileDeck(d, conns, states, titles)
	}
	return f, nil
}

func fileDeck(d Deck, conns map[string]sns.Connection, states map[string]ColumnState, titles map[listRef]string) FileDeck {
	out := FileDeck{Title: d.Title, Columns: make([]FileColumn, len(d.Columns))}
	for i, c := range d.Columns {
		out.Columns[i] = FileColumn{ID: c.ID, Title: c.Title, Source: c.Source, Filters: c.Filters, Paused: states[c.ID].Paused}
		if c.Source.Kind == sns.KindList {
			out.Columns[i].ListTitle = cutListTitle(titles[refOf(c)])
		}
		if conn, ok := conns[c.ConnectionID]; ok {
			out.Columns[i].Connection = fileConnection(conn)
		}
	}
	return out
}
