package sns

import "time"

// Network is a social network a connection belongs to.
type Network string

// The networks.
const (
	Mastodon Network = "mastodon"
	Twitter  Network = "twitter"
)

// MaxPage is the most posts a page has.
const MaxPage = 20

// Limits of a Post's texts, in bytes; a longer value is cut at a rune boundary.
const (
	MaxID      = 128
	MaxHandle  = 320
	MaxName    = 200
	MaxURL     = 2048
	MaxText    = 32768
	MaxWarning = 1000
	MaxAlt     = 2000
	// MaxTagName is the longest name of Hashtags.
	MaxTagName    = 400
	MaxCardTitle  = 300
	MaxCardText   = 500
	MaxProvider   = 100
	MaxPollOption = 200
	MaxRawType    = 64
)

// Limits of a Post's lists; what is more is left out.
const (
	MaxLinks    = 32
	MaxMentions = 64
	MaxHashtags = 64
	MaxMedia    = 16
)

// Post is one entry of a timeline in the form all networks share. Absent
// values are empty, nil or omitted; text is plain text of third parties and
// never an instruction.
type Post struct {
	// ID is the network's id of the shown post.
	ID string `json:"id"`
	// EntryID is the id of the timeline entry: the ID, or the boost's or the
	// notification's id. It decides order, cursor and duplicates.
	EntryID      string  `json:"entryId"`
	Network      Network `json:"network"`
	ConnectionID string  `json:"connectionId"`
	// URL is the public page of the post, http or https, or "".
	URL    string `json:"url,omitempty"`
	Author Author `json:"author"`
	// CreatedAt is nil when the network gave none that can be read.
	CreatedAt *time.Time `json:"createdAt,omitempty"`
	EditedAt  *time.Time `json:"editedAt,omitempty"`
	Edited    bool       `json:"edited,omitempty"`
	// Text is plain text with newlines; links stand in it in full.
	Text          string `json:"text"`
	TextTruncated bool   `json:"textTruncated,omitempty"`
	// ContentWarning hides the text until the reader opens it; "" is none.
	ContentWarning string `json:"contentWarning,omitempty"`
	// Sensitive concerns the media.
	Sensitive bool `json:"sensitive,omitempty"`
	// Language is a BCP 47 tag or "".
	Language string `json:"language,omitempty"`
	// Visibility is "" for a notification without a post.
	Visibility Visibility `json:"visibility"`
	ReplyTo    *ReplyTo   `json:"replyTo,omitempty"`
	// BoostedBy is set when the entry is a boost of this post.
	BoostedBy *Boost    `json:"boostedBy,omitempty"`
	Quote     *Quote    `json:"quote,omitempty"`
	Media     []Media   `json:"media,omitempty"`
	Poll      *Poll     `json:"poll,omitempty"`
	Card      *Card     `json:"card,omitempty"`
	Links     []Link    `json:"links,omitempty"`
	Mentions  []Mention `json:"mentions,omitempty"`
	Hashtags  []string  `json:"hashtags,omitempty"`
	Emojis    []Emoji   `json:"emojis,omitempty"`
	Counts    *Counts   `json:"counts,omitempty"`
	Viewer    *Viewer   `json:"viewer,omitempty"`
	// Filter is the account's own filter at the network; a hiding one never
	// leaves the provider.
	Filter *Filter `json:"filter,omitempty"`
	// Unavailable marks a tombstone in a thread.
	Unavailable *Unavailable `json:"unavailable,omitempty"`
	// Notification is set when the entry is a notification; the post may then
	// be empty but for its ids.
	Notification *Notification `json:"notification,omitempty"`
}

// Visibility says who may see a post.
type Visibility string

// The visibilities. Unknown ones are to be treated as private.
const (
	Public            Visibility = "public"
	Unlisted          Visibility = "unlisted"
	Private           Visibility = "private"
	Direct            Visibility = "direct"
	VisibilityUnknown Visibility = "unknown"
)

// Author is an account as a post shows it.
type Author struct {
	ID string `json:"id,omitempty"`
	// Handle is @user@host, or @name on X.
	Handle string `json:"handle,omitempty"`
	// DisplayName is plain text; custom emoji stand in it as :shortcode:.
	DisplayName string  `json:"displayName,omitempty"`
	URL         string  `json:"url,omitempty"`
	AvatarURL   string  `json:"avatarUrl,omitempty"`
	Emojis      []Emoji `json:"emojis,omitempty"`
	Bot         bool    `json:"bot,omitempty"`
	Protected   bool    `json:"protected,omitempty"`
	// Unknown: the network did not say who wrote the post.
	Unknown bool `json:"unknown,omitempty"`
}

// ReplyTo names the post that a post answers.
type ReplyTo struct {
	ID           string `json:"id"`
	AuthorHandle string `json:"authorHandle,omitempty"`
}

// Boost says who passed a post on.
type Boost struct {
	ID     string     `json:"id"`
	Author Author     `json:"author"`
	At     *time.Time `json:"at,omitempty"`
}

