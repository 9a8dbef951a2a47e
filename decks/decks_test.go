package decks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// network stands for the sns service: two accounts, and whatever posts a test
// gives.
type network struct {
	connections []sns.Connection
	posts       []sns.Post
	// listTitle is the title of every list.
	listTitle string
	// newer is how many posts stand above a mark.
	newer map[string]int
}

func (n *network) ListConnections(context.Context) ([]sns.Connection, error) {
	return n.connections, nil
}

func (n *network) ValidateSource(c sns.Connection, s sns.Source, field string) (sns.Source, error) {
	if c.Network == sns.Mastodon && s.Kind == sns.KindForYou {
		return s, fault.New(fault.InvalidSource, "no such kind here").With(fault.DetailField, field+".kind")
	}
	s.Tag = strings.TrimPrefix(s.Tag, "#")
	return s, nil
}

func (n *network) FetchPosts(_ context.Context, id string, _ sns.Source, cursor string) (sns.Page, error) {
	return sns.Page{Posts: n.posts, NextCursor: id + "/" + cursor}, nil
}

func (n *network) StoredColumns(_ context.Context, refs []sns.ColumnRef, _ int) ([]sns.StoredPage, error) {
	out := make([]sns.StoredPage, len(refs))
	for i := range refs {
		out[i].Posts, out[i].Title = n.posts, n.listTitle
	}
	return out, nil
}

func (n *network) CountNewer(_ context.Context, refs []sns.ColumnRef, marks []string, most int) ([]int, error) {
	out := make([]int, len(refs))
	for i := range refs {
		if marks[i] != "" {
			out[i] = min(n.newer[marks[i]], most)
		}
	}
	return out, nil
}

type world struct {
	*decks.Service
	net    *network
	ledger *ledger.Ledger
	now    time.Time
}

func newWorld(tb testing.TB) *world {
	tb.Helper()
	return over(tb, sqlitetest.Open(tb))
}

func over(tb testing.TB, db *sqlite.DB) *world {
	tb.Helper()
	w := &world{now: noon, net: &network{connections: []sns.Connection{
		{ID: "conn_a", Network: sns.Mastodon, Account: "@ann@a.example"},
		{ID: "conn_b", Network: sns.Mastodon, Account: "@ben@b.example"},
	}}}
	var mu sync.Mutex
	n := 0
	newID := func(prefix string) string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return fmt.Sprintf("%s_%d", prefix, n)
	}
	now := func() time.Time { return w.now }
	w.ledger = ledger.New(ledger.Config{DB: db, Now: now})
	w.Service = decks.New(decks.Config{DB: db, Ledger: w.ledger, Posts: w.net, Now: now, NewID: newID})
	return w
}

func home(id string) decks.Column {
	return decks.Column{ID: id, ConnectionID: "conn_a", Source: sns.Source{Kind: sns.KindHome}}
}

