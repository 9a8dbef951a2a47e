package twitter

import (
	"context"
	"strings"
	"sync"

	"personal-workspace/sns"
)

// accountID returns X's id of an account given as @name or as an id. A name made
// only of digits has to be written with "@".
func (p *Provider) accountID(ctx context.Context, a sns.Account, account string) (string, error) {
	if isNumber(account) {
		return account, nil
	}
	name := strings.TrimPrefix(account, "@")
	if !isName(name) {
		return "", invalidSource("account", "This is not an account of X; write it as @name.")
	}
	if id, ok := p.accounts.get(a, name); ok {
		return id, nil
	}
	q := question{op: opUserByName, vars: map[string]any{"screen_name": name}, isData: func(v value) bool { return anyMember(v) && v.get("__typename").str() != "UserUnavailable" }}
	r, err := p.ask(ctx, a, q)
	if err != nil {
		return "", err
	}
	id := r.data.get("rest_id").str()
	if !isNumber(id) {
		return "", q.changed()
	}
	p.accounts.put(a, name, id)
	return id, nil
}

// maxAccounts bounds the cache of looked up accounts.
const maxAccounts = 1024

// accountCache remembers the ids of looked up accounts, apart for each connection.
// The zero value is empty.
type accountCache struct {
	mu    sync.Mutex
	ids   map[accountKey]string
	order []accountKey
}

type accountKey struct{ connection, name string }

func keyOf(a sns.Account, name string) accountKey {
	return accountKey{a.ConnectionID, strings.ToLower(name)}
}

func (c *accountCache) get(a sns.Account, name string) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id, ok := c.ids[keyOf(a, name)]
	return id, ok
}

// put remembers an id; when there are too many the oldest goes.
func (c *accountCache) put(a sns.Account, name, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids == nil {
		c.ids = map[accountKey]string{}
	}
	key := keyOf(a, name)
	if _, known := c.ids[key]; !known {
		c.order = append(c.order, key)
	}
	c.ids[key] = id
	if len(c.order) > maxAccounts {
		delete(c.ids, c.order[0])
		c.order = c.order[1:]
	}
}
