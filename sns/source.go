package sns

// Kind names what a source reads. Not every network has every kind.
type Kind string

// The kinds of sources. Thread and Post can be fetched but not saved in a deck.
const (
	KindHome          Kind = "home"
	KindForYou        Kind = "forYou"
	KindLocal         Kind = "local"
	KindFederated     Kind = "federated"
	KindHashtag       Kind = "hashtag"
	KindList          Kind = "list"
	KindUser          Kind = "user"
	KindSearch        Kind = "search"
	KindNotifications Kind = "notifications"
	KindBookmarks     Kind = "bookmarks"
	KindFavourites    Kind = "favourites"
	KindConversations Kind = "conversations"
	KindSeen          Kind = "seen"
	KindThread        Kind = "thread"
	KindPost          Kind = "post"
)

// Source is one timeline of a connection: a flat record whose Kind decides
// which other members may be set. The connection decides the network.
type Source struct {
	Kind Kind `json:"kind"`
	// Tag of a hashtag source, without "#"; Any, All and None narrow it.
	Tag  string   `json:"tag,omitempty"`
	Any  []string `json:"any,omitempty"`
	All  []string `json:"all,omitempty"`
	None []string `json:"none,omitempty"`
	// ListID of a list source, as list_lists gives it.
	ListID string `json:"listId,omitempty"`
	// Account of a user source: @user@host, user or the account's id.
	Account        string `json:"account,omitempty"`
	ExcludeReplies bool   `json:"excludeReplies,omitempty"`
	ExcludeBoosts  bool   `json:"excludeBoosts,omitempty"`
	// OnlyMedia narrows local, federated, hashtag and user.
	OnlyMedia bool `json:"onlyMedia,omitempty"`
	// LocalOnly narrows hashtag; RemoteOnly narrows federated.
	LocalOnly  bool `json:"localOnly,omitempty"`
	RemoteOnly bool `json:"remoteOnly,omitempty"`
	// Query of a search or seen source, 1 to 500 code points.
	Query string `json:"query,omitempty"`
	// Product of a search on X: latest (default), top or media.
	Product string `json:"product,omitempty"`
	// Types narrows notifications to these NotificationTypes.
	Types []string `json:"types,omitempty"`
	// PostID of a thread or post.
	PostID string `json:"postId,omitempty"`
}