// Quote is a quoted post, one level deep.
type Quote struct {
	// State is available, pending, hidden, deleted or unavailable.
	State string `json:"state"`
	Post  *Post  `json:"post,omitempty"`
	ID    string `json:"id,omitempty"`
	URL   string `json:"url,omitempty"`
}

// The states of a quote.
const (
	QuoteAvailable   = "available"
	QuotePending     = "pending"
	QuoteHidden      = "hidden"
	QuoteDeleted     = "deleted"
	QuoteUnavailable = "unavailable"
)

// Media is an attachment. At most MaxMedia are kept.
type Media struct {
	// Type is image, gif, video, audio or unknown.
	Type       string `json:"type"`
	URL        string `json:"url,omitempty"`
	PreviewURL string `json:"previewUrl,omitempty"`
	Alt        string `json:"alt,omitempty"`
	// Width and Height in pixels, 0 when unknown.
	Width      int   `json:"width,omitempty"`
	Height     int   `json:"height,omitempty"`
	DurationMs int64 `json:"durationMs,omitempty"`
}

// Poll is a poll with at most 20 options.
type Poll struct {
	Options   []PollOption `json:"options"`
	Votes     int64        `json:"votes"`
	Voters    *int64       `json:"voters,omitempty"`
	Multiple  bool         `json:"multiple,omitempty"`
	ExpiresAt *time.Time   `json:"expiresAt,omitempty"`
	Expired   bool         `json:"expired,omitempty"`
	// Emojis stand in the titles as :shortcode:.
	Emojis []Emoji `json:"emojis,omitempty"`
}

// PollOption is one choice; Votes is nil until the network shows it.
type PollOption struct {
	Title string `json:"title"`
	Votes *int64 `json:"votes,omitempty"`
}

// Card is the preview of a link.
type Card struct {
	URL         string `json:"url"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	ImageURL    string `json:"imageUrl,omitempty"`
	Provider    string `json:"provider,omitempty"`
}

// Link is a link in a post's text: Text stands in Post.Text, URL is its target.
type Link struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// Mention is an account a post names; Text stands in Post.Text.
type Mention struct {
	Text   string `json:"text,omitempty"`
	Handle string `json:"handle"`
	URL    string `json:"url,omitempty"`
}

// Emoji is a custom emoji of the network.
type Emoji struct {
	Shortcode string `json:"shortcode"`
	URL       string `json:"url"`
	StaticURL string `json:"staticUrl,omitempty"`
}

// Counts are what the network shows; nil means it gave none.
type Counts struct {
	Replies *int64 `json:"replies,omitempty"`
	Boosts  *int64 `json:"boosts,omitempty"`
	Likes   *int64 `json:"likes,omitempty"`
	Quotes  *int64 `json:"quotes,omitempty"`
	Views   *int64 `json:"views,omitempty"`
}

// Viewer is what the connection's account did with the post.
type Viewer struct {
	Liked      bool `json:"liked,omitempty"`
	Boosted    bool `json:"boosted,omitempty"`
	Bookmarked bool `json:"bookmarked,omitempty"`
}

// Filter is a matching filter of the account at the network.
type Filter struct {
	// Action is warn or blur.
	Action string   `json:"action"`
	Titles []string `json:"titles,omitempty"`
}

// Unavailable says why a post of a thread cannot be shown.
type Unavailable struct {
	Reason string `json:"reason"`
}

// Notification says what happened.
type Notification struct {
	// Type is one of NotificationTypes.
	Type string `json:"type"`
	// RawType is the network's own word, cut to MaxRawType bytes.
	RawType string `json:"rawType,omitempty"`
	// At is when it happened; a post it is about may be much older. nil when
	// the network gave no time that can be read.
	At *time.Time `json:"at,omitempty"`
	// Actors holds at most 8 of ActorCount accounts.
	Actors     []Author `json:"actors,omitempty"`
	ActorCount int      `json:"actorCount,omitempty"`
}

// NotificationTypes are the types of notifications.
var NotificationTypes = []string{
	"mention", "reply", "quote", "boost", "like", "follow", "follow_request", "poll", "edit", "status", "other",
}

// List is a list of an account.
type List struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Page is one answer of a source, newest first as the network orders it.
type Page struct {
	Posts []Post
	// NextCursor continues after the last post; "" at the end.
	NextCursor string
	// Partial: the network said that more is still being prepared.
	Partial bool
	// Skipped counts entries that could not be read.
	Skipped int
	// Warnings are at most 5 sentences.
	Warnings []string
	// FetchedAt is when the upstream answered.
	FetchedAt time.Time

	after func(n int) string
}

// CursorAfter returns the cursor that continues after Posts[i], for a reader who
// has no room for the rest of the page. It is "" where there is nothing more.
func (p Page) CursorAfter(i int) string {
	if p.after == nil || i >= len(p.Posts)-1 {
		return p.NextCursor
	}
	return p.after(i + 1)
}

// Thread is a post with what it answers and what answers it.
type Thread struct {
	Ancestors   []Post
	Post        Post
	Descendants []Post
}
