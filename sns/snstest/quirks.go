package snstest

// Quirks are switches that make the server behave unlike Mastodon, each seen on
// some real server or proxy. The zero value is Mastodon.
type Quirks struct {
	// Link header.

	// NoLink leaves the Link header out.
	NoLink bool
	// LinkHost stands in Link instead of the request's host.
	LinkHost string
	// LinkPlain writes Link addresses with http: whatever the request used and
	// LinkHost "elsewhere.example" unless given.
	LinkPlain bool
	// LinkRelative writes addresses without scheme and host.
	LinkRelative bool
	// LinkExtra is added to the query of each address, such as
	// "local=false&pinned=false" or "any[]=a,b".
	LinkExtra string
	// LinkLimit stands in Link instead of the request's limit, such as "abc".
	LinkLimit string
	// LinkTwoHeaders sends prev and next as two header lines, prev first.
	LinkTwoHeaders bool
	// LinkUnquoted writes rel=next.
	LinkUnquoted bool
	// LinkUpper writes REL="NEXT".
	LinkUpper bool
	// LinkSemicolon ends each value with ";".
	LinkSemicolon bool
	// LinkOffset writes the next page as an offset, as trends do.
	LinkOffset bool
	// LinkFullOnly sends next only when a page was full, everywhere.
	LinkFullOnly bool
	// LinkMarks sends next with the last bookmarks and favourites too.
	LinkMarks bool

	// Ids and entries.

	// NumericIDs sends the ids of statuses and what they answer as JSON numbers.
	NumericIDs bool
	// Duplicates repeats statuses within a page and across pages.
	Duplicates bool
	// EmptyBoosts leaves the content of a boost's wrapper empty.
	EmptyBoosts bool
	// QuoteDepth is how many levels of quotes come in full; 0 means one.
	QuoteDepth int
	// NullLists sends mentions, tags, emojis and media as null.
	NullLists bool
	// FewMembers leaves out what newer servers have: quote and quotes_count of a
	// status, filtered where no filter matched, group_key of a notification,
	// api_versions and timelines_access of the instance.
	FewMembers bool
	// RepeatAtEnd fills the last page of home and of lists up with entries that
	// came before, behind the oldest one; Link still names the oldest.
	RepeatAtEnd bool
	// DirectInHome shows direct posts in home and lists too.
	DirectInHome bool

	// Routes that are missing or different.

	// NoGrouped answers grouped notifications with 404.
	NoGrouped bool
	// NoSearch finds no statuses, as a server without a search backend.
	NoSearch bool
	// NoInstanceV2 answers /api/v2/instance with 404.
	NoInstanceV2 bool
	// NoMetadata answers the OAuth metadata with 404.
	NoMetadata bool
	// NoAppCheck answers /api/v1/apps/verify_credentials with 404.
	NoAppCheck bool
	// NoProfileScope refuses the scope "profile" at registration, as servers
	// before 4.3 do.
	NoProfileScope bool
	// IgnorePKCE gives a token without a verifier.
	IgnorePKCE bool
	// CodeUnknown answers a code that was never given with the words of a
	// database in the place of "invalid_grant".
	CodeUnknown bool
	// NoAppScopes answers /api/v1/apps/verify_credentials with 403.
	NoAppScopes bool
	// NoSearchOffset finds nothing for an offset above 0.
	NoSearchOffset bool
	// IgnoreRemote treats remote=true as if it were absent.
	IgnoreRemote bool
	// IgnoreFilters treats only_media and local of hashtags, only_media of public
	// timelines, any, all and none of hashtags and tagged of accounts as if they
	// were absent.
	IgnoreFilters bool
	// IgnoreUnknownTypes sends all notifications when none of the wanted types is
	// one of an old server's.
	IgnoreUnknownTypes bool
	// UnknownAccountEmpty answers with no statuses for an unknown account.
	UnknownAccountEmpty bool
	// ZeroLimit treats limit=0 as if it were absent.
	ZeroLimit bool
	// UnknownTag404 answers 404 for a hashtag nobody used and 400 for a name
	// that cannot be one.
	UnknownTag404 bool
	// StrictLimit answers 400 for a limit that is no number.
	StrictLimit bool
	// HTML406 answers 406 with HTML when Accept does not have JSON.
	HTML406 bool
	// RawContent sends content whose text has unescaped "&", ">" and quotes.
	RawContent bool

	// Access.

	// PublicNeedsToken answers 401 for public timelines without a token.
	PublicNeedsToken bool
	// ReadingNeedsToken answers 401 without a token for everything but public
	// timelines and the instance.
	ReadingNeedsToken bool
	// FeedsDisabled answers public and hashtag timelines with nothing.
	FeedsDisabled bool
	// LongErrors begins the text of an error with that of its status.
	LongErrors bool
}

// GoToSocial returns the quirks of GoToSocial 0.20. Use it with ULID ids.
func GoToSocial() Quirks {
	return Quirks{
		LinkExtra:           "local=false",
		LinkMarks:           true,
		EmptyBoosts:         true,
		FewMembers:          true,
		RepeatAtEnd:         true,
		DirectInHome:        true,
		NoGrouped:           true,
		NoMetadata:          true,
		NoAppScopes:         true,
		CodeUnknown:         true,
		NoSearchOffset:      true,
		IgnorePKCE:          true,
		IgnoreRemote:        true,
		IgnoreFilters:       true,
		IgnoreUnknownTypes:  true,
		UnknownTag404:       true,
		UnknownAccountEmpty: true,
		StrictLimit:         true,
		ZeroLimit:           true,
		HTML406:             true,
		RawContent:          true,
		ReadingNeedsToken:   true,
		LongErrors:          true,
	}
}
