package web

import "personal-workspace/web/view"

// printer prints the posts of a connection; from is the column that their pages
// lead back to.
func (b *columnBuilder) printer(connectionID string, from view.From) postPrinter {
	return postPrinter{
		clock: b.clock, connection: connectionID, tags: tagPages(b.connections[connectionID].Connection, b.site.Demo),
		own:  b.connections[connectionID].Account,
		from: from, local: b.local, reading: b.reading, made: b.made,
	}
}
