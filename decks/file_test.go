package decks_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

const oneDeck = `{
  "format": "workspace-deck",
  "version": 1,
  "title": "Morning",
  "columns": [
    {
      "id": "a",
      "title": "Friends & <i>foes</i>",
      "source": {
        "kind": "home"
      },
      "connection": {
        "kind": "mastodon",
        "host": "a.example",
        "handle": "@ann@a.example"
      },
      "filters": {
        "hideBoosts": true
      },
      "paused": true
    },
    {
      "id": "b",
      "source": {
        "kind": "hashtag",
        "tag": "bread"
      },
      "connection": {
        "kind": "mastodon",
        "host": "c.example:3000"
      }
    }
  ]
}
`

// morning is a workspace with the deck of oneDeck.
func morning(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	signedIn(w)
	a := home("a")
	a.Title, a.Filters = "Friends & <i>foes</i>", &decks.Filters{HideBoosts: true}
	b := tagged("b", "bread")
	b.ConnectionID = "conn_c"
	create(t, w, decks.CreateDeck{ID: "d", Title: "Morning", Columns: []decks.Column{a, b}})
	pause(t, w, "a")
	return w
}

// signedIn gives the connections what deck files name them by.
func signedIn(w *world) {
	w.net.connections = []sns.Connection{
		{ID: "conn_a", Network: sns.Mastodon, Origin: "https://a.example", Account: "@ann@a.example", Login: true},
		{ID: "conn_b", Network: sns.Mastodon, Origin: "https://b.example", Account: "@ben@b.example", Login: true},
		{ID: "conn_c", Network: sns.Mastodon, Origin: "http://c.example:3000", Account: "c.example:3000"},
		{ID: "conn_x", Network: sns.Twitter, Origin: "http://relay.internal:9", Account: "@ann", Login: true},
	}
}

func TestExportNamesConnectionsByWhatTheyAre(t *testing.T) {
	f, err := morning(t).ExportDeck(t.Context(), "d")
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Encode()
	if diff := cmp.Diff(oneDeck, string(got)); diff != "" || err != nil {
		t.Errorf("file (%v) (-want +got):\n%s", err, diff)
	}
}

func TestExportTellsNothingOfTheRelay(t *testing.T) {
	w := newWorld(t)
	signedIn(w)
	create(t, w, decks.CreateDeck{ID: "d", Title: "x", Columns: []decks.Column{{ConnectionID: "conn_x", Source: sns.Source{Kind: sns.KindHome}}}})

	f, err := w.ExportDeck(t.Context(), "d")

	want := &decks.FileConnection{Kind: sns.Twitter, Host: "x.com", Handle: "@ann"}
	if diff := cmp.Diff(want, f.Decks[0].Columns[0].Connection); diff != "" || err != nil {
		t.Errorf("connection (%v) (-want +got):\n%s", err, diff)
	}
}

func TestExportOfAColumnWhoseAccountIsGone(t *testing.T) {
	w := morning(t)
	w.net.connections = nil
	f, err := w.ExportDeck(t.Context(), "d")
	if err != nil || f.Decks[0].Columns[0].Connection != nil {
		t.Fatalf("exported %+v, %v, want a column without connection", f, err)
	}
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := decks.ParseFile(data); !cmp.Equal(f, back) || err != nil {
		t.Errorf("read back %+v, %v, want %+v", back, err, f)
	}
}

func TestExportAll(t *testing.T) {
	w := morning(t)
	create(t, w, decks.CreateDeck{ID: "z", Title: "Evening"})
	if err := w.MoveDeck(t.Context(), "z", 1); err != nil {
		t.Fatal(err)
	}
	f, err := w.ExportAll(t.Context())
	if err != nil || len(f.Decks) != 2 || f.Decks[0].Title != "Evening" || f.Decks[1].Title != "Morning" {
		t.Fatalf("exported %+v, %v, want Evening and Morning", f, err)
	}
	data, err := f.Encode()
	if err != nil || !strings.Contains(string(data), `"format": "workspace-decks"`) {
		t.Errorf("file %s, %v", data, err)
	}
	if back, err := decks.ParseFile(data); !cmp.Equal(f, back) || err != nil {
		t.Errorf("read back %+v, %v, want %+v", back, err, f)
	}
}

