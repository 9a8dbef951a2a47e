package sns_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns"
)

func TestTimelineKeepsItsNewestEntries(t *testing.T) {
	w := newWorld(t)
	sns.Limit(w.sns, 50, 500_000, 500)
	w.net.feed.add(120)
	c := w.login("ann")
	w.refresh(c, home)
	got, _ := w.readAll(c, home)
	if diff := cmp.Diff(numbers(120, 1), got); diff != "" {
		t.Errorf("paging below the limit (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(numbers(120, 71), ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	w.net.feed.add(10)
	w.refresh(c, home)
	if diff := cmp.Diff(numbers(130, 81), ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored after more (-want +got):\n%s", diff)
	}
}

func TestPruneByAge(t *testing.T) {
	w := newWorld(t)
	sns.Limit(w.sns, 2000, 500_000, 7)
	w.net.feed.add(20)
	c := w.login("ann")
	w.refresh(c, home)
	left := sns.Source{Kind: sns.KindLocal}
	w.refresh(c, left)
	w.clock.add(200 * 24 * time.Hour)
	w.net.feed.add(5)
	w.refresh(c, home) // 16 to 20 are still shown, unchanged
	w.refresh(c, tagged)
	w.clock.add(201 * 24 * time.Hour)
	if err := w.sns.Prune(t.Context()); err != nil {
		t.Fatalf("Prune: %v", err)
	}
	if diff := cmp.Diff(numbers(25, 6), ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	// A timeline that nobody fetches any more keeps the posts that others show.
	if diff := cmp.Diff(numbers(20, 6), ids(w.stored(c, left).Posts)); diff != "" {
		t.Errorf("the timeline that was left (-want +got):\n%s", diff)
	}
	w.clock.add(200 * 24 * time.Hour)
	if err := w.sns.Prune(t.Context()); err != nil {
		t.Fatalf("Prune: %v", err)
	}
	for _, table := range []string{"posts", "timelines", "timeline_entries"} {
		if n := w.count("SELECT count(*) FROM " + table); n != 0 {
			t.Errorf("%s has %d rows", table, n)
		}
	}
}

func TestPruneByNumber(t *testing.T) {
	w := newWorld(t)
	sns.Limit(w.sns, 2000, 30, 4)
	c := w.login("ann")
	for range 5 {
		w.net.feed.add(10)
		w.refresh(c, home)
	}
	if err := w.sns.Prune(t.Context()); err != nil {
		t.Fatalf("Prune: %v", err)
	}
	if diff := cmp.Diff(numbers(50, 21), ids(w.stored(c, home).Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if n := w.count("SELECT count(*) FROM posts"); n != 30 {
		t.Errorf("%d posts", n)
	}
}
