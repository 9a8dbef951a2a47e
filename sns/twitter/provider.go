package twitter

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

// pageSize is how many entries are asked for. X sends as many as it likes.
const pageSize = sns.MaxPage

// Config says how a Provider reaches relays. The zero value is for production.
type Config struct {
	// Transport reaches relays; nil is that of egress.Operator.
	Transport http.RoundTripper
	// Catalogue is the path of the NDJSON file that overrides the built-in
	// operations; "" is none.
	Catalogue string
	// Turns is the directory of the files by which the processes of one workspace
	// take turns at a profile; "" is for a process that reads alone.
	Turns string
	// Now is the clock of budgets and rests.
	Now func() time.Time
	// Wait sleeps between requests and returns early with the context's error.
	Wait func(ctx context.Context, d time.Duration) error
	// Random gives numbers from 0 to 1 for jitter.
	Random func() float64
	// UserAgent names the program to relays.
	UserAgent string
	// Log receives what is wrong with the catalogue and with the accounts' Memory;
	// nil discards it.
	Log *slog.Logger
}

// Provider implements sns.Provider for X through a relay. Of what it was asked
// before it remembers the pace of each profile, as whom it reads and the ids of
// accounts.
type Provider struct {
	transport http.RoundTripper
	catalogue *catalogue
	pace      *pace
	userAgent string
	accounts  sns.AccountIDs
	// identities are as whom the profiles read.
	identities identities
}

var _ sns.Provider = (*Provider)(nil)

