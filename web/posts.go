package web

import (
	"cmp"
	"fmt"
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
	// connection is whose posts they are; a hashtag leads to tags and its name, with
	// "" nowhere.
	connection, tags string
	// own is the account's own handle.
	own string
	// from is the column that pages of posts lead back to.
	from  view.From
	local localMedia
	// reading is what the person prefers.
	reading preferences
	// tasks are the person's open ones by the ids of their posts; made is what was
	// just made.
	tasks map[string]string
	made  madePart
	// whole: long texts are not folded.
	whole bool
}

func (p postPrinter) post(in sns.Post) view.Post {
	out := view.Post{
		ID:        p.prefix + idPart(in.EntryID),
		Lead:      p.lead(in),
		Author:    p.author(writer(in)),
		At:        p.clock.moment(in.CreatedAt),
		Visible:   visibilities[in.Visibility],
		ReplyTo:   p.replyTo(in.ReplyTo),
		Warning:   warning(in.ContentWarning),
		Opened:    p.reading.WarningsOpen,
		Lang:      in.Language,
		Sensitive: blurred(in),
		Media:     p.media(in.Media),
		Quote:     p.quote(in.Quote),
		Poll:      p.poll(in.Poll),
		Card:      p.card(in.Card),
		Counts:    p.counts(in),
		Open:      p.page(in),
		URL:       richtext.SafeURL(in.URL),
		Task:      p.task(in),
	}
	out.Text, out.Rest, out.Truncated = p.folded(p.text(in))
	out.Truncated = out.Truncated || in.TextTruncated
	if in.Edited || in.EditedAt != nil {
		out.Edited = cmp.Or(p.clock.moment(in.EditedAt), out.At)
	}
	if n := in.Notification; n != nil && (n.Type == "boost" || n.Type == "like") {
		out.Quiet, out.Rest, out.Media, out.Poll, out.Card, out.Quote, out.Counts = true, nil, nil, nil, nil, nil, nil
	}
	if in.Unavailable != nil {
		out.Gone = "This post cannot be shown: it was deleted, or it is not for this account."
	}
	out.Emoji = waits(out)
	return out
}

// page is the post's own page. A notification without a post has none.
func (p postPrinter) page(in sns.Post) string {
	if in.Notification != nil && in.Visibility == "" || in.ID == "" {
		return ""
	}
	return p.local.site.Post(p.connection, in.ID, p.from)
}

// blurred reports whether the descriptions of a post's media stand behind a line.
func blurred(in sns.Post) bool {
	return in.Sensitive || in.Filter != nil && in.Filter.Action == "blur"
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
		l := p.notificationLead(*in.Notification, in.Author)
		l.Text = inWordsOf(in.Network, l.Text)
		if l.Icon == "like" {
			l.Icon = likeIcon(in.Network)
		}
		if at := in.Notification.At; at != nil && (in.CreatedAt == nil || at.Sub(*in.CreatedAt).Abs() >= time.Minute) {
			l.At = p.clock.moment(at) // the post's own time says it otherwise
		}
		return l
	case in.BoostedBy != nil:
		return &view.Lead{Icon: "boost", Who: []view.Author{p.author(in.BoostedBy.Author)}, Text: inWordsOf(in.Network, "boosted"), At: p.clock.moment(in.BoostedBy.At)}
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

func (p postPrinter) notificationLead(n sns.Notification, writer sns.Author) *view.Lead {
	words, known := notices[n.Type]
	if !known {
		words.icon, words.text = "bell", "sent a notification"
	}
	l := &view.Lead{Icon: words.icon, Text: words.text}
	if len(n.Actors) == 0 {
		n.Actors = []sns.Author{writer}
	}
	if n.Type == "poll" && p.own != "" && strings.EqualFold(n.Actors[0].Handle, p.own) {
		l.Text = "Your poll has ended"
		return l
	}
	for i, a := range n.Actors {
		if i == maxActors {
			break
		}
		l.Who = append(l.Who, p.author(a))
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

func (p postPrinter) replyTo(r *sns.ReplyTo) *view.Context {
	if r == nil {
		return nil
	}
	c := &view.Context{Text: "Replying to an earlier post", URL: p.local.site.Post(p.connection, r.ID, p.from)}
	if r.AuthorHandle != "" {
		c.Text = "Replying to " + r.AuthorHandle
	}
	return c
}

func (p postPrinter) counts(post sns.Post) []view.Count {
	in := post.Counts
	if in == nil || p.reading.CountsHidden {
		return nil
	}
	var out []view.Count
	add := func(n *int64, icon, one, many string) {
		if n != nil && *n > 0 {
			out = append(out, view.Count{Icon: icon, Value: short(*n), Text: plural(*n, one, many)})
		}
	}
	add(in.Replies, "reply", "reply", "replies")
	add(in.Boosts, "boost", inWordsOf(post.Network, "boost"), inWordsOf(post.Network, "boosts"))
	add(in.Quotes, "quote", "quote", "quotes")
	add(in.Likes, likeIcon(post.Network), "like", "likes")
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
