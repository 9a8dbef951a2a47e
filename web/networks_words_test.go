package web_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web"
)

func TestTheFormOffersTheProfilesOfTheRelays(t *testing.T) {
	down := fault.New(fault.UpstreamUnavailable, "The relay spare.internal:6900 cannot be reached; start it, or check its address.")
	for name, c := range map[string]struct {
		first, spare []string
		fail         error
		value        string
		words        []string
		offered      []string
	}{
		"one": {[]string{"eve"}, nil, down, "eve", []string{"relay.internal:6900 has: eve", down.Message}, []string{"eve"}},
		"several": {
			[]string{"eve", "adam"},
			[]string{"adam"},
			nil, "",
			[]string{"relay.internal:6900 has: eve, adam", "spare.internal:6900 has: adam"},
			[]string{"adam", "eve"},
		},
		"none": {nil, nil, nil, "", []string{"relay.internal:6900 has no profile; give it one in its settings."}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.net.profiles = func(a sns.Account) ([]string, error) {
				if strings.Contains(a.Origin, "spare") {
					return c.spare, c.fail
				}
				return c.first, nil
			}

			page := document(t, w.get("/connections/new").body)

			if got := attr(one(t, page, tag("input"), with("id", "profile")), "value"); got != c.value {
				t.Errorf("the profile is %q, want %q", got, c.value)
			}
			for _, want := range c.words {
				if got := text(one(t, page, with("id", "profile-hint"))); !strings.Contains(got, want) {
					t.Errorf("hint = %q, want %q", got, want)
				}
			}
			var offered []string
			for _, o := range all(page, tag("datalist")) {
				for _, option := range all(o, tag("option")) {
					offered = append(offered, attr(option, "value"))
				}
			}
			if diff := cmp.Diff(c.offered, offered); diff != "" {
				t.Errorf("offered (-want +got):\n%s", diff)
			}
		})
	}
}

// Cost implements sns.Coster: an account of X is read 30 times, a list 60 times.
func (n *network) Cost(s sns.Source) (sns.Cost, bool) {
	cost := sns.Cost{Requests: 1, Limit: 30, Per: 15 * time.Minute}
	if s.Kind == sns.KindList {
		cost.Limit = 60
	}
	return cost, n.costs
}

func TestTheFormOfASourceSaysWhatItCosts(t *testing.T) {
	for kind, want := range map[sns.Kind]string{
		sns.KindUser:      "A look takes 1 of 30 reads in 15 minutes, shared by all columns of this kind. An open column looks once a minute. A list of the people you mean takes less: lists have 60 reads.",
		sns.KindHashtag:   "A look takes 1 of 30 reads in 15 minutes, shared by all searches and hashtags. An open column looks once a minute. A list of the people you mean takes less: lists have 60 reads.",
		sns.KindBookmarks: "A look takes 1 of 30 reads in 15 minutes, shared by all columns of this kind. An open column looks once a minute.",
		sns.KindList:      "A look takes 1 of 60 reads in 15 minutes, shared by all columns of this kind. An open column looks once a minute.",
	} {
		t.Run(string(kind), func(t *testing.T) {
			w := newWorkspace(t, nil)
			id := w.eve()
			w.net.costs = true
			w.deck("Morning")

			page := document(t, w.get("/decks/d/add?connection="+id+"&kind="+string(kind)).body)

			if got := text(one(t, page, with("id", "cost"))); got != want {
				t.Errorf("cost = %q, want %q", got, want)
			}
		})
	}
}

