package mastodon

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/sns"
)

// position is where a page of a source begins; the zero value is the newest
// page. Its text is what UpstreamPage.Next carries: max_id=… for timelines;
// offset=…, offset=…,max_id=… or max_id=…,offset=… for searches.
type position struct {
	// maxID is the id that the page stands below.
	maxID string
	// offset of a search is how many entries stand above the page. maxID is then
	// the last of them, "" when the server does not order them by id.
	offset int
	// byID: the server was seen to ignore offsets, so maxID is the place.
	byID bool
}

func (at position) String() string {
	id, offset := "max_id="+at.maxID, "offset="+strconv.Itoa(at.offset)
	switch {
	case at.byID:
		return id + "," + offset
	case at.offset > 0 && at.maxID != "":
		return offset + "," + id
	case at.offset > 0:
		return offset
	case at.maxID != "":
		return id
	}
	return ""
}

func parsePosition(s string) (at position, err error) {
	if s == "" {
		return position{}, nil
	}
	first, second, two := strings.Cut(s, ",")
	ok := at.parse(first) && (!two || at.parse(second))
	at.byID = two && strings.HasPrefix(first, "max_id=")
	if ok && at.String() == s {
		return at, nil
	}
	return position{}, sns.MalformedContinuation()
}

// parse reads one part of a position's text.
func (at *position) parse(part string) bool {
	name, value, _ := strings.Cut(part, "=")
	switch name {
	case "max_id":
		at.maxID = value
		return sns.ValidID(value)
	case "offset":
		n, err := strconv.Atoi(value)
		at.offset = n
		return err == nil && n > 0
	}
	return false
}

// pagination is the position for the library. It is made anew for each call
// because the library writes into it.
func (at position) pagination() *api.Pagination {
	return &api.Pagination{MaxID: api.ID(at.maxID), Limit: pageSize}
}

// values is the position for a request of our own.
func (at position) values() url.Values {
	q := url.Values{"limit": {strconv.Itoa(pageSize)}}
	switch {
	case at.offset > 0 && !at.byID:
		q.Set("offset", strconv.Itoa(at.offset))
	case at.maxID != "":
		q.Set("max_id", at.maxID)
	}
	return q
}

// compareIDs orders the ids of one server: by length, then byte by byte.
func compareIDs(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
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
