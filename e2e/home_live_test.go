package e2e_test

import (
	"errors"
	"io"
	"net"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"personal-workspace/activities"
	"personal-workspace/internal/app/config"
)

// cable is between a browser and a workspace, and can be cut.
type cable struct {
	net.Listener
	to string

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]bool
	wg    sync.WaitGroup
}

// lay connects a page to the workspace by a cable.
func (w *workspace) lay(t *testing.T) *cable {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	to, err := url.Parse(w.url)
	must(t, err)
	c := &cable{Listener: l, to: to.Host, conns: map[net.Conn]bool{}}
	c.wg.Go(c.serve)
	t.Cleanup(func() {
		c.setCut(true)
		if err := c.Close(); err != nil {
			t.Errorf("close the cable: %v", err)
		}
		c.wg.Wait()
	})
	return c
}

func (c *cable) serve() {
	for {
		near, err := c.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		far, err := net.Dial("tcp", c.to)
		if err != nil || !c.join(near, far) {
			near.Close()
			continue
		}
		c.wg.Go(func() { c.copy(near, far) })
		c.wg.Go(func() { c.copy(far, near) })
	}
}

func (c *cable) join(ends ...net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, end := range ends {
		c.conns[end] = true
		if c.cut {
			end.Close()
		}
	}
	return !c.cut
}

func (c *cable) copy(to, from net.Conn) {
	_, _ = io.Copy(to, from) // it was cut, or one side has said all
	to.Close()
	from.Close()
}

// setCut cuts the cable or mends it.
func (c *cable) setCut(cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = cut
	if !cut {
		return
	}
	for conn := range c.conns {
		conn.Close()
	}
	clear(c.conns)
}

func TestHomeIsFetchedAgainAfterTheStreamWasCut(t *testing.T) {
	w := start(t, options{demo: true})
	c := w.lay(t)
	page, err := newTab(t, w, desktop, nil).Context().NewPage() // whose failures are expected
	must(t, err)
	p := &tab{Page: page, t: t, w: w, look: desktop, base: "http://" + c.Addr().String()}
	p.visit("/")
	p.live()
	c.setCut(true)
	must(t, check.Locator(p.bar("silent")).ToBeVisible())

	w.propose(t, tasks("Nine")...)
	c.setCut(false)

	must(t, check.Locator(p.card("Nine")).ToBeVisible())
	must(t, check.Locator(p.bar("silent")).ToBeHidden())
	must(t, check.Page(p).ToHaveTitle(regexp.MustCompile(`^\(9\) Home`)))
}

func TestFocusedCardIsNotReplaced(t *testing.T) {
	w := start(t, options{demo: true})
	w.propose(t, activities.Proposal{ID: "nine", Kind: activities.KindTask, Title: "Nine", Priority: activities.PriorityLow})
	p := open(t, w, desktop, "/")
	p.live()
	must(t, p.card("Nine").Focus())

	w.propose(t, activities.Proposal{ID: "nine", Kind: activities.KindTask, Title: "Nine and a half", Priority: activities.PriorityLow})
	w.propose(t, tasks("Ten")...)
	w.propose(t, tasks("Eleven")...)

	must(t, check.Locator(p.bar("activities")).ToContainText("3 changes"))
	must(t, check.Locator(p.card("Nine")).ToBeFocused())
	must(t, check.Locator(p.card("Eleven")).ToHaveCount(0))
	must(t, p.bar("activities").GetByRole("button").Click())
	must(t, check.Locator(p.card("Eleven")).ToBeVisible())
	must(t, check.Locator(p.card("Nine and a half")).ToBeVisible())
	must(t, check.Locator(p.bar("activities")).ToBeHidden())
}

func TestHomeSaysWhatIsNewInTheDeck(t *testing.T) {
	w := start(t, options{demo: true})
	p := open(t, w, desktop, w.deck(t))
	p.live()
	p.visit("/")
	p.live()
	line := p.Locator("#reading")
	must(t, check.Locator(line).Not().ToContainText("new"))

	w.news(t, 3)

	must(t, check.Locator(line).ToContainText(", 3 new"))
	must(t, line.GetByRole("link").Click())
	must(t, check.Locator(p.column("Home").GetByRole("article").First()).ToContainText("News 3"))
	p.live()
	p.visit("/")
	must(t, check.Locator(line).Not().ToContainText("new"))
}