func TestParseFileRefuses(t *testing.T) {
	deck := func(body string) string { return `{"format":"workspace-deck","version":1,` + body + `}` }
	column := func(body string) string { return deck(`"title":"x","columns":[{` + body + `}]`) }
	const src = `"source":{"kind":"home"}`
	many := func(n int) string {
		return `{"format":"workspace-decks","version":1,"decks":[` + strings.TrimSuffix(strings.Repeat(`{"title":"x","columns":[]},`, n), ",") + `]}`
	}
	for _, tc := range []struct {
		name, file string
		code       fault.Code
		field      string
	}{
		{"nothing", "", fault.InvalidArguments, "file"},
		{"a picture", "\x89PNG\r\n\x1a\n", fault.InvalidArguments, "file"},
		{"a list", "[]", fault.InvalidArguments, "file"},
		{"another format", `{"format":"bookmarks","version":1}`, fault.InvalidArguments, "file"},
		{"another kind of JSON", `{"title":"x"}`, fault.InvalidArguments, "file"},
		{"no version", `{"format":"workspace-deck","title":"x"}`, fault.InvalidArguments, "version"},
		{"version 0", `{"format":"workspace-deck","version":0,"title":"x"}`, fault.InvalidArguments, "version"},
		{"a version in words", `{"format":"workspace-deck","version":"1","title":"x"}`, fault.InvalidArguments, "version"},
		{"a future version", `{"format":"workspace-deck","version":2,"panes":[]}`, fault.Unsupported, "version"},
		{"a future version of several decks", `{"format":"workspace-decks","version":7}`, fault.Unsupported, "version"},
		{"half a file", `{"format":"workspace-deck","version":1,"title":"x","col`, fault.InvalidArguments, "file"},
		{"two files", deck(`"title":"x","columns":[]`) + deck(`"title":"x","columns":[]`), fault.InvalidArguments, "file"},
		{"an unknown member", deck(`"title":"x","columns":[],"owner":"ann"`), fault.InvalidArguments, "file"},
		{"two titles", deck(`"title":"x","columns":[],"title":"y"`), fault.InvalidArguments, "file"},
		{"two lists of columns", deck(`"title":"x","columns":[{"id":"a",` + src + `,"paused":true}],"columns":[{` + src + `}]`), fault.InvalidArguments, "file"},
		{"two versions, in another case", `{"format":"workspace-deck","version":2,"VERSION":1,"title":"x"}`, fault.InvalidArguments, "file"},
		{"two formats", `{"format":"bookmarks","version":1,"format":"workspace-deck","title":"x"}`, fault.InvalidArguments, "file"},
		{"a source with two tags", column(`"source":{"kind":"hashtag","tag":"a","tag":"b"}`), fault.InvalidArguments, "file"},
		{"a number for a title", deck(`"title":5`), fault.InvalidArguments, "title"},
		{"no title", deck(`"columns":[]`), fault.InvalidArguments, "title"},
		{"a title of 81", deck(`"title":"` + strings.Repeat("字", 81) + `"`), fault.InvalidArguments, "title"},
		{"a title with a control character", deck(`"title":"a\u0000b"`), fault.InvalidArguments, "title"},
		{"a title that shows nothing", deck(`"title":"\u200b\u3164\u202e"`), fault.InvalidArguments, "title"},
		{"a column's title that shows nothing", column(`"title":"\u2060",` + src), fault.InvalidArguments, "columns[0].title"},
		{"seven columns", deck(`"title":"x","columns":[` + strings.TrimSuffix(strings.Repeat(`{`+src+`},`, 7), ",") + `]`), fault.LimitExceeded, "columns"},
		{"no deck", `{"format":"workspace-decks","version":1,"decks":[]}`, fault.InvalidArguments, "decks"},
		{"101 decks", many(101), fault.LimitExceeded, "decks"},
		{"a column id with a slash", column(`"id":"a/b",` + src), fault.InvalidArguments, "columns[0].id"},
		{"a local id for a connection", column(`"connectionId":"conn_a",` + src), fault.InvalidArguments, "file"},
		{"an unknown member of a source", column(`"source":{"kind":"home","depth":2}`), fault.InvalidArguments, "file"},
		{"an unknown network", column(src + `,"connection":{"kind":"myspace","host":"a.example"}`), fault.InvalidArguments, "columns[0].connection.kind"},
		{"a host that is an address", column(src + `,"connection":{"kind":"mastodon","host":"http://a.example/x"}`), fault.InvalidArguments, "columns[0].connection.host"},
		{"a handle with a line break", column(src + `,"connection":{"kind":"mastodon","host":"a.example","handle":"@a\nb"}`), fault.InvalidArguments, "columns[0].connection.handle"},
		{"a filter that is no pattern", column(src + `,"filters":{"exclude":["/(/"]}`), fault.InvalidArguments, "columns[0].filters.exclude[0]"},
		{"a file that is too large", deck(`"title":"x","columns":[]` + strings.Repeat(" ", decks.MaxFile)), fault.LimitExceeded, "file"},
		{"a member of the second deck", strings.Replace(many(2), `},{"title":"x"`, `},{"title":""`, 1), fault.InvalidArguments, "decks[1].title"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := decks.ParseFile([]byte(tc.file))
			f := fault.From(err)
			if f == nil || f.Code != tc.code || f.Details[fault.DetailField] != tc.field {
				t.Fatalf("ParseFile = %+v, want %s of %s", f, tc.code, tc.field)
			}
			if strings.Contains(f.Message, "json:") || !strings.HasSuffix(f.Message, ".") {
				t.Errorf("the message is not for people: %s", f.Message)
			}
		})
	}
}

