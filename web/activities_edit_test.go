package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/activities"
	"personal-workspace/web"
	"personal-workspace/web/view"
)

// editForm opens the form of an activity's text.
func (w *workspace) editForm(id string) (*html.Node, url.Values) {
	w.t.Helper()
	page := document(w.t, w.get("/activities/"+id+"/edit").body)
	form := one(w.t, page, tag("form"), class("edit-activity"))
	v := fieldsIn(form)
	for _, in := range all(form, tag("input")) {
		if attr(in, "type") != "hidden" {
			v.Set(attr(in, "name"), attr(in, "value"))
		}
	}
	v.Del("body")
	for c := range one(w.t, form, tag("textarea")).ChildNodes() {
		v.Set("body", v.Get("body")+c.Data)
	}
	return page, v
}

// effective is an activity's text as the person sees it.
func (w *workspace) effective(id string) [2]string {
	w.t.Helper()
	a, err := w.activities.Get(w.t.Context(), id)
	if err != nil {
		w.t.Fatalf("Get %s: %v", id, err)
	}
	title, body, _ := a.Effective()
	return [2]string{title, body}
}

func TestEditKeepsThePersonsWords(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(reply("r", "Answer Ana", "At four."))
	_, form := w.editForm("r")
	form.Set("body", "At five,\r\nif it is dry.")

	a := w.post("/activities/r/edit", form)

	if a.StatusCode != http.StatusSeeOther {
		t.Fatalf("the answer is %d: %s", a.StatusCode, a.body)
	}
	again := reply("r", "Answer Ana now", "At six.")
	w.publish(again)
	if got, want := w.effective("r"), [2]string{"Answer Ana now", "At five,\nif it is dry."}; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	if page := w.get("/").body; !strings.Contains(page, "Suggestion changed after you edited.") {
		t.Error("the card does not say that the suggestion changed")
	}
}

func TestEditLeavesInSightWhatTheTextIsAbout(t *testing.T) {
	const ofMessages = "?from=filter%3Dneeds-reply"
	for name, tc := range map[string]struct {
		path    string
		headers []string
		want    bool
	}{
		"on a page of its own":              {"/activities/r/edit", nil, true},
		"in the list of Home":               {"/activities/r/edit", []string{"HX-Request", "true"}, true},
		"in a conversation, which shows it": {"/activities/r/edit" + ofMessages, []string{"HX-Request", "true"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.publish(reply("r", "Answer Ana", "At four."))

			body := w.get(tc.path, tc.headers...).body

			if got := strings.Contains(body, "When do you come?"); got != tc.want {
				t.Errorf("the excerpt is shown: %t, want %t:\n%s", got, tc.want, body)
			}
		})
	}
}

func TestEditCountsAsTheNetworkDoes(t *testing.T) {
	for name, c := range map[string]struct {
		network, text string
		want          int
	}{
		"no network":            {"", "👍 https://example.org/a-long-address", 36},
		"an address":            {"mastodon", "See https://example.org/a-long-address-that-goes-on", 27},
		"someone elsewhere":     {"mastodon", "@ana@social.example yes", 8},
		"letters that are wide": {"twitter", "日本語 ok", 9},
		"ordinary ones":         {"twitter", "“déjà vu” – it’s", 16},
		"marks on letters":      {"mastodon", "de\u0301ja\u0300 かが\u3099 न\u093fम", 10},
		"marks composed":        {"twitter", "e\u0301 か\u3099", 4},
		"emoji of parts":        {"mastodon", "👩\u200d👩\u200d👧👍🏽 1\ufe0f\u20e3🇯🇵🇧🇷", 6},
		"emoji of parts on X":   {"twitter", "👩\u200d👩\u200d👧👍🏽 1\ufe0f\u20e3🇯🇵🇧🇷", 11},
		"Persian":               {"twitter", "می\u200cخواهم", 8},
		"lines":                 {"mastodon", "a\nb\n", 4},
	} {
		t.Run(name, func(t *testing.T) {
			if got := web.CountText(c.network, c.text); got != c.want {
				t.Errorf("countText(%q) = %d, want %d", c.text, got, c.want)
			}
		})
	}
}

