package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// postPrinter makes view models of one connection's posts. Everything in a post
// is third-party content: addresses are checked here, text is escaped by the
// templates.
type postPrinter struct {
	clock clock
	// prefix begins the element ids of the posts.
	prefix string
	// origin is the connection's server, where hashtags lead to; "" for none.
	origin string
	local  localMedia
}

func (p postPrinter) post(in sns.Post) view.Post {
	out := view.Post{
		ID:        p.prefix + idPart(in.EntryID),
		Lead:      p.lead(in),
		Author:    author(writer(in)),
		At:        p.clock.moment(in.CreatedAt),
		Visible:   visibilities[in.Visibility],
		ReplyTo:   replyTo(in.ReplyTo),
		Warning:   warning(in.ContentWarning),
		Lang:      in.Language,
		Text:      p.text(in),
		Truncated: in.TextTruncated,
		Sensitive: in.Sensitive || in.Filter != nil && in.Filter.Action == "blur",
		Media:     p.media(in.Media),
		Quote:     p.quote(in.Quote),
		Poll:      p.poll(in.Poll),
		Card:      card(in.Card),
		Counts:    counts(in.Counts),
		URL:       richtext.SafeURL(in.URL),
	}
	if in.Edited || in.EditedAt != nil {
		out.Edited = cmp.Or(p.clock.moment(in.EditedAt), out.At)
	}
	if n := in.Notification; n != nil && (n.Type == "boost" || n.Type == "like") {
		out.Quiet, out.Media, out.Poll, out.Card, out.Quote, out.Counts = true, nil, nil, nil, nil, nil
	}
	if in.Unavailable != nil {
		out.Gone = "This post cannot be shown: it was deleted, or it is not for this account."
	}
	return out
}

// writer is whose post it is; a notification without a post is its first
// actor's.
func writer(p sns.Post) sns.Author {
	if n := p.Notification; n != nil && len(n.Actors) > 0 && p.Author.Handle == "" && p.Author.DisplayName == "" {
		return n.Actors[0]
	}
	return p.Author
}

// idPart makes a network's id fit for an element's id: as it is when it has
// letters and digits alone, else in hexadecimal behind a sign that no plain one
// has. Neither has a hyphen, so that the column's id before it ends at the last.
func idPart(id string) string {
	for _, c := range []byte(id) {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return fmt.Sprintf("_%x", id)
		}
	}
	return id
}

// warning is a content warning that can be seen: the button that opens the post
// must have a name.
func warning(text string) string {
	if text == "" || strings.ContainsFunc(text, visible) {
		return text
	}
	return "Content warning"
}

// visible reports whether r alone leaves a mark. Marks that only change other
// characters and the letters that stand for nothing do not.
func visible(r rune) bool {
	const hangulFillers, braillePatternBlank = "\u115F\u1160\u3164\uFFA0", '\u2800'
	return unicode.IsGraphic(r) && !unicode.In(r, unicode.M, unicode.Zs) && r != braillePatternBlank && !strings.ContainsRune(hangulFillers, r)
}

func (p postPrinter) lead(in sns.Post) *view.Lead {
	switch {
	case in.Notification != nil:
		l := notificationLead(*in.Notification, in.Author)
		if at := in.Notification.At; at != nil && (in.CreatedAt == nil || at.Sub(*in.CreatedAt).Abs() >= time.Minute) {
			l.At = p.clock.moment(at) // the post's own time says it otherwise
		}
		return l
	case in.BoostedBy != nil:
		return &view.Lead{Icon: "boost", Who: []view.Author{author(in.BoostedBy.Author)}, Text: "boosted", At: p.clock.moment(in.BoostedBy.At)}
	}
	return nil
}

// notices are the words for notifications, after the names of who did it.
var notices = map[string]struct{ icon, text string }{
	"mention":        {"mention", "mentioned you"},
	"reply":          {"reply", "replied to you"},
	"quote":          {"quote", "quoted you"},
	"boost":          {"boost", "boosted your post"},
	"like":           {"like", "liked your post"},
	"follow":         {"follow", "followed you"},
	"follow_request": {"follow", "asked to follow you"},
	"poll":           {"poll", "has a poll that ended"},
	"edit":           {"edit", "edited a post"},
	"status":         {"bell", "posted"},
}

// maxActors is how many names stand in front of "and 3 others".
const maxActors = 3

func notificationLead(n sns.Notification, writer sns.Author) *view.Lead {
	words, known := notices[n.Type]
	if !known {
		words.icon, words.text = "bell", "sent a notification"
	}
	l := &view.Lead{Icon: words.icon, Text: words.text}
	if len(n.Actors) == 0 {
		n.Actors = []sns.Author{writer}
	}
	for i, a := range n.Actors {
		if i == maxActors {
			break
		}
		l.Who = append(l.Who, author(a))
	}
	if others := max(n.ActorCount, len(n.Actors)) - len(l.Who); others > 0 && len(l.Who) > 0 {
		l.Text = "and " + plural(int64(others), "other", "others") + " " + l.Text
	}
	return l
}

