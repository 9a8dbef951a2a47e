package mastodon

import (
	"context"
	"regexp"
	"strings"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

var (
	// plainID are ids of Mastodon and of servers with ULIDs. A name made only
	// of digits has to be written with "@".
	plainID = regexp.MustCompile(`^([0-9]+|[0-7][0-9A-HJKMNP-TV-Z]{25})$`)
	// maybeID are ids that could as well be names.
	maybeID = regexp.MustCompile(`^[0-9A-Za-z]{16,22}$`)
)

// accountID returns the server's id of an account given as @user@host, user or
// an id.
func (p *Provider) accountID(ctx context.Context, a sns.Account, account string) (string, error) {
	if plainID.MatchString(account) {
		return account, nil
	}
	if id, ok := p.accounts.Get(a, account); ok {
		return id, nil
	}
	what := about(sns.KindUser, position{})
	what.scope = "read:accounts"
	res, err := p.call(ctx, a, what, func(c *api.Client) error {
		_, err := c.AccountLookup(ctx, strings.TrimPrefix(account, "@"))
		return err
	})
	if fault.CodeOf(err) == fault.NotFound && maybeID.MatchString(account) {
		return account, nil
	}
	if err != nil {
		return "", err
	}
	found := decodeItem[api.Account](res.body)
	if found == nil || !sns.ValidID(string(found.ID)) {
		return "", changed("account")
	}
	p.accounts.Put(a, account, string(found.ID))
	return string(found.ID), nil
}

// Verify implements sns.Provider.
func (p *Provider) Verify(ctx context.Context, a sns.Account) (sns.Identity, error) {
	if a.Token == "" {
		return p.verifyServer(ctx, a)
	}
	what := subject{name: "its own profile", scope: "read:accounts", capability: "accounts", first: true}
	res, err := p.call(ctx, a, what, func(c *api.Client) error {
		_, err := c.GetAccountCurrentUser(ctx)
		return err
	})
	if err != nil {
		return sns.Identity{}, err
	}
	me := decodeItem[api.Account](res.body)
	if me == nil || !sns.ValidID(string(me.ID)) {
		return sns.Identity{}, changed("verify_credentials")
	}
	author := p.mapper(a, what).author(*me)
	return sns.Identity{Account: author.Handle, AccountID: author.ID, Title: titleOf(author), Scopes: p.scopes(ctx, a)}, nil
}

const (
	maxScopes = 100
	maxScope  = 64
)

// scopes asks what the token may do. Many servers do not say, or not to a token
// like this; the account can be read all the same.
func (p *Provider) scopes(ctx context.Context, a sns.Account) []string {
	res, err := p.get(ctx, a, subject{name: "the scopes of its token", capability: "scopes"}, "/api/v1/apps/verify_credentials", nil)
	if err != nil {
		return nil
	}
	app := decodeItem[struct {
		Scopes []string `json:"scopes"`
	}](res.body)
	if app == nil {
		return nil
	}
	var out []string
	for _, s := range app.Scopes[:min(len(app.Scopes), maxScopes)] {
		if s = richtext.CutLine(s, maxScope); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// titleOf is a name without custom emoji, which a label cannot show.
func titleOf(a sns.Author) string {
	title := a.DisplayName
	for _, e := range a.Emojis {
		title = strings.ReplaceAll(title, ":"+e.Shortcode+":", "")
	}
	if title = strings.TrimSpace(title); title == "" {
		return a.Handle
	}
	return title
}

// maxInstance is the longest description of a server that is read, in bytes.
const maxInstance = 1 << 20

// verifyServer proves that a server speaks the API. Servers before Mastodon 4
// have only the first version of the description.
func (p *Provider) verifyServer(ctx context.Context, a sns.Account) (sns.Identity, error) {
	what := subject{name: "the description of itself", capability: "instance", first: true, limit: maxInstance}
	res, err := p.get(ctx, a, what, "/api/v2/instance", nil)
	if fault.CodeOf(err) == fault.Unsupported {
		res, err = p.call(ctx, a, what, func(c *api.Client) error {
			_, err := c.GetInstance(ctx)
			return err
		})
	}
	if err != nil {
		return sns.Identity{}, err
	}
	about := decodeItem[instance](res.body)
	if !about.known() {
		return sns.Identity{}, unsupported(hostOf(a), what)
	}
	host := hostOf(a)
	title := richtext.CutLine(richtext.ForModel(about.Title), sns.MaxName)
	if title == "" {
		title = host
	}
	return sns.Identity{Account: host, Title: title}, nil
}
