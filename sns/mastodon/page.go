package mastodon

import (
	"personal-workspace/sns"
)

// pageBuilder collects the entries of one page, from one answer of the server or
// from several.
type pageBuilder struct {
	page sns.UpstreamPage
	// count is how many entries the server's latest answer had and last the id of
	// the last one, shown or not: they decide where the next answer begins.
	count int
	last  string
	// hidden is how many entries were left out because the source does not ask
	// for them or a filter of the account hides them.
	hidden int
	seen   map[string]bool
}

func newPage() *pageBuilder { return &pageBuilder{seen: map[string]bool{}} }

// begin starts with another answer.
func (b *pageBuilder) begin() { b.count, b.last = 0, "" }

// add takes an entry. id is the server's id of it, "" when there is none.
func (b *pageBuilder) add(id string, p sns.Post, v verdict) {
	b.count++
	b.page.Received = append(b.page.Received, id)
	if sns.ValidID(id) {
		b.last = id
	}
	switch {
	case v == skip:
		b.page.Skipped++
	case v == hide:
		b.hidden++
	case !b.seen[p.EntryID]:
		b.seen[p.EntryID] = true
		b.page.Posts = append(b.page.Posts, p)
	}
}

// thin reports whether so much was left out that the page is worth another
// request.
func (b *pageBuilder) thin() bool { return b.hidden > 0 && len(b.page.Posts) < pageSize/2 }

// warn adds a sentence.
func (b *pageBuilder) warn(sentence string) { b.page.Warnings = append(b.page.Warnings, sentence) }

// done finishes the page.
func (b *pageBuilder) done(next position) sns.UpstreamPage {
	b.page.Next = next.String()
	if n := b.page.Skipped; n > 0 {
		b.warn(sns.SkippedWarning(n))
	}
	return b.page
}

func (p *Provider) mapper(a sns.Account, what subject) *mapper {
	return &mapper{account: a, host: hostOf(a), context: what.context, now: p.now()}
}
