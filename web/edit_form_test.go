package web_test

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/web"
)

// FuzzDeckForm reads forms that no page has made. What is understood of one is
// sent again as it was: nothing typed is lost on the way over a conflict.
func FuzzDeckForm(f *testing.F) {
	f.Add("expectedRevision=1&title=x&columns[0].id=c1&columns[0].connectionId=conn_1&columns[0].source.kind=local")
	f.Add("title=%ff&columns[9999].title=x&columns[0].filters.include=%0a/(/%0d%0a b&columns[0].removed=on")
	f.Add("columns[1].source.any=a+b%2Cc%E3%80%81d&columns[1].source.types=mention&columns[1].source.types=poll&columns[1].filters.scope=all")
	f.Add("columns[01].title=x")
	f.Add("expectedRevision=9223372036854775808")
	f.Fuzz(func(t *testing.T, body string) {
		form, err := url.ParseQuery(body)
		if err != nil {
			return
		}
		once, err := web.DeckFormAgain(form)
		if err != nil {
			return
		}

		twice, err := web.DeckFormAgain(once)

		if diff := cmp.Diff(once, twice); diff != "" || err != nil {
			t.Errorf("the form changes on its way (%v):\n%s", err, diff)
		}
	})
}
