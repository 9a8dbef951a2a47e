package sns

import (
	"context"
	"slices"
	"time"

	"personal-workspace/internal/fault"
)

const (
	// partsFor is how long a page is remembered for those who hold a cursor into
	// the middle of it.
	partsFor = 10 * time.Minute
	// maxSearch is how many pages are read to find the place of a cursor whose
	// page has moved on.
	maxSearch    = 5
	maxWarnings  = 5
	keySeparator = "\x00"
)

// fetched is one upstream answer, cleaned and stored. It is shared by all who
// asked for it and never changed.
type fetched struct {
	UpstreamPage
	at time.Time
}

// asker is on whose behalf an upstream is asked.
type asker int

const (
	// onDemand: a person or a caller waits for the answer.
	onDemand asker = iota
	// inBackground: nobody does.
	inBackground
)

// thin reports whether the network sent entries of which nothing is shown.
func (f fetched) thin() bool { return len(f.Posts) == 0 && len(f.Received) > 0 }

// keep is how long an answer is remembered for cursors into it.
func (f fetched) keep() time.Duration {
	if len(f.Posts) > 1 {
		return partsFor
	}
	return 0
}

// FetchPosts asks the upstream for one page of a source and stores it. cursor
// is "" for the newest page, or the NextCursor of an earlier page of the same
// connection and source. Answers younger than 15 s are shared. When the
// upstream fails the fault says why; stored posts are never returned instead.
//
// A page that is not there within the service's ToolTimeout is a retryable
// timeout fault; the fetch goes on and its answer waits for the next call.
func (s *Service) FetchPosts(ctx context.Context, connectionID string, src Source, cursor string) (Page, error) {
	c, err := s.GetConnection(ctx, connectionID)
	if err != nil {
		return Page{}, err
	}
	if src, err = s.validate(c, src, "source"); err != nil {
		return Page{}, s.failed(err, c)
	}
	cur, err := s.cursors.open(c, src, cursor, s.now())
	if err != nil {
		return Page{}, s.failed(err, c)
	}
	ctx, cancel := context.WithTimeout(ctx, s.toolTimeout)
	defer cancel()
	page, err := s.read(ctx, c, src, cur)
	if err != nil {
		return Page{}, s.failed(err, c)
	}
	return page, nil
}

// read returns the page at a cursor.
func (s *Service) read(ctx context.Context, c Connection, src Source, cur cursor) (Page, error) {
	f, cur, from, err := s.locate(ctx, c, src, cur)
	if err != nil {
		return Page{}, err
	}
	posts, rest := nextPart(f.Posts[from:], cur.Handed)
	page := Page{Posts: posts, Partial: f.Partial, FetchedAt: f.at, Warnings: []string{}}
	if from == 0 {
		page.Skipped, page.Warnings = f.Skipped, f.Warnings
	}
	next := advance(c.Network, f, cur, posts, rest)
	switch {
	case next != nil:
		page.NextCursor = s.cursors.seal(c.ID, src, *next)
	case f.thin() && f.Next != "":
		page.Warnings = append(slices.Clone(page.Warnings), "Nothing that fits was found for long; older posts are not searched.")
	}
	page.after = func(n int) string {
		return s.cursors.seal(c.ID, src, *advance(c.Network, f, cur, posts[:n], true))
	}
	return page, nil
}

// nextPart takes the next posts that were not handed out before, and reports
// whether the upstream's page has more.
func nextPart(posts []Post, handed tags) (part []Post, rest bool) {
	part = make([]Post, 0, min(len(posts), MaxPage))
	for _, p := range posts {
		if handed.has(p.EntryID) {
			continue
		}
		if len(part) == MaxPage {
			return part, true
		}
		part = append(part, p)
	}
	return part, false
}