// TestSignedOutHome ends the session of an open Home in which something is typed.
func TestSignedOutHome(t *testing.T) {
	for name, back := range map[string]func(p, other *tab){
		"signed in here": func(p, _ *tab) {
			must(t, p.bar("signed-out").GetByRole("link").Click())
			p.signIn()
		},
		"signed in elsewhere": func(p, other *tab) {
			p.hide(true)
			other.signIn()
			must(t, check.Locator(other.heading(1, "Home")).ToBeVisible())
			p.hide(false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := start(t, options{demo: true, auth: config.AuthPassword})
			p, other := w.signedIn(t, "/")
			p.expected = regexp.MustCompile("status of 401")
			must(t, p.card("Tell Tilde which loaf to keep").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Edit"}).Click())
			must(t, p.Route("**/draft", func(r playwright.Route) { _ = r.Fulfill(playwright.RouteFulfillOptions{Status: new(401)}) })) // it comes too late
			must(t, p.field("Text of the reply").Fill("Half typed"))

			must(t, other.button("Sign out").Click())

			must(t, check.Locator(p.bar("signed-out")).ToContainText("Signed out"))
			must(t, check.Locator(p.Locator("article").First()).ToBeHidden())
			p.accessible()
			must(t, p.Unroute("**/draft"))
			back(p, other)
			must(t, check.Locator(p.Locator(".notice", playwright.PageLocatorOptions{HasText: "What you typed here did not arrive"})).ToBeVisible())
			p.accessible()
			must(t, p.link("Go on with it").Click())
			must(t, p.button("Put it back").Click())
			must(t, check.Locator(p.field("Text of the reply")).ToHaveValue("Half typed"))
			must(t, p.button("Save").Click())
			must(t, check.Locator(p.GetByText("Half typed")).ToBeVisible())
		})
	}
}

// TestSignedOutEditPage is about a page that hears of the end of its session only
// when it keeps what is typed.
func TestSignedOutEditPage(t *testing.T) {
	w := start(t, options{demo: true, auth: config.AuthPassword})
	p, other := w.signedIn(t, "/")
	p.expected = regexp.MustCompile("status of 401")
	must(t, p.link("Tell Tilde which loaf to keep").Click())
	must(t, p.link("Edit").Click())
	must(t, check.Locator(p.heading(1, "Edit")).ToBeVisible())
	must(t, other.button("Sign out").Click())
	must(t, check.Locator(other.heading(1, "Sign in")).ToBeVisible())

	must(t, p.field("Text of the reply").Fill("Half typed"))

	p.signIn()
	must(t, p.button("Put it back").Click())
	must(t, check.Locator(p.field("Text of the reply")).ToHaveValue("Half typed"))
	p.accessible()
}

// signedIn is a page whose person has set a password, and another tab of it.
func (w *workspace) signedIn(t *testing.T, path string) (p, other *tab) {
	t.Helper()
	link, err := w.app.SetupURL(t.Context())
	must(t, err)
	p = open(t, w, desktop, strings.TrimPrefix(link, w.url))
	must(t, p.field("New password").Fill("four words make one"))
	must(t, p.field("The same once more").Fill("four words make one"))
	must(t, p.button("Set the password").Click())
	must(t, check.Locator(p.heading(1, "Home")).ToBeVisible())
	p.visit(path)
	p.live()
	page, err := p.Context().NewPage()
	must(t, err)
	other = &tab{Page: page, t: t, w: w, look: desktop, base: w.url}
	other.listen()
	other.visit("/decks")
	return p, other
}

// lateDecision keeps back what the workspace says to the next decision about a
// card, which is made by then, until release is called.
func (p *tab) lateDecision() (made <-chan struct{}, release func()) {
	p.t.Helper()
	answered, late := make(chan struct{}), make(chan struct{})
	var others atomic.Bool
	must(p.t, p.Route("**/decide", func(r playwright.Route) {
		if others.Swap(true) {
			must(p.t, r.Continue())
			return
		}
		go func() {
			answer, err := r.Fetch()
			if err != nil {
				p.t.Errorf("ask the workspace: %v", err)
			}
			close(answered)
			<-late
			if err := r.Fulfill(playwright.RouteFulfillOptions{Response: answer}); err != nil {
				p.t.Errorf("hand the answer over: %v", err)
			}
		}()
	}))
	return answered, func() { close(late) }
}

// TestUndoTakesBackWhatWasPressedLast: the answer to a decision may come after
// that to a later one, or after the key that takes it back.
func TestUndoTakesBackWhatWasPressedLast(t *testing.T) {
	for name, do := range map[string]func(p *tab){
		"a late answer to the one before": func(p *tab) {
			made, release := p.lateDecision()
			p.press("e")
			<-made
			p.press("e")
			must(p.t, check.Locator(p.decidedLine("Second")).ToContainText("Done"))
			release()
			must(p.t, check.Locator(p.decidedLine("First")).ToContainText("Done"))
			p.press("z")
		},
		"a late answer to this one": func(p *tab) {
			p.press("e")
			must(p.t, check.Locator(p.decidedLine("First")).ToContainText("Done"))
			made, release := p.lateDecision()
			p.press("e")
			<-made
			p.press("z")
			release()
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := start(t, options{})
			w.propose(t, firstSecondThird()...)
			p := open(t, w, desktop, "/")
			p.live()
			must(t, p.card("First").Focus())

			do(p)

			must(t, check.Locator(p.card("Second")).ToBeFocused())
			must(t, check.Locator(p.decidedLine("First")).ToContainText("Done"))
		})
	}
}