func create(t *testing.T, w *world, in decks.CreateDeck) decks.Deck {
	t.Helper()
	d, err := w.CreateDeck(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func names(t *testing.T, w *world) (list []string) {
	t.Helper()
	entries, err := w.ledger.Entries(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, fmt.Sprintf("%s %s %v %v", e.Name, e.ResourceID, e.Data["op"], e.Data["revision"]))
	}
	return list
}

func TestCreateDeckStoresTheWholeDefinition(t *testing.T) {
	w := newWorld(t)

	d := create(t, w, decks.CreateDeck{Title: "  Morning ", Columns: []decks.Column{
		home(""), {ID: "tags", Title: "Bread", ConnectionID: "conn_b", Source: sns.Source{Kind: sns.KindHashtag, Tag: "#bread"}},
	}})

	want := decks.Deck{ID: "deck_1", Title: "Morning", Revision: 1, CreatedAt: noon, UpdatedAt: noon, Columns: []decks.Column{
		{ID: "col_2", ConnectionID: "conn_a", Source: sns.Source{Kind: sns.KindHome}},
		{ID: "tags", Title: "Bread", ConnectionID: "conn_b", Source: sns.Source{Kind: sns.KindHashtag, Tag: "bread"}},
	}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
	got, err := w.GetDeck(t.Context(), "deck_1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"deck.changed deck_1 created 1"}, names(t, w)); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
}

func TestCreateDeckAgainWithTheSameID(t *testing.T) {
	first := decks.CreateDeck{ID: "d", Title: "One", Columns: []decks.Column{home("")}}
	for _, tc := range []struct {
		name     string
		between  func(w *world) error
		again    decks.CreateDeck
		revision int64
		code     fault.Code
	}{
		{"the same content returns the deck", nil, first, 1, ""},
		{
			"its column with the id it got returns the deck", nil,
			decks.CreateDeck{ID: "d", Title: "One", Columns: []decks.Column{home("col_2")}},
			1, "",
		},
		{"another title is a conflict", nil, decks.CreateDeck{ID: "d", Title: "Two", Columns: first.Columns}, 0, fault.RequestConflict},
		{"another column is a conflict", nil, decks.CreateDeck{ID: "d", Title: "One"}, 0, fault.RequestConflict},
		{"a repetition after an edit returns the edited deck", func(w *world) error {
			_, err := w.ReplaceDeck(context.Background(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: "Edited"})
			return err
		}, first, 2, ""},
		{"after a deletion the count goes on", func(w *world) error {
			return w.DeleteDeck(context.Background(), "d", 1)
		}, first, 3, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			create(t, w, first)
			if tc.between != nil {
				if err := tc.between(w); err != nil {
					t.Fatal(err)
				}
			}
			before := names(t, w)

			d, err := w.CreateDeck(t.Context(), tc.again)

			if got := fault.CodeOf(err); got != tc.code {
				t.Fatalf("code = %q (%v), want %q", got, err, tc.code)
			}
			if d.Revision != tc.revision {
				t.Errorf("revision = %d, want %d", d.Revision, tc.revision)
			}
			if tc.code != "" {
				if diff := cmp.Diff(before, names(t, w)); diff != "" {
					t.Errorf("the ledger moved (-before +after):\n%s", diff)
				}
			}
		})
	}
}

func TestBadDefinitionsChangeNothing(t *testing.T) {
	long := strings.Repeat("あ", 81)
	columns := func(n int) (list []decks.Column) {
		for range n {
			list = append(list, home(""))
		}
		return list
	}
	for _, tc := range []struct {
		name  string
		title string
		cols  []decks.Column
		code  fault.Code
		field string
	}{
		{"no title", " ", nil, fault.InvalidArguments, "title"},
		{"a title of 81 characters", long, nil, fault.InvalidArguments, "title"},
		{"a control character in the title", "a\x00b", nil, fault.InvalidArguments, "title"},
		{"a title of signs without a shape", "\u200b\u200d\u00ad\ufeff", nil, fault.InvalidArguments, "title"},
		{"a title of letters without a shape", "\u3164\u115f\uffa0\u2800", nil, fault.InvalidArguments, "title"},
		{"a title that only turns the direction", "\u202e", nil, fault.InvalidArguments, "title"},
		{"a title of a lone accent", "\u0301", nil, fault.InvalidArguments, "title"},
		{"broken UTF-8 in the title", "a\xff", nil, fault.InvalidArguments, "title"},
		{"seven columns", "x", columns(7), fault.LimitExceeded, "columns"},
		{"duplicate column ids", "x", []decks.Column{home("c"), home("d"), home("c")}, fault.InvalidArguments, "columns[2].id"},
		{"a column id with a slash", "x", []decks.Column{home("a/b")}, fault.InvalidArguments, "columns[0].id"},
		{"a column title of 81 characters", "x", []decks.Column{{Title: long, ConnectionID: "conn_a"}}, fault.InvalidArguments, "columns[0].title"},
		{"a connection that does not exist", "x", []decks.Column{{ConnectionID: "conn_z"}}, fault.NotFound, "columns[0].connectionId"},
		{
			"a kind the network lacks", "x",
			[]decks.Column{home(""), {ConnectionID: "conn_b", Source: sns.Source{Kind: sns.KindForYou}}},
			fault.InvalidSource, "columns[1].source.kind",
		},
		{
			"a filter that is no regular expression", "x",
			[]decks.Column{{ConnectionID: "conn_a", Filters: &decks.Filters{Exclude: []string{"ok", "/(/"}}}},
			fault.InvalidArguments, "columns[0].filters.exclude[1]",
		},
		{
			"an unknown filter action", "x",
			[]decks.Column{{ConnectionID: "conn_a", Filters: &decks.Filters{Action: "explode"}}},
			fault.InvalidArguments, "columns[0].filters.action",
		},
		{
			"a filter language that is none", "x",
			[]decks.Column{{ConnectionID: "conn_a", Filters: &decks.Filters{Languages: []string{"english!"}}}},
			fault.InvalidArguments, "columns[0].filters.languages[0]",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			d := create(t, w, decks.CreateDeck{ID: "d", Title: "Old", Columns: []decks.Column{home("c")}})

			_, created := w.CreateDeck(t.Context(), decks.CreateDeck{Title: tc.title, Columns: tc.cols})
			_, replaced := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: tc.title, Columns: tc.cols})

			for what, err := range map[string]error{"create": created, "replace": replaced} {
				f := fault.From(err)
				if f == nil || f.Code != tc.code || f.Details["field"] != tc.field {
					t.Errorf("%s = %+v, want %s with field %s", what, f, tc.code, tc.field)
				}
			}
			got, err := w.GetDeck(t.Context(), "d")
			if diff := cmp.Diff(d, got); diff != "" || err != nil {
				t.Errorf("the deck changed (%v):\n%s", err, diff)
			}
			if n := len(names(t, w)); n != 1 {
				t.Errorf("ledger has %d entries, want 1", n)
			}
		})
	}
}