// advance returns the cursor behind the posts just handed out, nil at the end
// of the source.
func advance(n Network, f fetched, cur cursor, posts []Post, rest bool) *cursor {
	next := cursor{Upstream: cur.Upstream, After: cur.After, Part: rest, Handed: slices.Clone(cur.Handed), Issued: issued(n, f.at)}
	for _, p := range posts {
		next.After = p.EntryID
		next.Handed = append(next.Handed, tagOf(p.EntryID)...)
	}
	next.Handed = next.Handed.last(maxTags)
	if rest {
		next.Count = cur.Count + len(posts)
		return &next
	}
	// The page is used up: of what was handed out only the last entries are
	// needed, to notice a network that repeats them.
	next.Upstream = f.Next
	next.Handed = next.Handed.last(MaxPage)
	switch {
	case f.thin():
		next.Empty, next.Thin = cur.Empty, cur.Thin+1
	case len(posts) == 0:
		next.Empty, next.Thin = cur.Empty+1, cur.Thin
	}
	if f.Next == "" || f.Next == cur.Upstream || next.Empty >= maxEmpty || next.Thin >= maxThin {
		return nil
	}
	return &next
}

// locate finds the upstream's page that a cursor points into and the place in
// it where reading goes on. A cursor into the newest page, used when that page
// is not remembered any more, may have to look for its place some pages further
// down: newer posts have come in above it.
func (s *Service) locate(ctx context.Context, c Connection, src Source, cur cursor) (fetched, cursor, int, error) {
	after, found := cur.After, false
	for n := 0; ; n++ {
		f, err := s.fetch(ctx, c, src, cur, after, onDemand)
		if err != nil || !cur.Part && n == 0 {
			return f, cur, 0, err
		}
		i, last := cur.placeIn(f.Posts), len(f.Posts)-1
		switch {
		case i >= 0 && (i < last || f.Posts[i].EntryID == cur.After):
			return f, cur, i + 1, nil
		case i < 0 && (found || n == 0 && (cur.Upstream != "" || src.ranked())):
			return f, cur, 0, nil // what was handed out stands above, or is gone from its page
		case f.Next == "" || f.Next == cur.Upstream || n == maxSearch:
			if i < 0 {
				err = expiredCursor()
			}
			return f, cur, last + 1, err
		}
		found = i >= 0
		if last >= 0 {
			after = f.Posts[last].EntryID
		}
		cur.Upstream, cur.Part = f.Next, false
	}
}

// placeIn returns the index of the last entry that was handed out of a page, -1
// when none is there.
func (c cursor) placeIn(posts []Post) int {
	handed := c.Handed.last(c.Count)
	for i, p := range slices.Backward(posts) {
		if p.EntryID == c.After || handed.has(p.EntryID) {
			return i
		}
	}
	return -1
}

// fetch returns the upstream's page at a cursor, shared with all who want the
// same. after is the entry that the page follows, by who asks first.
func (s *Service) fetch(ctx context.Context, c Connection, src Source, cur cursor, after string, by asker) (fetched, error) {
	key := c.ID + keySeparator + src.Hash() + keySeparator + cur.Upstream
	return s.pages.do(ctx, key, cur.Part, func(ctx context.Context) (fetched, error) {
		return s.ask(ctx, c, src, cur.Upstream, after, by)
	})
}

// ask reads a page from the upstream and stores it, or stores why it could not.
func (s *Service) ask(ctx context.Context, c Connection, src Source, upstream, after string, by asker) (fetched, error) {
	var page UpstreamPage
	err := s.use(ctx, c, func(p Provider, a Account) (err error) {
		page, err = p.Fetch(ctx, a, src, upstream)
		return err
	})
	stored := context.WithoutCancel(ctx)
	if err != nil {
		f := fault.From(err)
		if upstream == "" && f.Code != fault.Canceled && c.State != Disabled {
			s.report(s.saveFailure(stored, c, src, f, by), "failure", c)
		}
		return fetched{}, err
	}
	list := tidyPage(c, &page)
	f := fetched{page, s.now()}
	err = s.savePage(stored, upstreamPage{c, src, upstream, after, page, list, f.at})
	if fault.CodeOf(err) == fault.NotFound {
		return fetched{}, err // the connection was removed meanwhile
	}
	if src.Kind == KindList && upstream == "" {
		s.RefreshLater(c.ID, src) // for what the list is called, after the posts of other columns
	}
	if err != nil {
		// The posts are good all the same; the next page tries again.
		s.report(err, "page", c)
		f.Warnings = append(slices.Clone(f.Warnings), "The posts could not be saved in the workspace; its log has the reason.")
	}
	return f, nil
}

