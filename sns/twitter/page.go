package twitter

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"personal-workspace/sns"
)

// pageBuilder collects the posts of one answer.
type pageBuilder struct {
	m    *mapper
	page sns.UpstreamPage
	seen map[string]bool
	// wants says whether the source asks for a post.
	wants func(sns.Post) bool
}

func newPage(m *mapper, wants func(sns.Post) bool) *pageBuilder {
	return &pageBuilder{m: m, seen: map[string]bool{}, wants: wants}
}

// add takes an entry. id is X's id of it, "" when there is none.
func (b *pageBuilder) add(id string, p sns.Post, v verdict) {
	b.page.Received = append(b.page.Received, id)
	switch {
	case v == skip:
		b.page.Skipped++
	case v == keep && b.wants(p) && !b.seen[p.EntryID]:
		b.seen[p.EntryID] = true
		b.page.Posts = append(b.page.Posts, p)
	}
}

// tweets takes the items of a timeline.
func (b *pageBuilder) tweets(tl *timeline) {
	for _, it := range tl.items {
		result := it.content.get("tweet_results", "result")
		switch it.content.get("itemType").str() {
		case "TimelineTweet", "":
			p, v := b.m.post(result)
			b.add(receivedID(p, result), p, v)
		case "TimelineTombstone":
			b.add("", sns.Post{}, hide)
		}
	}
}

// receivedID is the id of an entry, also of one that is not shown.
func receivedID(p sns.Post, result value) string {
	if p.EntryID != "" {
		return p.EntryID
	}
	t, _, _ := unwrap(result)
	return tweetID(t)
}

// notifications takes the items of a timeline of notifications.
func (b *pageBuilder) notifications(tl *timeline, self string) {
	for _, it := range tl.items {
		if it.content.get("itemType").str() == "TimelineTombstone" {
			continue
		}
		p, v := b.m.notification(it, self)
		b.add(p.EntryID, p, v)
	}
}

// done finishes the page that stands at a place.
func (b *pageBuilder) done(tl *timeline, at place) sns.UpstreamPage {
	next := at.next(tl.older(), b.page.Received)
	if next == "" && at.repeats(b.page.Received) {
		b.page.Posts = nil
	}
	b.page.Next = next
	if n := b.page.Skipped; n > 0 {
		b.warn(sns.SkippedWarning(n))
	}
	return b.page
}

// warn adds a sentence.
func (b *pageBuilder) warn(sentence string) {
	if !slices.Contains(b.page.Warnings, sentence) {
		b.page.Warnings = append(b.page.Warnings, sentence)
	}
}

// place is where a page of a source begins; the zero value is the newest page.
// Its text is what UpstreamPage.Next carries: a hash of the entries of the page
// before, a dot, and X's own cursor.
type place struct{ before, cursor string }

func parsePlace(s string) (place, error) {
	if s == "" {
		return place{}, nil
	}
	before, cursor, ok := strings.Cut(s, ".")
	if !ok || len(before) != placeHash || !validUpstream(cursor) {
		return place{}, sns.MalformedContinuation()
	}
	return place{before, cursor}, nil
}

// next is the text of the place behind a page. X repeats a cursor, or a whole
// page under a new one, instead of saying that there is no more.
func (at place) next(older string, received []string) string {
	if older == "" || older == at.cursor || len(received) == 0 || at.repeats(received) {
		return ""
	}
	return hashOf(received) + "." + older
}

// repeats reports whether a page has the entries of the page before.
func (at place) repeats(received []string) bool {
	return at.before != "" && len(received) > 0 && at.before == hashOf(received)
}

// placeHash is how long the text of a page's hash is.
const placeHash = 16

// hashOf is a short hash of a set of ids.
func hashOf(ids []string) string {
	sorted := slices.Sorted(slices.Values(ids))
	sum := sha256.Sum256([]byte(strings.Join(sorted, "\n")))
	return hex.EncodeToString(sum[:placeHash/2])
}
