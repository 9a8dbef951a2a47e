package snstest

import (
	"maps"
	"slices"
	"strconv"
	"time"
)

// store is everything the server knows. Mastodon.mu guards it.
type store struct {
	ids  IDStyle
	now  func() time.Time
	main string
	// epoch is when the first account was made.
	epoch       time.Time
	seq         int64
	number      int64
	accounts    map[string]*account
	byAccountID map[string]*account
	// statuses are newest first.
	statuses []*status
	byID     map[string]*status
	// gone keeps the place of deleted statuses, so that paging from one works.
	gone   map[string]place
	emojis []string
	tokens map[string]*token
}

// place is where an entry stands among all: by time, then in order of making.
type place struct {
	at  int64 // Unix milliseconds
	seq int64
}

func (p place) before(o place) bool {
	if p.at != o.at {
		return p.at < o.at
	}
	return p.seq < o.seq
}

type status struct {
	Status
	place
	id     string
	edited time.Time
	author *account
	boost  *status
	// tags are the normalized names of the hashtags in the text.
	tags []string
	// mentioned holds the acct of everybody the text names.
	mentioned []string
	html      string
	// replies, boosts and quotes are counted as they come and go.
	replies, boosts, quotes int
}

func newStore(o Options) store {
	return store{
		ids:         o.IDs,
		now:         o.Now,
		main:        o.Account.Acct,
		epoch:       time.Date(2019, 4, 1, 9, 0, 0, 0, time.UTC),
		number:      70_000,
		accounts:    map[string]*account{},
		byAccountID: map[string]*account{},
		byID:        map[string]*status{},
		gone:        map[string]place{},
		tokens:      map[string]*token{},
	}
}

func (s *store) next() int64 {
	s.seq++
	return s.seq
}

// nextNumber returns an id of the kind that lists, bookmarks and notifications
// have: it says nothing about the status they hold.
func (s *store) nextNumber() string {
	s.number++
	if s.ids == ULID {
		return encodeULID(s.epoch.UnixMilli(), s.number)
	}
	return strconv.FormatInt(s.number, 10)
}

// insert keeps statuses newest first.
func (s *store) insert(st *status) {
	i, _ := slices.BinarySearchFunc(s.statuses, st.place, func(e *status, p place) int {
		if p.before(e.place) {
			return -1
		}
		return 1
	})
	s.statuses = slices.Insert(s.statuses, i, st)
	s.byID[st.id] = st
	s.count(st, 1)
}

// remove deletes a status and every boost of it.
func (s *store) remove(id string) {
	s.statuses = slices.DeleteFunc(s.statuses, func(st *status) bool {
		if st.id != id && (st.boost == nil || st.boost.id != id) {
			return false
		}
		s.gone[st.id] = st.place
		s.count(st, -1)
		delete(s.byID, st.id)
		return true
	})
}

// visible reports whether an account may see a status; nil is nobody.
func (s *store) visible(viewer *account, st *status) bool {
	switch st.Visibility {
	case "", "public", "unlisted":
		return true
	}
	if viewer == nil {
		return false
	}
	if viewer == st.author || slices.Contains(st.mentioned, viewer.Acct) {
		return true
	}
	return st.Visibility != "direct" && viewer.following[st.author.Acct]
}

// public reports whether a status belongs to public and hashtag timelines.
func (st *status) public() bool {
	return (st.Visibility == "" || st.Visibility == "public") && st.boost == nil
}

// count tells those that a status answers, boosts or quotes, and its author,
// that it is there (by 1) or is no more (by -1).
func (s *store) count(st *status, by int) {
	st.author.posts += by
	if by > 0 && st.At.After(st.author.last) {
		st.author.last = st.At
	}
	if parent := s.byID[st.ReplyTo]; parent != nil {
		parent.replies += by
	}
	if st.boost != nil {
		st.boost.boosts += by
	}
	if st.Quote == nil {
		return
	}
	if quoted := s.byID[st.Quote.ID]; quoted != nil {
		quoted.quotes += by
	}
}

func (s *store) sortedAccounts() []string {
	return slices.Sorted(maps.Keys(s.accounts))
}
