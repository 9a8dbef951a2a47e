package web_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"personal-workspace/activities"
	"personal-workspace/activities/activitiestest"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// TestActivityOperations runs the shared cases through the forms.
func TestActivityOperations(t *testing.T) {
	activitiestest.Run(t, func(t *testing.T) (activitiestest.Client, activitiestest.World) {
		w := newWorkspace(t, nil)
		c := w.login("social.example")
		w.net.set("social.example", sns.KindPost, activitiestest.Post(start))
		return decider{activitiestest.Service(w.activities), w}, activitiestest.World{ConnectionID: c.ID, Now: start}
	})
}

// decider is the person, who decides, edits and makes tasks through the forms.
// Assistants publish and read through the service.
type decider struct {
	activitiestest.Client
	*workspace
}

// outcome is how a form was answered.
func (d decider) outcome(t *testing.T, a answer) activitiestest.Outcome {
	t.Helper()
	o := activitiestest.Outcome{Code: fault.Code(a.Header.Get("Workspace-Fault")), Field: a.Header.Get("Workspace-Fault-Field")}
	if o.Code == "" && a.StatusCode != http.StatusSeeOther {
		t.Errorf("status %d without a fault: %s", a.StatusCode, text(document(t, a.body)))
	}
	return o
}

func (d decider) Decide(t *testing.T, in activities.Decide) activitiestest.Outcome {
	t.Helper()
	form := url.Values{"verb": {string(in.Verb)}, "reason": {in.Reason}, "id": in.IDs}
	if in.SnoozedUntil != nil {
		form.Set("until", in.SnoozedUntil.Format(time.RFC3339))
	}
	if in.WakeOnActivity {
		form.Set("wake", "on")
	}
	path := "/activities/decide"
	if len(in.IDs) == 1 {
		path = "/activities/" + in.IDs[0] + "/decide"
		if revision, ok := in.Expected[in.IDs[0]]; ok {
			form.Set("revision", strconv.FormatInt(revision, 10))
		}
	}
	return d.outcome(t, d.post(path, form))
}

func (d decider) Edit(t *testing.T, in activities.Edit) activitiestest.Outcome {
	t.Helper()
	form := url.Values{}
	if a := d.get("/activities/" + in.ID + "/edit"); a.StatusCode == http.StatusOK {
		_, form = d.editForm(in.ID)
	}
	if in.Title != nil {
		form.Set("title", *in.Title)
	}
	if in.Body != nil {
		form.Set("body", *in.Body)
	}
	if in.BaseRevision != 0 {
		form.Set("base", strconv.FormatInt(in.BaseRevision, 10))
	}
	return d.outcome(t, d.post("/activities/"+in.ID+"/edit", form))
}

func (d decider) Create(t *testing.T, in activities.Own) activitiestest.Outcome {
	t.Helper()
	form := url.Values{"id": {in.ID}, "title": {in.Title}, "body": {in.Body}}
	if in.DueAt != nil {
		form.Set("due", in.DueAt.In(start.Location()).Format(activities.LocalLayout))
	}
	return d.outcome(t, d.post("/activities/new", form))
}

func (d decider) CreateFromPost(t *testing.T, ref activities.PostRef) activitiestest.Outcome {
	t.Helper()
	return d.outcome(t, d.post("/posts/"+ref.ConnectionID+"/task", url.Values{"post": {ref.PostID}}))
}

func (d decider) Undo(t *testing.T) activitiestest.Outcome {
	t.Helper()
	return d.outcome(t, d.post("/activities/undo", url.Values{}))
}

func (d decider) Erase(t *testing.T, id string) activitiestest.Outcome {
	t.Helper()
	return d.outcome(t, d.post("/activities/"+id+"/erase", url.Values{}))
}
