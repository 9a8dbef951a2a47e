package mastodon

import (
	"slices"
	"strconv"
	"time"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

// mapper turns what a server sent into posts.
type mapper struct {
	account sns.Account
	// host stands in handles of accounts that come without one.
	host string
	// context is which of the account's filters apply.
	context string
	now     time.Time
}

// verdict says what becomes of an entry.
type verdict int

const (
	// keep it.
	keep verdict = iota
	// hide it: a filter of the account says so, or the source does not ask for it.
	hide
	// skip it: there is nothing to show.
	skip
)

// post maps a status, or the post that a boost passes on.
func (m *mapper) post(st *status) (sns.Post, verdict) {
	if st == nil || !sns.ValidID(string(st.ID)) {
		return sns.Post{}, skip
	}
	filter, hidden := m.filter(st)
	if hidden {
		return sns.Post{}, hide
	}
	shown := st
	if st.Boosted != nil {
		shown = st.Boosted
	}
	if !sns.ValidID(string(shown.ID)) || isEmpty(shown) {
		return sns.Post{}, skip
	}
	p := m.body(shown, m.quote(shown.Quote))
	p.EntryID = string(st.ID)
	p.Filter = filter
	if st.Boosted != nil {
		p.BoostedBy = &sns.Boost{ID: string(st.ID), Author: m.author(st.Account), At: createdAt(st)}
	}
	return p, keep
}

// isEmpty reports whether a status has nothing to show: what is left of a boost
// whose post is gone.
func isEmpty(st *status) bool {
	return st.Content == "" && st.SpoilerText == "" && len(st.MediaAttachments) == 0 && st.Poll == nil && st.Quote == nil && st.Card == nil
}

// body maps everything that stands in the post itself.
func (m *mapper) body(st *status, quote *sns.Quote) sns.Post {
	p := sns.Post{
		ID:             string(st.ID),
		EntryID:        string(st.ID),
		Network:        sns.Mastodon,
		ConnectionID:   m.account.ConnectionID,
		URL:            richtext.SafeURL(st.URL),
		Author:         m.author(st.Account),
		CreatedAt:      createdAt(st),
		EditedAt:       moment(st.EditedAt),
		Edited:         moment(st.EditedAt) != nil,
		ContentWarning: richtext.CutLine(st.SpoilerText, sns.MaxWarning),
		Sensitive:      st.Sensitive,
		Language:       language(st.Language),
		Visibility:     visibility(st.Visibility),
		ReplyTo:        m.replyTo(st),
		Quote:          quote,
		Media:          media(st.MediaAttachments),
		Poll:           m.poll(st.Poll),
		Card:           cardOf(st.Card),
		Emojis:         m.emojis(st.Emojis),
		Counts:         counts(st),
		Viewer:         m.viewer(st),
	}
	m.text(&p, st)
	return p
}

// text sets the plain text and what is more in it.
func (m *mapper) text(p *sns.Post, st *status) {
	plain := richtext.Parse(st.Content, richtext.Options{DropQuoteInline: p.Quote != nil}).Plain()
	p.Text, p.TextTruncated = plain.Text, plain.Truncated
	tags := make([]string, 0, len(st.Tags))
	for _, t := range st.Tags {
		tags = append(tags, t.Name)
	}
	for _, s := range plain.Spans {
		switch s.Kind {
		case richtext.Link:
			if len(p.Links) < sns.MaxLinks {
				text, _ := richtext.Cut(s.Text, sns.MaxURL)
				p.Links = append(p.Links, sns.Link{Text: text, URL: s.URL})
			}
		case richtext.Mention:
			if len(p.Mentions) < sns.MaxMentions && len(s.Text) <= sns.MaxHandle {
				p.Mentions = append(p.Mentions, m.mention(s, st.Mentions))
			}
		case richtext.Hashtag:
			tags = append(tags, s.Text)
		}
	}
	p.Hashtags = sns.CleanHashtags(tags)
}

// mention finds whom a mention in the text names: servers list the accounts with
// the address that the text links to.
func (m *mapper) mention(s richtext.Span, listed []api.Mention) sns.Mention {
	out := sns.Mention{Text: s.Text, Handle: richtext.CutLine(s.Text, sns.MaxHandle), URL: s.URL}
	for _, l := range listed {
		if l.URL == s.URL && l.Acct != "" {
			out.Handle = m.handle(api.Account{Acct: l.Acct, URL: l.URL})
			break
		}
	}
	return out
}

// replyTo names the post that st answers, and its author where the server tells.
func (m *mapper) replyTo(st *status) *sns.ReplyTo {
	if !sns.ValidID(string(st.InReplyToID)) {
		return nil
	}
	out := &sns.ReplyTo{ID: string(st.InReplyToID)}
	if st.InReplyToAccountID == "" {
		return out
	}
	if st.InReplyToAccountID == st.Account.ID {
		out.AuthorHandle = m.handle(st.Account)
		return out
	}
	for _, l := range st.Mentions {
		if l.ID == st.InReplyToAccountID {
			out.AuthorHandle = m.handle(api.Account{Acct: l.Acct, URL: l.URL})
		}
	}
	return out
}

func counts(st *status) *sns.Counts {
	c := sns.Counts{
		Replies: count(st.RepliesCount), Boosts: count(st.ReblogsCount),
		Likes: count(st.FavouritesCount), Quotes: count(st.QuotesCount),
	}
	if c == (sns.Counts{}) {
		return nil
	}
	return &c
}

// viewer is nil where the server does not say, and without signing in: there is
// nobody then who could have done something.
func (m *mapper) viewer(st *status) *sns.Viewer {
	if m.account.Token == "" || st.Favourited == nil && st.Reblogged == nil && st.Bookmarked == nil {
		return nil
	}
	return &sns.Viewer{Liked: isTrue(st.Favourited), Boosted: isTrue(st.Reblogged), Bookmarked: isTrue(st.Bookmarked)}
}

// createdAt is when a status was written. Where that cannot be read a Mastodon id
// tells it: its upper bits are milliseconds since 1970.
func createdAt(st *status) *time.Time {
	if t := moment(st.CreatedAt); t != nil {
		return t
	}
	const shortest = 17 // digits, of the first ids with a time in them
	n, err := strconv.ParseInt(string(st.ID), 10, 64)
	if err != nil || len(st.ID) < shortest {
		return nil
	}
	t := time.UnixMilli(n >> 16).UTC()
	if t.Year() < 2016 || t.Year() > 2100 {
		return nil
	}
	return &t
}

// quoteStates are the states Mastodon gives quotes. A quote that the reader
// muted or blocked is there but hidden; what is unknown is unavailable.
var quoteStates = map[string]string{
	"accepted":        sns.QuoteAvailable,
	"pending":         sns.QuotePending,
	"deleted":         sns.QuoteDeleted,
	"blocked_account": sns.QuoteHidden,
	"blocked_domain":  sns.QuoteHidden,
	"muted_account":   sns.QuoteHidden,
}

// quote maps a quoted post, without the one that it quotes itself.
func (m *mapper) quote(q *quote) *sns.Quote {
	if q == nil {
		return nil
	}
	state, known := quoteStates[q.State]
	if !known {
		return &sns.Quote{State: sns.QuoteUnavailable}
	}
	out := &sns.Quote{State: state}
	if sns.ValidID(string(q.QuotedStatusID)) {
		out.ID = string(q.QuotedStatusID)
	}
	st := q.QuotedStatus
	if st == nil || !sns.ValidID(string(st.ID)) || state != sns.QuoteAvailable && state != sns.QuoteHidden {
		return out
	}
	out.ID, out.URL = string(st.ID), richtext.SafeURL(st.URL)
	filter, hidden := m.filter(st)
	if hidden {
		out.State = sns.QuoteHidden
		return out
	}
	p := m.body(st, nil)
	p.Filter = filter
	out.Post = &p
	return out
}

// filter returns the account's filter that matches a status in this context, or
// that it hides the status. A boost is matched by its wrapper or its post.
func (m *mapper) filter(st *status) (*sns.Filter, bool) {
	results := st.Filtered
	if st.Boosted != nil {
		results = slices.Concat(results, st.Boosted.Filtered)
	}
	var out *sns.Filter
	for _, r := range results {
		f := r.Filter
		expired := !f.ExpiresAt.IsZero() && !f.ExpiresAt.After(m.now)
		if m.context == "" || expired || !slices.Contains(f.Context, m.context) {
			continue
		}
		if f.FilterAction == "hide" {
			return nil, true
		}
		if out == nil {
			out = &sns.Filter{Action: "blur"}
		}
		if f.FilterAction != "blur" { // warn, and what is unknown: it hides more
			out.Action = "warn"
		}
		if title := richtext.CutLine(f.Title, sns.MaxName); len(out.Titles) < maxTitles && title != "" && !slices.Contains(out.Titles, title) {
			out.Titles = append(out.Titles, title)
		}
	}
	return out, false
}
