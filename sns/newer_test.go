package sns_test

import (
	"slices"
	"testing"

	"personal-workspace/sns"
)

func TestPostsAboveAMarkAreCounted(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.pages(page(3, 2, 1), page(8, 7, 6, 5, 4, 3, 2, 1))
	w.refresh(c, home)
	mark := w.stored(c, home).Mark
	local := sns.Source{Kind: sns.KindLocal}
	refs := []sns.ColumnRef{
		{ConnectionID: c.ID, Source: home},
		{ConnectionID: c.ID, Source: home},
		{ConnectionID: c.ID, Source: home},
		{ConnectionID: c.ID, Source: local},
		{ConnectionID: "conn_none", Source: home},
	}
	count := func(most int) []int {
		t.Helper()
		got, err := w.sns.CountNewer(t.Context(), refs, []string{mark, "", "x:y", mark, mark}, most)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := count(10); !slices.Equal(got, []int{0, 0, 0, 0, 0}) {
		t.Errorf("nothing new: %v", got)
	}

	w.refresh(c, home)
	w.refresh(c, local)

	if got := count(10); !slices.Equal(got, []int{5, 0, 0, 0, 0}) {
		t.Errorf("five new: %v", got)
	}
	if got := count(3); !slices.Equal(got, []int{3, 0, 0, 0, 0}) {
		t.Errorf("of at most three: %v", got)
	}
	if got := w.stored(c, sns.Source{Kind: sns.KindFavourites}).Mark; got != "" {
		t.Errorf("the mark of nothing is %q", got)
	}
}
