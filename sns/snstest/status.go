package snstest

import (
	"encoding/json"
	"fmt"
	"time"
)

// Status is what a test or the demo says about one post. The zero value of
// every member is an ordinary choice.
type Status struct {
	// ID is a fixed id; "" makes one in the server's style.
	ID string
	// Author is the acct of the writer. An unknown one is added as somebody the
	// main account follows; "" is ben.
	Author string
	// At is when it was written; the zero value is now.
	At time.Time
	// Text is plain text: blank lines part paragraphs; links, #tags, @names and
	// :emoji: of the server become what Mastodon makes of them.
	Text string
	// HTML is sent as it is instead of Text.
	HTML string
	// Warning is the content warning.
	Warning   string
	Sensitive bool
	// Language is "en" when ""; "-" sends null.
	Language string
	// Visibility is public when "".
	Visibility string
	// ReplyTo is the id of the status this one answers.
	ReplyTo string
	// Boost is the id of the status that this entry passes on; the rest of the
	// members but ID, Author and At is then unused.
	Boost string
	Quote *Quote
	Media []Media
	Poll  *Poll
	Card  *Card
	// Boosts and Favourites are the counts shown.
	Boosts, Favourites int
	// Pinned marks a post its author pinned to the profile.
	Pinned   bool
	Filtered []Filter
	// Patch replaces members of the status's JSON; nil values become null.
	Patch map[string]any
	// Raw is sent instead of the whole status; paging still knows ID.
	Raw json.RawMessage
}

// Quote is a quoted status.
type Quote struct {
	// ID is the quoted status.
	ID string
	// State is accepted when "".
	State string
	// Shallow sends the id instead of the status.
	Shallow bool
}

// Media is an attachment. Without URL the mock draws the picture.
type Media struct {
	// Type is image when "".
	Type string
	// Alt is the description; "" sends null.
	Alt string
	// Scene names what the drawn picture shows, see Scenes; "" is a plain one.
	Scene string
	// URL is a fixed address; "-" sends null, as while the file is processed.
	URL           string
	Width, Height int
	// Seconds is the length of audio and video.
	Seconds float64
}

// Poll is a poll of a status.
type Poll struct {
	Options  []Option
	Multiple bool
	// Ends is when it closes; the zero value sends null.
	Ends time.Time
	// Hidden sends null for every count, as some servers do until the end.
	Hidden bool
	Voters int
}

// Option is one choice of a poll.
type Option struct {
	Title string
	Votes int
}

// Card is the preview of a link.
type Card struct {
	URL, Title, Description, Provider string
	// Scene draws a picture; "" is none.
	Scene string
}

// Filter is a filter of the reader that a status matches.
type Filter struct {
	Title string
	// Action is warn when "".
	Action string
	// Context is where it applies: home, notifications, public, thread, account.
	Context []string
	Keyword string
}

// Add publishes a status and returns its id. It panics when ReplyTo, Boost or
// Quote names a status that does not exist, which is a mistake of the test.
func (m *Mastodon) Add(in Status) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.store.add(in, m.domainOf)
}

// AddMany publishes n short posts a minute apart, the last one now, and returns
// their ids oldest first.
func (m *Mastodon) AddMany(n int) []string {
	ids := make([]string, n)
	start := m.now().Add(-time.Duration(n) * time.Minute)
	for i := range ids {
		ids[i] = m.Add(Status{At: start.Add(time.Duration(i+1) * time.Minute), Text: fmt.Sprintf("Post %d of %d.", i+1, n)})
	}
	return ids
}

// Edit changes the text of a status, as its author would.
func (m *Mastodon) Edit(id, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	st := m.store.known(id, "edited")
	st.Text, st.HTML = text, ""
	st.edited = m.now()
	m.store.render(st, m.domainOf)
}

// Delete removes a status and its boosts.
func (m *Mastodon) Delete(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.store.remove(id)
}

func (s *store) known(id, what string) *status {
	st := s.byID[id]
	if st == nil {
		panic(fmt.Sprintf("snstest: the %s status %q does not exist", what, id))
	}
	return st
}

func (s *store) add(in Status, link linker) string {
	if in.Author == "" {
		in.Author = "ben"
	}
	if in.At.IsZero() {
		in.At = s.now()
	}
	seq := s.next()
	st := &status{Status: in, id: in.ID, author: s.account(in.Author), place: place{in.At.UnixMilli(), seq}}
	if st.id == "" {
		st.id = s.ids.newID(in.At, seq)
	}
	if in.ReplyTo != "" {
		s.known(in.ReplyTo, "answered")
	}
	if in.Quote != nil {
		s.known(in.Quote.ID, "quoted")
	}
	if in.Boost != "" {
		st.boost = s.known(in.Boost, "boosted")
		st.author.boosted[in.Boost] = true
	}
	s.render(st, link)
	s.insert(st)
	return st.id
}

// render makes the HTML and finds tags and mentions.
func (s *store) render(st *status, link linker) {
	if st.boost != nil {
		return
	}
	r := renderer{store: s, link: link}
	st.html, st.tags, st.mentioned = r.content(st)
}
