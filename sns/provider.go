package sns

import (
	"context"
	"time"
)

// Provider reads one network. It has no method that writes: that no tool ever
// writes to a social network is a property of this type.
//
// A Provider is safe for concurrent use. What it remembers between calls only
// spares requests or spaces them, and holds no credential. Errors are faults
// without the connection's id: the service adds it.
type Provider interface {
	// Verify proves that the account can be read and says whose it is.
	Verify(ctx context.Context, a Account) (Identity, error)
	// Lists returns the lists of the account.
	Lists(ctx context.Context, a Account) ([]List, error)
	// Fetch reads one page of a validated source. cursor is what an earlier
	// page of the same source gave as Next, "" for the newest page.
	Fetch(ctx context.Context, a Account, s Source, cursor string) (UpstreamPage, error)
	// Thread reads the conversation around a post.
	Thread(ctx context.Context, a Account, postID string) (Thread, error)
	// Supports reports whether the network has the kind for this account, as
	// an unsupported or invalid_source fault that says what is missing. It asks
	// no upstream and may be called without the Token: a login shows by its
	// AccountID too.
	Supports(a Account, k Kind) error
}

// Account is what a provider needs to read as one connection.
type Account struct {
	ConnectionID string
	// Origin is scheme://host[:port] of the server, on X of the relay.
	Origin string
	// Operator: the origin was named at the host's shell or in the
	// configuration and is reached as it is; otherwise only public https is.
	Operator bool
	// Token is the bearer token, "" for reading without login.
	Token string
	// Profile is the name of the relay's profile that reads; "" but on X.
	Profile string
	// AccountID is the account's id at the network, "" without login.
	AccountID string
	// Gate is asked before every upstream request.
	Gate Gate
	// Memory keeps what a restart must not forget about reading with the Profile;
	// nil keeps nothing.
	Memory Memory
}

// Memory keeps a provider's notes about one profile of a relay, whichever
// connections read with it, for some hours. It is safe for concurrent use.
type Memory interface {
	// Recall returns all notes by their names.
	Recall(ctx context.Context) (map[string]string, error)
	// Remember stores a note, which must be JSON, in place of the one that had
	// its name.
	Remember(ctx context.Context, name, note string) error
}

// Gate is the request budget of one connection.
type Gate interface {
	// Acquire waits for a place among the connection's requests in flight and
	// takes one request from its budget; paging requests have a budget of
	// their own besides. The fault is budget_exhausted with retryAt. The
	// returned function must be called when the request is over.
	Acquire(ctx context.Context, paging bool) (release func(), err error)
	// Observe tells the gate what the upstream said of its own limit; a
	// negative remaining means it said nothing.
	Observe(remaining int, reset time.Time)
}

// Identity is whose account a connection reads.
type Identity struct {
	// Account is @user@host, or the host alone without login.
	Account string
	// AccountID is the network's id, "" without login.
	AccountID string
	// Title is a label to start with.
	Title string
	// Scopes are what the token may do, nil where the network does not tell.
	Scopes []string
}

// UpstreamPage is a provider's answer.
type UpstreamPage struct {
	// Posts in the network's order, without duplicates within the page. It may
	// hold more than MaxPage: the service hands them out in parts.
	Posts []Post
	// Next is the network's own continuation, "" at the end.
	Next string
	// Received are the network's ids of the entries it sent, in its order and
	// those included that are not among Posts; "" is one without an id. A page
	// that shows nothing of what it received is no sign that the source is at
	// its end, and one that received what was on top before follows it without a
	// gap.
	Received []string
	// Partial, Skipped and Warnings are as in Page.
	Partial  bool
	Skipped  int
	Warnings []string
}
