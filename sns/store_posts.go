package sns

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"personal-workspace/internal/sqlite"
)

// touchAfter is how old a post's stored_at may be when the network shows the
// post again unchanged: then it is renewed, so that what is still shown is not
// removed for its age.
const touchAfter = 30 * 24 * time.Hour

// entry is one entry of an upstream page in the form of the store.
type entry struct {
	id string
	// key is the post's id in the store.
	key  string
	doc  string
	hash int64
	wrap string
	// seq is the post's row, once it is stored.
	seq int64
}

// wrap is what belongs to a timeline's entry and not to its post.
type wrap struct {
	BoostedBy    *Boost        `json:"boostedBy,omitempty"`
	Notification *Notification `json:"notification,omitempty"`
	Filter       *Filter       `json:"filter,omitempty"`
}

const emptyWrap = "{}"

// encodeEntry splits a post into what all timelines of the connection share and
// what is this entry's own.
func encodeEntry(p Post) (entry, error) {
	e := entry{id: p.EntryID, key: p.ID, wrap: emptyWrap}
	if p.Notification != nil && p.ID == p.EntryID {
		e.key = "!" + p.EntryID
	}
	if w := (wrap{p.BoostedBy, p.Notification, p.Filter}); w != (wrap{}) {
		text, err := json.Marshal(w)
		if err != nil {
			return e, err
		}
		e.wrap = string(text)
	}
	p.EntryID, p.Network, p.ConnectionID = "", "", ""
	p.BoostedBy, p.Notification, p.Filter = nil, nil, nil
	doc, err := json.Marshal(p)
	sum := sha256.Sum256(doc)
	e.doc, e.hash = string(doc), int64(binary.BigEndian.Uint64(sum[:8]))
	return e, err
}

// decodeEntry is the inverse of encodeEntry.
func decodeEntry(c Connection, entryID, wrapped, doc string) (p Post, err error) {
	if err := json.Unmarshal([]byte(doc), &p); err != nil {
		return p, fmt.Errorf("decode a stored post: %w", err)
	}
	p.EntryID, p.Network, p.ConnectionID = entryID, c.Network, c.ID
	if wrapped == emptyWrap {
		return p, nil
	}
	var w wrap
	if err := json.Unmarshal([]byte(wrapped), &w); err != nil {
		return p, fmt.Errorf("decode a stored entry: %w", err)
	}
	p.BoostedBy, p.Notification, p.Filter = w.BoostedBy, w.Notification, w.Filter
	return p, nil
}

type storedPost struct {
	seq, hash, storedAt int64
	key                 string
}

func scanStoredPost(r sqlite.Row) (p storedPost, err error) {
	err = r.Scan(&p.seq, &p.key, &p.hash, &p.storedAt)
	return p, err
}

// putPosts stores the posts of the entries and sets each entry's seq. It writes
// only those that are new or changed, and reports whether there were any.
func putPosts(tx *sqlite.Tx, connectionID string, list []entry, now time.Time) (changed bool, err error) {
	keys := make([]string, len(list))
	for i, e := range list {
		keys[i] = e.key
	}
	found, err := sqlite.Query(tx, scanStoredPost, `SELECT seq, id, hash, stored_at
		FROM posts WHERE connection_id = ? AND id IN (SELECT value FROM json_each(?))`, connectionID, jsonText(keys))
	if err != nil {
		return false, err
	}
	have := map[string]storedPost{}
	for _, p := range found {
		have[p.key] = p
	}
	var rows [][3]any
	queued := map[string]bool{}
	for _, e := range list {
		p, ok := have[e.key]
		same := ok && p.hash == e.hash
		if queued[e.key] || same && p.storedAt >= now.Add(-touchAfter).UnixMilli() {
			continue
		}
		queued[e.key] = true
		rows = append(rows, [3]any{e.key, e.doc, e.hash})
		changed = changed || !same
	}
	if err := upsertPosts(tx, connectionID, rows, now, have); err != nil {
		return false, err
	}
	for i := range list {
		list[i].seq = have[list[i].key].seq
	}
	return changed, nil
}

// upsertPosts writes rows of (id, doc, hash) and enters their seq into have.
func upsertPosts(tx *sqlite.Tx, connectionID string, rows [][3]any, now time.Time, have map[string]storedPost) error {
	if len(rows) == 0 {
		return nil
	}
	written, err := sqlite.Query(tx, scanStoredPost, `INSERT INTO posts (connection_id, id, doc, hash, stored_at)
		SELECT ?1, value ->> 0, value ->> 1, value ->> 2, ?2 FROM json_each(?3) WHERE true
		ON CONFLICT (connection_id, id) DO UPDATE
		SET doc = excluded.doc, hash = excluded.hash, stored_at = excluded.stored_at
		RETURNING seq, id, hash, stored_at`, connectionID, now.UnixMilli(), jsonText(rows))
	if err != nil {
		return err
	}
	for _, p := range written {
		have[p.key] = p
	}
	return nil
}

// jsonText is the argument of json_each.
func jsonText(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only strings and integers come here
	}
	return b.String()
}

// savePosts stores posts that belong to no timeline.
func savePosts(tx *sqlite.Tx, c Connection, list []entry, now time.Time) error {
	_, err := putPosts(tx, c.ID, list, now)
	if sqlite.IsForeignKey(err) {
		return noConnection()
	}
	return err
}

// findPost looks a stored post up by its id.
func (s *Service) findPost(ctx context.Context, c Connection, id string) (p Post, found bool, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		doc, err := sqlite.One(tx, sqlite.String, "SELECT doc FROM posts WHERE connection_id = ? AND id = ?", c.ID, id)
		if sqlite.IsNoRows(err) {
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		p, err = decodeEntry(c, id, emptyWrap, doc)
		return err
	})
	return p, found, err
}
