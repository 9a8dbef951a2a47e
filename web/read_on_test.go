package web_test

import (
	"net/http"
	"testing"
	"time"

	"personal-workspace/sns"
)

// readsOn is what Home says about the deck to go on with, its parts with a space
// between them.
func (w *workspace) readsOn() string {
	w.t.Helper()
	return text(one(w.t, document(w.t, w.get("/").body), with("id", "reading")))
}

func TestHomeCountsWhatIsNewInTheDeck(t *testing.T) {
	w := newWorkspace(t, nil)
	w.net.set("social.example", sns.KindLocal, timeline(25)[7:]...)
	w.deck("Morning", local(w.connect("social.example")))
	w.fill()
	var news string
	for _, step := range []struct {
		name string
		do   func()
		want string
	}{
		{"never opened", func() {}, "Continue reading: Morning"},
		{"opened", func() { news = w.newsURL() }, "Continue reading: Morning"},
		{"seven posts come", func() {
			w.net.set("social.example", sns.KindLocal, timeline(25)...)
			w.pass(time.Minute)
			w.fill()
		}, "Continue reading: Morning , 7 new"},
		{"the page holds them back", func() { w.fragment(news + "&held=post-c1-992") }, "Continue reading: Morning , 7 new"},
		{"the page shows them", func() { w.fragment(news) }, "Continue reading: Morning"},
	} {
		step.do()
		if got := w.readsOn(); got != step.want {
			t.Errorf("%s: %q, want %q", step.name, got, step.want)
		}
	}
}

func TestReadingLeadsToTheDeck(t *testing.T) {
	w := newWorkspace(t, nil)
	if a := w.get("/reading"); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/decks" {
		t.Errorf("without a deck: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
	if a := w.fragment("/reading"); a.StatusCode != http.StatusNoContent {
		t.Errorf("the line without a deck: %d", a.StatusCode)
	}
	w.deck("Morning", local(w.connect("social.example")))
	if a := w.get("/reading"); a.Header.Get("Location") != "/decks/d" {
		t.Errorf("it leads to %q", a.Header.Get("Location"))
	}
	if got := text(one(t, document(t, w.fragment("/reading").body), with("id", "reading"))); got != "Continue reading: Morning" {
		t.Errorf("the line is %q", got)
	}
}

func TestSampleIsDismissedForGood(t *testing.T) {
	w := newWorkspace(t, nil)
	sample := one(t, document(t, w.get("/").body), with("aria-labelledby", "sample-title"))
	action := attr(all(sample, tag("form"))[0], "action")

	a := w.post(action, nil)

	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/" {
		t.Errorf("the answer is %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
	w.restart()
	page := document(t, w.get("/").body)
	if len(all(page, with("id", "sample"))) != 0 || len(all(page, with("id", "first-run"))) != 1 {
		t.Error("the sample is there again, or what proposals are is not said any more")
	}
}
