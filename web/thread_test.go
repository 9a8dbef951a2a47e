package web_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web"
)

// conversed is a workspace whose deck shows the post 990, which stands in a
// conversation at its network. It returns the path of the post's page.
func conversed(t *testing.T, change func(*web.Config)) (*workspace, string) {
	t.Helper()
	w := newWorkspace(t, change)
	answers := func(id string) func(*sns.Post) {
		return func(p *sns.Post) { p.ReplyTo = &sns.ReplyTo{ID: id, AuthorHandle: "@ana@social.example"} }
	}
	shown := post(990, "The middle", answers("980"))
	c := w.connect("social.example")
	w.net.set("social.example", sns.KindLocal, shown)
	w.net.converse(sns.Thread{
		Ancestors: []sns.Post{post(970, "The beginning"), post(980, "What is answered", answers("970"))},
		Post:      shown,
		Descendants: []sns.Post{
			post(991, "An answer", answers("990")), post(992, "An answer to it", answers("991")),
			post(993, "Another answer", answers("990")), post(994, "To somebody unseen", answers("5")),
		},
	})
	w.deck("Morning", local(c))
	w.fill()
	return w, "/posts/" + c.ID + "/990"
}

// articles are the texts of the posts on a page.
func articles(n *html.Node) []string {
	var out []string
	for _, a := range all(n, tag("article")) {
		out = append(out, text(all(a, class("text"))[0]))
	}
	return out
}

func TestPostPageIsPaintedFromTheStore(t *testing.T) {
	w, path := conversed(t, nil)
	w.net.breakWith(fault.New(fault.UpstreamUnavailable, "The server is away."))
	before := len(w.net.requests())

	got := w.get(path + "?deck=d&column=c1")

	page := document(t, got.body)
	if got.StatusCode != http.StatusOK || len(w.net.requests()) != before {
		t.Errorf("the page answers %d and asked the network %d times, want 200 and never", got.StatusCode, len(w.net.requests())-before)
	}
	if diff := cmp.Diff([]string{"The middle"}, articles(page)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if got, want := text(one(t, page, tag("h1"))), "Post by Ana Lima"; got != want {
		t.Errorf("heading = %q, want %q", got, want)
	}
	again := path + "?column=c1&deck=d&thread=1"
	if got := attr(one(t, page, class("loader")), "hx-get"); got != again {
		t.Errorf("the page asks for the conversation at %q, want %q", got, again)
	}
	if !strings.Contains(got.body, `<noscript><p class="more"><a href="`+strings.ReplaceAll(again, "&", "&amp;")+`">Show the conversation</a>`) {
		t.Error("a browser without script has no way to the conversation")
	}
}

func TestPostPageLeadsBackToItsColumn(t *testing.T) {
	cases := map[string]struct{ query, url, says string }{
		"a column":         {"?deck=d&column=c1", "/decks/d#column-c1", "Back to Morning"},
		"a removed column": {"?deck=d&column=c9", "/decks/d", "Back to Morning"},
		"a deleted deck":   {"?deck=gone&column=c1", "/decks", "Back to your decks"},
		"from nowhere":     {"", "/decks", "Back to your decks"},
		"another site":     {"?deck=https%3A%2F%2Fevil.example&column=%22%3E", "/decks", "Back to your decks"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w, path := conversed(t, nil)

			page := document(t, w.get(path+c.query).body)

			if got := linkTo(page, c.says); got != c.url {
				t.Errorf("%q leads to %q, want %q", c.says, got, c.url)
			}
		})
	}
}

