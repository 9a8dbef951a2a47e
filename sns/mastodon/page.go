package mastodon

import (
	"personal-workspace/sns"
)

// pageBuilder collects the entries of one answer.
type pageBuilder struct {
	page sns.UpstreamPage
	// count is how many entries the server sent and last the id of the last
	// one, shown or not: they decide where the next page begins.
	count int
	last  string
	seen  map[string]bool
}

func newPage() *pageBuilder { return &pageBuilder{seen: map[string]bool{}} }

// add takes an entry. id is the server's id of it, "" when there is none.
func (b *pageBuilder) add(id string, p sns.Post, v verdict) {
	b.count++
	if sns.ValidID(id) {
		b.last = id
	}
	switch {
	case v == skip:
		b.page.Skipped++
	case v == keep && !b.seen[p.EntryID]:
		b.seen[p.EntryID] = true
		b.page.Posts = append(b.page.Posts, p)
	}
}

// done finishes the page.
func (b *pageBuilder) done(next position) sns.UpstreamPage {
	b.page.Next = next.String()
	if n := b.page.Skipped; n > 0 {
		b.page.Warnings = append(b.page.Warnings,
			plural(n, "1 entry could not be read and is left out.", "%d entries could not be read and are left out."))
	}
	return b.page
}

func (p *Provider) mapper(a sns.Account, what subject) *mapper {
	return &mapper{account: a, host: hostOf(a), context: what.context, now: p.now()}
}
