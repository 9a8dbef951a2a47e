package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/activities"
	"personal-workspace/internal/app"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite"
)

// inEach is how many activities a publication of this test makes: they are all
// there or none.
const inEach = 3

// longestInbox bounds how long a server takes publications and decisions before
// it is killed: some tens of either.
const longestInbox = 60 * time.Millisecond

// offer is a publication as it was sent.
type offer struct {
	args map[string]any
	ids  []string
	// receipt is the answer as it came, "" while there is none.
	receipt string
	// stale: another publication came before it.
	stale bool
}

// inbox is everything that the assistants and the person know.
type inbox struct {
	mu     sync.Mutex
	offers []*offer
	// decided are the statuses of activities, typed the texts that the person has
	// not saved.
	decided, typed map[string]*said
	// cut counts the publications that a kill left without an answer.
	cut int
}

// said is what was acknowledged last, and what was asked for since then without an
// answer.
type said struct {
	known string
	asked []string
}

// ask notes a value that is asked for, and answered that it was acknowledged.
func (in *inbox) ask(all map[string]*said, id, first, value string) {
	if all[id] == nil {
		all[id] = &said{known: first}
	}
	all[id].asked = append(all[id].asked, value)
}

func (in *inbox) answered(all map[string]*said, id, value string) {
	in.note(func() { all[id] = &said{known: value} })
}

// can are the values that may be there.
func (s *said) can() []string { return append([]string{s.known}, s.asked...) }

func (in *inbox) note(f func()) {
	in.mu.Lock()
	defer in.mu.Unlock()
	f()
}

