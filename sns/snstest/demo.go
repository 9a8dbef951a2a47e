package snstest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"personal-workspace/sns"
)

// DemoConfig says how the demo runs. The zero value is fine.
type DemoConfig struct {
	// Now is the clock; nil is time.Now. Posts are dated relative to the start.
	Now func() time.Time
	// Every is how long Run waits between two new posts; 0 is 45 seconds.
	Every time.Duration
}

// Demo is three made-up Mastodon servers and a relay on loopback with one account
// each, all of the same made-up person. Their content is our own writing.
type Demo struct {
	every   time.Duration
	now     func() time.Time
	servers []*demoServer
	relay   *demoRelay

	mu   sync.Mutex // guards turn and each server's next
	turn int
}

type demoServer struct {
	*Mastodon
	label string
	file  demoFile
	// ids finds a seeded status by its key, lists a list by its title.
	ids   map[string]string
	lists map[string]string
	next  int
}

// DemoConnection is what to register for one of the demo's accounts.
type DemoConnection struct {
	Origin, Token, Label string
	// Profile is the relay's profile of an account of X, whose relay is Origin;
	// "" on Mastodon.
	Profile string
}

// DemoDeck is a deck to save for the demo.
type DemoDeck struct {
	Title   string
	Columns []DemoColumn
}

// DemoColumn is a column of a DemoDeck; Connection is an index into
// Demo.Connections.
type DemoColumn struct {
	Title      string
	Connection int
	Source     sns.Source
}

// StartDemo starts the servers and fills them. The caller runs Run and calls
// Close in the end. Nothing is left running when it fails.
func StartDemo(ctx context.Context, c DemoConfig) (*Demo, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Every == 0 {
		c.Every = 45 * time.Second
	}
	d := &Demo{every: c.Every, now: c.Now}
	for _, name := range demoFiles {
		s, err := startDemoServer(ctx, name, c.Now)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("start the demo server %s: %w", name, err), d.Close())
		}
		d.servers = append(d.servers, s)
	}
	relay, err := startDemoRelay(ctx, c.Now)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the demo relay: %w", err), d.Close())
	}
	d.relay = relay
	return d, nil
}