func TestTheSameMemberInDifferentPlaces(t *testing.T) {
	f, err := decks.ParseFile([]byte(`{"format":"workspace-deck","version":1,"title":"id","columns":[
		{"id":"a","title":"title","source":{"kind":"home"}},{"id":"b","title":"title","source":{"kind":"home"}}]}`))
	if err != nil || len(f.Decks[0].Columns) != 2 {
		t.Errorf("ParseFile = %+v, %v, want two columns", f, err)
	}
}

func TestAnUnknownMemberIsNamed(t *testing.T) {
	long := strings.Repeat("w", 100)
	for name, want := range map[string]string{
		"colour": `The deck file says "colour" somewhere, which version 1 does not have; take it out, or export the deck again.`,
		long:     "The deck file has something at file that version 1 does not have there; export the deck again.",
	} {
		_, err := decks.ParseFile([]byte(`{"format":"workspace-deck","version":1,"title":"x","columns":[],"` + name + `":2}`))
		if f := fault.From(err); f == nil || f.Message != want {
			t.Errorf("ParseFile = %v, want %s", err, want)
		}
	}
}

func TestAFutureVersionIsNamed(t *testing.T) {
	_, err := decks.ParseFile([]byte(`{"format":"workspace-deck","version":2}`))
	want := "The file has version 2 of the deck format, and this workspace reads version 1; update the workspace, or export the deck from one of this version."
	if f := fault.From(err); f == nil || f.Message != want {
		t.Errorf("ParseFile = %v, want %s", err, want)
	}
}