// A server that is killed at any moment keeps every publication and every
// decision that it acknowledged, and no half of another.
func TestKilledServerKeepsEveryDecision(t *testing.T) {
	dataDir := filepath.Join(t.TempDir(), "data")
	in := &inbox{decided: map[string]*said{}, typed: map[string]*said{}}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	unseen, rounds := 0, kills(t)
	for round := range rounds {
		p := start(t, serveCmd(t, dataDir))
		in.verify(t, newClient(p.base), in.offers[unseen:])
		unseen = len(in.offers)
		enough := func() bool { return round+1 < rounds || in.isFilled() }
		in.workUntilKilled(t, p, round, enough, time.Duration(random.Int64N(int64(longestInbox))))
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	p := start(t, serveCmd(t, dataDir))
	in.verify(t, newClient(p.base), in.offers)
	p.stop(t)
	in.verifyFile(t, dataDir)
	t.Logf("kept %d publications, %d of them without an answer at first, %d decisions, %d drafts", len(in.offers), in.cut, len(in.decided), len(in.typed))
}

// isFilled reports whether something of every kind was written. On a slow disk the
// last round waits for that.
func (in *inbox) isFilled() (filled bool) {
	in.note(func() { filled = len(in.offers) > 0 && len(in.decided) > 0 && len(in.typed) > 0 })
	return filled
}

// workUntilKilled lets two assistants publish and the person decide, and kills
// the server the time given after it is enough.
func (in *inbox) workUntilKilled(t *testing.T, p *process, round int, enough func() bool, after time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var writers sync.WaitGroup
	for who := range 2 {
		writers.Go(func() {
			c := newClient(p.base)
			for n := 0; ctx.Err() == nil && in.publish(ctx, c, fmt.Sprintf("r%d-%d-%d", round, who, n)) == nil; n++ {
			}
		})
	}
	for _, post := range []func(context.Context, *client, int) error{in.decide, in.typeText} {
		writers.Go(func() {
			c := newClient(p.base)
			for n := 0; ctx.Err() == nil && post(ctx, c, n) == nil; n++ {
			}
		})
	}
	until(t, "writes of every kind", enough)
	timer := time.NewTimer(after)
	<-timer.C
	p.kill(t)
	cancel()
	writers.Wait()
}

// publish sends three activities against the revision of the moment. One that
// came too late is as good as none.
func (in *inbox) publish(ctx context.Context, c *client, request string) error {
	var now struct{ Revision int64 }
	if err := c.call(ctx, "get_activity_context", map[string]any{"limit": 1}, &now); err != nil {
		return err
	}
	o := &offer{}
	var list []any
	for i := range inEach {
		id := fmt.Sprintf("%s-%d", request, i)
		o.ids = append(o.ids, id)
		list = append(list, map[string]any{"id": id, "kind": "task", "title": "パンを買う " + id, "body": strings.Repeat("とても大切 ", 20)})
	}
	o.args = map[string]any{"requestId": request, "expectedRevision": now.Revision, "activities": list}
	in.note(func() { in.offers = append(in.offers, o) })
	return in.send(ctx, c, o)
}

// send sends an offer and notes its receipt, or that it is stale.
func (in *inbox) send(ctx context.Context, c *client, o *offer) error {
	var receipt json.RawMessage
	err := c.call(ctx, "publish_activities", o.args, &receipt)
	if err != nil && strings.Contains(err.Error(), "stale_revision") {
		in.note(func() { o.stale = true })
		return nil
	}
	in.note(func() { o.receipt = string(receipt) })
	return err
}

// verbs are what the person does, one after the other, and what it leads to.
var verbs = []struct{ verb, status string }{
	{"accept", "accepted"}, {"done", "done"}, {"dismiss", "dismissed"}, {"wait", "snoozed"},
}

// decide posts a decision about one of the newest activities, as a form does.
func (in *inbox) decide(ctx context.Context, c *client, n int) error {
	v := verbs[n%len(verbs)]
	return in.post(ctx, c, in.decided, n, "decide", "proposed", v.status, url.Values{"verb": {v.verb}})
}

// typeText posts what the person has typed so far, as an open form does.
func (in *inbox) typeText(ctx context.Context, c *client, n int) error {
	text := fmt.Sprintf("half a sentence, %d words", n)
	return in.post(ctx, c, in.typed, n, "draft", "", text, url.Values{"title": {"パン"}, "body": {text}})
}

// post sends a form about one of the newest activities, which makes a value of it.
func (in *inbox) post(ctx context.Context, c *client, all map[string]*said, n int, path, first, value string, form url.Values) error {
	id := ""
	in.note(func() {
		for _, o := range slices.Backward(in.offers) {
			if o.receipt != "" {
				id = o.ids[n%inEach]
				in.ask(all, id, first, value)
				return
			}
		}
	})
	if id == "" {
		return ctx.Err()
	}
	status, _, body, err := c.do(ctx, http.MethodPost, "/activities/"+id+"/"+path, map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, form.Encode())
	if err != nil {
		return err
	}
	if status != http.StatusSeeOther {
		return fmt.Errorf("%s of %s: status %d: %.300s", path, id, status, body)
	}
	in.answered(all, id, value)
	return nil
}

// verify asks a restarted server for the offers: those with a receipt get it
// again and are there, of another all is there or nothing.
func (in *inbox) verify(t *testing.T, c *client, offers []*offer) {
	t.Helper()
	for _, o := range offers {
		known := o.receipt
		if known == "" && !o.stale {
			in.cut++
		}
		if err := in.send(t.Context(), c, o); err != nil {
			t.Errorf("the retry of %v: %v", o.args["requestId"], err)
		}
		if known != "" && known != o.receipt {
			t.Errorf("the retry of %v got\n%s, want\n%s", o.args["requestId"], o.receipt, known)
		}
		got := in.statuses(t, c, o.ids)
		if want := map[bool]int{true: inEach}[o.receipt != ""]; len(got) != want {
			t.Errorf("of publication %v there are %d, want %d (receipt %q)", o.args["requestId"], len(got), want, o.receipt)
		}
		for id, status := range got {
			in.check(t, c, id, status)
		}
	}
}

// statuses reads what the activities are, for those that are there.
func (in *inbox) statuses(t *testing.T, c *client, ids []string) map[string]string {
	t.Helper()
	var page struct {
		Activities []struct {
			ID       string
			Decision struct{ Status string }
		}
	}
	err := c.call(t.Context(), "get_activity_context", map[string]any{"activityIds": ids}, &page)
	out := map[string]string{}
	switch {
	case err == nil:
		for _, a := range page.Activities {
			out[a.ID] = a.Decision.Status
		}
	case !strings.Contains(err.Error(), "not_found"):
		t.Fatal(err)
	case len(ids) > 1: // at least one is not there
		for i := range ids {
			maps.Copy(out, in.statuses(t, c, ids[i:i+1]))
		}
	}
	return out
}

// check checks that an activity is as the person last knew it, or as they asked
// for without an answer.
func (in *inbox) check(t *testing.T, c *client, id, status string) {
	t.Helper()
	want := []string{"proposed"}
	if s := in.decided[id]; s != nil {
		want = s.can()
	}
	if !slices.Contains(want, status) {
		t.Errorf("activity %s is %s, want one of %q", id, status, want)
	}
	s := in.typed[id]
	if s == nil {
		return
	}
	form := c.get(t, "/activities/"+id+"/edit")
	if !slices.ContainsFunc(s.can(), func(text string) bool { return strings.Contains(form, text) }) {
		t.Errorf("the form of %s has none of what was typed, %q", id, s.can())
	}
}

// verifyFile opens the stopped workspace's file: SQLite finds no fault, and each
// commit moved the revision by one and left one row in the ledger.
func (in *inbox) verifyFile(t *testing.T, dataDir string) {
	t.Helper()
	s, err := app.OpenStore(t.Context(), app.Config{DataDir: dataDir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.DB.Read(t.Context(), func(tx *sqlite.Tx) error {
		report, err := sqlite.Query(tx, sqlite.String, "PRAGMA integrity_check")
		if diff := cmp.Diff([]string{"ok"}, report); diff != "" {
			t.Errorf("integrity_check (-want +got):\n%s", diff)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	revision, err := activities.New(activities.Config{DB: s.DB, Ledger: s.Ledger, Connections: s.Posts}).Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := s.Ledger.Entries(t.Context(), 0, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	in.verifyLedger(t, entries, revision)
}

// verifyLedger checks that the rows count the revisions, and that as many
// publications were stored as were answered in the end.
func (in *inbox) verifyLedger(t *testing.T, entries []ledger.Entry, revision int64) {
	t.Helper()
	published, answered := 0, 0
	for i, e := range entries {
		if fmt.Sprint(e.Data["revision"]) != fmt.Sprint(i+1) {
			t.Fatalf("row %d of the ledger is of revision %v", i+1, e.Data["revision"])
		}
		if e.Name == ledger.ActivityPublished {
			published++
		}
	}
	if int64(len(entries)) != revision {
		t.Errorf("the ledger has %d rows at revision %d", len(entries), revision)
	}
	for _, o := range in.offers {
		if o.receipt != "" {
			answered++
		}
	}
	if published != answered {
		t.Errorf("%d publications are in the ledger, and %d were answered", published, answered)
	}
}
