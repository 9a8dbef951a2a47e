package activities_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

const page = "https://a.example/x"

func reply(body string) activities.Proposal {
	return activities.Proposal{Kind: activities.KindReply, Title: "Answer Ann", Body: body, Source: &activities.Source{URL: page}}
}

func edit(t *testing.T, w *world, e activities.Edit) activities.Activity {
	t.Helper()
	a, err := w.Edit(w.person, e)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAnEditStaysWhateverIsPublished(t *testing.T) {
	w := newWorld(t)
	w.publish(t, reply("Suggestion"))
	edit(t, w, activities.Edit{ID: "act_1", Body: new("My words")})
	w.publish(t, reply("Newer suggestion"))

	a := w.get(t, "act_1")

	if _, body, _ := a.Effective(); body != "My words" || a.Proposal.Body != "Newer suggestion" || !a.SuggestionChanged {
		t.Errorf("body = %q beside %q, changed %v", body, a.Proposal.Body, a.SuggestionChanged)
	}
	w.decide(t, activities.VerbAccept, "act_1")
	if _, body, _ := w.get(t, "act_1").Effective(); body != "My words" {
		t.Errorf("body after accept = %q", body)
	}
	a = edit(t, w, activities.Edit{ID: "act_1", Body: new("Newer suggestion")})
	if !a.Decision.Edits.Empty() || a.SuggestionChanged {
		t.Errorf("after taking the suggestion: %+v, want no edit", a.Decision)
	}
}

// TestASuggestionThatCameDuringTheEditIsShown: who began with the older one has
// not seen it.
func TestASuggestionThatCameDuringTheEditIsShown(t *testing.T) {
	w := newWorld(t)
	w.publish(t, reply("Suggestion"))
	base := w.get(t, "act_1").Revision
	w.publish(t, reply("Newer suggestion"))

	a := edit(t, w, activities.Edit{ID: "act_1", Body: new("My words"), BaseRevision: base})

	if !a.SuggestionChanged {
		t.Error("the newer suggestion is not told of")
	}
}

func TestKeepingTheEditsIsSaidOnce(t *testing.T) {
	w := newWorld(t)
	w.publish(t, reply("Suggestion"))
	edit(t, w, activities.Edit{ID: "act_1", Body: new("My words")})
	w.publish(t, reply("Second suggestion"))
	seen := w.get(t, "act_1").Revision
	keep := activities.Edit{ID: "act_1", BaseRevision: seen, Keep: true}

	a := edit(t, w, keep)
	again := edit(t, w, keep)

	if _, body, _ := a.Effective(); body != "My words" || a.SuggestionChanged || a.Revision != seen+1 {
		t.Errorf("kept: %q, changed %v at revision %d", body, a.SuggestionChanged, a.Revision)
	}
	if again.Revision != a.Revision {
		t.Errorf("kept twice at revision %d, want %d", again.Revision, a.Revision)
	}
	if _, err := w.Undo(w.person); err != nil || !w.get(t, "act_1").SuggestionChanged {
		t.Errorf("after undo: %v, changed %v", err, w.get(t, "act_1").SuggestionChanged)
	}
}

// TestOnlyWhatWasSeenIsKeptOver: a third suggestion came behind the page that
// compared with the second.
func TestOnlyWhatWasSeenIsKeptOver(t *testing.T) {
	w := newWorld(t)
	w.publish(t, reply("Suggestion"))
	edit(t, w, activities.Edit{ID: "act_1", Body: new("My words")})
	w.publish(t, reply("Second suggestion"))
	seen := w.get(t, "act_1").Revision
	w.publish(t, reply("Third suggestion"))

	a := edit(t, w, activities.Edit{ID: "act_1", BaseRevision: seen, Keep: true})

	if !a.SuggestionChanged {
		t.Error("the third suggestion is not told of")
	}
}

// TestADraftBehindItsOwnSavingIsNotKept: the page sends both at once.
func TestADraftBehindItsOwnSavingIsNotKept(t *testing.T) {
	tokyo := time.FixedZone("", 9*60*60)
	w := newWorld(t)
	w.publish(t, reply("Suggestion"))
	edit(t, w, activities.Edit{ID: "act_1", Body: new("My words"), DueAt: &activities.Due{At: &noon}, BaseRevision: 1})

	kept, err := w.SaveDraft(w.person, "act_1", activities.Draft{
		Title: new("Answer Ann"), Body: new("My words"), Due: new("2026-11-30T21:00"), Zone: tokyo, BaseRevision: 1,
	})

	if kept || err != nil {
		t.Errorf("kept %v, %v", kept, err)
	}
	if d, ok, err := w.Draft(w.person, "act_1"); ok || err != nil {
		t.Errorf("there is a draft: %+v, %v", d, err)
	}
}

func TestEditsAreOnTop(t *testing.T) {
	due, other := noon.Add(24*time.Hour), noon.Add(48*time.Hour)
	base := activities.Proposal{Kind: activities.KindTask, Title: "Buy bread", Body: "rye", DueAt: &due}
	for _, tc := range []struct {
		name string
		in   activities.Edit
		want activities.Edits
	}{
		{"nothing", activities.Edit{}, activities.Edits{}},
		{"title", activities.Edit{Title: new(" Buy rolls ")}, activities.Edits{Title: new("Buy rolls")}},
		{"body", activities.Edit{Body: new("one\r\ntwo")}, activities.Edits{Body: new("one\ntwo")}},
		{"an empty body", activities.Edit{Body: new("")}, activities.Edits{Body: new("")}},
		{"date", activities.Edit{DueAt: &activities.Due{At: &other}}, activities.Edits{DueAt: &activities.Due{At: &other}}},
		{"no date", activities.Edit{DueAt: &activities.Due{}}, activities.Edits{DueAt: &activities.Due{}}},
		{"as proposed", activities.Edit{Title: new("Buy bread"), Body: new("rye"), DueAt: &activities.Due{At: &due}}, activities.Edits{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.publish(t, base)
			tc.in.ID = "act_1"

			edit(t, w, tc.in)

			if diff := cmp.Diff(tc.want, w.get(t, "act_1").Decision.Edits); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
			want := int64(2)
			if tc.want.Empty() {
				want = 1
			}
			if got := w.revision(t); got != want {
				t.Errorf("revision = %d, want %d", got, want)
			}
		})
	}
}

func TestEditsThatAreRefused(t *testing.T) {
	w := newWorld(t)
	w.publish(t, task("Buy bread"))
	w.decide(t, activities.VerbAccept, "act_1")
	for _, tc := range []struct {
		name  string
		in    activities.Edit
		code  fault.Code
		field any
	}{
		{"an empty title", activities.Edit{ID: "act_1", Title: new(" ")}, "invalid_arguments", "title"},
		{"a long title", activities.Edit{ID: "act_1", Title: new(strings.Repeat("語", 201))}, "invalid_arguments", "title"},
		{"a long body", activities.Edit{ID: "act_1", Body: new(strings.Repeat("語", 8001))}, "invalid_arguments", "body"},
		{"a bad date", activities.Edit{ID: "act_1", DueAt: &activities.Due{At: new(time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC))}}, "invalid_arguments", "dueAt"},
		{"one that is not there", activities.Edit{ID: "act_9", Title: new("x")}, "not_found", nil},
		{"decided since", activities.Edit{ID: "act_1", Title: new("x"), BaseRevision: 1}, "stale_revision", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := w.Edit(w.person, tc.in)
			if f := fault.From(err); err == nil || f.Code != tc.code || f.Details["field"] != tc.field {
				t.Errorf("fault = %v, want %s of %v", err, tc.code, tc.field)
			}
		})
	}
}

