package sns

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"personal-workspace/internal/fault"
)

// A cursor is "c1." + payload + "." + MAC, both in URL-safe base64 without
// padding. The payload is the JSON of cursor; the MAC is the first 16 bytes of
// its HMAC-SHA256 under the database's key. Only what this workspace made is
// ever sent to a network as a continuation: a server answers one that it does
// not know with its newest page.
const (
	cursorPrefix = "c1."
	cursorMAC    = 16
	// MaxCursor is the longest cursor, in bytes.
	MaxCursor = 4096
	// tagSize is how many bytes of an entry's hash a cursor remembers; two of
	// a page's entries share 5 bytes once in a billion pages.
	tagSize = 5
	// maxTags bounds what a cursor remembers: a page of a network that ignores
	// limits, and the page before.
	maxTags = 200
	// maxEmpty is after how many empty pages in a row a source has ended. One
	// empty page proves nothing: a network that hides what the account muted
	// may hide a whole page and still name the next one. Without a limit a
	// server that names a next page for ever would be asked for ever.
	maxEmpty = 3
	// maxThin is the same for pages of which nothing is shown although the
	// network sent entries. Such a page shows that the source goes on, so many
	// more are read; but each is a request, and 40 of them are already a good
	// part of what a network allows in five minutes (Mastodon: 300 requests).
	maxThin = 40
)

// Reasons of an invalid_cursor fault.
const (
	// ReasonMalformed: it is not a cursor of this workspace, or was changed.
	ReasonMalformed = "malformed"
	// ReasonSourceMismatch: it belongs to another connection or source.
	ReasonSourceMismatch = "source_mismatch"
	// ReasonExpired: the place it names cannot be found any more.
	ReasonExpired = "expired"
	// ReasonUpstreamRejected: the network did not accept it.
	ReasonUpstreamRejected = "upstream_rejected"
)

// cursor is where a reader of a source continues. The zero value is the newest
// page.
type cursor struct {
	Version int `json:"v"`
	// Connection and Source bind the cursor: short hashes of the connection's
	// id and of the canonical source.
	Connection []byte `json:"k"`
	Source     []byte `json:"s"`
	// Upstream is the network's own continuation, "" for its newest page.
	Upstream string `json:"u,omitempty"`
	// After is the entry handed out last.
	After string `json:"a,omitempty"`
	// Part: a part of the page at Upstream was handed out already.
	Part bool `json:"p,omitempty"`
	// Handed are the tags of the entries handed out last, oldest first; the
	// last Count of them are of the page at Upstream.
	Handed tags `json:"h,omitempty"`
	Count  int  `json:"c,omitempty"`
	// Empty and Thin count the pages in a row before this one that had no
	// entries, and those that had some but showed none.
	Empty int `json:"e,omitempty"`
	Thin  int `json:"n,omitempty"`
	// Issued is when the network answered, in Unix seconds; 0 for a network whose
	// cursors do not expire: equal state gives equal cursors.
	Issued int64 `json:"t,omitempty"`
}

// tags are the short hashes of entry ids, one after the other.
type tags []byte

func tagOf(entryID string) []byte {
	sum := sha256.Sum256([]byte(entryID))
	return sum[:tagSize]
}

func (t tags) has(entryID string) bool {
	want := tagOf(entryID)
	for i := 0; i+tagSize <= len(t); i += tagSize {
		if bytes.Equal(t[i:i+tagSize], want) {
			return true
		}
	}
	return false
}

// last returns the newest n tags, none for an n below 1.
func (t tags) last(n int) tags { return t[max(0, len(t)-max(0, n)*tagSize):] }

// cursors makes and reads the cursors of one database.
type cursors struct{ key []byte }

// bind returns the hashes a cursor of the source carries.
func bind(connectionID string, src Source) (connection, source []byte) {
	k := sha256.Sum256([]byte(connectionID))
	s := sha256.Sum256([]byte(src.Canonical()))
	return k[:6], s[:12]
}

// seal returns the text of c for a connection and source. Where the text would
// be too long it remembers fewer of the entries handed out.
func (cs cursors) seal(connectionID string, src Source, c cursor) string {
	c.Version = 1
	c.Connection, c.Source = bind(connectionID, src)
	for {
		payload, err := json.Marshal(c)
		if err != nil {
			panic(err) // strings, bytes and numbers always encode
		}
		text := cursorPrefix + encode(payload) + "." + encode(cs.mac(payload))
		if len(text) <= MaxCursor {
			return text
		}
		if len(c.Handed) == 0 {
			return "" // the network's own continuation is absurdly long: the source ends here
		}
		c.Handed = c.Handed.last(len(c.Handed)/tagSize - 10)
	}
}

func (cs cursors) mac(payload []byte) []byte {
	h := hmac.New(sha256.New, cs.key)
	h.Write(payload)
	return h.Sum(nil)[:cursorMAC]
}

// open reads a cursor for a connection and source; "" is the newest page. It is
// called before any request leaves the workspace.
func (cs cursors) open(c Connection, src Source, text string, now time.Time) (cursor, error) {
	if text == "" {
		return cursor{}, nil
	}
	cur, err := cs.parse(text)
	if err != nil {
		return cursor{}, invalidCursor(ReasonMalformed, "The cursor is not one that this workspace gave; leave it out to start from the newest post.").Wrap(err)
	}
	connection, source := bind(c.ID, src)
	if !bytes.Equal(cur.Connection, connection) || !bytes.Equal(cur.Source, source) {
		return cursor{}, invalidCursor(ReasonSourceMismatch, "The cursor belongs to another source or connection; use it with its own, or leave it out to start from the newest post.")
	}
	if life := cursorLife(c.Network); life > 0 && now.Sub(time.Unix(cur.Issued, 0)) > life {
		return cursor{}, expiredCursor()
	}
	return cur, nil
}

func (cs cursors) parse(text string) (cur cursor, err error) {
	body, ok := strings.CutPrefix(text, cursorPrefix)
	payload64, mac64, dotted := strings.Cut(body, ".")
	if len(text) > MaxCursor || !ok || !dotted {
		return cur, errors.New("not in the form of a cursor")
	}
	payload, err := decode(payload64)
	if err != nil {
		return cur, err
	}
	mac, err := decode(mac64)
	if err != nil {
		return cur, err
	}
	if !hmac.Equal(mac, cs.mac(payload)) {
		return cur, errors.New("not signed by this database")
	}
	if err := json.Unmarshal(payload, &cur); err != nil {
		return cur, err
	}
	if cur.Version != 1 {
		return cur, errors.New("of another version")
	}
	return cur, nil
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// decode accepts only what encode makes: the decoder of the standard library
// skips line breaks and stray bits.
func decode(s string) ([]byte, error) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil && encode(b) != s {
		err = errors.New("not in the one form of base64")
	}
	return b, err
}

// cursorLife is how long a network honours its continuations; 0 is for ever.
func cursorLife(n Network) time.Duration {
	if n == Twitter {
		return 24 * time.Hour
	}
	return 0
}

// issued is what a cursor of the network says of when it was given.
func issued(n Network, at time.Time) int64 {
	if cursorLife(n) == 0 {
		return 0
	}
	return at.Unix()
}

func invalidCursor(reason, message string) *fault.Error {
	return fault.New(fault.InvalidCursor, "%s", message).With(fault.DetailReason, reason).With(fault.DetailField, "cursor")
}

func expiredCursor() *fault.Error {
	return invalidCursor(ReasonExpired, "The place this cursor names cannot be found any more; leave the cursor out to start from the newest post.")
}
