package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// relay is the one that the tests' accounts of X are read through.
const relay = "http://relay.internal:6900"

// onX lets the network tell whose a profile is: "eve" reads as @eve.
func (w *workspace) onX() {
	w.net.verify = func(a sns.Account) (sns.Identity, error) {
		if a.Profile == "nobody" {
			return sns.Identity{}, fault.New(fault.Unauthorized, "The relay has no profile nobody; it has: eve.").With(fault.DetailReason, sns.CodeUnknownProfile)
		}
		if a.Profile == "down" {
			return sns.Identity{}, fault.New(fault.UpstreamUnavailable, "The relay relay.internal:6900 cannot be reached; start it, or check its address.")
		}
		return sns.Identity{Account: "@" + a.Profile, AccountID: "44", Title: "Eve"}, nil
	}
}

// Profiles implements sns.ProfileLister.
func (n *network) Profiles(_ context.Context, a sns.Account) ([]string, error) {
	if n.profiles == nil {
		return nil, nil
	}
	return n.profiles(a)
}

// eve connects @eve and returns its id.
func (w *workspace) eve() string {
	w.t.Helper()
	w.onX()
	w.post("/connections/new", url.Values{"way": {"relay"}, "relay": {relay}, "profile": {"eve"}})
	return w.only().ID
}

func TestConnectThroughARelay(t *testing.T) {
	for name, c := range map[string]struct {
		form   url.Values
		status int
		text   string
		field  string
	}{
		"works":                     {url.Values{"relay": {relay}, "profile": {" eve "}}, http.StatusSeeOther, "", ""},
		"a profile that is not":     {url.Values{"relay": {relay}, "profile": {"nobody"}}, 422, "it has: eve.", "profile"},
		"no profile":                {url.Values{"relay": {relay}, "profile": {""}}, 422, "The profile must be the name", "profile"},
		"a relay that is down":      {url.Values{"relay": {relay}, "profile": {"down"}}, 422, "cannot be reached; start it", "relay"},
		"a relay that nobody named": {url.Values{"relay": {"http://10.0.0.7:6900"}, "profile": {"eve"}}, 422, "WORKSPACE_TWITTER_RELAY_URL", "relay"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.onX()
			c.form.Set("way", "relay")

			a := w.post("/connections/new", c.form)

			page := document(t, a.body)
			if a.StatusCode != c.status || !strings.Contains(text(page), c.text) {
				t.Fatalf("answer = %d %s, want %d with %q", a.StatusCode, text(page), c.status, c.text)
			}
			if c.status == http.StatusSeeOther {
				if x := w.only(); x.Account != "@eve" || x.Profile != "eve" || x.Origin != relay {
					t.Errorf("connected %s by the profile %q of %s", x.Account, x.Profile, x.Origin)
				}
				return
			}
			input := one(t, page, tag("input"), with("id", "profile"))
			if got, want := attr(input, "aria-invalid") == "true", c.field == "profile"; got != want {
				t.Errorf("the profile is marked %t, want %t", got, want)
			}
			if got := attr(input, "value"); got != c.form.Get("profile") {
				t.Errorf("the profile is %q, want what was typed", got)
			}
		})
	}
}

func TestAnAccountOfXSaysWhatIsWrongInTheRelaysBrowser(t *testing.T) {
	for reason, want := range map[string]string{
		sns.CodeSignedOut:      "Signed out Nobody is signed in to X in the profile eve. Sign in on x.com in the relay’s browser, then test the account.",
		sns.CodeLocked:         "Locked by X X has locked @eve. Open x.com in the relay’s browser and do what it asks, then test the account.",
		sns.CodeUnknownProfile: "Profile gone The relay has no profile eve any more. Put the profile back in the relay’s settings,",
		sns.CodeOtherAccount:   "Another account The profile eve is signed in to X as another account than @eve. Sign in as @eve on x.com",
		"":                     "Signed out The profile eve does not read as @eve. Sign in as @eve on x.com",
	} {
		t.Run(reason, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.onX()
			w.post("/connections/new", url.Values{"way": {"relay"}, "relay": {relay}, "profile": {"eve"}})
			id := w.only().ID
			w.net.verify = func(sns.Account) (sns.Identity, error) {
				return sns.Identity{}, fault.New(fault.Unauthorized, "No.").With(fault.DetailReason, reason)
			}
			w.post("/connections/"+id+"/test", nil)

			card := one(t, document(t, w.get("/connections").body), tag("article"))

			if got := text(card); !strings.Contains(got, want) {
				t.Errorf("card = %s, want %q", got, want)
			}
			var links []string
			for _, a := range all(card, tag("a"), with("class", "button quiet")) {
				links = append(links, text(a))
			}
			if strings.Contains(strings.Join(links, " "), "Sign in") {
				t.Errorf("links = %q, want none that signs in here", links)
			}
		})
	}
}

func TestXIsSpokenOfInItsOwnWords(t *testing.T) {
	w := newWorkspace(t, nil)
	w.onX()
	w.post("/connections/new", url.Values{"way": {"relay"}, "relay": {relay}, "profile": {"eve"}})
	id := w.only().ID
	w.deck("Morning")
	w.pass(time.Minute)

	kinds := text(document(t, w.get("/decks/d/add?connection="+id).body))
	for _, word := range []string{"Following Everyone", "Likes", "What X picks", "Mentions, reposts, follows and more", "Conversations Direct messages on X are not read."} {
		if !strings.Contains(kinds, word) {
			t.Errorf("the kinds of X lack %q: %s", word, kinds)
		}
	}
	if asks := text(document(t, w.get("/connections/"+id+"/disconnect").body)); strings.Contains(asks, "credential") {
		t.Errorf("a credential is spoken of, where the relay has it: %s", asks)
	}
	form := text(document(t, w.get("/decks/d/add?connection="+id+"&kind=home").body))
	if diff := cmp.Diff([]bool{true, false}, []bool{strings.Contains(form, "Leave out reposts"), strings.Contains(form, "boosts")}); diff != "" {
		t.Errorf("reposts and boosts in the form (-want +got):\n%s\n%s", diff, form)
	}
}
