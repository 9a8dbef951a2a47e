package decks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func parse(t *testing.T, text string) decks.File {
	t.Helper()
	f, err := decks.ParseFile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// elsewhere is oneDeck from a workspace with other accounts.
func elsewhere(t *testing.T) decks.File {
	t.Helper()
	return parse(t, strings.NewReplacer("a.example", "other.example").Replace(oneDeck))
}

const (
	elsewhereKey = "mastodon other.example @ann@other.example"
	publicKey    = "mastodon c.example:3000 "
)

func TestPreviewImport(t *testing.T) {
	w := morning(t)

	p, err := w.PreviewImport(t.Context(), elsewhere(t))
	if err != nil {
		t.Fatal(err)
	}

	if p.Room != 99 || len(p.Decks) != 1 || !p.Decks[0].Exists || len(p.Decks[0].Columns) != 2 || p.Decks[0].Columns[0].Key != elsewhereKey {
		t.Errorf("preview %+v, want one deck of a known title and room for 99", p)
	}
	type connection struct {
		key, id                 string
		columns, lists, choices int
	}
	var got []connection
	for _, c := range p.Connections {
		got = append(got, connection{c.Key, c.ConnectionID, c.Columns, c.Lists, len(c.Choices)})
	}
	want := []connection{{elsewhereKey, "", 1, 0, 3}, {publicKey, "conn_c", 1, 0, 3}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(connection{})); diff != "" {
		t.Errorf("connections (-want +got):\n%s", diff)
	}
	if n := len(order(t, w)); n != 1 {
		t.Errorf("there are %d decks after a preview, want 1", n)
	}
}

func TestImportFindsAccountsInAnyCase(t *testing.T) {
	w := newWorld(t)
	signedIn(w)
	file := parse(t, strings.Replace(oneDeck, "@ann@a.example", "@Ann@A.example", 1))

	made, err := w.ImportDecks(t.Context(), decks.ImportDecks{File: file})

	if err != nil || made[0].Columns[0].ConnectionID != "conn_a" {
		t.Errorf("imported %+v, %v, want a column of conn_a", made, err)
	}
}

func TestImportAsksForUnknownAccounts(t *testing.T) {
	for _, tc := range []struct {
		name    string
		mapping map[string]string
		want    []string // connections of the columns
		code    fault.Code
	}{
		{"without a mapping", nil, nil, fault.NotFound},
		{"to an account that is not there", map[string]string{elsewhereKey: "conn_gone"}, nil, fault.NotFound},
		{"to another account", map[string]string{elsewhereKey: "conn_b"}, []string{"conn_b", "conn_c"}, ""},
		{"to nothing", map[string]string{elsewhereKey: decks.LeaveOut}, []string{"conn_c"}, ""},
		{"a known one to another", map[string]string{elsewhereKey: "conn_b", publicKey: "conn_a"}, []string{"conn_b", "conn_a"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			signedIn(w)

			made, err := w.ImportDecks(t.Context(), decks.ImportDecks{File: elsewhere(t), Connections: tc.mapping})

			if fault.CodeOf(err) != tc.code {
				t.Fatalf("ImportDecks = %v, want %q", err, tc.code)
			}
			if tc.code != "" {
				f := fault.From(err)
				if f.Details[fault.DetailField] != "connections" || f.Details[fault.DetailReason] != elsewhereKey || len(order(t, w)) != 0 {
					t.Errorf("fault %+v, decks %v", f, order(t, w))
				}
				return
			}
			var got []string
			for _, c := range made[0].Columns {
				got = append(got, c.ConnectionID)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("connections (-want +got):\n%s", diff)
			}
		})
	}
}

func TestImportChangesNoDeck(t *testing.T) {
	w := morning(t)
	before, err := w.GetDeck(t.Context(), "d")
	if err != nil {
		t.Fatal(err)
	}
	rename(t, w, before.Revision, "Evening")
	before, _ = w.GetDeck(t.Context(), "d")

	_, conflict := w.ImportDecks(t.Context(), decks.ImportDecks{File: parse(t, oneDeck), DeckID: "d", Title: "Other"})
	made, err := w.ImportDecks(t.Context(), decks.ImportDecks{File: parse(t, oneDeck)})

	if fault.CodeOf(conflict) != fault.RequestConflict {
		t.Errorf("import under the id of a deck = %v, want request_conflict", conflict)
	}
	if err != nil || made[0].ID == "d" {
		t.Errorf("imported %+v, %v, want another deck", made, err)
	}
	if got, err := w.GetDeck(t.Context(), "d"); !cmp.Equal(before, got) || err != nil {
		t.Errorf("the deck became %+v, %v", got, err)
	}
}

func TestImportSentTwice(t *testing.T) {
	w := newWorld(t)
	signedIn(w)
	several := parse(t, `{"format":"workspace-decks","version":1,"decks":[{"title":"A","columns":[]},{"title":"B","columns":[]},{"title":"C","columns":[]}]}`)
	first, err := w.ImportDecks(t.Context(), decks.ImportDecks{File: several, DeckID: "new"})
	if err != nil {
		t.Fatal(err)
	}

	second, err := w.ImportDecks(t.Context(), decks.ImportDecks{File: several, DeckID: "new"})

	if diff := cmp.Diff(first, second); diff != "" || err != nil {
		t.Errorf("the second import (%v) (-first +second):\n%s", err, diff)
	}
	if got := strings.Join(order(t, w), " "); got != "new new-2 new-3" {
		t.Errorf("decks %s, want new new-2 new-3", got)
	}
}

func TestImportGivesTheSecondOfTwoAlikeANewID(t *testing.T) {
	w := newWorld(t)
	signedIn(w)
	file := parse(t, strings.Replace(oneDeck, `"id": "b"`, `"id": "a"`, 1))

	made, err := w.ImportDecks(t.Context(), decks.ImportDecks{File: file})

	if err != nil || made[0].Columns[0].ID != "a" || made[0].Columns[1].ID == "a" || made[0].Columns[1].ID == "" {
		t.Errorf("imported %+v, %v, want column a and one with a new id", made, err)
	}
}

func TestImportIsAllOrNothing(t *testing.T) {
	good := `{"title":"A","columns":[]}`
	for _, tc := range []struct {
		name  string
		file  string
		there int
		in    decks.ImportDecks
		code  fault.Code
		field string
	}{
		{
			"a source that the network lacks in the second deck",
			`{"title":"B","columns":[{"source":{"kind":"forYou"},"connection":{"kind":"mastodon","host":"a.example","handle":"@ann@a.example"}}]}`,
			0,
			decks.ImportDecks{},
			fault.InvalidSource, "decks[1].columns[0].source.kind",
		},
		{"room for one of two", good, 99, decks.ImportDecks{}, fault.LimitExceeded, "decks"},
		{"one title for two", good, 0, decks.ImportDecks{Title: "Mine"}, fault.InvalidArguments, "title"},
		{"an id that is none", good, 0, decks.ImportDecks{DeckID: "a b"}, fault.InvalidArguments, "deckId"},
		{"an id without room for a number", good, 0, decks.ImportDecks{DeckID: strings.Repeat("a", 61)}, fault.InvalidArguments, "deckId"},
		{"the id of another deck for the second", good, 1, decks.ImportDecks{DeckID: "x"}, fault.RequestConflict, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			signedIn(w)
			for i := range tc.there {
				create(t, w, decks.CreateDeck{ID: fmt.Sprint("x-", i+2), Title: "there"})
			}
			tc.in.File = parse(t, `{"format":"workspace-decks","version":1,"decks":[`+good+`,`+tc.file+`]}`)

			_, err := w.ImportDecks(t.Context(), tc.in)

			f := fault.From(err)
			if field, _ := f.Details[fault.DetailField].(string); f.Code != tc.code || field != tc.field {
				t.Errorf("ImportDecks = %+v, want %s of %q", f, tc.code, tc.field)
			}
			if n := len(order(t, w)); n != tc.there {
				t.Errorf("there are %d decks, want %d", n, tc.there)
			}
		})
	}
}

