package mastodon

import (
	"net/url"
	"regexp"
	"strings"
	"time"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

// Limits of what only Mastodon has, or has more of.
const (
	maxEmojis    = 64
	maxOptions   = 20
	maxTitles    = 8
	maxShortcode = 64
)

// author maps an account. Servers leave it out for accounts that are gone.
func (m *mapper) author(a api.Account) sns.Author {
	if a.ID == "" && a.Acct == "" && a.URL == "" {
		return sns.Author{Unknown: true}
	}
	avatar := richtext.SafeURL(a.Avatar)
	if avatar == "" {
		avatar = richtext.SafeURL(a.AvatarStatic)
	}
	return sns.Author{
		ID:          richtext.CutLine(string(a.ID), sns.MaxID),
		Handle:      m.handle(a),
		DisplayName: richtext.CutLine(a.DisplayName, sns.MaxName),
		URL:         richtext.SafeURL(a.URL),
		AvatarURL:   avatar,
		Emojis:      m.emojis(a.Emojis),
		Bot:         a.Bot,
	}
}

// handle is @user@host. Accounts of the server itself come without a host; it is
// that of their page, which is the server's public name also when the workspace
// reaches it by another one.
func (m *mapper) handle(a api.Account) string {
	acct := richtext.CutLine(strings.TrimPrefix(a.Acct, "@"), sns.MaxHandle)
	if acct == "" {
		acct = richtext.CutLine(a.Username, sns.MaxHandle)
	}
	if acct == "" {
		return ""
	}
	if !strings.Contains(acct, "@") {
		acct += "@" + m.publicHost(a.URL)
	}
	return richtext.CutLine("@"+acct, sns.MaxHandle)
}

func (m *mapper) publicHost(page string) string {
	if u, err := url.Parse(richtext.SafeURL(page)); err == nil && u.Host != "" {
		return strings.ToLower(u.Host)
	}
	return m.host
}

// emojis are the custom emoji with a picture on https, or on the account's own
// server.
func (m *mapper) emojis(in []api.Emoji) []sns.Emoji {
	var out []sns.Emoji
	for _, e := range in {
		picture := m.picture(e.URL)
		if picture == "" || e.ShortCode == "" || len(e.ShortCode) > maxShortcode || strings.ContainsAny(e.ShortCode, ": \n") {
			continue
		}
		if len(out) == maxEmojis {
			break
		}
		out = append(out, sns.Emoji{Shortcode: richtext.Line(e.ShortCode), URL: picture, StaticURL: m.picture(e.StaticURL)})
	}
	return out
}

func (m *mapper) picture(raw string) string {
	u := richtext.SafeURL(raw)
	if strings.HasPrefix(u, "https://") || strings.HasPrefix(u, m.account.Origin+"/") {
		return u
	}
	return ""
}

var mediaTypes = map[string]string{"image": "image", "gifv": "gif", "video": "video", "audio": "audio"}

func media(in []attachment) []sns.Media {
	var out []sns.Media
	for _, a := range in[:min(len(in), sns.MaxMedia)] {
		kind := mediaTypes[a.Type]
		if kind == "" {
			kind = "unknown"
		}
		file := richtext.SafeURL(a.URL)
		if file == "" {
			file = richtext.SafeURL(a.RemoteURL)
		}
		alt, _ := richtext.Cut(richtext.Lines(a.Description), sns.MaxAlt)
		out = append(out, sns.Media{
			Type:       kind,
			URL:        file,
			PreviewURL: richtext.SafeURL(a.PreviewURL),
			Alt:        alt,
			Width:      pixels(a.Meta.Original.Width),
			Height:     pixels(a.Meta.Original.Height),
			DurationMs: milliseconds(a.Meta.Original.Duration),
		})
	}
	return out
}

func pixels(f float64) int {
	if f >= 1 && f <= 1<<20 {
		return int(f)
	}
	return 0
}

func milliseconds(seconds float64) int64 {
	if seconds > 0 && seconds < 1e7 {
		return int64(seconds * 1000)
	}
	return 0
}

func (m *mapper) poll(p *poll) *sns.Poll {
	if p == nil || len(p.Options) == 0 {
		return nil
	}
	out := &sns.Poll{Voters: count(p.VotersCount), Multiple: p.Multiple, ExpiresAt: moment(p.ExpiresAt), Expired: p.Expired, Emojis: m.emojis(p.Emojis)}
	if out.ExpiresAt != nil && !out.ExpiresAt.After(m.now) {
		out.Expired = true
	}
	if votes := count(p.VotesCount); votes != nil {
		out.Votes = *votes
	}
	for _, o := range p.Options[:min(len(p.Options), maxOptions)] {
		out.Options = append(out.Options, sns.PollOption{Title: richtext.CutLine(o.Title, sns.MaxPollOption), Votes: count(o.VotesCount)})
	}
	return out
}

func cardOf(c *api.Card) *sns.Card {
	if c == nil || richtext.SafeURL(c.URL) == "" {
		return nil
	}
	return &sns.Card{
		URL:         richtext.SafeURL(c.URL),
		Title:       richtext.CutLine(c.Title, sns.MaxCardTitle),
		Description: richtext.CutLine(c.Description, sns.MaxCardText),
		ImageURL:    richtext.SafeURL(c.Image),
		Provider:    richtext.CutLine(c.ProviderName, sns.MaxProvider),
	}
}

// count is a number that is not negative, nil when the server gave none.
func count(n *int64) *int64 {
	if n == nil {
		return nil
	}
	v := max(*n, 0)
	return &v
}

// moment is a time, nil when the server gave none. The year counts in UTC, in
// which the last hours of 9999 may be of a year that cannot be written.
func moment(t time.Time) *time.Time {
	t = t.UTC()
	if t.Year() < 1970 || t.Year() > 9999 {
		return nil
	}
	return &t
}

var visibilities = map[string]sns.Visibility{
	"public": sns.Public, "unlisted": sns.Unlisted, "private": sns.Private, "direct": sns.Direct,
}

func visibility(s string) sns.Visibility {
	if v, ok := visibilities[s]; ok {
		return v
	}
	return sns.VisibilityUnknown
}

var languageTag = regexp.MustCompile(`^[A-Za-z0-9-]{1,16}$`)

// language is a language tag of at most 16 bytes, or "".
func language(s string) string {
	if !languageTag.MatchString(s) {
		return ""
	}
	return s
}

func isTrue(v any) bool {
	b, _ := v.(bool)
	return b
}
