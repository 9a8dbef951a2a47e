package snstest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// view builds records for one request: who looks, from where. It is used with
// Mastodon.mu held.
type view struct {
	store  *store
	viewer *account // nil without a token
	quirks Quirks
	// base is the mock's own origin as the request named it: pictures are there.
	base string
	// pages is where the pages of the server's people and posts are.
	pages string
	// domain and title are the server's own.
	domain, title string
	now           time.Time
}

func (v view) account(a *account) any {
	var last *string
	if !a.last.IsZero() {
		last = new(a.last.UTC().Format(time.DateOnly))
	}
	page := v.pageOf(a)
	picture := v.base + "/pictures/avatar/" + a.Acct + ".svg"
	header := v.base + "/pictures/header/" + a.Acct + ".svg"
	return patched(wireAccount{
		ID: a.id, Username: a.username(), Acct: v.acct(a), DisplayName: a.Name, Locked: a.Locked, Bot: a.Bot,
		Discoverable: true, CreatedAt: wireTime(a.created.Truncate(24 * time.Hour)), Note: "<p>" + escapeText(a.Bio) + "</p>",
		URL: page, URI: v.uriOf(a),
		Avatar: picture, AvatarStatic: picture, Header: header, HeaderStatic: header,
		FollowersCount: 20 + 7*len(a.Acct), FollowingCount: max(len(a.following), 12), StatusesCount: a.posts, LastStatusAt: last,
		Emojis: v.emojis(a.Name + " " + a.Bio), Fields: []any{},
	}, a.Patch)
}

// acct is how the server names an account. A mock that shows the pages of its
// accounts itself names the host of local ones too: the host of their pages
// would say nothing.
func (v view) acct(a *account) string {
	if v.pages == v.base {
		return a.handle(v.domain)[1:]
	}
	return a.Acct
}

// pageOf is the address of an account's page: at its own host, or here when the
// mock shows pages for everybody.
func (v view) pageOf(a *account) string {
	if a.local() || v.pages == v.base {
		return v.pages + "/@" + a.Acct
	}
	name, host, _ := strings.Cut(a.Acct, "@")
	return "https://" + host + "/@" + name
}

func (v view) uriOf(a *account) string {
	if a.local() || v.pages == v.base {
		return v.pages + "/users/" + a.Acct
	}
	name, host, _ := strings.Cut(a.Acct, "@")
	return "https://" + host + "/users/" + name
}

// status returns the record of a status with quotes depth levels deep.
func (v view) status(st *status, depth int) any {
	if st.Raw != nil {
		return st.Raw
	}
	w := v.plain(st)
	if st.boost != nil {
		v.fillBoost(w, st)
	} else {
		v.fillExtras(w, st, depth)
	}
	patch := st.Patch
	if v.quirks.NumericIDs {
		patch = numericIDs(w, patch)
	}
	if v.quirks.NullLists {
		w.MediaAttachments, w.Mentions, w.Tags, w.Emojis = nil, nil, nil, nil
	}
	if v.quirks.FewMembers {
		return oldStatus(w, patch)
	}
	return patched(w, patch)
}

// oldStatus is the record without what newer servers have.
func oldStatus(w *wireStatus, patch map[string]any) any {
	absent := []string{"quote", "quotes_count"}
	if len(w.Filtered) == 0 {
		absent = append(absent, "filtered")
	}
	for name := range patch {
		absent = slices.DeleteFunc(absent, func(a string) bool { return a == name })
	}
	return without(patched(w, patch), absent)
}

