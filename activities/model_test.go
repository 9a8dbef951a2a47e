package activities_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"pgregory.net/rapid"

	"personal-workspace/activities"
)

// proposal draws what an assistant could send.
func (m *machine) proposal() activities.Proposal {
	p := activities.Proposal{
		Kind:      rapid.SampledFrom([]activities.Kind{activities.KindTask, activities.KindReply}).Draw(m.T, "kind"),
		Title:     rapid.SampledFrom([]string{"Answer Ann", "パンを買う", "خبز"}).Draw(m.T, "title"),
		Body:      rapid.SampledFrom([]string{"", "Soon 🍞", "Not now"}).Draw(m.T, "body"),
		Withdrawn: rapid.IntRange(0, 9).Draw(m.T, "withdrawn") == 0,
	}
	if ids := slices.Sorted(maps.Keys(m.last.by)); rapid.Bool().Draw(m.T, "named") {
		p.ID = rapid.SampledFrom(append(ids, fmt.Sprintf("new-%d-%d", m.run, len(ids)))).Draw(m.T, "id")
		if a, ok := m.last.by[p.ID]; ok && !a.Erased {
			p.Kind = a.Proposal.Kind
		}
	}
	if n := rapid.IntRange(0, 3).Draw(m.T, "source"); n > 0 {
		p.Source = &activities.Source{ConnectionID: "conn_a", URL: fmt.Sprintf("https://example.org/%d/%d%s", m.run, n, rapid.SampledFrom([]string{"", "/", "?utm_source=x"}).Draw(m.T, "spelling"))}
		if rapid.Bool().Draw(m.T, "evidence") {
			at := m.now.Add(-time.Duration(rapid.IntRange(0, 5).Draw(m.T, "age")) * time.Minute)
			p.Source.Excerpts = []activities.Excerpt{{Text: "Could you?", At: &at}}
		}
	}
	return p
}

// publication draws one against the current revision, of activities that are not
// plainly the same.
func (m *machine) publication() activities.Publication {
	m.requests++
	p := activities.Publication{RequestID: fmt.Sprintf("request-%d-%d", m.run, m.requests), ExpectedRevision: m.last.revision}
	for range rapid.IntRange(1, 4).Draw(m.T, "activities") {
		a := m.proposal()
		if !slices.ContainsFunc(p.Activities, func(b activities.Proposal) bool { return alike(a, b) }) {
			p.Activities = append(p.Activities, a)
		}
	}
	return p
}

// alike reports whether two proposals have one id, or one address where it has to
// tell them apart.
func alike(a, b activities.Proposal) bool {
	if a.ID != "" && b.ID != "" {
		return a.ID == b.ID
	}
	if a.Source == nil || b.Source == nil {
		return false
	}
	one, _ := activities.CanonicalURL(a.Source.URL)
	other, _ := activities.CanonicalURL(b.Source.URL)
	return one == other
}

// keyOf is what recognises the source of a proposal, "" for none.
func keyOf(p activities.Proposal) string {
	if p.Source == nil {
		return ""
	}
	address, _ := activities.CanonicalURL(p.Source.URL)
	return string(p.Kind) + " " + address
}

// published checks that an activity of a publication is stored.
func (m *machine) published(o activities.Outcome, p activities.Proposal) {
	m.Helper()
	if o.Outcome == activities.OutcomeKept {
		return
	}
	got := m.last.by[o.ID].Proposal
	if got.Kind != p.Kind || got.Title != p.Title || got.Body != p.Body || got.Withdrawn != p.Withdrawn {
		m.Fatalf("%s of %s stored %+v, want %+v", o.Outcome, o.ID, got, p)
	}
}

// foretell returns the outcomes that a proposal can have by docs/activities.md.
func (m *machine) foretell(before state, p activities.Proposal) []string {
	stored := []string{activities.OutcomeUpdated, activities.OutcomeUnchanged}
	if a, there := before.by[p.ID]; there {
		switch {
		case !a.Open() || m.keys[p.ID] != keyOf(p) && !a.Own:
			return append(stored, activities.OutcomeCreated, activities.OutcomeKept)
		case a.Own:
			return []string{activities.OutcomeKept}
		}
		return stored
	}
	var closedAt time.Time
	for id, a := range before.by {
		switch {
		case keyOf(p) == "" || m.keys[id] != keyOf(p):
		case p.ID != "" && a.Open() && a.DismissedBefore != nil:
			return append(stored, activities.OutcomeCreated, activities.OutcomeKept)
		case p.ID != "" && a.Erased:
			return append(stored, activities.OutcomeCreated, activities.OutcomeKept)
		case p.ID != "" && a.DismissedBefore != nil && a.Decision.DecidedAt.After(closedAt):
			closedAt = *a.Decision.DecidedAt
		case p.ID == "" && a.Open():
			return stored
		case a.Open() || p.ID != "" && !a.Erased && a.Decision.Status == activities.Done:
		case a.Decision.DecidedAt.After(closedAt):
			closedAt = *a.Decision.DecidedAt
		}
	}
	if !closedAt.IsZero() && !newer(p, closedAt) {
		return []string{activities.OutcomeKept}
	}
	return []string{activities.OutcomeCreated}
}

// newer reports whether a proposal's evidence is newer than a decision.
func newer(p activities.Proposal, decided time.Time) bool {
	return len(p.Source.Excerpts) > 0 && p.Source.Excerpts[0].At.After(decided)
}