func TestDraftSurvivesAndIsNoChange(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(reply("r", "Answer Ana", "At four."))
	_, form := w.editForm("r")
	form.Set("body", "At fi")

	w.post("/activities/r/draft", form, "HX-Request", "true")
	w.restart()

	page, again := w.editForm("r")
	if got := again.Get("body"); got != "At fi" {
		t.Errorf("the form has %q, want what was typed", got)
	}
	if !strings.Contains(text(page), "Not saved yet") {
		t.Error("the form does not say that the text is not saved")
	}
	if got, want := w.effective("r"), [2]string{"Answer Ana", "At four."}; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	if got, err := w.activities.Revision(t.Context()); err != nil || got != 1 {
		t.Errorf("the revision is %d (%v), want 1", got, err)
	}
}

func TestDraftIsDiscarded(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(reply("r", "Answer Ana", "At four."))
	_, form := w.editForm("r")
	form.Set("body", "At fi")
	w.post("/activities/r/draft", form, "HX-Request", "true")
	form.Set("discard", "on")

	w.post("/activities/r/edit", form)

	if _, again := w.editForm("r"); again.Get("body") != "At four." {
		t.Errorf("the form has %q, want the text", again.Get("body"))
	}
}

func TestEditThatIsRefusedKeepsWhatWasTyped(t *testing.T) {
	for name, c := range map[string]struct {
		change func(w *workspace, form url.Values)
		status int
		says   string
	}{
		"no title":      {func(_ *workspace, form url.Values) { form.Set("title", "") }, http.StatusUnprocessableEntity, "title"},
		"no date":       {func(_ *workspace, form url.Values) { form.Set("due", "soon") }, http.StatusUnprocessableEntity, "not a date"},
		"a later edit":  {func(w *workspace, _ url.Values) { w.editElsewhere("r") }, http.StatusConflict, "Other words"},
		"too long text": {func(_ *workspace, form url.Values) { form.Set("title", strings.Repeat("a", 201)) }, http.StatusUnprocessableEntity, "200"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.publish(reply("r", "Answer Ana", "At four."))
			_, form := w.editForm("r")
			form.Set("body", "At five.")
			c.change(w, form)

			a := w.post("/activities/r/edit", form)

			if a.StatusCode != c.status || !strings.Contains(a.body, c.says) || !strings.Contains(a.body, "At five.") {
				t.Errorf("the answer is %d, want %d with %q and the text: %s", a.StatusCode, c.status, c.says, a.body)
			}
		})
	}
}

// editElsewhere saves other words in another browser.
func (w *workspace) editElsewhere(id string) {
	w.t.Helper()
	_, form := w.editForm(id)
	form.Set("body", "Other words")
	w.post("/activities/"+id+"/edit", form)
}

func TestSavingAgainAfterALaterEditTakesWhatWasTyped(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(reply("r", "Answer Ana", "At four."))
	_, form := w.editForm("r")
	form.Set("body", "At five.")
	w.editElsewhere("r")
	page := document(t, w.post("/activities/r/edit", form).body)
	again := fieldsIn(one(t, page, class("edit-activity")))
	again.Set("title", "Answer Ana")
	again.Set("body", "At five.")

	w.post("/activities/r/edit", again)

	if got, want := w.effective("r"), [2]string{"Answer Ana", "At five."}; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
}

// TestEditShowsWhatWasChangedElsewhere: the title as well as the text, and nothing
// when there was a decision alone.
func TestEditShowsWhatWasChangedElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		elsewhere func(w *workspace)
		want      string
	}{
		"the title":  {func(w *workspace) { w.editOther("r", "title", "Answer her") }, "Answer her"},
		"the text":   {func(w *workspace) { w.editOther("r", "body", "At six.") }, "At six."},
		"a decision": {func(w *workspace) { w.decide("r", url.Values{"verb": {"accept"}}) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.publish(reply("r", "Answer Ana", "At four."))
			_, form := w.editForm("r")
			form.Set("body", "At five.")
			c.elsewhere(w)

			page := document(t, w.post("/activities/r/edit", form).body)

			if got := strings.Join(texts(all(one(t, page, tag("main")), tag("blockquote"), class("text"))), " "); got != c.want {
				t.Errorf("it shows %q, want %q", got, c.want)
			}
		})
	}
}

