package web_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// opened is where the page of an activity is that was opened from a list.
func opened(t *testing.T, w *workspace, list, id string) string {
	t.Helper()
	card := one(t, document(t, w.get(list).body), with("id", "activity-"+id))
	link := one(t, card, tag("a"), func(n *html.Node) bool { return has(n, "data-open") })
	return attr(link, "href")
}

// backLink is the way back of a page about an activity.
func backLink(t *testing.T, page *html.Node) (name, address string) {
	t.Helper()
	link := all(one(t, page, class("sheet")), tag("a"))[0]
	return text(link), attr(link, "href")
}

func TestActivityLeadsBackToItsList(t *testing.T) {
	for name, tc := range map[string]struct{ list, name, back string }{
		"Home":           {"/", "Back to Home", "/?at=a"},
		"a filter":       {"/?kind=reply", "Back to Home", "/?at=a&kind=reply"},
		"another view":   {"/?view=all", "Back to Home", "/?at=a&view=all"},
		"one at a time":  {"/?focus=1", "Back to Home", "/?at=a&focus=1"},
		"Messages":       {"/messages", "Back to Messages", "/messages?at=a&conversation=TALK&filter=needs-reply"},
		"a conversation": {"/messages?filter=done&conversation=TALK", "Back to Messages", "/messages?at=a&conversation=TALK&filter=done"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.publish(said("a", "bread", "Rye?", time.Hour))
			a, err := w.activities.Get(t.Context(), "a")
			if err != nil {
				t.Fatal(err)
			}
			address := func(s string) string { return strings.ReplaceAll(s, "TALK", a.ConversationID) }
			here := opened(t, w, address(tc.list), "a")
			page := document(t, w.get(here).body)
			for _, way := range []string{"direct", "after a decision", "after undo", "after an edit", "after a comparison"} {
				switch way {
				case "after a decision":
					form := fieldsIn(one(t, page, with("id", "verbs-a")))
					form.Set("verb", "accept")
					here = w.decide("a", form).Header.Get("Location")
				case "after undo":
					form := fieldsIn(one(t, page, with("action", "/activities/a/undo")))
					here = w.post("/activities/a/undo", form).Header.Get("Location")
				case "after an edit":
					page = document(t, w.get(attr(one(t, page, with("data-verb", "edit")), "href")).body)
					form := fieldsIn(one(t, page, class("edit-activity")))
					form.Set("title", "a")
					form.Set("body", "In my words")
					here = w.post("/activities/a/edit", form).Header.Get("Location")
				case "after a comparison":
					newer := said("a", "bread", "Rye?", time.Hour)
					newer.Body = "Newer"
					w.publish(newer)
					page = document(t, w.get(here).body)
					compare := one(t, page, tag("a"), func(n *html.Node) bool { return text(n) == "Compare" })
					page = document(t, w.get(attr(compare, "href")).body)
					form := fieldsIn(all(page, with("action", "/activities/a/edit"))[0])
					here = w.post("/activities/a/edit", form).Header.Get("Location")
				}
				page = document(t, w.get(here).body)
				if text, got := backLink(t, page); text != tc.name || got != address(tc.back) {
					t.Errorf("%s: %q leads to %q, want %q to %q", way, text, got, tc.name, address(tc.back))
				}
			}
		})
	}
}

func TestActivityLeadsNowhereElse(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(said("a", "bread", "Rye?", time.Hour))
	for _, from := range []string{
		"https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "view=https://evil.example/",
		"filter=//evil.example", "%", ";", "focus=1;view=x", "at=//evil.example&back=https://evil.example/",
	} {
		page := document(t, w.get("/activities/a?from="+url.QueryEscape(from)).body)

		if _, got := backLink(t, page); !strings.HasPrefix(got, "/?") && !strings.HasPrefix(got, "/messages?") {
			t.Errorf("%q leads back to %q", from, got)
		}
		form := url.Values{"verb": {"accept"}, "from": {from}}
		if got := w.decide("a", form).Header.Get("Location"); !strings.HasPrefix(got, "/?") && !strings.HasPrefix(got, "/messages?") {
			t.Errorf("a decision from %q leads to %q", from, got)
		}
	}
}

func TestErasingLeadsBackToTheList(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(said("a", "bread", "Rye?", time.Hour))
	page := document(t, w.get(opened(t, w, "/messages?filter=needs-reply", "a")).body)
	page = document(t, w.get(attr(one(t, page, class("danger")), "href")).body)

	a := w.post(attr(one(t, page, tag("form"), with("method", "post")), "action"), nil)

	if got := a.Header.Get("Location"); !strings.HasPrefix(got, "/messages?") {
		t.Errorf("erasing leads to %q", got)
	}
}
