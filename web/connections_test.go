package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web"
)

func TestAddingAnAccount(t *testing.T) {
	cases := map[string]struct {
		form url.Values
		// account is what is connected, "" for nothing.
		account string
		status  int
		// field has the problem; "" is the top of the form.
		field, text string
	}{
		"a token":                    {url.Values{"way": {"token"}, "origin": {"https://social.example"}, "token": {" token-ann\n"}}, "@ann@social.example", 303, "", ""},
		"public":                     {url.Values{"way": {"public"}, "origin": {"social.example"}}, "social.example", 303, "", ""},
		"public with a token left":   {url.Values{"way": {"public"}, "origin": {"social.example"}, "token": {"token-ann"}}, "social.example", 303, "", ""},
		"a handle":                   {url.Values{"way": {"public"}, "origin": {"@ann@social.example"}}, "social.example", 303, "", ""},
		"no address":                 {url.Values{"way": {"login"}, "origin": {""}}, "", 422, "origin", "address is not readable"},
		"an address with a path":     {url.Values{"way": {"login"}, "origin": {"https://social.example/@ann"}}, "", 422, "origin", "more than a host and a port"},
		"plain http":                 {url.Values{"way": {"login"}, "origin": {"http://10.0.0.5"}}, "", 422, "origin", "WORKSPACE_MASTODON_ORIGINS"},
		"no server of the kind":      {url.Values{"way": {"login"}, "origin": {"shop.example"}}, "", 422, "origin", "no server of this kind"},
		"a scheme of scripts":        {url.Values{"way": {"login"}, "origin": {"javascript://social.example"}}, "", 422, "origin", "must begin with https://"},
		"a token that is refused":    {url.Values{"way": {"token"}, "origin": {"social.example"}, "token": {"secret"}}, "", 422, "token", "does not accept the token"},
		"a token of two lines":       {url.Values{"way": {"token"}, "origin": {"social.example"}, "token": {"secret\nsecret"}}, "", 422, "token", "no token has"},
		"no token":                   {url.Values{"way": {"token"}, "origin": {"social.example"}}, "", 422, "token", "There is no token"},
		"no way":                     {url.Values{"origin": {"social.example"}}, "", 422, "", "Choose how"},
		"a way that is none":         {url.Values{"way": {"magic"}, "origin": {"social.example"}, "token": {"secret"}}, "", 422, "", "Choose how"},
		"an address of a megabyte":   {url.Values{"way": {"login"}, "origin": {strings.Repeat("x", 1<<20-30)}}, "", 422, "origin", "address is not readable"},
		"an address with bad bytes":  {url.Values{"way": {"public"}, "origin": {"\xff\xfe.example"}}, "", 422, "origin", "host name is not a valid one"},
		"markup in the address":      {url.Values{"way": {"public"}, "origin": {`"><script>alert(1)</script>`}}, "", 422, "origin", "more than a host and a port"},
		"a server that does not say": {url.Values{"way": {"token"}, "origin": {"down.example"}, "token": {"token-ann"}}, "", 422, "origin", "does not answer"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			w.people()
			who := w.net.verify
			w.net.verify = func(a sns.Account) (sns.Identity, error) {
				if a.Origin == "https://down.example" {
					return sns.Identity{}, fault.New(fault.UpstreamUnavailable, "down.example does not answer; try again later.")
				}
				return who(a)
			}

			a := w.post("/connections/new", c.form)

			page := document(t, a.body)
			if a.StatusCode != c.status || !strings.Contains(text(page), c.text) {
				t.Fatalf("answer = %d %s, want %d with %q", a.StatusCode, text(page), c.status, c.text)
			}
			if c.status == http.StatusSeeOther {
				if got, want := a.Header.Get("Location"), "/connections/"+w.only().ID+"?done=connected"; got != want || w.only().Account != c.account {
					t.Errorf("%s is connected and shown at %q, want %s at %q", w.only().Account, got, c.account, want)
				}
				return
			}
			checkRefusedForm(t, page, c.form, c.field)
			if strings.Contains(a.body, "secret") || strings.Contains(a.body, "<script>alert") {
				t.Error("the page has what must not be sent back")
			}
		})
	}
}

