package snstest

import (
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"
)

// RelayOptions describe a mock relay. The zero value is a usable relay with the
// profiles "a1", whose account is @ann, and "a2", whose account is @otto.
type RelayOptions struct {
	// Profiles are the names of the relay's browser profiles and the accounts
	// that are signed in there.
	Profiles []RelayProfile
	// Quirks are differences that X has or had now and then.
	Quirks RelayQuirks
	// LinkToSelf makes the relay show pages of people and posts, and lets the
	// addresses that X itself writes lead there instead of to x.com.
	LinkToSelf bool
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// RelayProfile is one browser profile of a relay.
type RelayProfile struct {
	Name string
	// Owner is the account that is signed in.
	Owner Person
}

// RelayQuirks are switches of a relay and of the network behind it.
type RelayQuirks struct {
	// Plain leaves out what a timeline has besides its posts: promoted posts,
	// people to follow and prompts.
	Plain bool
	// Lean leaves out the members that no client reads and that make up most of
	// a real answer.
	Lean bool
	// PageSize is how many posts a page has, whatever is asked; 0 is the number
	// of the operation: 98 for a list, 35 for a home timeline, 20 elsewhere.
	PageSize int
	// ReplaceCursors delivers the cursors of later pages of every timeline by
	// TimelineReplaceEntry, as a search does always.
	ReplaceCursors bool
	// Terminate says on the last page with posts that the timeline ends there.
	Terminate bool
	// OldUsers sends people in the shape of 2025, with only a legacy object.
	OldUsers bool
	// OldUserTimeline sends the posts of a person under timeline_v2.
	OldUserTimeline bool
	// SearchStalls answers every page of a search with the posts of the first and
	// a cursor that is new.
	SearchStalls bool
	// SearchByPOST refuses a search that is asked with GET.
	SearchByPOST bool
}

// Relay is a mock of the relay that drives a signed-in page of X, with the part
// of X behind it that a reader sees. It is an http.Handler and safe for
// concurrent use.
//
// Violations lists what no client may ask: an operation that is not one of the
// reads in this package's own list, and a request without a profile header,
// which is answered for a profile chosen at random.
type Relay struct {
	now        func() time.Time
	linkToSelf bool

	mu       sync.RWMutex // guards everything up to retired
	quirks   RelayQuirks
	profiles []*Profile
	people   map[string]*person // by lower-case handle
	tweets   []*tweet           // newest first
	byID     map[string]*tweet
	seq      int64
	// queryIDs are the ids of operations that SetQueryID moved.
	queryIDs map[string]string
	// features are flags that X insists on besides.
	features []string

	cursors cursorTable
	faults  faultList
	log     callLog
	host    host
}

// NewRelay makes a relay that does not listen yet.
func NewRelay(o RelayOptions) *Relay {
	if o.Now == nil {
		o.Now = time.Now
	}
	if len(o.Profiles) == 0 {
		o.Profiles = []RelayProfile{
			{Name: "a1", Owner: Person{Handle: "ann", Name: "Ann Example"}},
			{Name: "a2", Owner: Person{Handle: "otto", Name: "Otto Example"}},
		}
	}
	r := &Relay{now: o.Now, linkToSelf: o.LinkToSelf, quirks: o.Quirks, people: map[string]*person{}, byID: map[string]*tweet{}, queryIDs: map[string]string{}}
	for _, p := range o.Profiles {
		r.AddProfile(p)
	}
	return r
}

// AddProfile adds a browser profile to the relay.
func (r *Relay) AddProfile(in RelayProfile) *Profile {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := &Profile{relay: r, name: in.Name, following: map[string]bool{}}
	p.owner = r.addPerson(in.Owner)
	r.profiles = append(r.profiles, p)
	return p
}

// RemoveProfile takes a profile away, as when the relay's operator renames it.
func (r *Relay) RemoveProfile(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.profiles = slices.DeleteFunc(r.profiles, func(p *Profile) bool { return p.name == name })
}

// Profile returns a profile of the relay. It panics when there is none of that
// name, which is a mistake of the test.
func (r *Relay) Profile(name string) *Profile {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if p := r.profile(name); p != nil {
		return p
	}
	panic(fmt.Sprintf("snstest: the relay has no profile %q", name))
}

func (r *Relay) profile(name string) *Profile {
	for _, p := range r.profiles {
		if p.name == name {
			return p
		}
	}
	return nil
}

// SetQuirks changes the quirks while the relay runs.
func (r *Relay) SetQuirks(change func(*RelayQuirks)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.quirks)
}

// SetQueryID makes id the only query id that X serves for an operation; the
// ids that were known before are retired.
func (r *Relay) SetQueryID(operation, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queryIDs[operation] = id
}

// RequireFeature makes X refuse requests that do not send a feature flag of
// this name.
func (r *Relay) RequireFeature(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.features = append(r.features, name)
}

// Now is the relay's clock.
func (r *Relay) Now() time.Time { return r.now() }

// Start serves on the listener until Close and returns the origin.
func (r *Relay) Start(l net.Listener) (origin string, err error) { return r.host.start(l, r) }

// StartLoopback serves on a free port of 127.0.0.1 until Close.
func (r *Relay) StartLoopback(ctx context.Context) (origin string, err error) {
	return r.host.startLoopback(ctx, r)
}

// Origin is where the relay listens, "" before it started.
func (r *Relay) Origin() string { return r.host.where() }

// Close ends the relay and every connection to it, and waits for it.
func (r *Relay) Close() error { return r.host.close() }
