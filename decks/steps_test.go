package decks_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"personal-workspace/decks"
	"personal-workspace/decks/deckstest"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
)

// TestOperations runs the shared cases through the service, in single steps and
// as replacements of whole decks: each step is the replacement with the same
// outcome.
func TestOperations(t *testing.T) {
	open := clients(t)
	t.Run("in steps", func(t *testing.T) { deckstest.Run(t, open) })
	t.Run("as a whole", func(t *testing.T) {
		deckstest.Run(t, func(t *testing.T) (deckstest.Client, string) {
			c, connectionID := open(t)
			return deckstest.Whole(c), connectionID
		})
	})
}

// clients returns a function that empties one database and returns the service
// on it, over the real service of connections: a database for each case would
// take longer than the cases.
func clients(t *testing.T) func(t *testing.T) (deckstest.Client, string) {
	t.Helper()
	db := sqlitetest.Open(t)
	key, err := secret.CreateKey(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return noon }
	l := ledger.New(ledger.Config{DB: db, Now: now})
	posts, err := sns.New(t.Context(), sns.Config{
		DB: db, Ledger: l, Key: key, Now: now, Providers: map[sns.Network]sns.Provider{sns.Mastodon: server{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(posts.Close)
	conn, err := posts.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://a.example", Token: "token"})
	if err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T) (deckstest.Client, string) {
		err := db.Write(t.Context(), func(tx *sqlite.Tx) error {
			_, err := tx.Exec("DELETE FROM decks")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return client{decks.New(decks.Config{DB: db, Ledger: l, Posts: posts, Now: now})}, conn.ID
	}
}

// server is a network with one account and no posts.
type server struct{ sns.Provider }

func (server) Verify(context.Context, sns.Account) (sns.Identity, error) {
	return sns.Identity{AccountID: "1", Account: "@ann@a.example"}, nil
}

func (server) Supports(sns.Account, sns.Kind) error { return nil }

// client calls the service.
type client struct{ *decks.Service }

func (c client) Do(t *testing.T, op deckstest.Operation) deckstest.Outcome {
	t.Helper()
	err := c.do(t.Context(), op)
	if err == nil {
		return deckstest.Outcome{}
	}
	field, _ := fault.From(err).Details[fault.DetailField].(string)
	return deckstest.Outcome{Code: fault.CodeOf(err), Field: field}
}

func (c client) do(ctx context.Context, op deckstest.Operation) (err error) {
	id, rev, col := op.DeckID, op.ExpectedRevision, op.Column
	switch op.Do {
	case deckstest.Create:
		_, err = c.CreateDeck(ctx, decks.CreateDeck{ID: id, Title: op.Title, Columns: op.Columns})
	case deckstest.Replace:
		_, err = c.ReplaceDeck(ctx, decks.ReplaceDeck{ID: id, ExpectedRevision: rev, Title: op.Title, Columns: op.Columns})
	case deckstest.Delete:
		err = c.DeleteDeck(ctx, id, rev)
	case deckstest.Add:
		_, err = c.AddColumn(ctx, decks.AddColumn{DeckID: id, ExpectedRevision: rev, Column: col, Position: op.Position})
	case deckstest.Change:
		_, err = c.ChangeColumn(ctx, decks.ChangeColumn{
			DeckID: id, ExpectedRevision: rev, ColumnID: col.ID, Title: col.Title, ConnectionID: col.ConnectionID, Source: col.Source, Filters: col.Filters,
		})
	case deckstest.Move:
		_, err = c.MoveColumn(ctx, decks.MoveColumn{DeckID: id, ExpectedRevision: rev, ColumnID: col.ID, Position: op.Position})
	case deckstest.Remove:
		_, err = c.RemoveColumn(ctx, decks.RemoveColumn{DeckID: id, ExpectedRevision: rev, ColumnID: col.ID})
	case deckstest.Rename:
		_, err = c.RenameDeck(ctx, decks.RenameDeck{DeckID: id, ExpectedRevision: rev, Title: op.Title})
	case deckstest.Duplicate:
		_, err = c.DuplicateDeck(ctx, id, op.NewID)
	case deckstest.Undo:
		_, err = c.Undo(ctx, id, rev)
	}
	return err
}

func (c client) List(t *testing.T) []decks.Summary {
	t.Helper()
	list, err := c.ListDecks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (c client) Deck(t *testing.T, id string) decks.Deck {
	t.Helper()
	d, err := c.GetDeck(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
