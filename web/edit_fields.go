package web

import (
	"cmp"
	"slices"
	"strings"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// offers are what an account has to choose from.
type offers struct {
	lists []sns.List
	tags  []string
	// notice says why there is nothing to choose from.
	notice string
}

// kindWords says what a kind of source is, in the order it is offered.
var kindWords = []struct {
	kind       sns.Kind
	name, text string
}{
	{sns.KindHome, "Home", "Everyone the account follows"},
	{sns.KindForYou, "For you", "What X picks for the account"},
	{sns.KindNotifications, "Notifications", "Mentions, boosts, follows and more"},
	{sns.KindList, "List", "One of the account's lists"},
	{sns.KindHashtag, "Hashtag", "Posts with a tag"},
	{sns.KindLocal, "Local", "Everyone on the server"},
	{sns.KindFederated, "Federated", "Everything the server sees"},
	{sns.KindUser, "Someone's posts", "One account's posts"},
	{sns.KindSearch, "Search", "Posts with words"},
	{sns.KindBookmarks, "Bookmarks", "Posts the account kept"},
	{sns.KindFavourites, "Favourites", "Posts the account liked"},
	{sns.KindConversations, "Conversations", "Direct conversations"},
}

func kindName(n sns.Network, k sns.Kind) string {
	if n == sns.Twitter && k == sns.KindHome {
		return (sns.Source{Kind: k}).LabelOn(n)
	}
	for _, w := range kindWords {
		if w.kind == k {
			return inWordsOf(n, w.name)
		}
	}
	return "Unknown kind"
}

// fieldSet builds the inputs of one column.
type fieldSet struct {
	// prefix stands before every name, with its dot.
	prefix string
	// problems are by the name of an input.
	problems map[string]string
	network  sns.Network
	offers   offers
	// presentName is the account of the column as it is.
	presentName string
}

func (s fieldSet) field(f view.Field) view.Field {
	f.Name = s.prefix + f.Name
	f.Problem = s.problems[f.Name]
	f.Label = inWordsOf(s.network, f.Label)
	for i := range f.Options {
		f.Options[i].Label = inWordsOf(s.network, f.Options[i].Label)
	}
	return f
}

func (s fieldSet) check(name, label string, on bool) view.Field {
	return s.field(view.Field{Name: name, Kind: "check", Label: label, Checked: on})
}

// title is the column's name; usual is what it is called without one, "" when
// that is not known yet.
func (s fieldSet) title(c decks.Column, usual string) view.Field {
	f := view.Field{Name: "title", Label: "Name of the column", Value: c.Title, Max: decks.MaxTitle, Hint: "Empty: named after what it shows."}
	if usual != "" {
		f.Hint = "Empty: " + usual + "."
	}
	return s.field(f)
}

// options are what the kind of source can be told.
func (s fieldSet) options(src sns.Source) []view.Field {
	switch src.Kind {
	case sns.KindLocal:
		return []view.Field{s.check("source.onlyMedia", "Only posts with media", src.OnlyMedia)}
	case sns.KindFederated:
		return []view.Field{
			s.check("source.onlyMedia", "Only posts with media", src.OnlyMedia),
			s.check("source.remoteOnly", "Only from other servers", src.RemoteOnly),
		}
	case sns.KindHashtag:
		return s.hashtag(src)
	case sns.KindList:
		return []view.Field{s.list(src)}
	case sns.KindUser:
		return s.user(src)
	case sns.KindSearch:
		return s.search(src)
	case sns.KindNotifications:
		return []view.Field{s.types(src)}
	}
	return nil
}

func (s fieldSet) hashtag(src sns.Source) []view.Field {
	list := []view.Field{s.field(view.Field{
		Name: "source.tag", Label: "Hashtag", Value: src.Tag, Required: true, Max: sns.MaxTag + 1, Suggestions: s.offers.tags,
	})}
	if s.network == sns.Twitter {
		return list
	}
	join := func(names []string) string { return strings.Join(names, " ") }
	return append(list,
		s.field(view.Field{Name: "source.any", Label: "Or any of these", Value: join(src.Any), Hint: "Up to 3 hashtags, with spaces between them."}),
		s.field(view.Field{Name: "source.all", Label: "And all of these", Value: join(src.All), Hint: "Up to 4."}),
		s.field(view.Field{Name: "source.none", Label: "But none of these", Value: join(src.None), Hint: "Up to 4."}),
		s.check("source.localOnly", "Only from this server", src.LocalOnly),
		s.check("source.onlyMedia", "Only posts with media", src.OnlyMedia),
	)
}

// list offers the account's lists when they are known; otherwise, or when the
// column's own is not among them, its id is a text.
func (s fieldSet) list(src sns.Source) view.Field {
	f := view.Field{Name: "source.listId", Label: "List", Value: src.ListID, Required: true}
	if len(s.offers.lists) == 0 {
		f.Label, f.Hint = "Id of the list", "The number at the end of the list's address at its server."
		if s.network == sns.Twitter {
			f.Hint = "The number at the end of the list's address, as in x.com/i/lists/123."
		}
		return s.field(f)
	}
	f.Kind = "choice"
	found := src.ListID == ""
	for _, l := range s.offers.lists {
		f.Options = append(f.Options, view.Option{Value: l.ID, Label: cmp.Or(l.Title, "List "+l.ID), Chosen: l.ID == src.ListID})
		found = found || l.ID == src.ListID
	}
	if !found {
		f.Options = append(f.Options, view.Option{Value: src.ListID, Label: "List " + src.ListID + " (not there any more)", Chosen: true})
	}
	return s.field(f)
}

func (s fieldSet) user(src sns.Source) []view.Field {
	list := []view.Field{
		s.field(view.Field{Name: "source.account", Label: "Account", Value: src.Account, Required: true, Hint: s.handleHint()}),
		s.check("source.excludeReplies", "Leave out replies", src.ExcludeReplies),
	}
	if s.network != sns.Twitter {
		list = append(list, s.check("source.excludeBoosts", "Leave out boosts", src.ExcludeBoosts))
	}
	return append(list, s.check("source.onlyMedia", "Only posts with media", src.OnlyMedia))
}

func (s fieldSet) handleHint() string {
	if s.network == sns.Twitter {
		return "Such as @name."
	}
	return "Such as @name@server."
}

func (s fieldSet) search(src sns.Source) []view.Field {
	list := []view.Field{s.field(view.Field{Name: "source.query", Label: "Search for", Value: src.Query, Required: true, Max: sns.MaxQuery})}
	if s.network == sns.Twitter {
		list = append(list, s.field(choice("source.product", "Which posts", src.Product, "latest", "Newest", "top", "Top", "media", "With media")))
	}
	return list
}

// typeWords are the types of notifications as people call them.
var typeWords = map[string]string{
	"mention": "Mentions", "reply": "Replies", "quote": "Quotes", "boost": "Boosts", "like": "Favourites",
	"follow": "Follows", "follow_request": "Requests to follow", "poll": "Polls that ended",
	"edit": "Edits", "status": "Posts you asked to hear of", "other": "Everything else",
}

// typeNames are types of notifications as people call them.
func typeNames(types []string) []string {
	out := make([]string, len(types))
	for i, t := range types {
		out[i] = cmp.Or(typeWords[t], t)
	}
	return out
}

func (s fieldSet) types(src sns.Source) view.Field {
	f := view.Field{Name: "source.types", Kind: "several", Label: "Only these", Hint: "None ticked: all of them."}
	for _, t := range sns.NotificationTypes {
		f.Options = append(f.Options, view.Option{Value: t, Label: cmp.Or(typeWords[t], t), Chosen: slices.Contains(src.Types, t)})
	}
	return s.field(f)
}

// choice is a list to choose one of; pairs are values with their labels, the
// first the default.
func hinted(f view.Field, hint string) view.Field {
	f.Hint = hint
	return f
}

func choice(name, label, value string, pairs ...string) view.Field {
	f := view.Field{Name: name, Label: label, Kind: "choice"}
	for i := 0; i < len(pairs); i += 2 {
		f.Options = append(f.Options, view.Option{Value: pairs[i], Label: pairs[i+1], Chosen: pairs[i] == cmp.Or(value, pairs[0])})
	}
	return f
}

func (s fieldSet) filters(given *decks.Filters) []view.Field {
	f := decks.Filters{}
	if given != nil {
		f = *given
	}
	lines := func(l []string) string { return strings.Join(l, "\n") }
	return []view.Field{
		s.check("filters.hideBoosts", "Leave out boosts", f.HideBoosts),
		s.check("filters.hideReplies", "Leave out replies", f.HideReplies),
		s.check("filters.hideQuotes", "Leave out quotes", f.HideQuotes),
		s.check("filters.onlyMedia", "Only posts with media", f.OnlyMedia),
		s.field(view.Field{Name: "filters.languages", Label: "Only these languages", Value: strings.Join(f.Languages, " "), Hint: "Such as en or ja, with spaces between them."}),
		s.field(view.Field{Name: "filters.include", Kind: "area", Label: "Only posts with", Value: lines(f.Include), Hint: "One a line: words, #tag, @handle or /pattern/."}),
		s.field(view.Field{Name: "filters.exclude", Kind: "area", Label: "No posts with", Value: lines(f.Exclude), Hint: "One a line, as above."}),
		s.field(choice("filters.scope", "These words are looked for in", f.Scope, "all", "All posts", "boosts", "Boosts only")),
		s.field(hinted(choice("filters.action", "Posts that do not fit", f.Action, "hide", "Are left out", "fold", "Are folded"), "The account's own posts always stay.")),
	}
}

// fieldOf is the name of the input that a fault is about: the place in a list is
// left out, as a list is one input.
func fieldOf(f *fault.Error) string {
	name, _ := f.Details[fault.DetailField].(string)
	if i := strings.LastIndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") {
		name = name[:i]
	}
	return name
}

// firstProblem reports whether one of the fields has a problem, and moves the
// cursor to the first.
func firstProblem(lists ...[]view.Field) bool {
	for _, list := range lists {
		for i := range list {
			if list[i].Problem != "" {
				list[i].Focus = true
				return true
			}
		}
	}
	return false
}

func isKind(k sns.Kind) bool {
	for _, w := range kindWords {
		if w.kind == k {
			return true
		}
	}
	return false
}
