package snstest

import (
	"encoding/json"
	"time"
)

// The records as they go over the wire. Members stand in the order of
// Mastodon's documentation; pointers and any are values that can be null.

type wireAccount struct {
	ID             string      `json:"id"`
	Username       string      `json:"username"`
	Acct           string      `json:"acct"`
	DisplayName    string      `json:"display_name"`
	Locked         bool        `json:"locked"`
	Bot            bool        `json:"bot"`
	Discoverable   bool        `json:"discoverable"`
	Group          bool        `json:"group"`
	CreatedAt      string      `json:"created_at"`
	Note           string      `json:"note"`
	URL            string      `json:"url"`
	URI            string      `json:"uri"`
	Avatar         string      `json:"avatar"`
	AvatarStatic   string      `json:"avatar_static"`
	Header         string      `json:"header"`
	HeaderStatic   string      `json:"header_static"`
	FollowersCount int         `json:"followers_count"`
	FollowingCount int         `json:"following_count"`
	StatusesCount  int         `json:"statuses_count"`
	LastStatusAt   *string     `json:"last_status_at"`
	Emojis         []wireEmoji `json:"emojis"`
	Fields         []any       `json:"fields"`
}

type wireStatus struct {
	ID                 string        `json:"id"`
	CreatedAt          string        `json:"created_at"`
	InReplyToID        *string       `json:"in_reply_to_id"`
	InReplyToAccountID *string       `json:"in_reply_to_account_id"`
	Sensitive          bool          `json:"sensitive"`
	SpoilerText        string        `json:"spoiler_text"`
	Visibility         string        `json:"visibility"`
	Language           *string       `json:"language"`
	URI                string        `json:"uri"`
	URL                string        `json:"url"`
	RepliesCount       int           `json:"replies_count"`
	ReblogsCount       int           `json:"reblogs_count"`
	FavouritesCount    int           `json:"favourites_count"`
	QuotesCount        int           `json:"quotes_count"`
	EditedAt           *string       `json:"edited_at"`
	Favourited         bool          `json:"favourited"`
	Reblogged          bool          `json:"reblogged"`
	Muted              bool          `json:"muted"`
	Bookmarked         bool          `json:"bookmarked"`
	Pinned             bool          `json:"pinned"`
	Content            string        `json:"content"`
	Filtered           []wireFilter  `json:"filtered"`
	Reblog             any           `json:"reblog"`
	Quote              *wireQuote    `json:"quote"`
	Account            any           `json:"account"`
	MediaAttachments   []wireMedia   `json:"media_attachments"`
	Mentions           []wireMention `json:"mentions"`
	Tags               []wireTag     `json:"tags"`
	Emojis             []wireEmoji   `json:"emojis"`
	Card               *wireCard     `json:"card"`
	Poll               *wirePoll     `json:"poll"`
}

type wireEmoji struct {
	Shortcode string `json:"shortcode"`
	URL       string `json:"url"`
	StaticURL string `json:"static_url"`
	Visible   bool   `json:"visible_in_picker"`
}

type wireMention struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	URL      string `json:"url"`
	Acct     string `json:"acct"`
}

type wireTag struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type wireMedia struct {
	ID          string         `json:"id"`
	Type        string         `json:"type"`
	URL         *string        `json:"url"`
	PreviewURL  *string        `json:"preview_url"`
	RemoteURL   *string        `json:"remote_url"`
	Meta        map[string]any `json:"meta"`
	Description *string        `json:"description"`
	Blurhash    *string        `json:"blurhash"`
}

type wirePoll struct {
	ID          string       `json:"id"`
	ExpiresAt   *string      `json:"expires_at"`
	Expired     bool         `json:"expired"`
	Multiple    bool         `json:"multiple"`
	VotesCount  *int         `json:"votes_count"`
	VotersCount *int         `json:"voters_count"`
	Voted       bool         `json:"voted"`
	OwnVotes    []int        `json:"own_votes"`
	Options     []wireOption `json:"options"`
	Emojis      []wireEmoji  `json:"emojis"`
}

type wireOption struct {
	Title string `json:"title"`
	Votes *int   `json:"votes_count"`
}

type wireCard struct {
	URL          string  `json:"url"`
	Title        string  `json:"title"`
	Description  string  `json:"description"`
	Language     *string `json:"language"`
	Type         string  `json:"type"`
	AuthorName   string  `json:"author_name"`
	AuthorURL    string  `json:"author_url"`
	ProviderName string  `json:"provider_name"`
	ProviderURL  string  `json:"provider_url"`
	HTML         string  `json:"html"`
	Width        int     `json:"width"`
	Height       int     `json:"height"`
	Image        *string `json:"image"`
	EmbedURL     string  `json:"embed_url"`
	Blurhash     *string `json:"blurhash"`
	PublishedAt  *string `json:"published_at"`
}

type wireQuote struct {
	State  string  `json:"state"`
	Status any     `json:"quoted_status,omitempty"`
	ID     *string `json:"quoted_status_id,omitempty"`
}

type wireFilter struct {
	Filter struct {
		ID        string   `json:"id"`
		Title     string   `json:"title"`
		Context   []string `json:"context"`
		ExpiresAt *string  `json:"expires_at"`
		Action    string   `json:"filter_action"`
	} `json:"filter"`
	KeywordMatches []string `json:"keyword_matches"`
	StatusMatches  []string `json:"status_matches"`
}

// wireTime is a time as Mastodon writes it.
func wireTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func wireTimeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(wireTime(t))
}

// orNull is nil for the empty string.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// patched replaces members of a record; it returns v itself without a patch.
func patched(v any, patch map[string]any) any {
	if len(patch) == 0 {
		return v
	}
	members := membersOf(v)
	for name, value := range patch {
		raw, err := json.Marshal(value)
		if err != nil {
			panic(err) // a mistake of the test
		}
		members[name] = raw
	}
	return members
}

// without leaves members out of a record.
func without(v any, names []string) any {
	members := membersOf(v)
	for _, name := range names {
		delete(members, name)
	}
	return members
}

func membersOf(v any) map[string]json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // the records above always encode
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		panic(err)
	}
	return members
}
