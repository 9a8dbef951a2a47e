package sns

import (
	"cmp"
	"context"
	"slices"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// upstreamPage is one answer of an upstream on its way into the store.
type upstreamPage struct {
	conn Connection
	src  Source
	// upstream is the continuation it was asked with, "" for the newest page,
	// and after the entry that the page follows then.
	upstream, after string
	page            UpstreamPage
	// list is the page's posts in the form of the store.
	list []entry
	at   time.Time
}

// savePage stores a page in one transaction: its posts, and their places in the
// source's timeline. A newest page also ends the record of a failure. Whoever
// watches the ledger is woken when there is something new to see.
func (s *Service) savePage(ctx context.Context, p upstreamPage) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		t, err := openTimeline(tx, p.conn, p.src, p.at)
		if err != nil {
			return err
		}
		t.forgetFuture(s.now())
		changed, err := putPosts(tx, p.conn.ID, p.list, p.at)
		if err != nil {
			return err
		}
		moved, err := s.merge(tx, t, p)
		if err != nil {
			return err
		}
		if err := markTop(tx, t, p); err != nil {
			return err
		}
		if p.upstream == "" {
			if err := markFetched(tx, t, p.at); err != nil {
				return err
			}
			changed = changed || t.fetchedAt == 0 || t.failureCode != ""
		}
		if changed || moved {
			tx.AfterCommit(s.ledger.Wake)
		}
		if p.upstream == "" && (changed || moved || len(p.list) == 0) {
			s.tell(tx, p.conn, p.src)
		}
		return nil
	})
}

// timeline is a row of timelines.
type timeline struct {
	id                            int64
	fetchedAt                     int64
	failureCode, failureMessage   string
	failedAt, retryAt, failureRow int64
	failingSince                  int64
	head, topID                   string
	complete                      bool
	title                         string
	titleDue                      int64
}

func scanTimeline(r sqlite.Row) (t timeline, err error) {
	err = r.Scan(&t.id, &t.fetchedAt, &t.failureCode, &t.failureMessage, &t.failedAt, &t.retryAt, &t.failureRow,
		&t.failingSince, &t.head, &t.topID, &t.complete, &t.title, &t.titleDue)
	return t, err
}

// maxAhead is how far ahead of the clock a stored time may be. One that is
// further was stored when the clock was wrong, and tells nothing.
const maxAhead = time.Minute

// forgetFuture drops the times that cannot be true at now. When to try again is
// counted from the failure and goes with it.
func (t *timeline) forgetFuture(now time.Time) {
	latest := now.Add(maxAhead).UnixMilli()
	if t.fetchedAt > latest {
		t.fetchedAt = 0
	}
	if t.failedAt > latest {
		t.failedAt, t.retryAt = 0, 0
	}
}

// findTimeline returns the timeline of a source; IsNoRows when there is none.
func findTimeline(tx *sqlite.Tx, connectionID string, src Source) (timeline, error) {
	return sqlite.One(tx, scanTimeline, `SELECT id, coalesce(fetched_at, 0), coalesce(failure_code, ''),
		coalesce(failure_message, ''), coalesce(failed_at, 0), coalesce(retry_at, 0), failures,
		coalesce(failing_since, 0), coalesce(head, ''), coalesce(top_id, ''), complete, title, title_due
		FROM timelines WHERE connection_id = ? AND source_hash = ?`, connectionID, src.Hash())
}

// openTimeline returns the timeline of a source and makes it when there is none.
// A connection that was removed meanwhile is a not_found fault.
func openTimeline(tx *sqlite.Tx, c Connection, src Source, at time.Time) (timeline, error) {
	t, err := findTimeline(tx, c.ID, src)
	if !sqlite.IsNoRows(err) {
		return t, err
	}
	t.id, err = sqlite.One(tx, sqlite.Int, `INSERT INTO timelines (connection_id, source_hash, source, created_at)
		VALUES (?, ?, ?, ?) RETURNING id`, c.ID, src.Hash(), src.Canonical(), at.UnixMilli())
	if sqlite.IsForeignKey(err) {
		return t, noConnection()
	}
	return t, err
}

func markFetched(tx *sqlite.Tx, t timeline, at time.Time) error {
	_, err := tx.Exec(`UPDATE timelines SET fetched_at = ?, failure_code = NULL, failure_message = NULL,
		failed_at = NULL, retry_at = NULL, failures = 0, failing_since = NULL WHERE id = ?`, max(t.fetchedAt, at.UnixMilli()), t.id)
	return err
}

// begins reports whether a page is where the timeline begins: its newest page,
// or the one below a newest page of which nothing is shown.
func (t timeline) begins(p upstreamPage) bool {
	if p.upstream == "" {
		return p.at.UnixMilli() >= t.fetchedAt
	}
	return p.after == "" && p.upstream == t.head
}