func TestScriptsInTitlesAreText(t *testing.T) {
	title := `"><script>alert(1)</script>`
	data, err := json.Marshal(map[string]any{"format": "workspace-deck", "version": 1, "title": title, "columns": []any{}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := decks.ParseFile(append([]byte("\ufeff"), data...))
	if err != nil || f.Decks[0].Title != title {
		t.Errorf("ParseFile = %+v, %v, want the title as it is", f, err)
	}
}

func FuzzParseFile(f *testing.F) {
	for _, seed := range []string{
		oneDeck, "", "{}", `{"format":"workspace-deck","version":1,"title":"x"}`,
		`{"format":"workspace-decks","version":1,"decks":[{"title":"x","columns":[{"source":{"kind":"search","query":"ü"}}]},{"title":"y"}]}`,
		`{"format":"workspace-deck","version":9}`, `{"FORMAT":"workspace-deck","Version":1,"title":"\ud800","columns":null}`,
		"\ufeff" + oneDeck, strings.Repeat("[", 2000),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := decks.ParseFile(data)
		if err != nil {
			if code := fault.CodeOf(err); !slices.Contains([]fault.Code{fault.InvalidArguments, fault.LimitExceeded, fault.Unsupported}, code) {
				t.Fatalf("ParseFile = %s, %v", code, err)
			}
			return
		}
		written, err := file.Encode()
		if fault.CodeOf(err) == fault.LimitExceeded {
			return // its indentation is larger than the input's
		}
		if err != nil {
			t.Fatal(err)
		}
		again, err := decks.ParseFile(written)
		if diff := cmp.Diff(file, again, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("read back (%v) (-first +second):\n%s\n%s", err, diff, written)
		}
	})
}

// TestExportAndImportAreTheIdentity: what an import makes exports as the file
// that was imported.
func TestExportAndImportAreTheIdentity(t *testing.T) {
	w := newWorld(t)
	signedIn(w)
	rapid.Check(t, func(rt *rapid.T) {
		var defs []decks.Definition
		for range rapid.IntRange(1, 4).Draw(rt, "decks") {
			defs = append(defs, anyDefinition(rt))
		}
		var first []decks.Deck
		for _, def := range defs {
			d, err := w.CreateDeck(t.Context(), decks.CreateDeck{Title: def.Title, Columns: def.Columns})
			if err != nil {
				rt.Fatal(err)
			}
			for _, c := range d.Columns {
				if err := w.PauseColumn(t.Context(), d.ID, c.ID, rapid.Bool().Draw(rt, "paused")); err != nil {
					rt.Fatal(err)
				}
			}
			first = append(first, d)
		}
		file := exported(t, rt, w)

		made, err := w.ImportDecks(t.Context(), decks.ImportDecks{File: file})
		if err != nil {
			rt.Fatal(err)
		}

		for i, d := range made {
			if diff := cmp.Diff(first[i].Definition(), d.Definition()); diff != "" || d.ID == first[i].ID || d.Revision != 1 {
				rt.Fatalf("imported as %s at revision %d (-want +got):\n%s", d.ID, d.Revision, diff)
			}
		}
		for _, d := range first {
			if err := w.DeleteDeck(t.Context(), d.ID, d.Revision); err != nil {
				rt.Fatal(err)
			}
		}
		if diff := cmp.Diff(file, exported(t, rt, w)); diff != "" {
			rt.Fatalf("exported again (-first +second):\n%s", diff)
		}
		for _, d := range made {
			if err := w.DeleteDeck(t.Context(), d.ID, d.Revision); err != nil {
				rt.Fatal(err)
			}
		}
	})
}

// exported is all decks as a file that was written and read.
func exported(t *testing.T, rt *rapid.T, w *world) decks.File {
	f, err := w.ExportAll(t.Context())
	if err != nil {
		rt.Fatal(err)
	}
	data, err := f.Encode()
	if err != nil {
		rt.Fatal(err)
	}
	back, err := decks.ParseFile(data)
	if diff := cmp.Diff(f, back); diff != "" || err != nil {
		rt.Fatalf("read back (%v) (-want +got):\n%s", err, diff)
	}
	return back
}

func anyDefinition(rt *rapid.T) decks.Definition {
	text := rapid.StringMatching(`[a-z<>&"' 字🌙]{0,20}`)
	def := decks.Definition{Title: "T" + text.Draw(rt, "title")}
	for i := range rapid.IntRange(0, decks.MaxColumns).Draw(rt, "columns") {
		c := anyColumn(rt)
		c.ID = fmt.Sprint("c", i)
		c.ConnectionID = rapid.SampledFrom([]string{"conn_a", "conn_b", "conn_c", "conn_x"}).Draw(rt, "connection")
		c.Title = text.Draw(rt, "column title")
		if c.Filters != nil {
			c.Filters.Exclude = rapid.SliceOfN(rapid.SampledFrom([]string{"tea", "#tag", "@a@b", "/x+/"}), 0, 3).Draw(rt, "exclude")
			c.Filters.Languages = rapid.SliceOfN(rapid.SampledFrom([]string{"en", "pt-BR"}), 0, 3).Draw(rt, "languages")
		}
		def.Columns = append(def.Columns, c)
	}
	return def
}