// checkRefusedForm looks whether the problem stands by its field and what was
// typed is still there.
func checkRefusedForm(t *testing.T, page *html.Node, form url.Values, field string) {
	t.Helper()
	for _, id := range []string{"origin", "token"} {
		input := one(t, page, tag("input"), with("id", id))
		if got, want := attr(input, "aria-invalid"), map[bool]string{true: "true"}[field == id]; got != want {
			t.Errorf("%s has aria-invalid %q, want %q", id, got, want)
		}
		if field == id && !strings.Contains(attr(input, "aria-describedby"), id+"-problem") {
			t.Errorf("%s is described by %q", id, attr(input, "aria-describedby"))
		}
	}
	want := form.Get("origin")
	if len(want) > 1000 {
		want = ""
	}
	if got := attr(one(t, page, tag("input"), with("id", "origin")), "value"); got != strings.ToValidUTF8(want, "\uFFFD") && got != want {
		t.Errorf("the address is %.40q, want what was typed", got)
	}
	for _, n := range all(page, tag("input"), with("name", "way")) {
		if has(n, "checked") && attr(n, "value") != form.Get("way") && (form.Get("way") == "login" || form.Get("way") == "token") {
			t.Errorf("the way is %s, want %s", attr(n, "value"), form.Get("way"))
		}
	}
}

func TestAddingTwiceChangesNothing(t *testing.T) {
	w := newWorkspace(t, nil)
	w.people()
	for _, form := range []url.Values{
		{"way": {"public"}, "origin": {"social.example"}},
		{"way": {"token"}, "origin": {"other.example"}, "token": {"token-ann"}},
	} {
		first := w.post("/connections/new", form).Header.Get("Location")
		second := w.post("/connections/new", form).Header.Get("Location")
		a, _, _ := strings.Cut(first, "?")
		b, _, _ := strings.Cut(second, "?")
		if a == "" || a != b {
			t.Errorf("the form leads to %q, then to %q, want the same account", first, second)
		}
	}
	if list, err := w.posts.ListConnections(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("%d connections (%v), want 2", len(list), err)
	}
}

func TestConnectionCards(t *testing.T) {
	w := newWorkspace(t, nil)
	w.people()
	ann := w.signedIn("social.example", "ann")
	w.connect("other.example")
	w.deck("Morning", local(ann), decks.Column{ConnectionID: ann.ID, Source: sns.Source{Kind: sns.KindHashtag, Tag: "tea"}})
	w.pass(49 * time.Hour)

	page := document(t, w.get("/connections").body)

	cards := all(page, tag("article"))
	if len(cards) != 2 {
		t.Fatalf("%d cards, want 2", len(cards))
	}
	got := text(cards[0])
	for _, want := range []string{
		"ann @ann@social.example · Mastodon Ready", "Last success 30 Nov 13:50", "Requests left Not known yet", "Permissions Can read; cannot post",
		"Token age 2 days, since 30 Nov 2026", "Server https://social.example", "Used by Morning › Local Morning › #tea",
		"Test now ann", "Pause ann", "Rename ann", "Sign in again to ann", "Disconnect ann",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the card says %q, want it to say %q", got, want)
		}
	}
	if got := text(cards[1]); !strings.Contains(got, "Can read what is public; has no account") || strings.Contains(got, "Sign in again") || strings.Contains(got, "Token age") {
		t.Errorf("the card without an account says %q", got)
	}
	if got, want := linkTo(page, "Morning › Local"), "/decks/d/columns/c1"; got != want {
		t.Errorf("the column leads to %q, want %q", got, want)
	}
}

func TestTestingAnAccount(t *testing.T) {
	w := newWorkspace(t, nil)
	w.people()
	conn := w.signedIn("social.example", "ann")
	path := "/connections/" + conn.ID

	works := w.post(path+"/test", url.Values{})
	who := w.net.verify
	w.net.verify = func(sns.Account) (sns.Identity, error) {
		return sns.Identity{}, fault.New(fault.Unauthorized, "social.example does not accept the token.")
	}
	w.pass(time.Minute)
	fails := w.post(path+"/test", url.Values{"back": {"list"}})
	shown, _, _ := strings.Cut(fails.Header.Get("Location"), "#")
	page := document(t, w.get(shown).body)
	w.net.verify = who
	w.pass(time.Minute)
	mended := w.post(path+"/test", url.Values{})

	if got, want := works.Header.Get("Location"), path+"?done=works"; got != want {
		t.Errorf("a test leads to %q, want %q", got, want)
	}
	if got, want := fails.Header.Get("Location"), "/connections?done=fails&id="+conn.ID+"#"+conn.ID; got != want {
		t.Errorf("a test that fails leads to %q, want %q", got, want)
	}
	card := text(one(t, page, tag("article")))
	for _, want := range []string{"Sign in again", "Tested: it does not work.", "has not accepted the account’s credential since 13:51"} {
		if !strings.Contains(card, want) {
			t.Errorf("the card says %q, want it to say %q", card, want)
		}
	}
	if got, want := mended.Header.Get("Location"), path+"?done=works"; got != want || w.only().State != sns.Ready {
		t.Errorf("a test that works again leads to %q (%s), want %q", got, w.only().State, want)
	}
	if got := text(one(t, document(t, w.get(path).body), tag("article"))); strings.Contains(got, "Last error") {
		t.Errorf("the card says %q, want no error any more", got)
	}
}

