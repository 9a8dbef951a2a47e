package sns

import (
	"slices"
	"strings"
	"sync"
)

// maxAccountIDs is how many ids an AccountIDs holds.
const maxAccountIDs = 1024

// AccountIDs remembers which ids a network has for the names of accounts, apart
// for each connection and its server. It is for a Provider that has to look a name
// up before it can read; when there are too many the oldest goes. The zero value
// is empty, and it is safe for concurrent use.
type AccountIDs struct {
	mu    sync.Mutex
	ids   map[accountIDKey]string
	order []accountIDKey
}

type accountIDKey struct{ connection, origin, name string }

func newAccountIDKey(a Account, name string) accountIDKey {
	return accountIDKey{a.ConnectionID, a.Origin, strings.ToLower(strings.TrimPrefix(name, "@"))}
}

// Get returns the id of a name. Case and a leading "@" do not matter.
func (c *AccountIDs) Get(a Account, name string) (id string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id, ok = c.ids[newAccountIDKey(a, name)]
	return id, ok
}

// Put remembers the id of a name.
func (c *AccountIDs) Put(a Account, name, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids == nil {
		c.ids = map[accountIDKey]string{}
	}
	key := newAccountIDKey(a, name)
	if _, known := c.ids[key]; !known {
		c.order = append(c.order, key)
	}
	c.ids[key] = id
	if len(c.order) > maxAccountIDs {
		delete(c.ids, c.order[0])
		c.order = c.order[1:]
	}
}

// Forget drops the id of a name, such as one that the network no longer knows.
func (c *AccountIDs) Forget(a Account, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := newAccountIDKey(a, name)
	delete(c.ids, key)
	c.order = slices.DeleteFunc(c.order, func(k accountIDKey) bool { return k == key })
}
