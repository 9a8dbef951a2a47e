package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// fileOfX is a deck file with two columns of @eve on X; the second is a list with
// the given id.
func fileOfX(handle, list string) string {
	from := `"connection":{"kind":"twitter","host":"x.com","handle":"` + handle + `"}`
	return `{"format":"workspace-deck","version":1,"title":"Both","columns":[
		{"id":"one","source":{"kind":"favourites"},` + from + `},
		{"id":"two","title":"Birds","source":{"kind":"list","listId":"` + list + `"},` + from + `}]}`
}

func TestADeckFileWithColumnsOfX(t *testing.T) {
	for name, c := range map[string]struct {
		file      string
		connected bool
		choice    string
		want      string
	}{
		"is read by the account it names":        {fileOfX("@Eve", "7"), true, "", ""},
		"is read by another account":             {fileOfX("@ben", "7"), true, "eve", ""},
		"of another account asks which to read":  {fileOfX("@ben", "7"), true, "", "No account here is @ben; choose which one to read instead"},
		"where no account of X is, says so":      {fileOfX("@eve", "7"), false, "", "No account of this network is connected here: connect one first, or leave these columns out."},
		"says which column no account can read":  {fileOfX("@eve", "a list"), true, "", "The column “Birds” cannot be imported so. This is not the id of a list"},
		"names no relay":                         {strings.Replace(fileOfX("@eve", "7"), `"host"`, `"relay":"http://a.example","host"`, 1), true, "", `The deck file says "relay" somewhere`},
		"does not say another host is X":         {strings.ReplaceAll(fileOfX("@eve", "7"), "x.com", "a.example"), true, "", "No account here is @eve"},
		"has no source that only Mastodon knows": {strings.Replace(fileOfX("@eve", "7"), "favourites", "federated", 1), true, "", "The column “Federated” cannot be imported so. federated is not a kind of source that X has"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			form := url.Values{"text": {c.file}, "do": {"confirm"}, "deckId": {"d"}}
			if c.connected {
				id := w.eve()
				if c.choice != "" {
					form.Set("account0", id)
				}
			}

			a := w.post("/decks/import", form)

			if c.want == "" {
				a.leadsTo(t, "/decks/d")
				w.get("/decks/d").says(t, "Likes")
				return
			}
			if a.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("status %d, want 422", a.StatusCode)
			}
			a.says(t, c.want)
			if w.get("/decks/d").StatusCode != http.StatusNotFound {
				t.Error("a deck was made")
			}
		})
	}
}