func TestListsOfXThatAreNotReadYetAreChosenFromLater(t *testing.T) {
	w := newWorkspace(t, nil)
	id := w.eve()
	w.deck("Morning")
	w.net.failLists = fault.New(fault.Timeout, "X has not answered in time.")
	path := "/decks/d/add?connection=" + id + "&kind=list"

	page := text(document(t, w.get(path).body))

	for _, want := range []string{"are not read yet. Reload this page in a moment to choose from them", "as in x.com/i/lists/123."} {
		if !strings.Contains(page, want) {
			t.Errorf("page = %s, want %q", page, want)
		}
	}
	w.net.lists, w.net.failLists = []sns.List{{ID: "7", Title: "Ferries"}}, nil
	one(t, document(t, w.get(path).body), tag("option"), with("value", "7"))
	w.net.lists, w.net.failLists = nil, fault.New(fault.RateLimited, "X limits how often the lists can be read.")
	w.pass(30 * time.Minute)
	one(t, document(t, w.get(path).body), tag("option"), with("value", "7"))
}

func TestTheFavouritesOfXAreCalledLikes(t *testing.T) {
	w := newWorkspace(t, nil)
	id := w.eve()
	source := sns.Source{Kind: sns.KindFavourites}
	w.deck("Morning", decks.Column{ConnectionID: id, Source: source}, decks.Column{ConnectionID: w.login("social.example").ID, Source: source})

	for path, want := range map[string][]string{
		"/decks/d/":           {"Likes", "Favourites"},
		"/decks/d/edit":       {"Likes", "Favourites"},
		"/connections":        {"Likes", "Favourites"},
		"/connections/" + id:  {"Likes"},
		"/decks/d/columns/c1": {"Likes"},
	} {
		page := text(document(t, w.get(path).body))
		for _, word := range want {
			if !strings.Contains(page, word) {
				t.Errorf("%s lacks %q: %s", path, word, page)
			}
		}
		if len(want) == 1 && strings.Contains(page, "Favourites") {
			t.Errorf("%s says Favourites of X: %s", path, page)
		}
	}
}

func TestATimeInAMessageIsInThePersonsZone(t *testing.T) {
	w := newWorkspace(t, nil)
	c := w.login("social.example")
	w.deck("Morning", local(c))
	w.fill()
	w.pass(time.Minute)
	w.net.breakWith(fault.New(fault.UpstreamUnavailable, "It hides why; it is asked again at 13:01:00 UTC.").RetryAt(start.Add(11 * time.Minute)))
	if err := w.posts.Refresh(t.Context(), c.ID, sns.Source{Kind: sns.KindLocal}); fault.CodeOf(err) != fault.UpstreamUnavailable {
		t.Fatalf("Refresh = %v, want the failure", err)
	}

	panel := text(one(t, document(t, w.get("/decks/d/").body), class("panel")))

	if want := "it is asked again at 14:01."; !strings.Contains(panel, want) || strings.Contains(panel, "UTC") {
		t.Errorf("panel = %q, want %q", panel, want)
	}
}

func TestAHashtagOfXLeadsToXNotToTheRelay(t *testing.T) {
	for name, c := range map[string]struct {
		demo bool
		want string
	}{
		"at x.com":    {false, "https://x.com/hashtag/rain"},
		"in the demo": {true, relay + "/hashtag/rain"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, func(config *web.Config) { config.Demo = c.demo })
			w.net.set(relay, sns.KindHome, post(990, "Wet #rain", func(p *sns.Post) { p.Hashtags = []string{"rain"} }))
			w.deck("Morning", decks.Column{ConnectionID: w.eve(), Source: sns.Source{Kind: sns.KindHome}})
			w.fill()

			if got := attr(one(t, document(t, w.get("/decks/d").body), tag("a"), class("tag")), "href"); got != c.want {
				t.Errorf("the hashtag leads to %s, want %s", got, c.want)
			}
		})
	}
}

// Who answers the account mentions it, on every network.
func TestTheMentionsToBeginWithHaveAnswers(t *testing.T) {
	w := newWorkspace(t, nil)
	id := w.eve()

	w.post("/decks/new", url.Values{"deckId": {"d"}, "starter": {"home"}, "home.connection": {id}})

	d, err := w.decks.GetDeck(t.Context(), "d")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"mention", "reply"}, d.Columns[1].Source.Types); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
}