// New makes a Provider.
func New(c Config) *Provider {
	if c.Transport == nil {
		c.Transport = egress.Operator(egress.Config{HeaderTimeout: coldTimeout, TotalTimeout: coldTimeout}).Transport
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Wait == nil {
		c.Wait = egress.Pause
	}
	if c.Random == nil {
		c.Random = rand.Float64
	}
	if c.UserAgent == "" {
		c.UserAgent = "personal-workspace"
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Provider{
		transport: c.Transport, userAgent: c.UserAgent, catalogue: newCatalogue(c.Catalogue, c.Log),
		pace: &pace{now: c.Now, wait: c.Wait, random: c.Random, log: c.Log, turns: newTurns(c.Turns)},
	}
}

// kinds are the sources that X has.
var kinds = []sns.Kind{
	sns.KindHome, sns.KindForYou, sns.KindList, sns.KindUser, sns.KindSearch, sns.KindHashtag, sns.KindNotifications,
	sns.KindBookmarks, sns.KindFavourites, sns.KindThread, sns.KindPost,
}

// Supports implements sns.Provider.
func (p *Provider) Supports(_ sns.Account, k sns.Kind) error {
	if slices.Contains(kinds, k) {
		return nil
	}
	return fault.New(fault.InvalidSource, "X has no source of this kind; use another kind.").With(fault.DetailField, "kind")
}

// Fetch implements sns.Provider.
func (p *Provider) Fetch(ctx context.Context, a sns.Account, s sns.Source, cursor string) (sns.UpstreamPage, error) {
	if err := p.Supports(a, s.Kind); err != nil {
		return sns.UpstreamPage{}, err
	}
	at, err := parsePlace(cursor)
	if err != nil {
		return sns.UpstreamPage{}, err
	}
	switch s.Kind {
	case sns.KindPost:
		return p.singlePost(ctx, a, s.PostID)
	case sns.KindThread:
		return p.threadPage(ctx, a, s.PostID, at)
	}
	q, wants, err := p.question(ctx, a, s)
	if err != nil {
		return sns.UpstreamPage{}, err
	}
	q.vars["count"] = pageSize
	page, err := p.timelinePage(ctx, a, s, q.at(at), at, wants)
	if s.Kind == sns.KindUser && fault.CodeOf(err) == fault.NotFound {
		p.accounts.Forget(a, s.Account) // the name may be another account's by now
	}
	return page, err
}

// at is the question for the page at a place.
func (q question) at(at place) question {
	if at.cursor != "" {
		q.vars["cursor"], q.paging = at.cursor, true
	}
	return q
}

func (p *Provider) timelinePage(ctx context.Context, a sns.Account, s sns.Source, q question, at place, wants func(sns.Post) bool) (sns.UpstreamPage, error) {
	r, err := p.ask(ctx, a, q)
	if err != nil {
		return sns.UpstreamPage{}, err
	}
	tl, ok := readTimeline(r.data)
	if !ok {
		return sns.UpstreamPage{}, q.changed()
	}
	b := newPage(p.mapper(a), wants)
	if s.Kind == sns.KindNotifications {
		b.notifications(tl, a.AccountID)
	} else {
		b.tweets(tl)
	}
	if r.warning {
		b.warn(beside)
	}
	return b.done(tl, at), nil
}

// beside is what a reader is told of errors that came beside posts.
const beside = "X could not read a part of this page."

func (p *Provider) mapper(a sns.Account) *mapper {
	return &mapper{connectionID: a.ConnectionID, now: p.pace.now()}
}

// question is what X is asked for the newest page of a source, and which of the
// posts it sends the source asks for.
func (p *Provider) question(ctx context.Context, a sns.Account, s sns.Source) (question, func(sns.Post) bool, error) {
	q := question{op: operationOf(s), vars: map[string]any{}}
	switch s.Kind {
	case sns.KindList:
		if !isNumber(s.ListID) {
			return q, nil, sns.InvalidMember("listId", "This is not the id of a list of X; choose one of the account's lists.")
		}
		q.vars["listId"] = s.ListID
	case sns.KindFavourites:
		if !isNumber(a.AccountID) {
			return q, nil, signedOut(a)
		}
		q.vars["userId"] = a.AccountID
	case sns.KindSearch, sns.KindHashtag:
		return searchFor(s)
	case sns.KindNotifications:
		q.vars["timeline_type"] = notificationTimeline(s.Types)
		return q, func(p sns.Post) bool {
			return len(s.Types) == 0 || p.Notification != nil && slices.Contains(s.Types, p.Notification.Type)
		}, nil
	case sns.KindUser:
		return p.userQuestion(ctx, a, s)
	}
	return q, everything, nil
}

// Warnings implements sns.Warner.
func (p *Provider) Warnings() []string {
	if w := p.catalogue.warning(); w != "" {
		return []string{w}
	}
	return nil
}

// Cost implements sns.Coster.
func (p *Provider) Cost(s sns.Source) (sns.Cost, bool) {
	op, ok := operations[operationOf(s)]
	return sns.Cost{Requests: 1, Limit: op.budget, Per: budgetPer}, ok
}

// operationOf is the operation that reads a source.
func operationOf(s sns.Source) string {
	switch {
	case s.Kind == sns.KindUser && s.OnlyMedia:
		return opUserMedia
	case s.Kind == sns.KindUser && s.ExcludeReplies:
		return opUserPosts
	}
	return map[sns.Kind]string{
		sns.KindHome: opHome, sns.KindForYou: opForYou, sns.KindList: opList, sns.KindUser: opUserReplies, sns.KindSearch: opSearch,
		sns.KindHashtag: opSearch, sns.KindNotifications: opNotifications, sns.KindBookmarks: opBookmarks, sns.KindFavourites: opLikes,
		sns.KindThread: opThread, sns.KindPost: opPost,
	}[s.Kind]
}

func everything(sns.Post) bool { return true }

var products = map[string]string{"": "Latest", "latest": "Latest", "top": "Top", "media": "Media"}

func searchFor(s sns.Source) (question, func(sns.Post) bool, error) {
	q := question{op: opSearch, vars: map[string]any{"rawQuery": s.Query, "product": products[s.Product]}}
	if s.Kind == sns.KindHashtag {
		if !sns.ValidTag(s.Tag) {
			return q, nil, sns.InvalidMember("tag", sns.NoHashtag)
		}
		q.vars["rawQuery"] = "#" + s.Tag
	}
	if q.vars["rawQuery"] == "" || q.vars["product"] == "" {
		return q, nil, sns.InvalidMember("query", sns.NoQuery)
	}
	return q, everything, nil
}

// notificationTimeline is the narrowest of X's timelines that has all the types.
func notificationTimeline(types []string) string {
	for _, t := range types {
		if t != "mention" && t != "reply" && t != "quote" {
			return "All"
		}
	}
	if len(types) == 0 {
		return "All"
	}
	return "Mentions"
}

// userQuestion asks for the posts of an account. X shows what they answer with
// them; a source of an account has only what it wrote or passed on.
func (p *Provider) userQuestion(ctx context.Context, a sns.Account, s sns.Source) (question, func(sns.Post) bool, error) {
	id, err := p.accountID(ctx, a, s.Account)
	if err != nil {
		return question{}, nil, err
	}
	q := question{op: operationOf(s), vars: map[string]any{"userId": id}}
	own := func(post sns.Post) bool {
		by := post.Author
		if post.BoostedBy != nil {
			by = post.BoostedBy.Author
		}
		return (by.ID == "" || by.ID == id) && !(s.OnlyMedia && s.ExcludeReplies && post.ReplyTo != nil)
	}
	return q, own, nil
}

// Verify implements sns.Provider: it asks X who is signed in, because the relay
// itself is well also without a page. What it proves ends the rests of the profile.
func (p *Provider) Verify(ctx context.Context, a sns.Account) (sns.Identity, error) {
	return p.viewer(ctx, a, true)
}

// viewer asks X who is signed in.
func (p *Provider) viewer(ctx context.Context, a sns.Account, proves bool) (sns.Identity, error) {
	q := question{op: opViewer, vars: map[string]any{}, isData: anyMember, proves: proves}
	r, err := p.ask(ctx, a, q)
	if fault.CodeOf(err) == fault.NotFound {
		return sns.Identity{}, signedOut(a).Wrap(err)
	}
	if err != nil {
		return sns.Identity{}, err
	}
	who := author(r.data)
	if who.ID == "" || who.URL == "" {
		return sns.Identity{}, q.changed()
	}
	p.identities.saw(a, who.ID, p.pace.now())
	title := who.DisplayName
	if !richtext.Visible(title) {
		title = who.Handle
	}
	return sns.Identity{Account: who.Handle, AccountID: who.ID, Title: title}, nil
}
