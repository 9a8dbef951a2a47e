package sns_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

var friends = sns.Source{Kind: sns.KindList, ListID: "7"}

// titled makes the network tell its lists, and count how often.
func titled(w *world, asked *int, lists ...sns.List) {
	w.net.listing = func(context.Context, sns.Account) ([]sns.List, error) {
		*asked++
		return lists, nil
	}
}

func TestListColumnsLearnTheirTitle(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.feed.add(3)
		c := w.login("ann")
		asked := 0
		titled(w, &asked, sns.List{ID: "7", Title: "Friends"}, sns.List{ID: "8", Title: "Other"})
		sub := w.ledger.Subscribe()
		defer sub.Close()

		w.sns.RefreshLater(c.ID, friends)
		synctest.Wait()

		s := w.stored(c, friends)
		if s.Title != "Friends" || len(s.Posts) != 3 || asked != 1 {
			t.Errorf("title %q, %d posts, asked %d times; want Friends, 3, once", s.Title, len(s.Posts), asked)
		}
		select {
		case <-sub.C:
		default:
			t.Error("watchers were not woken")
		}
	})
}

// The name of a list comes after its posts: who watches it hears of that too.
func TestWatchersHearOfATitle(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.feed.add(3)
		c := w.login("ann")
		answer := make(chan struct{})
		w.net.listing = func(context.Context, sns.Account) ([]sns.List, error) {
			<-answer
			return []sns.List{{ID: "7", Title: "Friends"}}, nil
		}
		watch := w.watch(c, friends)
		synctest.Wait()
		if woken, _ := heard(watch); !woken || len(w.stored(c, friends).Posts) != 3 {
			t.Fatal("the posts did not come before the name")
		}

		close(answer)
		synctest.Wait()

		if woken, kinds := heard(watch); !woken || !slices.Equal(kinds, []sns.Kind{sns.KindList}) {
			t.Errorf("woken %t, of %v; want to hear of the list", woken, kinds)
		}
	})
}

func TestWatchersHearOfATitleThatSomebodyElseAskedFor(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		c := w.login("ann")
		asked := 0
		titled(w, &asked, sns.List{ID: "7", Title: "Friends"})
		watch := w.watch(c, friends)
		synctest.Wait()
		sleep(time.Hour) // the lists are not remembered any more
		heard(watch)
		titled(w, &asked, sns.List{ID: "7", Title: "Close friends"})

		if _, err := w.sns.ListLists(t.Context(), c.ID); err != nil {
			t.Fatal(err)
		}

		if woken, kinds := heard(watch); !woken || !slices.Equal(kinds, []sns.Kind{sns.KindList}) {
			t.Errorf("woken %t, of %v; want to hear of the list", woken, kinds)
		}
	})
}

// A tool that reads a list makes it a list whose title is wanted.
func TestListsThatToolsReadLearnTheirTitle(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.feed.add(3)
		c := w.login("ann")
		asked := 0
		titled(w, &asked, sns.List{ID: "7", Title: "Friends"})

		w.fetch(c, friends, "")
		synctest.Wait()

		if got := w.stored(c, friends).Title; got != "Friends" || asked != 1 || w.net.asked() != 1 {
			t.Errorf("title %q after %d questions and %d fetches; want Friends after one of each", got, asked, w.net.asked())
		}
	})
}

func TestTitlesAreAskedForOnceADay(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		c := w.login("ann")
		asked := 0
		titled(w, &asked, sns.List{ID: "7", Title: "Friends"})
		for range 23 {
			w.sns.RefreshLater(c.ID, friends)
			synctest.Wait()
			sleep(time.Hour)
		}
		if asked != 1 {
			t.Errorf("asked %d times within 23 hours, want once", asked)
		}
		titled(w, &asked, sns.List{ID: "7", Title: "Close friends"})
		sleep(time.Hour)
		w.sns.RefreshLater(c.ID, friends)
		synctest.Wait()
		if got := w.stored(c, friends).Title; got != "Close friends" || asked != 2 {
			t.Errorf("title %q after %d requests; want the new one after 2", got, asked)
		}
	})
}

func TestTitlesThatDoNotComeAreNotAskedForAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.net.feed.add(3)
		c := w.login("ann")
		asked := 0
		w.net.listing = func(context.Context, sns.Account) ([]sns.List, error) {
			asked++
			return nil, fault.New(fault.Forbidden, "No.")
		}
		for range 9 {
			w.sns.RefreshLater(c.ID, friends)
			synctest.Wait()
			sleep(time.Minute)
		}
		if s := w.stored(c, friends); asked != 1 || s.Title != "" || len(s.Posts) != 3 || s.Failure != nil {
			t.Errorf("asked %d times, title %q, %d posts, failure %v; want once and the posts", asked, s.Title, len(s.Posts), s.Failure)
		}
		sleep(time.Minute)
		w.sns.RefreshLater(c.ID, friends)
		synctest.Wait()
		if asked != 2 {
			t.Errorf("asked %d times after ten minutes, want twice", asked)
		}
	})
}

func TestTitleOfADeletedListStays(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		c := w.login("ann")
		asked := 0
		titled(w, &asked, sns.List{ID: "7", Title: "Friends"})
		w.sns.RefreshLater(c.ID, friends)
		synctest.Wait()
		titled(w, &asked)
		sleep(25 * time.Hour)
		w.sns.RefreshLater(c.ID, friends)
		synctest.Wait()
		if got := w.stored(c, friends).Title; got != "Friends" || asked != 2 {
			t.Errorf("title %q after %d requests; want Friends after 2", got, asked)
		}
	})
}

func TestListListsTellsTheColumnsTheirTitles(t *testing.T) {
	w := newWorld(t)
	c, other := w.login("ann"), w.login("bob")
	w.refresh(c, friends)
	w.refresh(other, friends)
	asked := 0
	titled(w, &asked, sns.List{ID: "7", Title: "Friends\n"})
	if _, err := w.sns.ListLists(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	if got := w.stored(c, friends).Title; got != "Friends" {
		t.Errorf("title = %q, want Friends", got)
	}
	if got := w.stored(other, friends).Title; got != "" {
		t.Errorf("another account's list of the same id is called %q", got)
	}
	pages, err := w.sns.StoredColumns(t.Context(), []sns.ColumnRef{{ConnectionID: c.ID, Source: friends}, {ConnectionID: c.ID, Source: home}}, 20)
	if err != nil || pages[0].Title != "Friends" || pages[1].Title != "" {
		t.Errorf("titles of columns = %q, %q, %v", pages[0].Title, pages[1].Title, err)
	}
}

func TestTitlesThatAToolReadAreNotAskedForAgain(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		c := w.login("ann")
		asked := 0
		titled(w, &asked, sns.List{ID: "7", Title: "Friends"})
		w.refresh(c, friends)
		synctest.Wait()
		sleep(23 * time.Hour)
		if _, err := w.sns.ListLists(t.Context(), c.ID); err != nil {
			t.Fatal(err)
		}
		before := asked
		// A day after the refresh has read the title, but not after the tool has.
		sleep(2 * time.Hour)
		w.sns.RefreshLater(c.ID, friends)
		synctest.Wait()
		if asked != before {
			t.Errorf("asked %d times more, want none", asked-before)
		}
	})
}

func TestOtherColumnsAskForNoTitle(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		c := w.login("ann")
		asked := 0
		titled(w, &asked)
		w.sns.RefreshLater(c.ID, home)
		w.sns.RefreshLater("conn_none", friends)
		synctest.Wait()
		if asked != 0 {
			t.Errorf("asked %d times", asked)
		}
	})
}
