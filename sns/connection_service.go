package sns

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
	"personal-workspace/internal/sqlite"
)

const (
	// fieldToken is the name of a connection's bearer token among its secrets.
	fieldToken = "token"
	maxToken   = 4096
)

// ListConnections returns all connections, oldest first.
func (s *Service) ListConnections(ctx context.Context) (list []Connection, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		list, err = listConnections(tx)
		return err
	})
	return list, err
}

// GetConnection returns one connection, or a not_found fault.
func (s *Service) GetConnection(ctx context.Context, id string) (c Connection, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		c, err = findConnection(tx, id)
		return err
	})
	return c, err
}

// AddMastodon asks the server whose account the token is, and stores the
// connection only when it answers. Of an account that is connected already the
// credential is replaced and the id kept; a server without login that is
// connected already is a request_conflict. The connection's Warnings are about the token.
func (s *Service) AddMastodon(ctx context.Context, in AddMastodon) (Connection, error) {
	c, err := s.newMastodon(in)
	if err != nil {
		return Connection{}, err
	}
	if in.Token, err = normalizeToken(in.Token); err != nil {
		return Connection{}, err
	}
	label, err := normalizeLabel(in.Label)
	if err != nil {
		return Connection{}, err
	}
	if in.Token != "" && s.key == nil {
		return Connection{}, missingKey()
	}
	defer s.gates.forget(c.ID)
	who, err := s.verifyNew(ctx, c, in.Token)
	if err != nil {
		return Connection{}, err
	}
	c.Account, c.AccountID, c.Login = who.Account, who.AccountID, who.AccountID != ""
	c.Label = who.label(label)
	c, err = s.keep(ctx, c, credential{token: in.Token, scopes: who.Scopes}, label != "")
	if err == nil {
		c.Warnings = scopeWarnings(who.Scopes)
	}
	return c, err
}

// writing are the groups of scopes that reading does not need.
var writing = []string{"write", "follow", "push", "admin"}

// scopeWarnings says so when a token may do more than read.
func scopeWarnings(scopes []string) []string {
	var more []string
	for _, group := range writing {
		if slices.ContainsFunc(scopes, func(s string) bool { return s == group || strings.HasPrefix(s, group+":") }) {
			more = append(more, group)
		}
	}
	if len(more) == 0 {
		return nil
	}
	return []string{"The token may do more than read (" + strings.Join(more, ", ") + "), which the workspace never uses; a token with the scope read alone is safer."}
}

// newMastodon starts a connection from the address and the rules about it.
func (s *Service) newMastodon(in AddMastodon) (Connection, error) {
	origin, err := egress.CanonicalOrigin(in.Origin)
	if err != nil {
		return Connection{}, err
	}
	now := s.now()
	c := Connection{
		ID: s.newID("conn"), Network: Mastodon, App: string(Mastodon), Origin: origin, Operator: in.Operator,
		State: Ready, CreatedAt: now, UpdatedAt: now,
	}
	listed := in.Operator || slices.Contains(s.origins, origin)
	switch {
	case listed:
		return c, nil
	case s.only:
		return Connection{}, blockedByOnly(origin)
	case !strings.HasPrefix(origin, "https://"):
		return Connection{}, fault.New(fault.BlockedOrigin, "%s is not https; give an https address, or have the operator add it to WORKSPACE_MASTODON_ORIGINS.", origin).
			With(fault.DetailField, "origin")
	}
	return c, nil
}

// AllowsHTTP reports whether the operator has listed the server of this name, with
// its port, as one that is reached without encryption.
func (s *Service) AllowsHTTP(host string) bool {
	return slices.Contains(s.origins, "http://"+strings.ToLower(host))
}

func (s *Service) verify(ctx context.Context, c Connection, token string) (Identity, error) {
	p := s.providers[c.Network]
	if p == nil {
		return Identity{}, noProvider(c)
	}
	a := s.account(c)
	a.Token = token
	ctx, cancel := context.WithTimeout(ctx, s.toolTimeout)
	defer cancel()
	who, err := p.Verify(ctx, a)
	if err != nil {
		return Identity{}, verifyFault(fault.From(err), c)
	}
	who.Account = cleanLabel(who.Account)
	login := token != "" || c.Network == Twitter
	if who.Account == "" || len(who.Account) > MaxHandle || len(who.AccountID) > MaxID || login != (who.AccountID != "") {
		return Identity{}, fault.New(fault.UpstreamChanged, "%s did not say whose account it reads; check that it is a %s.", hostOf(c.Origin), upstreamName(c.Network))
	}
	return who, nil
}