var visibilities = map[sns.Visibility]view.Visibility{
	sns.Public:            {},
	sns.Unlisted:          {Icon: "unlisted", Text: "Unlisted"},
	sns.Private:           {Icon: "lock", Text: "Followers only"},
	sns.Direct:            {Icon: "mail", Text: "Only for those mentioned"},
	sns.VisibilityUnknown: {Icon: "lock", Text: "Not public"},
}

func replyTo(r *sns.ReplyTo) string {
	switch {
	case r == nil:
		return ""
	case r.AuthorHandle == "":
		return "In reply to an earlier post"
	}
	return "In reply to " + r.AuthorHandle
}

// text cuts a post's text into runs and links. Hashtags lead to the
// connection's own server, which knows them all.
func (p postPrinter) text(in sns.Post) []richtext.Segment {
	m := richtext.Marks{Hashtags: in.Hashtags}
	for _, l := range in.Links {
		m.Links = append(m.Links, richtext.Target{Text: l.Text, URL: l.URL})
	}
	for _, n := range in.Mentions {
		m.Mentions = append(m.Mentions, richtext.Target{Text: cmp.Or(n.Text, n.Handle), URL: n.URL})
	}
	segments := richtext.Segments(in.Text, m)
	for i, s := range segments {
		if s.Kind == richtext.SegmentHashtag && p.origin != "" {
			segments[i].URL = p.origin + "/tags/" + url.PathEscape(s.Name)
		}
	}
	return segments
}

var quoteStates = map[string]string{
	sns.QuotePending: "The quote waits for the quoted author's consent.",
	sns.QuoteHidden:  "The quoted post is hidden at the network.",
	sns.QuoteDeleted: "The quoted post was deleted.",
}

func (p postPrinter) quote(q *sns.Quote) *view.Quote {
	if q == nil {
		return nil
	}
	if q.State != sns.QuoteAvailable || q.Post == nil {
		return &view.Quote{
			State: cmp.Or(quoteStates[q.State], "The quoted post is not available."),
			URL:   richtext.SafeURL(q.URL),
		}
	}
	v := &view.Quote{
		Author: author(q.Post.Author), At: p.clock.moment(q.Post.CreatedAt), Lang: q.Post.Language,
		Text: p.text(*q.Post), Warning: warning(q.Post.ContentWarning), URL: richtext.SafeURL(cmp.Or(q.Post.URL, q.URL)),
	}
	if n := len(q.Post.Media); n > 0 {
		v.Media = "With " + plural(int64(n), "attachment", "attachments") + "."
	}
	return v
}

func (p postPrinter) poll(in *sns.Poll) *view.Poll {
	if in == nil {
		return nil
	}
	out := &view.Poll{}
	total := in.Votes
	if in.Multiple && in.Voters != nil {
		total = *in.Voters
	}
	for _, o := range in.Options {
		share := -1
		if o.Votes != nil && total > 0 {
			share = int(min(100, (max(*o.Votes, 0)*100+total/2)/total))
		}
		out.Options = append(out.Options, view.PollOption{Title: o.Title, Share: share})
	}
	parts := []string{plural(in.Votes, "vote", "votes")}
	if in.Multiple {
		parts = append(parts, "several choices")
	}
	switch {
	case in.Expired:
		parts = append(parts, "closed")
	case in.ExpiresAt != nil:
		parts = append(parts, "open until "+p.clock.full(*in.ExpiresAt))
	}
	out.Summary = strings.Join(parts, ", ")
	return out
}

func card(in *sns.Card) *view.Card {
	if in == nil {
		return nil
	}
	address := richtext.SafeURL(in.URL)
	if address == "" {
		return nil
	}
	host := address
	if u, err := url.Parse(address); err == nil {
		host = u.Host
	}
	return &view.Card{URL: address, Title: cmp.Or(in.Title, host), Description: in.Description, Provider: cmp.Or(in.Provider, host)}
}

func counts(in *sns.Counts) []view.Count {
	if in == nil {
		return nil
	}
	var out []view.Count
	add := func(n *int64, icon, one, many string) {
		if n != nil && *n > 0 {
			out = append(out, view.Count{Icon: icon, Value: short(*n), Text: plural(*n, one, many)})
		}
	}
	add(in.Replies, "reply", "reply", "replies")
	add(in.Boosts, "boost", "boost", "boosts")
	add(in.Quotes, "quote", "quote", "quotes")
	add(in.Likes, "like", "like", "likes")
	return out
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(n, 10) + " " + many
}

// short writes a number in at most four characters.
func short(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10)
	case n < 10_000:
		return strconv.FormatFloat(float64(n/100)/10, 'f', -1, 64) + "k"
	case n < 1_000_000:
		return strconv.FormatInt(n/1000, 10) + "k"
	}
	return strconv.FormatInt(n/1_000_000, 10) + "M"
}

// folded says why a post's body is behind a line, "" when it is not.
func folded(p sns.Post, byColumn bool) string {
	switch {
	case byColumn:
		return "Folded by this column's filters"
	case p.Filter != nil && p.Filter.Action == "warn":
		titles := slices.DeleteFunc(slices.Clone(p.Filter.Titles), func(s string) bool { return s == "" })
		if len(titles) == 0 {
			return "Folded by this account's filters"
		}
		return "Folded by this account's filter " + strings.Join(titles, ", ")
	}
	return ""
}
