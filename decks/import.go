package decks

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
)

// LeaveOut in a mapping of connections leaves their columns out of the import.
const LeaveOut = "leave-out"

// Import is what importing a file would do.
type Import struct {
	// Decks are those of the file.
	Decks []ImportedDeck
	// Connections are the different ones of the file, in the order of columns.
	Connections []ImportedConnection
	// Room is how many more decks there can be.
	Room int
}

// ImportedDeck is a deck of a file as it would be made.
type ImportedDeck struct {
	Title string
	// Exists: there is a deck of this title; the import makes a second one.
	Exists  bool
	Columns []ImportedColumn
}

// ImportedColumn is a column of a file.
type ImportedColumn struct {
	FileColumn
	// Key is that of its connection.
	Key string
}

// ImportedConnection is a connection that a file's columns read.
type ImportedConnection struct {
	// Key stands for it in ImportDecks.Connections.
	Key string
	// File is the file's name for it; nil when the file does not know.
	File *FileConnection
	// ConnectionID is the one here that the name fits; "" when the person must
	// say which to use.
	ConnectionID string
	// Columns is how many columns read it, and Lists how many of them show one of
	// its lists: another account has other lists under the same ids.
	Columns, Lists int
	// Choices are the connections here of the same network, or all of them.
	Choices []sns.Connection
}

// PreviewImport says what an import would make and which connections it cannot
// find. It changes nothing.
func (s *Service) PreviewImport(ctx context.Context, f File) (Import, error) {
	conns, err := s.posts.ListConnections(ctx)
	if err != nil {
		return Import{}, err
	}
	existing, err := s.ListDecks(ctx)
	if err != nil {
		return Import{}, err
	}
	p := Import{Room: max(MaxDecks-len(existing), 0)}
	for _, d := range f.Decks {
		v := ImportedDeck{Title: d.Title, Exists: slices.ContainsFunc(existing, func(e Summary) bool { return e.Title == d.Title })}
		for _, c := range d.Columns {
			v.Columns = append(v.Columns, ImportedColumn{FileColumn: c, Key: c.Connection.Key()})
			p.count(c, conns)
		}
		p.Decks = append(p.Decks, v)
	}
	return p, nil
}

func (p *Import) count(c FileColumn, conns []sns.Connection) {
	v := p.connection(c.Connection, conns)
	v.Columns++
	if c.Source.Kind == sns.KindList {
		v.Lists++
	}
}

// connection is the entry of a file's connection, made when it is the first time.
func (p *Import) connection(c *FileConnection, conns []sns.Connection) *ImportedConnection {
	key := c.Key()
	i := slices.IndexFunc(p.Connections, func(v ImportedConnection) bool { return v.Key == key })
	if i >= 0 {
		return &p.Connections[i]
	}
	v := ImportedConnection{Key: key, File: c, ConnectionID: match(c, byID(conns))}
	for _, conn := range conns {
		if c == nil || conn.Network == c.Kind {
			v.Choices = append(v.Choices, conn)
		}
	}
	p.Connections = append(p.Connections, v)
	return &p.Connections[len(p.Connections)-1]
}

// match finds the connection that a file names, or "".
func match(c *FileConnection, conns map[string]sns.Connection) (id string) {
	for _, conn := range conns {
		if c != nil && fileConnection(conn).Key() == c.Key() && (id == "" || conn.ID < id) {
			id = conn.ID
		}
	}
	return id
}

// ImportDecks is the input of Service.ImportDecks.
type ImportDecks struct {
	File File
	// Title replaces that of the file's only deck; "" keeps the file's.
	Title string
	// Connections says by key which connection to read instead, or LeaveOut. A
	// key that is not here takes the connection that the file's name fits.
	Connections map[string]string
	// DeckID is the id of the first new deck, chosen by the client so that the
	// request can be sent twice; those after it get "-2", "-3" and so on behind
	// it. "" makes ids. At most 60 characters.
	DeckID string
}

