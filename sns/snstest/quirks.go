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
	// IgnoreRemote treats remote=true as if it were absent.
	IgnoreRemote bool
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
	// FeedsDisabled answers public and hashtag timelines with nothing.
	FeedsDisabled bool
}

// GoToSocial returns the quirks of GoToSocial 0.20. Use it with ULID ids.
func GoToSocial() Quirks {
	return Quirks{
		LinkExtra:     "local=false",
		EmptyBoosts:   true,
		NoGrouped:     true,
		NoMetadata:    true,
		IgnorePKCE:    true,
		IgnoreRemote:  true,
		UnknownTag404: true,
		StrictLimit:   true,
		HTML406:       true,
		RawContent:    true,
	}
}