// plain fills what every status has.
func (v view) plain(st *status) *wireStatus {
	lang := st.Language
	if lang == "" {
		lang = "en"
	}
	visibility := st.Visibility
	if visibility == "" {
		visibility = "public"
	}
	w := &wireStatus{
		ID: st.id, CreatedAt: wireTime(st.At), Visibility: visibility, Language: orNull(strings.Trim(lang, "-")),
		URI: v.uriOf(st.author) + "/statuses/" + st.id, URL: v.pageOf(st.author) + "/" + st.id,
		EditedAt: wireTimeOrNull(st.edited), Account: v.account(st.author),
		MediaAttachments: []wireMedia{}, Mentions: []wireMention{}, Tags: []wireTag{}, Emojis: []wireEmoji{}, Filtered: v.filtered(st),
	}
	v.fillCounts(w, st)
	return w
}

func (v view) fillCounts(w *wireStatus, st *status) {
	inner := st
	if st.boost != nil {
		inner = st.boost
	}
	w.RepliesCount, w.ReblogsCount, w.QuotesCount = inner.replies, inner.Boosts+inner.boosts, inner.quotes
	w.FavouritesCount = inner.Favourites
	if v.viewer == nil {
		return
	}
	w.Favourited, w.Bookmarked = has(v.viewer.favs, inner.id), has(v.viewer.bookmarks, inner.id)
	w.Reblogged = v.viewer.boosted[inner.id]
	if w.Favourited {
		w.FavouritesCount++
	}
}

func (v view) fillBoost(w *wireStatus, st *status) {
	w.URI += "/activity"
	w.URL = w.URI
	if v.store.byID[st.boost.id] != nil {
		w.Reblog = v.status(st.boost, 1)
	}
	if !v.quirks.EmptyBoosts {
		w.Content = v.content(st.boost)
	}
}

func (v view) fillExtras(w *wireStatus, st *status, depth int) {
	w.Content = v.content(st)
	w.SpoilerText, w.Sensitive = st.Warning, st.Sensitive || st.Warning != ""
	if st.ReplyTo != "" {
		w.InReplyToID = &st.ReplyTo
		if parent := v.store.byID[st.ReplyTo]; parent != nil {
			w.InReplyToAccountID = &parent.author.id
		}
	}
	for i, md := range st.Media {
		w.MediaAttachments = append(w.MediaAttachments, v.media(md, fmt.Sprintf("%s-%d", st.id, i+1)))
	}
	for _, acct := range st.mentioned {
		a := v.store.accounts[acct]
		w.Mentions = append(w.Mentions, wireMention{a.id, a.username(), v.pageOf(a), v.acct(a)})
	}
	for _, t := range st.tags {
		w.Tags = append(w.Tags, wireTag{t, v.pages + "/tags/" + t})
	}
	w.Emojis = v.emojis(st.Text + st.HTML + st.Warning)
	w.Card = v.card(st.Card)
	w.Poll = v.poll(st)
	w.Quote = v.quote(st.Quote, depth)
	w.Pinned = st.Pinned && st.author == v.viewer
}

func (v view) content(st *status) string {
	s := strings.ReplaceAll(st.html, selfMark, v.pages)
	if v.quirks.RawContent && st.HTML == "" {
		s = strings.NewReplacer("&amp;", "&", "&gt;", ">", "&quot;", `"`).Replace(s)
	}
	return s
}

func (v view) emojis(text string) []wireEmoji {
	out := []wireEmoji{}
	for _, name := range v.store.emojis {
		if strings.Contains(text, ":"+name+":") {
			u := v.base + "/pictures/emoji/" + name + ".svg"
			out = append(out, wireEmoji{name, u, u, true})
		}
	}
	return out
}

func (v view) filtered(st *status) []wireFilter {
	out := []wireFilter{}
	if v.viewer == nil || st.author == v.viewer {
		return out
	}
	for i, f := range st.Filtered {
		var w wireFilter
		w.Filter.ID, w.Filter.Title, w.Filter.Action = fmt.Sprint(i+1), f.Title, f.Action
		w.Filter.Context = f.Context
		if f.Action == "" {
			w.Filter.Action = "warn"
		}
		if len(f.Context) == 0 {
			w.Filter.Context = []string{"home", "notifications", "public", "thread"}
		}
		if f.Keyword != "" {
			w.KeywordMatches = []string{f.Keyword}
		}
		out = append(out, w)
	}
	return out
}