// editOther saves one field of an activity's text from another window.
func (w *workspace) editOther(id, field, value string) {
	w.t.Helper()
	_, form := w.editForm(id)
	form.Set(field, value)
	w.post("/activities/"+id+"/edit", form)
}

func TestCompareShowsBothTexts(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(reply("r", "Answer Ana", "I come at four."))
	_, form := w.editForm("r")
	form.Set("body", "I come at five.")
	w.post("/activities/r/edit", form)
	w.publish(reply("r", "Answer Ana", "I come at six."))

	page := document(t, w.get("/activities/r/compare").body)

	if got := texts(all(one(t, page, tag("main")), tag("ins")))[1:]; !cmp.Equal(got, []string{"five", "six"}) {
		t.Errorf("the words of the one and the other are %q", got)
	}
	take := all(page, with("action", "/activities/r/edit"))[1]
	w.post("/activities/r/edit", fieldsIn(take))
	if got, want := w.effective("r"), [2]string{"Answer Ana", "I come at six."}; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	if strings.Contains(w.get("/").body, "Suggestion changed") {
		t.Error("the card still says that the suggestion changed")
	}
}

func TestCompareKeepsTheText(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(reply("r", "Answer Ana", "I come at four."))
	_, form := w.editForm("r")
	form.Set("body", "I come at five.")
	w.post("/activities/r/edit", form)
	w.publish(reply("r", "Answer Ana", "I come at six."))
	page := document(t, w.get("/activities/r/compare").body)

	a := w.post("/activities/r/edit", fieldsIn(all(page, with("action", "/activities/r/edit"))[0]))

	if got, want := w.effective("r"), [2]string{"Answer Ana", "I come at five."}; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	if strings.Contains(w.get("/").body, "Suggestion changed") {
		t.Errorf("the card still says that the suggestion changed; the answer was %d", a.StatusCode)
	}
}

// TestCompareOverwritesNothingNewer: the text was changed elsewhere behind the
// page that compares.
func TestCompareOverwritesNothingNewer(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(reply("r", "Answer Ana", "I come at four."))
	_, form := w.editForm("r")
	form.Set("body", "I come at five.")
	w.post("/activities/r/edit", form)
	w.publish(reply("r", "Answer Ana", "I come at six."))
	page := document(t, w.get("/activities/r/compare").body)
	_, form = w.editForm("r")
	form.Set("body", "I come at seven.")
	w.post("/activities/r/edit", form)

	for i, want := range []int{http.StatusSeeOther, http.StatusConflict} {
		a := w.post("/activities/r/edit", fieldsIn(all(page, with("action", "/activities/r/edit"))[i]))
		if a.StatusCode != want {
			t.Errorf("button %d is answered %d, want %d", i, a.StatusCode, want)
		}
	}
	if got, want := w.effective("r"), [2]string{"Answer Ana", "I come at seven."}; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
}

// TestATextThatBeginsWithAnEmptyLineStaysSo: browsers drop the first line break of
// a text field.
func TestATextThatBeginsWithAnEmptyLineStaysSo(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("t", "Buy milk", func(p *activities.Proposal) { p.Body = "\nOat." }))
	_, form := w.editForm("t")

	w.post("/activities/t/edit", form)

	if got, want := w.effective("t"), [2]string{"Buy milk", "\nOat."}; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
}

