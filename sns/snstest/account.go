package snstest

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Account is a person of the mock network.
type Account struct {
	// Acct is "name" for a local account, "name@host" for a remote one.
	Acct string
	// Name is the display name; "" is made from Acct.
	Name string
	// Bio is plain text.
	Bio    string
	Locked bool
	Bot    bool
	// Stranger: the main account does not follow this one.
	Stranger bool
	// Avatar is what stands in the generated picture, one or two characters;
	// "" is the first of the name.
	Avatar string
	// Patch replaces members of the account's JSON; nil values become null.
	Patch map[string]any
}

type account struct {
	Account
	id      string
	created time.Time
	// posts is how many there are, last when the newest was written.
	posts int
	last  time.Time
	// following holds the acct of whom a local account follows.
	following map[string]bool
	tags      []mark
	favs      []mark
	bookmarks []mark
	boosted   map[string]bool
	lists     []*list
	notes     []*notification
	talks     []*conversation
}

// mark is an entry of a list that has its own ids: a bookmark, a favourite, a
// followed hashtag.
type mark struct {
	id     string
	target string
}

type list struct {
	id, title string
	members   []string
}

// AddAccount adds a person, or replaces the record of one, and returns the
// account's id.
func (m *Mastodon) AddAccount(a Account) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.store.addAccount(a).id
}

// AddEmoji makes custom emoji: :name: in a text or a display name. Names that
// Emoji lists have a drawing.
func (m *Mastodon) AddEmoji(names ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.store.emojis = append(m.store.emojis, names...)
}

// AccountID returns the id of an account, "" when the server does not know it.
func (m *Mastodon) AccountID(acct string) string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if a := m.store.accounts[acct]; a != nil {
		return a.id
	}
	return ""
}

// Follow makes a local account follow another.
func (m *Mastodon) Follow(who, whom string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.store.account(who).following[m.store.account(whom).Acct] = true
}

// FollowTag makes the main account follow a hashtag.
func (m *Mastodon) FollowTag(tag string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.store.me()
	a.tags = slices.Insert(a.tags, 0, mark{m.store.nextNumber(), tag})
}

// AddList makes a list of the main account and returns its id.
func (m *Mastodon) AddList(title string, members ...string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := &list{id: m.store.nextNumber(), title: title, members: members}
	for _, acct := range members {
		m.store.account(acct)
	}
	a := m.store.me()
	a.lists = append(a.lists, l)
	return l.id
}

// DeleteList removes a list of the main account.
func (m *Mastodon) DeleteList(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.store.me()
	a.lists = slices.DeleteFunc(a.lists, func(l *list) bool { return l.id == id })
}

// Bookmark makes the main account bookmark a status; the last one is the newest.
func (m *Mastodon) Bookmark(statusID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.store.me()
	a.bookmarks = slices.Insert(a.bookmarks, 0, mark{m.store.nextNumber(), statusID})
}

// Favourite makes the main account favour a status; the last one is the newest.
func (m *Mastodon) Favourite(statusID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.store.me()
	a.favs = slices.Insert(a.favs, 0, mark{m.store.nextNumber(), statusID})
}

func (s *store) me() *account { return s.accounts[s.main] }

// account returns a known account or adds one that the main account follows.
func (s *store) account(acct string) *account {
	if a := s.accounts[acct]; a != nil {
		return a
	}
	return s.addAccount(Account{Acct: acct})
}

func (s *store) addAccount(in Account) *account {
	if in.Name == "" {
		name, _, _ := strings.Cut(in.Acct, "@")
		in.Name = strings.ToUpper(name[:1]) + name[1:]
	}
	a := s.accounts[in.Acct]
	if a == nil {
		created := s.epoch.Add(time.Duration(len(s.accounts)) * 24 * time.Hour)
		a = &account{id: s.ids.newID(created, s.next()), created: created, following: map[string]bool{}, boosted: map[string]bool{}}
		s.accounts[in.Acct] = a
		s.byAccountID[a.id] = a
	}
	a.Account = in
	if in.Acct != s.main {
		s.accounts[s.main].setFollowing(in.Acct, !in.Stranger)
	}
	return a
}

func (a *account) setFollowing(acct string, yes bool) {
	if yes {
		a.following[acct] = true
		return
	}
	delete(a.following, acct)
}

func (a *account) local() bool { return !strings.Contains(a.Acct, "@") }

func (a *account) username() string {
	name, _, _ := strings.Cut(a.Acct, "@")
	return name
}

// handle is the full @user@host on a server.
func (a *account) handle(domain string) string {
	if a.local() {
		return fmt.Sprintf("@%s@%s", a.Acct, domain)
	}
	return "@" + a.Acct
}

func has(marks []mark, target string) bool {
	return slices.ContainsFunc(marks, func(m mark) bool { return m.target == target })
}
