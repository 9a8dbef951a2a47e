package sns

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// StoredQuery says which part of a stored timeline is wanted.
type StoredQuery struct {
	// Limit is the most posts, at most MaxStored; 0 means MaxPage.
	Limit int
	// Before continues an earlier StoredPage: its Older. "" is the newest post.
	Before string
}

// MaxStored is the most posts a StoredPage has.
const MaxStored = 100

// StoredPage is a part of a stored timeline, newest first.
type StoredPage struct {
	Posts []Post
	// FetchedAt is when the newest page was last read from the upstream; zero
	// means never, or at a time that is still to come: the clock was wrong.
	FetchedAt time.Time
	// Title is what the network calls a list source's list; "" for other sources
	// and until it is known.
	Title string
	// Mark is where the first post of the page stands, for CountNewer; "" without
	// a post.
	Mark string
	// Older is the Before of the next part, "" when nothing older is stored.
	Older string
	// End: the network has nothing older than the last post here, or nothing at
	// all.
	End bool
	// Head is the FetchPosts cursor that reads what stands above all that is
	// stored, "" when nothing does: the newest page had entries and showed none
	// of them.
	Head string
	// Gaps has, by the EntryID of a post here, the FetchPosts cursor that reads
	// what the workspace has not seen between that post and the one below it.
	Gaps map[string]string
	// Failure says why the newest page could not be read the last time; nil
	// when it could.
	Failure *Failure
}

// Failure is why the last refresh of a source failed.
type Failure struct {
	Code fault.Code
	// Message is one sentence for the reader.
	Message string
	// At is when it failed last, Since when it first did after it had worked.
	At, Since time.Time
	// RetryAt is when to try again; zero means the failure named no time.
	RetryAt time.Time
	// NextAt is when the background asks a stored source again that somebody
	// watches; zero where it does not know.
	NextAt time.Time
}

// ColumnRef names a source of a connection.
type ColumnRef struct {
	ConnectionID string
	Source       Source
}

// StoredPosts returns what is stored of a source. It never waits for a network.
func (s *Service) StoredPosts(ctx context.Context, connectionID string, src Source, q StoredQuery) (page StoredPage, err error) {
	before, err := parseBefore(q.Before)
	if err != nil {
		return page, err
	}
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		c, err := findConnection(tx, connectionID)
		if err != nil {
			return err
		}
		page, err = s.storedPage(tx, c, src, before, limit(q.Limit))
		return err
	})
	return page, err
}

// StoredColumns returns the newest limit stored posts of each source, in the
// order of refs and from one snapshot of the database. A removed connection is
// a page with a not_found Failure.
func (s *Service) StoredColumns(ctx context.Context, refs []ColumnRef, n int) (pages []StoredPage, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		pages = make([]StoredPage, len(refs))
		for i, r := range refs {
			c, err := findConnection(tx, r.ConnectionID)
			if fault.CodeOf(err) == fault.NotFound {
				pages[i] = removedPage()
				continue
			}
			if err != nil {
				return err
			}
			if pages[i], err = s.storedPage(tx, c, r.Source, top, limit(n)); err != nil {
				return err
			}
		}
		return nil
	})
	return pages, err
}

func removedPage() StoredPage {
	return StoredPage{Posts: []Post{}, Failure: &Failure{
		Code: fault.NotFound, Message: "The connection of this column was removed; choose another one for it.",
	}}
}

func limit(n int) int {
	if n <= 0 {
		return MaxPage
	}
	return min(n, MaxStored)
}

// before is a place in a stored timeline: a position, and the entry that had it
// in case positions were spread anew since.
type before struct {
	position int64
	entryID  string
}

var top = before{position: math.MaxInt64}

func (b before) String() string { return strconv.FormatInt(b.position, 36) + "." + b.entryID }

func parseBefore(text string) (before, error) {
	if text == "" {
		return top, nil
	}
	position, id, ok := strings.Cut(text, ".")
	n, err := strconv.ParseInt(position, 36, 64)
	if !ok || err != nil || !ValidID(id) {
		return before{}, invalidCursor(ReasonMalformed, "The place to continue from is not one that this workspace gave; start from the newest post.").Wrap(err)
	}
	return before{n, id}, nil
}

// storedPage reads one page of what is stored of a source.
func (s *Service) storedPage(tx *sqlite.Tx, c Connection, src Source, b before, n int) (StoredPage, error) {
	page := StoredPage{Posts: []Post{}}
	t, err := findTimeline(tx, c.ID, src)
	if sqlite.IsNoRows(err) {
		return page, nil
	}
	if err != nil {
		return page, err
	}
	t.forgetFuture(s.now())
	s.describe(&page, c, src, t)
	rows, err := readEntries(tx, t, b, n+1)
	if err != nil {
		return page, err
	}
	if len(rows) > n {
		rows = rows[:n]
		last := rows[n-1]
		page.Older = before{last.position, last.id}.String()
	}
	if len(rows) > 0 {
		page.Mark = t.mark(rows[0])
	}
	for _, r := range rows {
		p, err := decodeEntry(c, r.id, r.wrap, r.doc)
		if err != nil {
			return page, err
		}
		page.Posts = append(page.Posts, p)
		if r.gap != "" {
			s.addGap(&page, c, src, t, r)
		}
	}
	page.End = t.complete && page.Older == "" && !page.goesOn()
	return page, nil
}

// describe says of a page what is known of its whole timeline.
func (s *Service) describe(page *StoredPage, c Connection, src Source, t timeline) {
	if t.fetchedAt > 0 {
		page.FetchedAt = fromMilli(t.fetchedAt)
	}
	page.Failure, page.Title = t.failure(), t.title
	if page.Failure != nil && c.State == Ready {
		page.Failure.NextAt = t.dueAt(c)
	}
	if t.head != "" {
		page.Head = s.cursors.seal(c.ID, src, cursor{Upstream: t.head, Issued: issued(c.Network, fromMilli(t.fetchedAt))})
	}
}

// goesOn reports whether the network has more after the last post, or is known
// to have some where there is none.
func (p StoredPage) goesOn() bool {
	if len(p.Posts) == 0 {
		return p.Head != ""
	}
	return p.Gaps[p.Posts[len(p.Posts)-1].EntryID] != ""
}

func (s *Service) addGap(page *StoredPage, c Connection, src Source, t timeline, r storedEntry) {
	if page.Gaps == nil {
		page.Gaps = map[string]string{}
	}
	page.Gaps[r.id] = s.cursors.seal(c.ID, src, cursor{
		Upstream: r.gap, After: r.id, Handed: tagOf(r.id), Issued: issued(c.Network, fromMilli(t.fetchedAt)),
	})
}

func (t timeline) failure() *Failure {
	if t.failureCode == "" || t.failedAt == 0 {
		return nil
	}
	f := &Failure{
		Code: fault.Code(t.failureCode), Message: t.failureMessage,
		At: fromMilli(t.failedAt), Since: fromMilli(t.failingSince),
	}
	if t.retryAt > 0 {
		f.RetryAt = fromMilli(t.retryAt)
	}
	return f
}