func TestADraftIsNoChange(t *testing.T) {
	w := newWorld(t)
	w.publish(t, reply("Suggestion"))
	if _, err := w.SaveDraft(w.person, "act_1", activities.Draft{Body: new("half a sen"), Due: new("tomorow"), BaseRevision: 1}); err != nil {
		t.Fatal(err)
	}
	w = restart(t, w)

	d, ok, err := w.Draft(w.person, "act_1")

	want := activities.Draft{Body: new("half a sen"), Due: new("tomorow"), BaseRevision: 1, SavedAt: noon}
	if diff := cmp.Diff(want, d); diff != "" || !ok || err != nil {
		t.Errorf("draft = %v, %v (-want +got):\n%s", ok, err, diff)
	}
	entries, err := w.ledger.Entries(t.Context(), 0, 10)
	if got := w.revision(t); got != 1 || len(entries) != 1 || err != nil {
		t.Errorf("revision = %d, %d entries, %v, want 1 and 1", got, len(entries), err)
	}
	edit(t, w, activities.Edit{ID: "act_1", Body: new("half a sentence"), BaseRevision: 1})
	if _, ok, err := w.Draft(w.person, "act_1"); ok || err != nil {
		t.Errorf("after saving there is a draft: %v, %v", ok, err)
	}
}

func TestDiscardDraftForgetsIt(t *testing.T) {
	w := newWorld(t)
	w.publish(t, reply("Suggestion"))
	if _, err := w.SaveDraft(w.person, "act_1", activities.Draft{Body: new("x")}); err != nil {
		t.Fatal(err)
	}
	if err := w.DiscardDraft(w.person, "act_1"); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := w.Draft(w.person, "act_1"); ok || err != nil {
		t.Errorf("draft = %v, %v, want none", ok, err)
	}
	if _, err := w.SaveDraft(w.person, "act_1", activities.Draft{Body: new(strings.Repeat("x", 200_000))}); fault.CodeOf(err) != fault.LimitExceeded {
		t.Errorf("a huge draft = %v, want limit_exceeded", err)
	}
}

