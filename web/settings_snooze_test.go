package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// hours are what the two fields of the snooze hours have.
func hours(t *testing.T, a answer) (chosen []string) {
	t.Helper()
	for _, name := range []string{"morning", "evening"} {
		field := one(t, document(t, a.body), with("id", name))
		for _, o := range all(field, tag("option"), func(n *html.Node) bool { return has(n, "selected") }) {
			chosen = append(chosen, text(o))
		}
	}
	return chosen
}

// snoozeLabels are the first choices of a card's snooze.
func snoozeLabels(t *testing.T, w *workspace) (labels []string) {
	t.Helper()
	for _, b := range all(document(t, w.get("/").body), tag("button"), with("name", "until")) {
		labels = append(labels, text(all(b, tag("span"))[0]))
	}
	return labels
}

func TestSnoozeHoursAreThePersons(t *testing.T) {
	w := newWorkspace(t, nil)
	w.publish(task("a", "One"))
	before := hours(t, w.get("/settings"))

	a := w.save("snooze", url.Values{"morning": {"7"}, "evening": {"20"}})

	if diff := cmp.Diff([]string{"09:00", "18:00", "07:00", "20:00"}, append(before, hours(t, a)...)); diff != "" {
		t.Errorf("hours before and after (-want +got):\n%s", diff)
	}
	want := []string{"Today 20:00", "Tomorrow 07:00", "Monday 07:00", "In 1 week", "Until something new happens"}
	if diff := cmp.Diff(want, snoozeLabels(t, w)); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
}

func TestSnoozeHoursOutliveOtherSettings(t *testing.T) {
	w := newWorkspace(t, nil)
	w.save("snooze", url.Values{"morning": {"0"}, "evening": {"23"}})

	a := w.save("keyboard", url.Values{"keys": {"on"}})

	if diff := cmp.Diff([]string{"00:00", "23:00"}, hours(t, a)); diff != "" {
		t.Errorf("hours (-want +got):\n%s", diff)
	}
}

func TestSnoozeHoursThatThereAreNot(t *testing.T) {
	for name, form := range map[string]url.Values{
		"nothing":                    {},
		"an hour that no day has":    {"morning": {"9"}, "evening": {"24"}},
		"an hour before the first":   {"morning": {"-1"}, "evening": {"18"}},
		"words":                      {"morning": {"early"}, "evening": {"18"}},
		"the evening in the morning": {"morning": {"9"}, "evening": {"9"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)

			a := w.post("/settings/snooze", form)

			field := one(t, document(t, a.body), with("id", "morning"))
			if a.StatusCode != http.StatusUnprocessableEntity || attr(field, "aria-invalid") != "true" {
				t.Errorf("the answer is %d, want 422 with the fields marked", a.StatusCode)
			}
			if diff := cmp.Diff([]string{"09:00", "18:00"}, hours(t, w.get("/settings"))); diff != "" {
				t.Errorf("hours (-want +got):\n%s", diff)
			}
		})
	}
}