func TestConversationStandsAroundThePost(t *testing.T) {
	w, path := conversed(t, nil)

	page := document(t, w.get(path+"?deck=d&column=c1&thread=1").body)

	want := []string{"The beginning", "What is answered", "The middle", "An answer", "An answer to it", "Another answer", "To somebody unseen"}
	if diff := cmp.Diff(want, articles(page)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if got := text(one(t, one(t, page, with("id", "post")), class("text"))); got != "The middle" {
		t.Errorf("the emphasised post is %q, want the middle one", got)
	}
	if diff := cmp.Diff([]string{"Before this post", "The post", "4 replies"}, texts(all(page, tag("h2")))); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
	var depths []string
	for _, li := range all(one(t, page, tag("ol"), with("aria-labelledby", "below")), tag("li")) {
		depths = append(depths, attr(li, "class"))
	}
	if diff := cmp.Diff([]string{"depth-1", "depth-2", "depth-1", "depth-1"}, depths); diff != "" {
		t.Errorf("depths (-want +got):\n%s", diff)
	}
	var contexts []string
	for _, c := range all(page, class("context")) {
		contexts = append(contexts, attr(one(t, c, tag("a")), "href"))
	}
	account := strings.TrimSuffix(path, "990")
	if diff := cmp.Diff([]string{"#post-970", "#post-980", "#post", "#post-991", "#post", account + "5?column=c1&deck=d"}, contexts); diff != "" {
		t.Errorf("what the posts answer is at (-want +got):\n%s", diff)
	}
	if n := len(all(page, class("loader"))); n != 0 {
		t.Errorf("%d loaders, want none", n)
	}
}

func TestConversationAsAFragment(t *testing.T) {
	w, path := conversed(t, nil)

	got := w.fragment(path + "?thread=1")

	if strings.Contains(got.body, "<html") {
		t.Error("the fragment is a whole page")
	}
	if n := len(all(document(t, got.body), tag("article"))); n != 7 {
		t.Errorf("the fragment has %d posts, want 7", n)
	}
}

// TestDeepConversationsStayReadable: the answers of a long quarrel are set in no
// further than the fifth.
func TestDeepConversationsStayReadable(t *testing.T) {
	w, path := conversed(t, nil)
	thread := sns.Thread{Post: post(990, "The middle")}
	for i := range 40 {
		thread.Descendants = append(thread.Descendants, post(991+i, "No", func(p *sns.Post) {
			p.ReplyTo = &sns.ReplyTo{ID: strconv.Itoa(990 + i)}
		}))
	}
	w.net.converse(thread)

	page := document(t, w.get(path+"?thread=1").body)

	if n := len(all(page, class("depth-5"))); n != 36 {
		t.Errorf("%d answers stand at the deepest step, want 36", n)
	}
}

func TestPostStaysWhenItsConversationFails(t *testing.T) {
	cases := map[string]struct {
		err          error
		title, again string
	}{
		"no answer":   {fault.New(fault.UpstreamUnavailable, "The server is away."), "social.example cannot be read right now", "Try again"},
		"limited":     {fault.New(fault.RateLimited, "The server allows no more requests until 14:00."), "Limited", "Try again"},
		"deleted":     {fault.Missing("post", "No such post."), "Not at its source any more", ""},
		"not allowed": {fault.New(fault.Forbidden, "The account may not read it."), "The conversation could not be read", "Try again"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w, path := conversed(t, nil)
			w.net.breakWith(c.err)

			got := w.get(path + "?thread=1")

			page := document(t, got.body)
			if got.StatusCode != http.StatusOK {
				t.Errorf("the page answers %d, want 200", got.StatusCode)
			}
			if diff := cmp.Diff([]string{"The middle"}, articles(page)); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
			if got := text(one(t, one(t, page, class("panel")), tag("strong"))); got != c.title {
				t.Errorf("the panel says %q, want %q", got, c.title)
			}
			if got := linkTo(page, "Try again") != ""; got != (c.again != "") {
				t.Errorf("there is a way to try again: %v", got)
			}
		})
	}
}

func TestSlowConversationIsNotWaitedForLong(t *testing.T) {
	w, path := conversed(t, func(c *web.Config) { c.RefreshWait = 20 * time.Millisecond })
	block := make(chan struct{})
	w.net.block = block
	t.Cleanup(func() { close(block) })

	page := document(t, w.get(path+"?thread=1").body)

	if got, want := text(one(t, one(t, page, class("panel")), tag("strong"))), "No answer from social.example"; got != want {
		t.Errorf("the panel says %q, want %q", got, want)
	}
	if n := len(all(page, tag("article"))); n != 1 {
		t.Errorf("%d posts, want the stored one", n)
	}
}

func TestPostThatIsNotThere(t *testing.T) {
	cases := map[string]struct {
		path   string
		status int
		says   string
	}{
		"deleted":           {"/posts/{c}/12345", http.StatusNotFound, "There is no such post, or this account may not see it. It may have been deleted."},
		"no such account":   {"/posts/conn_gone/990", http.StatusNotFound, "The account that this post was read with is not connected any more."},
		"not an id at all":  {"/posts/{c}/%20", http.StatusNotFound, "There is nothing at this address. It may have been deleted, or the link is wrong."},
		"something hostile": {"/posts/{c}/%22%3E%3Cscript%3E", http.StatusNotFound, "There is nothing at this address. It may have been deleted, or the link is wrong."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w, path := conversed(t, nil)
			w.net.breakWith(fault.Missing("post", "No such post."))

			got := w.get(strings.Replace(c.path, "{c}", strings.Split(path, "/")[2], 1))

			if got.StatusCode != c.status {
				t.Errorf("the page answers %d, want %d", got.StatusCode, c.status)
			}
			if !strings.Contains(text(one(t, document(t, got.body), tag("main"))), c.says) {
				t.Errorf("the page does not say %q", c.says)
			}
		})
	}
}

func TestUnavailablePostOfAConversationSaysSo(t *testing.T) {
	w, path := conversed(t, nil)
	w.net.converse(sns.Thread{Post: post(990, "The middle"), Ancestors: []sns.Post{
		post(970, "", func(p *sns.Post) { p.Unavailable = &sns.Unavailable{Reason: "deleted"} }),
	}})

	page := document(t, w.get(path+"?thread=1").body)

	if got, want := text(one(t, page, class("gone"))), "This post cannot be shown: it was deleted, or it is not for this account."; got != want {
		t.Errorf("the post says %q, want %q", got, want)
	}
}

// TestAskedPostIsWhole: on its own page a long post is not folded, and neither
// is one that a filter of the account warns of.
func TestAskedPostIsWhole(t *testing.T) {
	w, path := conversed(t, nil)
	long := strings.Repeat("word ", 2000) + "end"
	w.net.converse(sns.Thread{Post: post(990, long, func(p *sns.Post) {
		p.Filter = &sns.Filter{Action: "warn", Titles: []string{"words"}}
	})})

	page := document(t, w.get(path+"?thread=1").body)

	if got := text(one(t, one(t, page, tag("article")), class("text"))); got != long {
		t.Errorf("the text has %d bytes, want all %d", len(got), len(long))
	}
	if n := len(all(page, tag("article"), class("fold"))) + len(all(page, tag("summary"))); n != 0 {
		t.Errorf("%d parts of the page are folded, want none", n)
	}
}