func TestCreateMakesAnAcceptedActivity(t *testing.T) {
	w := newWorld(t)
	in := activities.Own{ID: "mine", Title: " Buy bread ", Body: "rye", Source: &activities.Source{ConnectionID: "conn_gone", URL: page}}

	a, err := w.Create(w.person, in)
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.Create(w.person, in)

	want := activities.Activity{
		ID: "mine", Own: true,
		Proposal:  activities.Proposal{Kind: activities.KindTask, Title: "Buy bread", Body: "rye", Source: &activities.Source{ConnectionID: "conn_gone", URL: page}},
		Decision:  activities.Decision{Status: activities.Accepted, DecidedAt: new(noon)},
		CreatedAt: noon, ProposedAt: noon, ConfirmedAt: noon, UpdatedAt: noon, Stale: true, Revision: 1,
	}
	if diff := cmp.Diff(want, a, cmpopts.IgnoreFields(activities.Activity{}, "ProposedBy")); diff != "" {
		t.Errorf("activity (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(a, again); diff != "" || err != nil {
		t.Errorf("again = %v (-first +again):\n%s", err, diff)
	}
	in.Title = "Buy rolls"
	if _, err := w.Create(w.person, in); fault.CodeOf(err) != fault.RequestConflict {
		t.Errorf("another of that id = %v, want request_conflict", err)
	}
	if res, err := w.Undo(w.person); err != nil || res.Activities[0].Decision.Status != activities.Dismissed {
		t.Errorf("undo = %+v, %v, want it dismissed", res, err)
	}
}

func TestEraseLeavesNoText(t *testing.T) {
	w := newWorld(t)
	secret := reply("secret-body")
	secret.Title, secret.Reason = "secret-title", "secret-reason"
	secret.Source.ConversationTitle, secret.Source.URL = "secret-name", "https://a.example/secret-page"
	secret.Source.Excerpts = []activities.Excerpt{{Text: "secret-excerpt"}}
	w.publish(t, secret)
	edit(t, w, activities.Edit{ID: "act_1", Body: new("secret-edit")})
	if _, err := w.Decide(w.person, activities.Decide{IDs: []string{"act_1"}, Verb: activities.VerbDismiss, Reason: "secret-why"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.SaveDraft(w.person, "act_1", activities.Draft{Body: new("secret-draft")}); err != nil {
		t.Fatal(err)
	}

	if err := w.Erase(w.person, "act_1"); err != nil {
		t.Fatal(err)
	}

	if a := w.get(t, "act_1"); !a.Erased || a.Proposal.Title != "" || !a.Decision.Edits.Empty() {
		t.Errorf("activity = %+v, want an erased one", a)
	}
	if found := texts(t, w, "secret-"); len(found) != 0 {
		t.Errorf("the database still has %q", found)
	}
	if p, err := w.Context(w.caller, activities.ContextQuery{}); len(p.Activities) != 0 || err != nil {
		t.Errorf("context = %v, %v, want nothing", p.Activities, err)
	}
	if _, err := w.Undo(w.person); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("undo = %v, want not_found", err)
	}
	if _, err := w.Decide(w.person, activities.Decide{IDs: []string{"act_1"}, Verb: activities.VerbDone}); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("decide = %v, want not_found", err)
	}
	secret.Title = "secret-again"
	if o := w.publish(t, secret).Activities[0]; o.Outcome != "kept_decision" || o.ID != "act_1" {
		t.Errorf("published again = %+v, want kept_decision of act_1", o)
	}
}

// TestErasedTextIsGoneFromTheDisk: also what was replaced before, and from the
// write-ahead log.
func TestErasedTextIsGoneFromTheDisk(t *testing.T) {
	w := newWorld(t)
	long := func(what string) string { return "secret-" + what + strings.Repeat("x", 7000) }
	for _, what := range []string{"first", "second", "third"} {
		p := reply(long(what))
		p.ID = "r"
		w.publish(t, p, task("beside "+what))
		edit(t, w, activities.Edit{ID: "r", Body: new(long("edit " + what))})
		if _, err := w.SaveDraft(w.person, "r", activities.Draft{Body: new(long("draft " + what))}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.DiscardDraft(w.person, "r"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Decide(w.person, activities.Decide{IDs: []string{"r"}, Verb: activities.VerbDismiss, Reason: "secret-why"}); err != nil {
		t.Fatal(err)
	}

	if err := w.Erase(w.person, "r"); err != nil {
		t.Fatal(err)
	}

	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(w.db.Path() + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(b, []byte("secret-")); n != 0 {
			t.Errorf("the file%s has the text %d times", suffix, n)
		}
	}
}

// TestWhatIsErasedWhileSomebodyReadsIsGoneLater: the log cannot be emptied then,
// nor when the process ends in between.
func TestWhatIsErasedWhileSomebodyReadsIsGoneLater(t *testing.T) {
	w := newWorld(t)
	p := reply("secret-text")
	p.ID = "r"
	w.publish(t, p)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.db.Read(t.Context(), func(tx *sqlite.Tx) error {
		_, err := sqlite.One(tx, sqlite.Int, "SELECT count(*) FROM activities")
		must(err)
		return w.Erase(w.person, "r")
	}))
	w = over(t, w.db) // a new process

	activities.Forget(t.Context(), w.Service)

	b, err := os.ReadFile(w.db.Path() + "-wal")
	must(err)
	if bytes.Contains(b, []byte("secret-")) {
		t.Error("the log has the text")
	}
}
