package decks

// Filters say which posts of a column are not shown. All that are set apply. A
// post of the connection's own account is never hidden.
type Filters struct {
	HideBoosts  bool `json:"hideBoosts,omitempty"`
	HideReplies bool `json:"hideReplies,omitempty"`
	HideQuotes  bool `json:"hideQuotes,omitempty"`
	// OnlyMedia keeps posts with media.
	OnlyMedia bool `json:"onlyMedia,omitempty"`
	// Languages keeps posts in these BCP 47 tags and those that name none.
	Languages []string `json:"languages,omitempty"`
	// Include keeps posts that match at least one term; Exclude drops posts
	// that match any. A term is words, "#tag", "@handle" or "/regexp/".
	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`
	// Action is hide (default) or fold.
	Action string `json:"action,omitempty"`
}