// follows reports whether a newest page reaches down to what the network sent
// the last time. What is shown of the two pages need not meet.
func (t timeline) follows(p upstreamPage) bool {
	return p.upstream == "" && t.topID != "" && p.src.Kind.keepsOrder() && slices.Contains(p.page.Received, t.topID)
}

// markTop remembers what the network has on top, and where it goes on after a
// newest page of which nothing is shown: no entry can.
func markTop(tx *sqlite.Tx, t timeline, p upstreamPage) error {
	if !t.begins(p) {
		return nil
	}
	head, topID := "", t.topID
	switch {
	case len(p.page.Posts) > 0:
	case t.follows(p):
		head = t.head
	default:
		head = p.page.Next
	}
	if p.upstream == "" {
		topID = cmp.Or(append(slices.Clone(p.page.Received), t.topID)...)
	}
	if head == t.head && topID == t.topID {
		return nil
	}
	_, err := tx.Exec("UPDATE timelines SET head = nullif(?, ''), top_id = nullif(?, '') WHERE id = ?", head, topID, t.id)
	return err
}

// saveFailure records that the newest page of a source could not be read. Only
// failures of the background lengthen its wait: who presses Refresh while a
// server is away must not keep the workspace from noticing that it is back.
func (s *Service) saveFailure(ctx context.Context, c Connection, src Source, f *fault.Error, by asker) error {
	now, count := s.now(), 0
	if by == inBackground {
		count = 1
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		t, err := openTimeline(tx, c, src, now)
		if err != nil {
			return err
		}
		_, err = tx.Exec(`UPDATE timelines SET failure_code = ?1, failure_message = ?2,
			failed_at = iif(?6 = 0 AND failures > 0, failed_at, ?3), retry_at = ?4,
			failures = failures + ?6, failing_since = min(coalesce(failing_since, ?3), ?3) WHERE id = ?5`,
			f.Code, f.Message, now.UnixMilli(), retryAt(f, now), t.id, count)
		tx.AfterCommit(s.ledger.Wake)
		s.tell(tx, c, src)
		return err
	})
}

// maxOutage bounds how long a server that is not there keeps background work
// away: it says two minutes and is back in ten seconds. A limit of requests
// counts as long as it says.
const maxOutage = time.Minute

// retryAt returns the time a fault names, in milliseconds, or nil.
func retryAt(f *fault.Error, now time.Time) any {
	text, _ := f.Details[fault.DetailRetryAt].(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil
	}
	if latest := now.Add(maxOutage); f.Code == fault.UpstreamUnavailable && at.After(latest) {
		at = latest
	}
	return at.UnixMilli()
}

// storedEntry is an entry with its post as they are stored.
type storedEntry struct {
	id             string
	position       int64
	wrap, gap, doc string
}

func scanStoredEntry(r sqlite.Row) (e storedEntry, err error) {
	err = r.Scan(&e.id, &e.position, &e.wrap, &e.gap, &e.doc)
	return e, err
}

// now is the place where its entry stands by now, or stood when it is no more.
func (b before) now(tx *sqlite.Tx, t timeline) (before, error) {
	if b == top {
		return b, nil
	}
	position, err := sqlite.One(tx, sqlite.Int,
		"SELECT position FROM timeline_entries WHERE timeline_id = ? AND entry_id = ?", t.id, b.entryID)
	switch {
	case err == nil:
		b.position = position
	case !sqlite.IsNoRows(err):
		return b, err
	}
	return b, nil
}

// countAbove counts the entries above a place, at most most.
func countAbove(tx *sqlite.Tx, t timeline, b before, most int) (int64, error) {
	b, err := b.now(tx, t)
	if err != nil {
		return 0, err
	}
	return sqlite.One(tx, sqlite.Int, `SELECT count(*) FROM (SELECT 1 FROM timeline_entries
		WHERE timeline_id = ? AND position > ? AND gone = 0 LIMIT ?)`, t.id, b.position, most)
}

// readEntries returns the newest n entries below a place.
func readEntries(tx *sqlite.Tx, t timeline, b before, n int) ([]storedEntry, error) {
	b, err := b.now(tx, t)
	if err != nil {
		return nil, err
	}
	return sqlite.Query(tx, scanStoredEntry, `SELECT e.entry_id, e.position, e.wrap, coalesce(e.gap, ''), p.doc
		FROM timeline_entries AS e JOIN posts AS p ON p.seq = e.post_seq
		WHERE e.timeline_id = ? AND e.position < ? AND e.gone = 0
		ORDER BY e.position DESC LIMIT ?`, t.id, b.position, n)
}