// ImportDecks makes the decks of a file, all or none, behind those there are. It
// never changes a deck: an id in use for something else is request_conflict, and
// the same request sent again returns the decks as they are. Columns keep the
// file's ids; of two alike in a deck the second gets a new one. A connection that
// is neither found nor mapped is not_found with the field "connections" and its
// key.
func (s *Service) ImportDecks(ctx context.Context, in ImportDecks) ([]Deck, error) {
	decks, err := s.readImport(ctx, in)
	if err != nil {
		return nil, err
	}
	made := make([]Deck, len(decks))
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		for i, d := range decks {
			if made[i], err = s.importDeck(tx, in.deckID(i), d); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// deckID is the id of the file's deck i.
func (in ImportDecks) deckID(i int) string {
	if in.DeckID == "" || i == 0 {
		return in.DeckID
	}
	return fmt.Sprintf("%s-%d", in.DeckID, i+1)
}

// imported is a deck ready to be made.
type imported struct {
	Definition
	digest []byte
	paused []bool // of each column
}

func (s *Service) importDeck(tx *sqlite.Tx, id string, in imported) (Deck, error) {
	was, err := findNew(tx, id)
	if err != nil {
		return Deck{}, err
	}
	d, err := s.create(tx, id, in.Definition, in.digest)
	if err != nil || was.live() {
		return d, err
	}
	for i, c := range d.Columns {
		if in.paused[i] {
			if err := putState(tx, d.ID, c.ID, ColumnState{Paused: true}); err != nil {
				return Deck{}, err
			}
		}
	}
	return d, nil
}

// readImport checks everything that can be checked before the write.
func (s *Service) readImport(ctx context.Context, in ImportDecks) ([]imported, error) {
	if err := checkNewID(in.DeckID); err != nil {
		return nil, err
	}
	if len(in.DeckID) > 60 {
		return nil, fault.Invalid("deckId", "The id has more than 60 characters; choose a shorter one.")
	}
	if in.Title != "" {
		if len(in.File.Decks) != 1 {
			return nil, fault.Invalid("title", "The file has several decks, which keep their titles; leave the title out.")
		}
		in.File.Decks = []FileDeck{{Title: in.Title, Columns: in.File.Decks[0].Columns}}
	}
	conns, err := s.connections(ctx, 1)
	if err != nil {
		return nil, err
	}
	r := importer{s: s, conns: conns, mapping: in.Connections}
	out := make([]imported, len(in.File.Decks))
	for i, d := range in.File.Decks {
		path := ""
		if len(in.File.Decks) > 1 {
			path = fmt.Sprintf("decks[%d]", i)
		}
		if out[i], err = r.deck(d, path); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// importer makes decks of a file's.
type importer struct {
	s       *Service
	conns   map[string]sns.Connection
	mapping map[string]string
}

// deck checks a deck as one that is created would be; path is its place in the
// file.
func (r importer) deck(d FileDeck, path string) (out imported, err error) {
	if out.Title, err = title(d.Title, member(path, "title"), 1); err != nil {
		return out, err
	}
	seen := map[string]bool{}
	for i, c := range d.Columns {
		id, err := r.connection(c.Connection)
		if err != nil {
			return out, err
		}
		if id == LeaveOut {
			continue
		}
		col := Column{ID: c.ID, Title: c.Title, ConnectionID: id, Source: c.Source, Filters: c.Filters}
		if seen[c.ID] {
			col.ID = "" // gets a new one
		}
		seen[c.ID] = true
		if col, err = r.s.validateColumn(r.conns, col, nil, member(path, fmt.Sprintf("columns[%d]", i))); err != nil {
			return out, err
		}
		out.Columns, out.paused = append(out.Columns, col), append(out.paused, c.Paused)
	}
	if len(out.Columns) > MaxColumns {
		return out, tooManyColumns(member(path, "columns"), len(out.Columns))
	}
	out.digest = out.Definition.digest()
	return out, nil
}

// connection returns the id of the connection to read for one of the file.
func (r importer) connection(c *FileConnection) (string, error) {
	key := c.Key()
	id := cmp.Or(r.mapping[key], match(c, r.conns))
	if _, ok := r.conns[id]; ok || id == LeaveOut {
		return id, nil
	}
	return "", fault.Missing("connection", "No account here is %s; choose which one to read instead, or leave its columns out.", c.name()).
		With(fault.DetailField, "connections").With(fault.DetailReason, key)
}

// name is what a person calls the connection.
func (c *FileConnection) name() string {
	switch {
	case c == nil:
		return "the one that the file does not name"
	case c.Handle != "":
		return strings.TrimSpace(c.Handle)
	}
	return c.Host
}
