package mastodon

import (
	"context"
	"net/url"
	"slices"

	"personal-workspace/internal/richtext"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/sns"
)

// notificationWords are Mastodon's words for our types. A reply is a mention to
// Mastodon; what has no word here is "other".
var notificationWords = map[string][]string{
	"mention":        {"mention"},
	"reply":          {"mention"},
	"quote":          {"quote"},
	"boost":          {"reblog"},
	"like":           {"favourite"},
	"follow":         {"follow"},
	"follow_request": {"follow_request"},
	"poll":           {"poll"},
	"edit":           {"update", "quoted_update"},
	"status":         {"status"},
}

// notificationTypes is the reverse, without the distinction of replies.
var notificationTypes = map[string]string{
	"mention": "mention", "quote": "quote", "reblog": "boost", "favourite": "like", "follow": "follow",
	"follow_request": "follow_request", "poll": "poll", "update": "edit", "quoted_update": "edit", "status": "status",
}

// notifications reads one page of notifications. The library either has no
// filter or reads all pages.
func (p *Provider) notifications(ctx context.Context, a sns.Account, s sns.Source, at position, b *pageBuilder) (position, error) {
	what := about(s.Kind, at)
	q := at.values()
	selectTypes(q, s.Types)
	res, err := p.get(ctx, a, what, "/api/v1/notifications", q)
	if err != nil {
		return position{}, err
	}
	m := p.mapper(a, what)
	err = eachItem(res.body, maxItems, func(raw []byte) {
		n := decodeItem[notification](raw)
		if n == nil {
			b.add("", sns.Post{}, skip)
			return
		}
		post, v := m.notification(n)
		if v == keep && len(s.Types) > 0 && !slices.Contains(s.Types, post.Notification.Type) {
			v = hide // of a server that ignores the filter, or a mention that is none
		}
		b.add(string(n.ID), post, v)
	})
	if err != nil {
		return position{}, changed(string(s.Kind)).Wrap(err)
	}
	b.page.Partial = b.page.Partial || res.partial
	return at.next(what, res.link, b.last, b.count), nil
}

// selectTypes asks for the types, or, when "other" is among them, for all but
// the ones that are not: the words for others are not known.
func selectTypes(q url.Values, types []string) {
	if len(types) == 0 {
		return
	}
	wanted := map[string]bool{}
	for _, t := range types {
		for _, word := range notificationWords[t] {
			wanted[word] = true
		}
	}
	if !slices.Contains(types, "other") {
		q["types[]"] = sortedWords(wanted, true)
		return
	}
	q["exclude_types[]"] = sortedWords(wanted, false)
}

// sortedWords returns Mastodon's words that are in the set, or that are not.
func sortedWords(set map[string]bool, in bool) []string {
	var out []string
	for word := range notificationTypes {
		if set[word] == in {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return out
}

// notification maps a notification to a post: the one it is about, or one that
// is empty but for who did it.
func (m *mapper) notification(n *notification) (sns.Post, verdict) {
	if !sns.ValidID(string(n.ID)) {
		return sns.Post{}, skip
	}
	about := sns.Notification{Type: m.notificationType(n), RawType: richtext.CutLine(n.Type, sns.MaxRawType), At: moment(n.CreatedAt)}
	if actor := m.author(n.Account); !actor.Unknown {
		about.Actors, about.ActorCount = []sns.Author{actor}, 1
	}
	p := sns.Post{
		// Statuses and notifications may have the same ids.
		ID:           "notification:" + string(n.ID),
		Network:      sns.Mastodon,
		ConnectionID: m.account.ConnectionID,
		Author:       m.author(n.Account),
		CreatedAt:    about.At,
	}
	if n.Status != nil {
		post, v := m.post(n.Status)
		if v == hide {
			return sns.Post{}, hide
		}
		if v == keep {
			p = post
		}
	}
	p.EntryID = string(n.ID)
	p.Notification = &about
	return p, keep
}

func (m *mapper) notificationType(n *notification) string {
	t, known := notificationTypes[n.Type]
	if !known {
		return "other"
	}
	if t == "mention" && n.Status != nil && n.Status.InReplyToAccountID != "" && string(n.Status.InReplyToAccountID) == m.account.AccountID {
		return "reply"
	}
	return t
}

// conversations reads the last posts of direct conversations. They page by ids
// of their own.
func (p *Provider) conversations(ctx context.Context, a sns.Account, at position, b *pageBuilder) (position, error) {
	what := about(sns.KindConversations, at)
	res, err := p.call(ctx, a, what, func(c *api.Client) error {
		_, err := c.GetConversations(ctx, at.pagination())
		return err
	})
	if err != nil {
		return position{}, err
	}
	m := p.mapper(a, what)
	err = eachItem(res.body, maxItems, func(raw []byte) {
		c := decodeItem[conversation](raw)
		if c == nil {
			b.add("", sns.Post{}, skip)
			return
		}
		post, v := m.post(c.LastStatus)
		b.add(string(c.ID), post, v)
	})
	if err != nil {
		return position{}, changed(string(sns.KindConversations)).Wrap(err)
	}
	return at.next(what, res.link, b.last, b.count), nil
}
