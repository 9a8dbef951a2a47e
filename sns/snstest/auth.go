package snstest

import (
	"net/http"
	"slices"
	"strings"
)

// readScopes are what reading everything needs.
var readScopes = []string{
	"profile", "read:statuses", "read:lists", "read:accounts", "read:notifications",
	"read:search", "read:bookmarks", "read:favourites", "read:filters", "read:follows",
}

type token struct {
	acct    string
	scopes  []string
	revoked bool
}

// IssueToken makes a token of a local account with these scopes, or with all
// that reading needs.
func (m *Mastodon) IssueToken(acct string, scopes ...string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.store.issue(acct, scopes)
}

func (s *store) issue(acct string, scopes []string) string {
	if len(scopes) == 0 {
		scopes = readScopes
	}
	s.account(acct)
	value := "mock-token-" + acct + "-" + encodeULID(s.epoch.UnixMilli(), s.next())
	s.tokens[value] = &token{acct: acct, scopes: scopes}
	return value
}

// RevokeToken makes a token invalid, as its owner can at any time.
func (m *Mastodon) RevokeToken(value string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t := m.store.tokens[value]; t != nil {
		t.revoked = true
	}
}

// bearer returns the presented token.
func bearer(r *http.Request) (value string, presented bool) {
	auth, ok := r.Header["Authorization"]
	if !ok {
		return "", false
	}
	return strings.TrimSpace(strings.TrimPrefix(auth[0], "Bearer ")), true
}

// admit finds the reader of a request and refuses those the route is not for.
func (m *Mastodon) admit(r *http.Request, a access) (*account, *answer) {
	value, presented := bearer(r)
	if !presented {
		return nil, m.quirks.admitStranger(a)
	}
	t := m.store.tokens[value]
	switch {
	case t == nil:
		return nil, m.quirks.invalidToken("The access token is invalid")
	case t.revoked:
		return nil, m.quirks.invalidToken("The access token was revoked")
	case !t.covers(a.scopes):
		return nil, m.quirks.missingScope()
	}
	return m.store.accounts[t.acct], nil
}

func (q Quirks) admitStranger(a access) *answer {
	if a.login || q.ReadingNeedsToken && !a.open {
		return q.invalidToken("The access token is invalid")
	}
	if a.public && q.PublicNeedsToken {
		return &answer{status: http.StatusUnauthorized, body: errorBody("This method requires an authenticated user")}
	}
	return nil
}

// missingScope refuses a token that was not given for the route.
func (q Quirks) missingScope() *answer {
	text := "This action is outside the authorized scopes"
	if q.LongErrors {
		text = "Forbidden: token has insufficient scope permission"
	}
	return &answer{status: http.StatusForbidden, body: errorBody(text)}
}

func (q Quirks) invalidToken(text string) *answer {
	if q.LongErrors {
		return &answer{status: http.StatusUnauthorized, body: errorBody("Unauthorized: token not supplied")}
	}
	return &answer{status: http.StatusUnauthorized, body: errorBody(text), header: map[string]string{
		"Www-Authenticate": `Bearer realm="Doorkeeper", error="invalid_token", error_description="` + text + `"`,
	}}
}

// covers reports whether the token has one of the scopes, or the group of it.
func (t *token) covers(scopes []string) bool {
	if len(scopes) == 0 {
		return true
	}
	return slices.ContainsFunc(scopes, func(s string) bool {
		group, _, _ := strings.Cut(s, ":")
		return slices.Contains(t.scopes, s) || slices.Contains(t.scopes, group)
	})
}

func (m *Mastodon) scopesOf(r *http.Request) []string {
	value, _ := bearer(r)
	if t := m.store.tokens[value]; t != nil {
		return t.scopes
	}
	return nil
}

func (m *Mastodon) tokenAccount(r *http.Request) string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	value, _ := bearer(r)
	if t := m.store.tokens[value]; t != nil && !t.revoked {
		return t.acct
	}
	return ""
}
