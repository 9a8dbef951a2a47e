package mastodon

import (
	"encoding/json"

	api "github.com/mattn/go-mastodon"
)

// The types of this file are the library's with what it lacks or loses: a
// member declared here stands in for the library's member of the same name.

// status is a post, or a boost around one.
type status struct {
	api.Status

	// The library reads these two as numbers where a server sends numbers, and
	// loses the digits above 2^53.
	InReplyToID        api.ID `json:"in_reply_to_id"`
	InReplyToAccountID api.ID `json:"in_reply_to_account_id"`

	Boosted          *status      `json:"reblog"`
	Quote            *quote       `json:"quote"`
	Poll             *poll        `json:"poll"`
	MediaAttachments []attachment `json:"media_attachments"`

	// A count the server does not give is nil, not 0.
	RepliesCount    *int64 `json:"replies_count"`
	ReblogsCount    *int64 `json:"reblogs_count"`
	FavouritesCount *int64 `json:"favourites_count"`
	QuotesCount     *int64 `json:"quotes_count"`

	// Not read.
	Application     json.RawMessage `json:"application"`
	ScheduledParams json.RawMessage `json:"params"`
}

// quote is a quoted post: in full, or its id only.
type quote struct {
	State          string  `json:"state"`
	QuotedStatus   *status `json:"quoted_status"`
	QuotedStatusID api.ID  `json:"quoted_status_id"`
}

type poll struct {
	api.Poll
	VotesCount  *int64       `json:"votes_count"`
	VotersCount *int64       `json:"voters_count"`
	Options     []pollOption `json:"options"`
}

type pollOption struct {
	Title      string `json:"title"`
	VotesCount *int64 `json:"votes_count"`
}

type attachment struct {
	api.Attachment
	Meta struct {
		Original struct {
			// Some servers send the pixels as 640.0.
			Width  float64 `json:"width"`
			Height float64 `json:"height"`
			// Duration in seconds.
			Duration float64 `json:"duration"`
		} `json:"original"`
	} `json:"meta"`
}

type notification struct {
	api.Notification
	Status *status `json:"status"`
}

type conversation struct {
	ID         api.ID  `json:"id"`
	LastStatus *status `json:"last_status"`
}

// threadContext and searchResults keep their posts undecoded: each is read on
// its own.
type threadContext struct {
	Ancestors   []json.RawMessage `json:"ancestors"`
	Descendants []json.RawMessage `json:"descendants"`
}

type searchResults struct {
	Statuses []json.RawMessage `json:"statuses"`
}

// instance is /api/v2/instance or the older /api/v1/instance, which calls the
// domain uri.
type instance struct {
	Title   string `json:"title"`
	Domain  string `json:"domain"`
	URI     string `json:"uri"`
	Version string `json:"version"`
}

// known reports whether it is the description of such a server: other programs
// answer any address with some JSON.
func (i *instance) known() bool {
	return i != nil && i.Version != "" && (i.Domain != "" || i.URI != "")
}