func TestTheCardNamesWhatKeepsAnAccountFromBeingRead(t *testing.T) {
	retry := start.Add(15 * time.Minute)
	for name, c := range map[string]struct {
		fails error
		chip  string
	}{
		"limited": {fault.New(fault.RateLimited, "Wait.").RetryAt(retry), "Limited until 14:05"},
		"offline": {fault.New(fault.UpstreamUnavailable, "It is down."), "Offline since 13:50"},
		"changed": {fault.New(fault.UpstreamChanged, "Strange answer."), "Does not work"},
		"another": {fault.Missing("list", "The list is gone."), "Ready"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			conn := w.login("social.example")
			w.net.verify = func(sns.Account) (sns.Identity, error) { return sns.Identity{}, c.fails }
			w.post("/connections/"+conn.ID+"/test", url.Values{})

			page := document(t, w.get("/connections").body)

			if got := text(one(t, page, class("chip"))); got != c.chip {
				t.Errorf("the card's state is %q, want %q", got, c.chip)
			}
		})
	}
}

func TestTheAccountsAmongTheDecksSayHowTheyDo(t *testing.T) {
	w := newWorkspace(t, nil)
	conn := w.login("social.example")
	row := func() (chip *html.Node, words string) {
		page := document(t, w.get("/decks").body)
		link := one(t, one(t, page, class("accounts")), tag("a"), class("account"))
		if got, want := attr(link, "href"), "/connections/"+conn.ID; got != want {
			t.Errorf("the account leads to %q, want %q", got, want)
		}
		chip = one(t, page, class("chip"))
		return chip, text(chip)
	}
	if _, got := row(); got != "Ready" {
		t.Errorf("at first the account is %q", got)
	}
	w.net.verify = func(sns.Account) (sns.Identity, error) {
		return sns.Identity{}, fault.New(fault.UpstreamUnavailable, "It is down.")
	}
	w.post("/connections/"+conn.ID+"/test", url.Values{})
	if _, got := row(); got != "Offline since 13:50" {
		t.Errorf("without an answer the account is %q", got)
	}
	w.net.verify = func(sns.Account) (sns.Identity, error) { return sns.Identity{}, fault.New(fault.Unauthorized, "No.") }
	w.post("/connections/"+conn.ID+"/test", url.Values{})

	chip, got := row()
	if want := "/connections/" + conn.ID + "/login"; attr(chip, "href") != want || got != "Sign in again to @owner@social.example" {
		t.Errorf("the account says %q and leads to %q, want %q", got, attr(chip, "href"), want)
	}
}

func TestAnAccountThatComesBackHasItsColumnsAndColour(t *testing.T) {
	w := newWorkspace(t, nil)
	w.people()
	ann, eve := w.signedIn("social.example", "ann"), w.signedIn("social.example", "eve")
	w.deck("Mine", local(ann), local(eve))
	column := func(id string) (words, class string) {
		c := one(t, document(t, w.get("/decks/d/").body), with("id", "column-"+id))
		return text(c), attr(c, "class")
	}
	w.post("/connections/"+ann.ID+"/disconnect", url.Values{})
	words, class := column("c1")
	if !strings.Contains(words, "@ann@social.example is not connected any more") || !strings.Contains(class, "tone-none") {
		t.Errorf("the column without its account says %q in %q", words, class)
	}
	if _, class := column("c2"); !strings.Contains(class, "tone-1") {
		t.Errorf("the other account has %q", class)
	}
	w.signedIn("social.example", "ann")

	if words, class := column("c1"); strings.Contains(words, "not connected") || !strings.Contains(class, "tone-0") {
		t.Errorf("the column whose account is back says %q in %q", words, class)
	}
}