func TestBadDeckIDs(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{"-x", "a b", "a/../b", "日本", strings.Repeat("a", 65)} {
		_, err := w.CreateDeck(t.Context(), decks.CreateDeck{ID: id, Title: "x"})
		if f := fault.From(err); f == nil || f.Code != fault.InvalidArguments || f.Details["field"] != "deckId" {
			t.Errorf("CreateDeck(%q) = %v, want invalid_arguments for deckId", id, err)
		}
		if _, err := w.GetDeck(t.Context(), id); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("GetDeck(%q) = %v, want not_found", id, err)
		}
	}
}

func TestReplaceDeckKeepsWhatBelongsToAColumn(t *testing.T) {
	w := newWorld(t)
	c := home("c")
	c.Filters = &decks.Filters{HideBoosts: true}
	create(t, w, decks.CreateDeck{ID: "d", Title: "One", Columns: []decks.Column{c, home("gone")}})
	w.now = noon.Add(time.Hour)

	d, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: "Two", Columns: []decks.Column{home(""), home("c")}})
	if err != nil {
		t.Fatal(err)
	}

	want := decks.Deck{ID: "d", Title: "Two", Revision: 2, CreatedAt: noon, UpdatedAt: w.now, Columns: []decks.Column{home("col_1"), c}}
	if diff := cmp.Diff(want, d, cmpopts.IgnoreFields(decks.Column{}, "ID")); diff != "" {
		t.Errorf("replaced (-want +got):\n%s", diff)
	}
	if d.Columns[1].ID != "c" || d.Columns[0].ID == "" || d.Columns[0].ID == "c" {
		t.Errorf("column ids = %q, %q, want a new one and c", d.Columns[0].ID, d.Columns[1].ID)
	}
}

func TestReplaceDeckCanDropFilters(t *testing.T) {
	w := newWorld(t)
	c := home("c")
	c.Filters = &decks.Filters{HideBoosts: true}
	create(t, w, decks.CreateDeck{ID: "d", Title: "One", Columns: []decks.Column{c}})
	c.Filters = &decks.Filters{}

	d, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: "One", Columns: []decks.Column{c}})

	if err != nil || d.Revision != 2 || !cmp.Equal(&decks.Filters{}, d.Columns[0].Filters) {
		t.Errorf("replaced = %+v, %v, want empty filters at revision 2", d, err)
	}
}

