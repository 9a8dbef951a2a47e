package snstest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Profile is a browser profile of a mock relay: the account that is signed in
// there and what it sees.
type Profile struct {
	relay *Relay
	name  string
	owner *person
	// following holds the lower-case handles of whom the account follows.
	following map[string]bool
	lists     []*tweetList
	bookmarks []string
	likes     []string
	// notices are newest first.
	notices []*notice
}

// Person is somebody on X.
type Person struct {
	// Handle is the name after the @.
	Handle string
	// ID is a fixed id; "" makes one.
	ID string
	// Name is the display name; "" is made from Handle.
	Name string
	Bio  string
	// Avatar is what stands in the generated picture; "" is the first character
	// of the name.
	Avatar    string
	Protected bool
	Verified  bool
	// Automated accounts are labelled as such; For you leaves them out.
	Automated bool
	// Stranger: the profile that adds them does not follow them.
	Stranger bool
	// Suspended people are sent as UserUnavailable.
	Suspended bool
	// Patch replaces members of the person's JSON by their dotted path; a nil
	// value becomes null.
	Patch map[string]any
}

type person struct {
	Person
	id      string
	created time.Time
}

// TweetList is a list of an X account.
type TweetList struct {
	// ID is a fixed id; "" makes one.
	ID, Title, Description string
	// Members are handles; unknown ones are added.
	Members []string
	Private bool
	// Recommended lists are offered by X and are none of the account's own.
	Recommended bool
}

type tweetList struct {
	TweetList
	id string
}

// Name is what the profile header says.
func (p *Profile) Name() string { return p.name }

// AddPerson adds somebody, whom the profile follows unless they are a stranger,
// and returns their id. A known handle is replaced.
func (p *Profile) AddPerson(in Person) string {
	p.relay.mu.Lock()
	defer p.relay.mu.Unlock()
	who := p.relay.addPerson(in)
	p.setFollowing(who, !in.Stranger)
	return who.id
}

// Follow makes the profile's account follow people; unknown ones are added.
func (p *Profile) Follow(handles ...string) {
	p.relay.mu.Lock()
	defer p.relay.mu.Unlock()
	for _, h := range handles {
		p.setFollowing(p.relay.person(h), true)
	}
}

// AddList makes a list of the profile's account and returns its id.
func (p *Profile) AddList(in TweetList) string {
	p.relay.mu.Lock()
	defer p.relay.mu.Unlock()
	l := &tweetList{TweetList: in, id: in.ID}
	if l.id == "" {
		p.relay.seq++
		l.id = tweetID(p.relay.now(), p.relay.seq)
	}
	for _, h := range in.Members {
		p.relay.person(h)
	}
	p.lists = append(p.lists, l)
	return l.id
}

// DeleteList removes a list.
func (p *Profile) DeleteList(id string) {
	p.relay.mu.Lock()
	defer p.relay.mu.Unlock()
	p.lists = slices.DeleteFunc(p.lists, func(l *tweetList) bool { return l.id == id })
}

// Bookmark makes the account bookmark posts; the last one is the newest.
func (p *Profile) Bookmark(ids ...string) {
	p.relay.mu.Lock()
	defer p.relay.mu.Unlock()
	for _, id := range ids {
		p.bookmarks = slices.Insert(p.bookmarks, 0, p.relay.known(id, "bookmarked").id)
	}
}

// Like makes the account like posts; the last one is the newest.
func (p *Profile) Like(ids ...string) {
	p.relay.mu.Lock()
	defer p.relay.mu.Unlock()
	for _, id := range ids {
		p.likes = slices.Insert(p.likes, 0, p.relay.known(id, "liked").id)
	}
}

func (p *Profile) setFollowing(who *person, yes bool) {
	if who == p.owner {
		return
	}
	p.following[strings.ToLower(who.Handle)] = yes
}

func (p *Profile) follows(who *person) bool {
	return who == p.owner || p.following[strings.ToLower(who.Handle)]
}

// PersonID returns somebody's id, "" when X does not know them.
func (r *Relay) PersonID(handle string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if who := r.people[strings.ToLower(handle)]; who != nil {
		return who.id
	}
	return ""
}

// person returns a known person or adds one.
func (r *Relay) person(handle string) *person {
	if who := r.people[strings.ToLower(handle)]; who != nil {
		return who
	}
	return r.addPerson(Person{Handle: handle})
}

func (r *Relay) addPerson(in Person) *person {
	if in.Handle == "" {
		panic("snstest: a person needs a handle")
	}
	if in.Name == "" {
		in.Name = strings.ToUpper(in.Handle[:1]) + in.Handle[1:]
	}
	key := strings.ToLower(in.Handle)
	who := r.people[key]
	if who == nil {
		n := len(r.people)
		who = &person{
			id:      strconv.Itoa(1_200_000_000 + 7919*n),
			created: time.Date(2012, 3, 1, 9, 0, 0, 0, time.UTC).AddDate(0, 0, 40*n),
		}
		r.people[key] = who
	}
	if in.ID != "" {
		who.id = in.ID
	}
	who.Person = in
	return who
}

func (r *Relay) personByID(id string) *person {
	for _, who := range r.people {
		if who.id == id {
			return who
		}
	}
	return nil
}

func (r *Relay) known(id, what string) *tweet {
	t := r.byID[id]
	if t == nil {
		panic(fmt.Sprintf("snstest: the %s post %q does not exist", what, id))
	}
	return t
}