func TestPausingAnAccount(t *testing.T) {
	w := newWorkspace(t, nil)
	conn := w.login("social.example")
	path := "/connections/" + conn.ID

	for range 2 { // the second time is a form that was sent twice
		if a := w.post(path+"/pause", url.Values{}); a.StatusCode != http.StatusSeeOther || w.only().State != sns.Disabled {
			t.Errorf("pausing answers %d, the state is %s", a.StatusCode, w.only().State)
		}
	}
	card := text(one(t, document(t, w.get(path).body), tag("article")))
	if !strings.Contains(card, "Paused Nothing is read of this account.") || !strings.Contains(card, "Resume") {
		t.Errorf("the card says %q", card)
	}
	for range 2 {
		if a := w.post(path+"/resume", url.Values{}); a.StatusCode != http.StatusSeeOther || w.only().State != sns.Ready {
			t.Errorf("resuming answers %d, the state is %s", a.StatusCode, w.only().State)
		}
	}
}

func TestRenamingAnAccount(t *testing.T) {
	cases := map[string]struct {
		label  string
		status int
		want   string
	}{
		"a name":              {" Work ", 303, "Work"},
		"in another script":   {"夕凪 و", 303, "夕凪 و"},
		"hostile":             {`"><script>alert(1)</script>`, 303, `"><script>alert(1)</script>`},
		"nothing":             {"", 422, "Owner"},
		"too long":            {strings.Repeat("x", 81), 422, "Owner"},
		"far too long":        {strings.Repeat("x", 500_000), 422, "Owner"},
		"a control character": {"a\x00b", 422, "Owner"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			conn := w.login("social.example")

			a := w.post("/connections/"+conn.ID+"/rename", url.Values{"label": {c.label}})

			if a.StatusCode != c.status || w.only().Label != c.want {
				t.Errorf("renaming answers %d, the name is %q, want %d %q", a.StatusCode, w.only().Label, c.status, c.want)
			}
			if c.status == http.StatusUnprocessableEntity {
				input := one(t, document(t, a.body), tag("input"), with("id", "label"))
				if attr(input, "aria-describedby") != "label-problem" || len(c.label) < 100 && !strings.Contains(c.label, "\x00") && attr(input, "value") != c.label {
					t.Errorf("the field has %.90q described by %q", attr(input, "value"), attr(input, "aria-describedby"))
				}
			}
			for _, path := range []string{"/connections", "/connections/" + conn.ID, "/connections/" + conn.ID + "/disconnect", "/connections/" + conn.ID + "/login"} {
				if page := w.get(path); page.StatusCode != http.StatusOK || strings.Contains(page.body, "<script>alert") {
					t.Errorf("%s answers %d, or has the script", path, page.StatusCode)
				}
			}
		})
	}
}

func TestDisconnecting(t *testing.T) {
	cases := map[string]struct {
		connect func(*workspace) sns.Connection
		asks    string
		done    string
		says    string
	}{
		"a sign-in": {
			func(w *workspace) sns.Connection { return w.signedIn("social.example", "ann") },
			"social.example is asked to revoke the token", "revoked", "The server has revoked the token",
		},
		"a pasted token": {
			func(w *workspace) sns.Connection { return w.login("social.example") },
			"may have to be revoked there by yourself", "unrevoked", "the server has not confirmed",
		},
		"no account": {func(w *workspace) sns.Connection { return w.connect("social.example") }, "", "public-off", "Disconnected."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, nil)
			conn := c.connect(w)
			w.deck("Morning <b>", local(conn))
			path := "/connections/" + conn.ID + "/disconnect"

			ask := text(document(t, w.get(path).body))
			if !strings.Contains(ask, c.asks) || !strings.Contains(ask, "Morning <b> › Local") || w.only().ID != conn.ID {
				t.Errorf("the page that asks says %q", ask)
			}
			a := w.post(path, url.Values{})

			if got, want := a.Header.Get("Location"), "/connections?done="+c.done; got != want {
				t.Errorf("it leads to %q, want %q", got, want)
			}
			if got := text(document(t, w.get("/connections?done="+c.done).body)); !strings.Contains(got, c.says) {
				t.Errorf("the list says %q, want %q", got, c.says)
			}
			if got, want := w.post(path, url.Values{}).Header.Get("Location"), "/connections?done=gone"; got != want {
				t.Errorf("the second time leads to %q, want %q", got, want)
			}
			if got := w.get("/connections/" + conn.ID).StatusCode; got != http.StatusNotFound {
				t.Errorf("its page answers %d, want 404", got)
			}
		})
	}
}

