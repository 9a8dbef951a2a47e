package twitter

import (
	"context"
	"strings"

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
		return "", sns.InvalidMember("account", "This is not an account of X; write it as @name.")
	}
	if id, ok := p.accounts.Get(a, name); ok {
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
	p.accounts.Put(a, name, id)
	return id, nil
}