func startDemoServer(ctx context.Context, name string, now func() time.Time) (*demoServer, error) {
	file, err := readDemoFile(name)
	if err != nil {
		return nil, err
	}
	m := NewMastodon(Options{
		Domain: file.Domain, Title: file.Title, Account: file.Accounts[0].account(), LinkToSelf: true, Now: now,
		RateLimit: RateLimit{Requests: 3000, Pages: 3000},
	})
	s := &demoServer{Mastodon: m, label: file.Label, file: file, ids: map[string]string{}, lists: map[string]string{}}
	if err := s.fill(now()); err != nil {
		return nil, err
	}
	if _, err := m.StartLoopback(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Connections are the accounts to register, the main one first.
func (d *Demo) Connections() []DemoConnection {
	out := make([]DemoConnection, len(d.servers))
	for i, s := range d.servers {
		out[i] = DemoConnection{Origin: s.Origin(), Token: s.Token(), Label: s.label}
	}
	return append(out, DemoConnection{Origin: d.relay.Origin(), Profile: d.relay.profile.Name(), Label: d.relay.file.Label})
}

// Relay is the relay of the account on X.
func (d *Demo) Relay() *Relay { return d.relay.Relay }

// Origins are where the Mastodon servers listen: the origins to allow for
// connections.
func (d *Demo) Origins() []string {
	out := make([]string, len(d.servers))
	for i, s := range d.servers {
		out[i] = s.Origin()
	}
	return out
}

// Media are the handlers of the servers' pictures and sounds, and of nothing
// else, by the host with the port that their addresses have.
func (d *Demo) Media() map[string]http.Handler {
	out := map[string]http.Handler{}
	for _, s := range d.servers {
		files := http.NewServeMux()
		files.Handle("GET /pictures/", s.Mastodon)
		out[strings.TrimPrefix(s.Origin(), "http://")] = files
	}
	files := http.NewServeMux()
	files.Handle("GET /pictures/", d.relay.Relay)
	out[strings.TrimPrefix(d.relay.Origin(), "http://")] = files
	return out
}

// Servers are the mock Mastodon servers themselves, in the order of Connections.
func (d *Demo) Servers() []*Mastodon {
	out := make([]*Mastodon, len(d.servers))
	for i, s := range d.servers {
		out[i] = s.Mastodon
	}
	return out
}

// Decks are the decks to save: a full one with six columns and a small one of
// Mastodon, then a full one of both networks and a small one of X.
func (d *Demo) Decks() []DemoDeck {
	tidepool, lightleak, yunagi, x := 0, 1, 2, 3
	list := func(server int, title string) sns.Source {
		return sns.Source{Kind: sns.KindList, ListID: d.servers[server].lists[title]}
	}
	return []DemoDeck{
		{Title: "Every morning", Columns: []DemoColumn{
			{"Home", tidepool, sns.Source{Kind: sns.KindHome}},
			{"What happened", tidepool, sns.Source{Kind: sns.KindNotifications}},
			{"Harbour people", tidepool, list(tidepool, "Harbour people")},
			{"", lightleak, sns.Source{Kind: sns.KindHashtag, Tag: "visiblemending", Any: []string{"mending"}}},
			{"夕凪", yunagi, sns.Source{Kind: sns.KindHome}},
			{"Around Lightleak", lightleak, sns.Source{Kind: sns.KindLocal}},
		}},
		{Title: "Slow evening", Columns: []DemoColumn{
			{"Darkroom", lightleak, list(lightleak, "Darkroom")},
			{"Kept for later", tidepool, sns.Source{Kind: sns.KindBookmarks}},
			{"", yunagi, sns.Source{Kind: sns.KindHashtag, Tag: "銭湯"}},
		}},
		{Title: "Both shores", Columns: []DemoColumn{
			{"Tidepool", tidepool, sns.Source{Kind: sns.KindHome}},
			{"Following", x, sns.Source{Kind: sns.KindHome}},
			{"Harbour people", tidepool, list(tidepool, "Harbour people")},
			{"Ferries & tides", x, sns.Source{Kind: sns.KindList, ListID: d.relay.lists["Ferries & tides"]}},
			{"夕凪", yunagi, sns.Source{Kind: sns.KindHome}},
			{"", x, sns.Source{Kind: sns.KindSearch, Query: "harbour"}},
		}},
		{Title: "Only X", Columns: []DemoColumn{
			{"What happened", x, sns.Source{Kind: sns.KindNotifications}},
			{"For you", x, sns.Source{Kind: sns.KindForYou}},
			{"Kept for later", x, sns.Source{Kind: sns.KindBookmarks}},
		}},
	}
}

// Run publishes a new post now and then until ctx ends, and then returns nil.
func (d *Demo) Run(ctx context.Context) error {
	t := time.NewTicker(d.every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if err := d.Step(); err != nil {
				return err
			}
		}
	}
}

// Step publishes the next post. Every other one is on the main server, every
// fourth on X; when the written posts are used up, a bot goes on with the time of
// day.
func (d *Demo) Step() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	order := []int{0, 1, 0, 3, 0, 2, 0, 3}
	i := order[d.turn%len(order)]
	d.turn++
	if i == len(d.servers) {
		return d.relay.publishNext(d.now())
	}
	return d.servers[i].publishNext(d.now())
}

// Close ends every server and waits for them.
func (d *Demo) Close() error {
	var errs []error
	for _, s := range d.servers {
		errs = append(errs, s.Close())
	}
	if d.relay != nil {
		errs = append(errs, d.relay.Close())
	}
	return errors.Join(errs...)
}