// use runs a read with the connection's provider and credential, and keeps the
// connection's state true: a refused credential marks it, an accepted one makes
// it ready again.
func (s *Service) use(ctx context.Context, c Connection, read func(Provider, Account) error) error {
	p, a, err := s.open(ctx, c)
	if err != nil {
		return err
	}
	err = read(p, a)
	state, code := c.State, c.StateCode
	switch {
	case err == nil && c.Login:
		state, code = Ready, ""
	case c.Login && fault.CodeOf(err) == fault.Unauthorized:
		state, code = ReauthRequired, refusedCode(fault.From(err))
	}
	if state != c.State || code != c.StateCode {
		s.report(s.setState(context.WithoutCancel(ctx), c, state, code), "state", c)
	}
	if f := fault.From(err); err != nil && f.Code != fault.Canceled && f.Code != fault.InvalidCursor {
		s.report(s.saveUnhealthy(context.WithoutCancel(ctx), c, f), "failure", c)
	}
	return err
}

// refusedCode says why a credential was refused.
func refusedCode(f *fault.Error) string {
	switch reason := f.Details[fault.DetailReason]; reason {
	case CodeSignedOut, CodeLocked, CodeUnknownProfile, CodeOtherAccount:
		return reason.(string)
	}
	return CodeTokenRevoked
}

// report logs an error of the store that must not hide the answer.
func (s *Service) report(err error, what string, c Connection) {
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		s.log.Error("what was learned could not be stored", "what", what, "connection", c.ID, "err", err)
	}
}

// tidyPage gives the posts their connection, and drops what has no usable id,
// cannot be encoded or stands twice in the page. It returns what is left in the
// form of the store.
func tidyPage(c Connection, page *UpstreamPage) []entry {
	posts, list := make([]Post, 0, len(page.Posts)), make([]entry, 0, len(page.Posts))
	seen := map[string]bool{}
	for _, p := range page.Posts {
		p, e, ok := tidyPost(c, p)
		if !ok {
			page.Skipped++
			continue
		}
		if !seen[p.EntryID] {
			seen[p.EntryID] = true
			posts, list = append(posts, p), append(list, e)
		}
	}
	page.Posts = posts
	page.Warnings = append([]string{}, page.Warnings[:min(len(page.Warnings), maxWarnings)]...)
	return list
}

// tidyPost reports whether the post can be used: a post that cannot be encoded,
// for a time in the year 10000, would take its whole page with it.
func tidyPost(c Connection, p Post) (Post, entry, bool) {
	p.ConnectionID, p.Network = c.ID, c.Network
	if p.EntryID == "" {
		p.EntryID = p.ID
	}
	if p.ID == "" && p.Notification != nil {
		p.ID = p.EntryID
	}
	if !ValidID(p.ID) || !ValidID(p.EntryID) {
		return p, entry{}, false
	}
	e, err := encodeEntry(p)
	return p, e, err == nil
}

// Refresh brings the newest page of a source into the store. It shares the work,
// the answers and the time limit of FetchPosts.
func (s *Service) Refresh(ctx context.Context, connectionID string, src Source) error {
	c, err := s.GetConnection(ctx, connectionID)
	if err != nil {
		return err
	}
	if src, err = s.validate(c, src, "source"); err != nil {
		return s.failed(err, c)
	}
	ctx, cancel := context.WithTimeout(ctx, s.toolTimeout)
	defer cancel()
	if _, err := s.fetch(ctx, c, src, cursor{}, "", onDemand); err != nil {
		return s.failed(err, c)
	}
	return nil
}
