package sns_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns"
)

func recall(t *testing.T, m sns.Memory) map[string]string {
	t.Helper()
	notes, err := m.Recall(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return notes
}

func remember(t *testing.T, m sns.Memory, name, note string) {
	t.Helper()
	if err := m.Remember(t.Context(), name, note); err != nil {
		t.Fatal(err)
	}
}

func TestMemoryIsOfOneProfileAndOutlivesARestart(t *testing.T) {
	w := newWorld(t)
	const relay = "http://relay.example:6900"
	m := sns.MemoryOf(w.sns, relay, "a1")
	remember(t, m, "home", `{"n":1}`)
	remember(t, m, "list", `{"n":2}`)
	remember(t, m, "home", `{"n":3}`)
	w.restart()
	if diff := cmp.Diff(map[string]string{"home": `{"n":3}`, "list": `{"n":2}`}, recall(t, sns.MemoryOf(w.sns, relay, "a1"))); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	for _, other := range []sns.Memory{sns.MemoryOf(w.sns, relay, "a2"), sns.MemoryOf(w.sns, "http://relay.example", "a1")} {
		if notes := recall(t, other); len(notes) != 0 {
			t.Errorf("another profile has the notes %v", notes)
		}
	}
	if err := m.Remember(t.Context(), "home", "no JSON"); err == nil {
		t.Error("a note that is no JSON was kept")
	}
}

func TestOldNotesAreForgotten(t *testing.T) {
	w := newWorld(t)
	m := sns.MemoryOf(w.sns, "http://relay.example", "a1")
	remember(t, m, "home", "{}")
	w.clock.add(time.Hour)
	remember(t, m, "list", "{}")
	w.clock.add(time.Hour)
	if diff := cmp.Diff(map[string]string{"list": "{}"}, recall(t, m)); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if err := w.sns.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := w.count("SELECT count(*) FROM profile_notes"); n != 1 {
		t.Errorf("%d notes are stored, want 1", n)
	}
}
