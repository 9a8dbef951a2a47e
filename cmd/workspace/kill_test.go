package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/app"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// acknowledged is everything a client was told is saved.
type acknowledged struct {
	mu          sync.Mutex
	decks       map[string]int64    // id → revision
	connections map[string]string   // id → label
	posts       map[string][]string // hashtag → ids
}

func (a *acknowledged) note(f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f()
}

// kills is how often the server is killed: E2E_KILLS, else 50.
func kills(t *testing.T) int {
	t.Helper()
	v := os.Getenv("E2E_KILLS")
	if v == "" {
		return 50
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		t.Fatalf("E2E_KILLS: %v", err)
	}
	return n
}

// longestRound bounds how long a server writes before it is killed: long enough
// for some tens of writes, and short enough to hit the first of them too.
const longestRound = 150 * time.Millisecond

// A server that is killed at any moment loses nothing that it acknowledged.
func TestKilledServerLosesNothing(t *testing.T) {
	dataDir := filepath.Join(t.TempDir(), "data")
	m := snstest.NewMastodon(snstest.Options{RateLimit: snstest.RateLimit{Requests: 1_000_000, Pages: 1_000_000}})
	snstest.Serve(t, m)
	first, err := connect(t.Context(), t, dataDir, m.Origin(), m.Token(), "first")
	if err != nil {
		t.Fatal(err)
	}
	a := &acknowledged{decks: map[string]int64{}, connections: map[string]string{first: "first"}, posts: map[string][]string{}}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	rounds := kills(t)
	for round := range rounds {
		p := start(t, serveCmd(t, dataDir))
		verify(t, newClient(p.base), a)
		enough := func() bool { return round+1 < rounds || a.isFilled() }
		writeUntilKilled(t, p, a, m, dataDir, first, round, enough, time.Duration(random.Int64N(int64(longestRound))))
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	p := start(t, serveCmd(t, dataDir))
	verify(t, newClient(p.base), a)
	p.stop(t)
	verifyStore(t, dataDir, first, a)
	t.Logf("kept %d decks, %d connections, %d posts", len(a.decks), len(a.connections), len(a.posts))
}

// isFilled reports whether decks and posts were written. On a slow disk the last
// round waits for that.
func (a *acknowledged) isFilled() (filled bool) {
	a.note(func() { filled = len(a.decks) > 0 && len(a.posts) > 0 })
	return filled
}

// writeUntilKilled writes in three ways at once and kills the server the time given
// after it is enough.
func writeUntilKilled(t *testing.T, p *process, a *acknowledged, m *snstest.Mastodon, dataDir, conn string, round int, enough func() bool, after time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var writers sync.WaitGroup
	loop := func(write func(n int) error) {
		writers.Go(func() {
			for n := 0; ctx.Err() == nil && write(n) == nil; n++ {
			}
		})
	}
	c, deck := newClient(p.base), fmt.Sprintf("deck-%d", round%maxDecks)
	loop(func(int) error { return saveDeck(ctx, c, a, conn, deck) })
	loop(func(n int) error {
		return readPosts(ctx, newClient(p.base), a, m, conn, fmt.Sprintf("t%dx%d", round, n))
	})
	loop(func(n int) error { return addConnection(ctx, t, a, m, dataDir, fmt.Sprintf("account_%d_%d", round, n)) })
	until(t, "writes of every kind", enough)
	timer := time.NewTimer(after)
	<-timer.C
	p.kill(t)
	cancel()
	writers.Wait()
}

// The workspace has at most a hundred of each.
const (
	maxDecks       = 80
	maxConnections = 90
)

// deckTitle tells the revision, so that a deck's content shows which one it is.
func deckTitle(id string, revision int64) string { return fmt.Sprintf("%s at %d", id, revision) }

// saveDeck makes the deck, or replaces it by its next revision.
func saveDeck(ctx context.Context, c *client, a *acknowledged, conn, id string) error {
	a.mu.Lock()
	revision := a.decks[id]
	a.mu.Unlock()
	tool, args := "create_deck", map[string]any{"deckId": id}
	if revision > 0 {
		tool, args["expectedRevision"] = "replace_deck", revision
	}
	args["title"] = deckTitle(id, revision+1)
	args["columns"] = []column{{ID: "c1", ConnectionID: conn, Source: map[string]any{"kind": "home"}}}
	var made deckResult
	if err := c.call(ctx, tool, args, &made); err != nil {
		return err
	}
	a.note(func() { a.decks[id] = made.Deck.Revision })
	return nil
}

// readPosts reads a hashtag that has one new post.
func readPosts(ctx context.Context, c *client, a *acknowledged, m *snstest.Mastodon, conn, tag string) error {
	m.Add(snstest.Status{Text: "another one #" + tag})
	var page postsResult
	err := c.call(ctx, "fetch_posts", map[string]any{"connectionId": conn, "source": map[string]any{"kind": "hashtag", "tag": tag}}, &page)
	if err != nil {
		return err
	}
	a.note(func() {
		for _, p := range page.Posts {
			a.posts[tag] = append(a.posts[tag], p.ID)
		}
	})
	return nil
}

// addConnection adds an account by the command line, which is killed as well.
func addConnection(ctx context.Context, t *testing.T, a *acknowledged, m *snstest.Mastodon, dataDir, label string) error {
	t.Helper()
	a.mu.Lock()
	full := len(a.connections) >= maxConnections
	a.mu.Unlock()
	if full {
		return errors.New("enough accounts")
	}
	m.AddAccount(snstest.Account{Acct: label})
	id, err := connect(ctx, t, dataDir, m.Origin(), m.IssueToken(label), label)
	if err != nil {
		return err
	}
	a.note(func() { a.connections[id] = label })
	return nil
}

// verify asks the restarted server for everything that was acknowledged. What
// was written but not acknowledged may be there or not, but only whole.
func verify(t *testing.T, c *client, a *acknowledged) {
	t.Helper()
	for id, revision := range a.decks {
		var got deckResult
		if err := c.call(t.Context(), "get_deck", map[string]any{"deckId": id}, &got); err != nil {
			t.Errorf("deck %s at revision %d is lost: %v", id, revision, err)
			continue
		}
		if got.Deck.Revision < revision || got.Deck.Revision > revision+1 || got.Deck.Title != deckTitle(id, got.Deck.Revision) || len(got.Deck.Columns) != 1 {
			t.Errorf("deck = %+v, want revision %d or the next, whole", got.Deck, revision)
		}
		a.decks[id] = got.Deck.Revision
	}
	var list struct {
		Connections []struct{ ID, Label, State string }
	}
	if err := c.call(t.Context(), "list_connections", map[string]any{}, &list); err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, conn := range list.Connections {
		have[conn.ID] = conn.Label
		if conn.State != "ready" {
			t.Errorf("connection %s is %s, want ready", conn.ID, conn.State)
		}
	}
	for id, label := range a.connections {
		if have[id] != label {
			t.Errorf("connection %s is %q, want %q", id, have[id], label)
		}
	}
}

// verifyStore opens the stopped workspace's files: the posts are there, every
// credential opens, and SQLite finds no fault.
func verifyStore(t *testing.T, dataDir, conn string, a *acknowledged) {
	t.Helper()
	s, err := app.OpenStore(t.Context(), app.Config{DataDir: dataDir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.DB.Read(t.Context(), func(tx *sqlite.Tx) error {
		report, err := sqlite.Query(tx, sqlite.String, "PRAGMA integrity_check")
		if diff := cmp.Diff([]string{"ok"}, report); diff != "" {
			t.Errorf("integrity_check (-want +got):\n%s", diff)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for tag, want := range a.posts {
		page, err := s.Posts.StoredPosts(t.Context(), conn, sns.Source{Kind: sns.KindHashtag, Tag: tag}, sns.StoredQuery{Limit: sns.MaxPage})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range page.Posts {
			got = append(got, p.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("stored posts of #%s (-want +got):\n%s", tag, diff)
		}
	}
}