func TestImportWithAnotherTitle(t *testing.T) {
	w := newWorld(t)
	signedIn(w)
	made, err := w.ImportDecks(t.Context(), decks.ImportDecks{File: parse(t, oneDeck), Title: " Mine "})
	if err != nil || made[0].Title != "Mine" {
		t.Errorf("imported %+v, %v, want Mine", made, err)
	}
}

func TestImportOfAColumnWithoutAccount(t *testing.T) {
	w := newWorld(t)
	signedIn(w)
	file := parse(t, `{"format":"workspace-deck","version":1,"title":"x","columns":[{"source":{"kind":"home"}}]}`)
	p, err := w.PreviewImport(t.Context(), file)
	if err != nil || len(p.Connections) != 1 || p.Connections[0].File != nil || len(p.Connections[0].Choices) != 4 {
		t.Fatalf("preview %+v, %v, want one unknown account and four to choose from", p, err)
	}

	made, err := w.ImportDecks(t.Context(), decks.ImportDecks{File: file, Connections: map[string]string{p.Connections[0].Key: "conn_b"}})

	want := []decks.Column{{ID: made[0].Columns[0].ID, ConnectionID: "conn_b", Source: sns.Source{Kind: sns.KindHome}}}
	if diff := cmp.Diff(want, made[0].Columns); diff != "" || err != nil {
		t.Errorf("columns (%v) (-want +got):\n%s", err, diff)
	}
}