func TestChangesOfAccountsThatAreNotThere(t *testing.T) {
	w := newWorkspace(t, nil)
	for _, action := range []string{"test", "pause", "resume", "rename", "login"} {
		a := w.post("/connections/conn_nothing/"+action, url.Values{"label": {"x"}, "way": {"login"}})
		if a.StatusCode != http.StatusNotFound || !strings.Contains(a.body, "There is no such account.") {
			t.Errorf("%s answers %d: %s", action, a.StatusCode, text(document(t, a.body)))
		}
	}
	for _, path := range []string{"/connections/conn_nothing", "/connections/conn_nothing/login", "/connections/conn_nothing/disconnect"} {
		if a := w.get(path); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s answers %d, want 404", path, a.StatusCode)
		}
	}
}

func TestChangesOfAccountsAreForms(t *testing.T) {
	w := newWorkspace(t, nil)
	conn := w.login("social.example")
	before := w.only()
	path := "/connections/" + conn.ID
	for _, action := range []string{"/test", "/pause", "/resume", "/rename"} {
		if a := w.get(path + action); a.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("GET %s answers %d, want 405", action, a.StatusCode)
		}
	}
	form := url.Values{"label": {"x"}, "way": {"public"}, "origin": {"evil.example"}, "token": {"t"}}
	for _, to := range []string{"/connections/new", "/connections/login", path + "/test", path + "/pause", path + "/rename", path + "/login", path + "/disconnect"} {
		if a := w.post(to, form, "Sec-Fetch-Site", "cross-site"); a.StatusCode != http.StatusForbidden {
			t.Errorf("another site's form to %s answers %d, want 403", to, a.StatusCode)
		}
		huge := formRequest(t, to, url.Values{"origin": {strings.Repeat("x", 2<<20)}})
		if a := w.do(huge); a.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("a huge form to %s answers %d, want 413", to, a.StatusCode)
		}
	}
	if diff := cmp.Diff(before.UpdatedAt, w.only().UpdatedAt); diff != "" {
		t.Errorf("the account was changed:\n%s", diff)
	}
}

func TestFirstAccount(t *testing.T) {
	w := newWorkspace(t, nil)
	for _, path := range []string{"/decks", "/connections", "/connections/new"} {
		page := document(t, w.get(path).body)
		if got := text(one(t, page, tag("code"), with("id", "mcp-address"))); got != "http://127.0.0.1:3000/mcp" {
			t.Errorf("%s has the address %q", path, got)
		}
		if path != "/connections/new" && linkTo(page, "Connect an account") != "/connections/new" {
			t.Errorf("%s does not lead to the first account", path)
		}
	}
	w.connect("social.example")
	if got := all(document(t, w.get("/connections/new").body), with("id", "mcp-address")); len(got) != 0 {
		t.Error("the second account's page teaches the first steps")
	}
}

func TestConnectionsUnderABasePath(t *testing.T) {
	w := newWorkspace(t, func(c *web.Config) { c.Origin = parseURL(t, "https://box.example/ws/") })
	conn := w.login("social.example")
	w.deck("Morning", local(conn))
	w.beginLogin("/ws/connections/"+conn.ID+"/login", url.Values{})

	path := "/ws/connections/" + conn.ID
	for _, p := range []string{"/ws/connections", "/ws/connections/new", "/ws/connections/login", path, path + "/login", path + "/disconnect", "/ws" + callback()} {
		for _, n := range all(document(t, w.get(p).body)) {
			for _, name := range []string{"href", "src", "action"} {
				if v := attr(n, name); strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "/ws/") {
					t.Errorf("%s: %s=%q leaves the base path", p, name, v)
				}
			}
		}
	}
	if got, want := w.post(path+"/pause", url.Values{}).Header.Get("Location"), path+"?done=paused"; got != want {
		t.Errorf("pausing leads to %q, want %q", got, want)
	}
}