func TestCompareByWords(t *testing.T) {
	for name, c := range map[string]struct {
		mine, theirs string
		want         []view.DiffWords
	}{
		"equal":          {"a b", "a b", []view.DiffWords{{Text: "a b"}}},
		"another word":   {"at four.", "at five.", []view.DiffWords{{Text: "at "}, {Text: "five", In: "theirs"}, {Text: "four", In: "mine"}, {Text: "."}}},
		"without spaces": {"今日は", "明日は", []view.DiffWords{{Text: "明", In: "theirs"}, {Text: "今", In: "mine"}, {Text: "日は"}}},
		"empty":          {"", "new", []view.DiffWords{{Text: "new", In: "theirs"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, web.Compare(c.mine, c.theirs)); diff != "" {
				t.Errorf("compare (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("I come at four.", "I come at five.")
	f.Add("今日は👩‍👩‍👧", "明日は👩‍👧")
	f.Fuzz(func(t *testing.T, mine, theirs string) {
		if !utf8.ValidString(mine) || !utf8.ValidString(theirs) || len(mine)*len(theirs) > 1<<16 {
			return
		}
		var a, b string
		for _, w := range web.Compare(mine, theirs) {
			if w.In != "theirs" {
				a += w.Text
			}
			if w.In != "mine" {
				b += w.Text
			}
		}
		if a != mine || b != theirs {
			t.Errorf("compare gives %q and %q, want %q and %q", a, b, mine, theirs)
		}
	})
}

func TestActivityPageHasItsHistory(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One", func(p *activities.Proposal) { p.Body = "Whole text" }))
	w.decide("a", url.Values{"verb": {"accept"}})
	w.publish(task("a", "One", func(p *activities.Proposal) { p.Body = "Other text" }))
	w.decide("a", url.Values{"verb": {"dismiss"}, "reason": {"Not mine"}})

	page := document(t, w.get("/activities/a").body)

	var got []string
	for _, li := range all(one(t, page, class("history")), tag("li")) {
		got = append(got, text(all(li, tag("span"))[0]))
	}
	if diff := cmp.Diff([]string{"Dismissed: Not mine", "Proposed anew", "Accepted", "Proposed"}, got); diff != "" {
		t.Errorf("the history (-want +got):\n%s", diff)
	}
}

func TestEraseAsksAndRemovesTheText(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "A secret errand"))
	if page := w.get("/activities/a/erase").body; !strings.Contains(page, "Erase this for good?") {
		t.Fatalf("the page does not ask: %s", page)
	}

	w.post("/activities/a/erase", nil)

	for _, path := range []string{"/", "/?view=all", "/activities/a"} {
		if strings.Contains(w.get(path).body, "A secret errand") {
			t.Errorf("%s still has the text", path)
		}
	}
}

func TestComparedTextsAreReadable(t *testing.T) {
	marked := func(words []view.DiffWords) string {
		var b strings.Builder
		for _, w := range words {
			if w.In == "" {
				b.WriteString(w.Text)
			} else {
				b.WriteString("[" + w.Text + "]")
			}
		}
		return b.String()
	}
	japanese := func(hour, tail string) string {
		return strings.Repeat("暗室は空いています。", 300) + "水曜日の" + hour + "時に行きます。" + strings.Repeat("紙は持って行きます。", 400) + tail
	}
	for name, c := range map[string]struct{ mine, theirs, wantMine, wantTheirs string }{
		"words":         {"if the queue leaves any.", "if there are any.", "if [the queue leaves] any.", "if [there are] any."},
		"Japanese":      {"木曜日の夜七時まで", "水曜日の夜六時まで", "[木]曜日の夜[七]時まで", "[水]曜日の夜[六]時まで"},
		"Arabic":        {"سأحضر يوم الأربعاء مساءً", "سأحضر يوم الخميس مساءً", "سأحضر يوم [الأربعاء] مساءً", "سأحضر يوم [الخميس] مساءً"},
		"lines":         {"One\ntwo\nthree", "One\n2\nthree", "One\n[two]\nthree", "One\n[2]\nthree"},
		"added":         {"Hello", "Hello there", "Hello", "Hello[ there]"},
		"long Japanese": {japanese("七", "またね。"), japanese("六", "では。"), strings.Replace(strings.Replace(japanese("七", "またね。"), "七", "[七]", 1), "またね", "[またね]", 1), strings.Replace(strings.Replace(japanese("六", "では。"), "六", "[六]", 1), "では", "[では]", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			mine, theirs := web.Sides(c.mine, c.theirs)
			if diff := cmp.Diff([2]string{c.wantMine, c.wantTheirs}, [2]string{marked(mine), marked(theirs)}); diff != "" {
				t.Errorf("the texts (-want +got):\n%s", diff)
			}
		})
	}
}
