package mastodon

import (
	"net/url"
	"strconv"
	"strings"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// position is where a page of a source begins; the zero value is the newest
// page. Its text, max_id=… or offset=…, is what UpstreamPage.Next carries.
type position struct {
	maxID  string
	offset int
}

func (at position) String() string {
	switch {
	case at.maxID != "":
		return "max_id=" + at.maxID
	case at.offset > 0:
		return "offset=" + strconv.Itoa(at.offset)
	}
	return ""
}

func parsePosition(s string) (position, error) {
	if s == "" {
		return position{}, nil
	}
	if id, ok := strings.CutPrefix(s, "max_id="); ok && sns.ValidID(id) {
		return position{maxID: id}, nil
	}
	if n, ok := strings.CutPrefix(s, "offset="); ok {
		if offset, err := strconv.Atoi(n); err == nil && offset > 0 {
			return position{offset: offset}, nil
		}
	}
	return position{}, fault.New(fault.InvalidCursor, "The cursor is not one of this source; start again without a cursor.").
		With(fault.DetailReason, sns.ReasonMalformed)
}

// pagination is the position for the library. It is made anew for each call
// because the library writes into it.
func (at position) pagination() *api.Pagination {
	return &api.Pagination{MaxID: api.ID(at.maxID), Limit: pageSize}
}

// values is the position for a request of our own.
func (at position) values() url.Values {
	q := url.Values{"limit": {strconv.Itoa(pageSize)}}
	if at.maxID != "" {
		q.Set("max_id", at.maxID)
	}
	if at.offset > 0 {
		q.Set("offset", strconv.Itoa(at.offset))
	}
	return q
}

// next is where the page after this one begins. last is the id of the last entry
// the server sent and count how many it sent.
func (at position) next(what subject, link []string, last string, count int) position {
	id, said := nextID(link)
	if !sns.ValidID(id) {
		id = ""
	}
	if id == "" && what.byID && (said && count > 0 || len(link) == 0 && count >= pageSize) {
		id = last
	}
	if id == at.maxID { // a server that repeats itself would be read forever
		return position{}
	}
	return position{maxID: id}
}