func TestReplaceDeckWithTheSameDefinitionChangesNothing(t *testing.T) {
	w := newWorld(t)
	d := create(t, w, decks.CreateDeck{ID: "d", Title: "One", Columns: []decks.Column{home("c")}})

	got, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: "One", Columns: []decks.Column{home("c")}})

	if diff := cmp.Diff(d, got); diff != "" || err != nil {
		t.Errorf("replaced (%v):\n%s", err, diff)
	}
}

func TestAColumnOfARemovedConnectionCanStay(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "One", Columns: []decks.Column{home("c")}})
	w.net.connections = nil

	kept, err := w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 1, Title: "Two", Columns: []decks.Column{home("c")}})
	if err != nil || kept.Revision != 2 {
		t.Errorf("keeping the column = %+v, %v, want revision 2", kept, err)
	}
	_, err = w.ReplaceDeck(t.Context(), decks.ReplaceDeck{ID: "d", ExpectedRevision: 2, Title: "Two", Columns: []decks.Column{home("other")}})
	if fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a new column = %v, want not_found", err)
	}
}

func TestDeckJSONIsTheContract(t *testing.T) {
	w := newWorld(t)
	d := create(t, w, decks.CreateDeck{ID: "d", Title: "One", Columns: []decks.Column{home("c")}})

	b, err := json.Marshal(d)

	want := `{"id":"d","title":"One","columns":[{"id":"c","connectionId":"conn_a","source":{"kind":"home"}}],` +
		`"revision":1,"createdAt":"2026-11-30T12:00:00Z","updatedAt":"2026-11-30T12:00:00Z"}`
	if string(b) != want || err != nil {
		t.Errorf("JSON = %s, %v\nwant   %s", b, err, want)
	}
}

func TestFetchColumnPostsMarksWhatFiltersHide(t *testing.T) {
	w := newWorld(t)
	w.net.posts = []sns.Post{
		{ID: "1", Text: "bread"},
		{ID: "2", Text: "cake", BoostedBy: &sns.Boost{ID: "2b"}},
		{ID: "3", Text: "mine", Author: sns.Author{Handle: "@Ann@a.example"}, ReplyTo: &sns.ReplyTo{ID: "9"}},
	}
	c := home("c")
	c.Filters = &decks.Filters{HideBoosts: true, HideReplies: true}
	create(t, w, decks.CreateDeck{ID: "d", Title: "One", Columns: []decks.Column{c, home("plain")}})

	page, err := w.FetchColumnPosts(t.Context(), "d", "c", "next")
	if err != nil {
		t.Fatal(err)
	}

	if diff := cmp.Diff([]bool{false, true, false}, page.Hidden); diff != "" {
		t.Errorf("hidden (-want +got):\n%s", diff)
	}
	if len(page.Posts) != 3 || page.NextCursor != "conn_a/next" {
		t.Errorf("page has %d posts and cursor %q, want 3 and conn_a/next", len(page.Posts), page.NextCursor)
	}
	_, stored, err := w.StoredDeck(t.Context(), "d", 20)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]bool{{false, true, false}, {false, false, false}}, [][]bool{stored[0].Hidden, stored[1].Hidden}); diff != "" {
		t.Errorf("stored hidden (-want +got):\n%s", diff)
	}
}

func TestFetchColumnPostsNamesWhatIsMissing(t *testing.T) {
	w := newWorld(t)
	create(t, w, decks.CreateDeck{ID: "d", Title: "One"})
	for _, tc := range []struct{ deck, column, what string }{
		{"x", "c", "deck"},
		{"d", "c", "column"},
		{"d", "<script>", "column"},
	} {
		_, err := w.FetchColumnPosts(t.Context(), tc.deck, tc.column, "")
		f := fault.From(err)
		if f == nil || f.Code != fault.NotFound || f.Details["what"] != tc.what {
			t.Errorf("FetchColumnPosts(%s, %s) = %+v, want not_found of a %s", tc.deck, tc.column, f, tc.what)
		}
		if f != nil && strings.Contains(f.Message, "<") {
			t.Errorf("message repeats hostile input: %s", f.Message)
		}
	}
}