func (v view) quote(q *Quote, depth int) *wireQuote {
	if q == nil {
		return nil
	}
	w := &wireQuote{State: q.State}
	if w.State == "" {
		w.State = "accepted"
	}
	st := v.store.byID[q.ID]
	switch {
	case st == nil:
		w.State = "deleted"
	case q.Shallow || depth <= 0:
		w.ID = &q.ID
	case w.State == "accepted" || strings.HasPrefix(w.State, "blocked_") || w.State == "muted_account":
		w.Status = v.status(st, depth-1)
	}
	return w
}

func (v view) poll(st *status) *wirePoll {
	p := st.Poll
	if p == nil {
		return nil
	}
	w := &wirePoll{ID: st.id, ExpiresAt: wireTimeOrNull(p.Ends), Multiple: p.Multiple, OwnVotes: []int{}, Emojis: []wireEmoji{}}
	w.Expired = !p.Ends.IsZero() && !p.Ends.After(v.now)
	total := 0
	for _, o := range p.Options {
		total += o.Votes
		wo := wireOption{Title: o.Title}
		if !p.Hidden {
			wo.Votes = new(o.Votes)
		}
		w.Options = append(w.Options, wo)
		w.Emojis = append(w.Emojis, v.emojis(o.Title)...)
	}
	if !p.Hidden {
		w.VotesCount = &total
		w.VotersCount = new(max(p.Voters, total))
		if p.Voters > 0 {
			w.VotersCount = new(p.Voters)
		}
	}
	return w
}

func (v view) card(c *Card) *wireCard {
	if c == nil {
		return nil
	}
	w := &wireCard{URL: c.URL, Title: c.Title, Description: c.Description, Type: "link", ProviderName: c.Provider}
	if c.Scene != "" {
		w.Image, w.Width, w.Height = new(v.base+"/pictures/card/"+c.Scene+".svg"), 1200, 630
	}
	return w
}

func (v view) media(in Media, id string) wireMedia {
	w := wireMedia{ID: id, Type: in.Type, Description: orNull(in.Alt), Meta: map[string]any{}}
	if w.Type == "" {
		w.Type = "image"
	}
	width, height := in.Width, in.Height
	if width == 0 || height == 0 {
		width, height = 1200, 800
	}
	scene := in.Scene
	if scene == "" {
		scene = "plain"
	}
	picture := fmt.Sprintf("%s/pictures/scene/%s-%dx%d.svg", v.base, scene, width, height)
	w.PreviewURL, w.URL, w.Blurhash = &picture, &picture, new("UEHV6nWB2yk8pyo0adR*.7kCMdnj")
	original := map[string]any{}
	switch w.Type {
	case "audio":
		w.URL, w.Blurhash = new(v.base+"/pictures/chime.wav"), nil
		original["duration"] = in.Seconds
	case "video", "gifv":
		original["duration"] = in.Seconds
		fallthrough
	default:
		original["width"], original["height"] = width, height
		original["size"], original["aspect"] = fmt.Sprintf("%dx%d", width, height), float64(width)/float64(height)
	}
	w.Meta["original"] = original
	switch in.URL {
	case "":
	case "-":
		w.URL, w.PreviewURL, w.Blurhash, w.Meta = nil, nil, nil, nil
	default:
		w.URL, w.PreviewURL, w.RemoteURL = &in.URL, &in.URL, &in.URL
	}
	return w
}

// numericIDs adds the ids as JSON numbers to a patch.
func numericIDs(w *wireStatus, patch map[string]any) map[string]any {
	out := map[string]any{"id": json.Number(w.ID)}
	if w.InReplyToID != nil {
		out["in_reply_to_id"] = json.Number(*w.InReplyToID)
	}
	maps.Copy(out, patch)
	return out
}