// verifyNew verifies a token that was only just given: one that is refused was
// never the account's, as far as the person knows.
func (s *Service) verifyNew(ctx context.Context, c Connection, token string) (Identity, error) {
	who, err := s.verify(ctx, c, token)
	if fault.CodeOf(err) == fault.Unauthorized {
		return who, fault.New(fault.Unauthorized, "%s does not accept the token; copy the whole of it again, or make a new one there.", hostOf(c.Origin)).
			With(fault.DetailField, "token").Wrap(err)
	}
	return who, err
}

// verifyFault drops what a provider says about a connection that does not exist.
func verifyFault(f *fault.Error, c Connection) error {
	if f.Code == fault.Timeout {
		f = fault.New(fault.Timeout, "%s has not answered in time; check the address, or try again.", hostOf(c.Origin)).Wrap(f.Err)
	}
	if f.Code == fault.Unauthorized {
		f = f.With(fault.DetailField, credentialField(c.Network))
	}
	return f
}

// credentialField is the member of the input that decides who reads.
func credentialField(n Network) string {
	if n == Twitter {
		return "profile"
	}
	return "token"
}

// upstreamName is what a connection of the network talks to.
func upstreamName(n Network) string {
	if n == Twitter {
		return "relay"
	}
	return "Mastodon server"
}

// RemoveConnection removes a connection with its credential and stored posts.
// Decks keep the columns that read it.
func (s *Service) RemoveConnection(ctx context.Context, id string) error {
	if _, err := s.GetConnection(ctx, id); err != nil {
		return err
	}
	if err := s.deleteConnection(ctx, id); err != nil {
		return err
	}
	s.forget(id)
	return nil
}

// forget drops what this process remembers of a connection.
func (s *Service) forget(id string) {
	s.gates.forget(id)
	s.pages.forget(id + keySeparator)
	s.lists.forget(id + keySeparator)
	s.threads.forget(id + keySeparator)
	s.tags.forget(id + keySeparator)
	s.posts.forget(id + keySeparator)
}

func normalizeToken(raw string) (string, error) {
	token := strings.TrimSpace(raw)
	if len(token) > maxToken {
		return "", fault.Invalid("token", "The token is longer than %d bytes; give the token alone.", maxToken)
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", fault.Invalid("token", "The token has white space or other signs that no token has; give the token alone, on one line.")
	}
	return token, nil
}

func normalizeLabel(raw string) (string, error) {
	label := strings.TrimSpace(norm.NFC.String(raw))
	if utf8.RuneCountInString(label) > MaxLabel || strings.ContainsFunc(label, unicode.IsControl) || !utf8.ValidString(label) {
		return "", fault.Invalid("label", "The label must have at most %d characters and no control characters.", MaxLabel)
	}
	if label != "" && !richtext.Visible(label) {
		return "", fault.Invalid("label", "The label has nothing in it that can be seen; write a letter, a digit or a sign.")
	}
	return label, nil
}

// cleanLabel makes a label of what a network calls an account: one line without
// the signs that nobody sees, such as those that turn the direction of a text,
// and "" of what shows nothing.
func cleanLabel(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, norm.NFC.String(strings.ToValidUTF8(s, "")))
	if s = richtext.ForModel(s); !richtext.Visible(s) {
		return ""
	}
	return strings.TrimSpace(s)
}

// label is what a new connection is called: as the person says, else as the
// network does.
func (who Identity) label(given string) string {
	return cmp.Or(given, cutRunes(cleanLabel(who.Title), MaxLabel), cutRunes(who.Account, MaxLabel))
}

func cutRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

func hostOf(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	return host
}

func blockedByOnly(origin string) error {
	return fault.New(fault.BlockedOrigin, "Only configured servers may be read here; have the operator add %s to WORKSPACE_MASTODON_ORIGINS.", origin).
		With(fault.DetailField, "origin")
}

func missingKey() *fault.Error {
	return fault.New(fault.Unauthorized, "The credential key is missing; put its file back, or run: workspace connections forget-secrets")
}
