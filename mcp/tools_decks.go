package mcp

import (
	"context"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"personal-workspace/decks"
	"personal-workspace/sns"
)

// source is sns.Source as a tool's input: the same members in the same order,
// so that one converts into the other. What each kind needs is told once, in
// the description of the whole: it is shorter than a word at every member.
type source struct {
	Kind           sns.Kind `json:"kind" limit:"enum=home|forYou|local|federated|hashtag|list|user|search|notifications|bookmarks|favourites|conversations|thread|post"`
	Tag            string   `json:"tag,omitempty"`
	Any            []string `json:"any,omitempty" limit:"max=3"`
	All            []string `json:"all,omitempty" limit:"max=4"`
	None           []string `json:"none,omitempty" limit:"max=4"`
	ListID         string   `json:"listId,omitempty"`
	Account        string   `json:"account,omitempty"`
	ExcludeReplies bool     `json:"excludeReplies,omitempty"`
	ExcludeBoosts  bool     `json:"excludeBoosts,omitempty"`
	OnlyMedia      bool     `json:"onlyMedia,omitempty"`
	LocalOnly      bool     `json:"localOnly,omitempty"`
	RemoteOnly     bool     `json:"remoteOnly,omitempty"`
	Query          string   `json:"query,omitempty" limit:"max=500"`
	Product        string   `json:"product,omitempty" limit:"enum=latest|top|media"`
	Types          []string `json:"types,omitempty" limit:"each.enum=mention|reply|quote|boost|like|follow|follow_request|poll|edit|status|other"`
	PostID         string   `json:"postId,omitempty"`
}

const (
	savedKinds = "Members by kind. hashtag: tag (no #; letters of any script, digits, _; not all digits), any, all, none, localOnly, onlyMedia; " +
		"list: listId; user: account (@user@host, on X @user), excludeReplies, excludeBoosts, onlyMedia; search: query, on X product; " +
		"notifications: types (default all); local: onlyMedia; federated: onlyMedia, remoteOnly. X: also forYou; no local, federated, conversations, excludeBoosts; hashtag: tag alone"
	fetchedKinds = savedKinds + "; thread, post: postId"
	seeCreate    = "As in create_deck"
)

// filters is decks.Filters as a tool's input.
type filters struct {
	HideBoosts  bool     `json:"hideBoosts,omitempty"`
	HideReplies bool     `json:"hideReplies,omitempty"`
	HideQuotes  bool     `json:"hideQuotes,omitempty"`
	OnlyMedia   bool     `json:"onlyMedia,omitempty"`
	Languages   []string `json:"languages,omitempty" limit:"max=20"`
	Include     []string `json:"include,omitempty" limit:"max=50"`
	Exclude     []string `json:"exclude,omitempty" limit:"max=50"`
	Scope       string   `json:"scope,omitempty" limit:"enum=all|boosts"`
	Action      string   `json:"action,omitempty" limit:"enum=hide|fold"`
}

const filterRules = "What the person sees; fetching ignores it. include keeps, exclude drops what matches a term: words, #tag, @handle, /regexp/; " +
	"scope: what terms test; languages: BCP 47 tags to keep"

type column struct {
	ID           string   `json:"id,omitempty" limit:"max=64 pattern=^[A-Za-z0-9][A-Za-z0-9_-]*$"`
	Title        string   `json:"title,omitempty" limit:"max=80"`
	ConnectionID string   `json:"connectionId"`
	Source       source   `json:"source"`
	Filters      *filters `json:"filters,omitempty"`
}

func columnsOf(in []column) []decks.Column {
	out := make([]decks.Column, len(in))
	for i, c := range in {
		out[i] = decks.Column{ID: c.ID, Title: c.Title, ConnectionID: c.ConnectionID, Source: sns.Source(c.Source), Filters: (*decks.Filters)(c.Filters)}
	}
	return out
}

// columns completes the schema of a deck's columns: what can be fetched but not
// saved is taken out of the source, and the rules are told.
func columns(in *jsonschema.Schema) {
	members := in.Properties["columns"].Items.Properties
	members["filters"].Description = filterRules
	s := members["source"]
	s.Description = savedKinds
	kind := s.Properties["kind"]
	kind.Enum = slices.DeleteFunc(kind.Enum, func(k any) bool { return k == string(sns.KindThread) || k == string(sns.KindPost) })
	delete(s.Properties, "postId")
	s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(name string) bool { return name == "postId" })
}

// columnsAgain is columns for a tool that stands beside create_deck: the members
// are there, but their rules and bounds are told once, in create_deck. Both are
// in every list of tools, and a list is what each conversation pays for.
func columnsAgain(in *jsonschema.Schema) {
	columns(in)
	members := in.Properties["columns"].Items.Properties
	kinds := members["source"].Properties["kind"].Enum
	unbound(in.Properties["columns"].Items)
	members["source"].Properties["kind"].Enum = kinds
	members["source"].Description, members["filters"].Description = seeCreate, seeCreate
}

// unbound removes the bounds of all members and items.
func unbound(s *jsonschema.Schema) {
	s.Enum, s.Pattern, s.MinLength, s.MaxLength, s.MinItems, s.MaxItems = nil, "", nil, nil, nil, nil
	if s.Items != nil {
		unbound(s.Items)
	}
	for _, member := range s.Properties {
		unbound(member)
	}
}

// deck is decks.Deck as a result. Its sources and filters have the members that
// create_deck takes; the schema does not repeat them.
type deck struct {
	ID        string       `json:"id"`
	Title     string       `json:"title"`
	Columns   []deckColumn `json:"columns"`
	Revision  int64        `json:"revision" jsonschema:"The expectedRevision of the next change"`
	CreatedAt time.Time    `json:"createdAt"`
	UpdatedAt time.Time    `json:"updatedAt"`
}

type deckColumn struct {
	ID           string         `json:"id"`
	Title        string         `json:"title,omitempty"`
	ConnectionID string         `json:"connectionId"`
	Source       sns.Source     `json:"source" limit:"shallow"`
	Filters      *decks.Filters `json:"filters,omitempty" limit:"shallow"`
}

func resultOf(d decks.Deck) deckResult {
	out := deck{ID: d.ID, Title: d.Title, Columns: make([]deckColumn, len(d.Columns)), Revision: d.Revision, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt}
	for i, c := range d.Columns {
		out.Columns[i] = deckColumn(c)
	}
	return deckResult{Deck: out}
}

type deckResult struct {
	Deck           deck `json:"deck"`
	FiltersOmitted bool `json:"filtersOmitted,omitempty" jsonschema:"Too large to show; replace_deck keeps them"`
}

// fit leaves the columns' filters out: nothing else in a deck can be large, and
// replace_deck keeps the filters of a column that comes back without them.
func (r deckResult) fit(int) (deckResult, error) {
	r.Deck.Columns, r.FiltersOmitted = slices.Clone(r.Deck.Columns), true
	for i := range r.Deck.Columns {
		r.Deck.Columns[i].Filters = nil
	}
	return r, nil
}

func (t *tools) listDecks() (tool, error) {
	return define(definition[nothing, deckList]{
		name:  "list_decks",
		title: "List decks",
		about: "Lists the saved decks (timeline columns on the person's page); use it to find a deckId. It returns no columns and no posts. " +
			thirdParty + " Next: get_deck.",
		hints: hints{readOnly: true, idempotent: true},
		call: func(ctx context.Context, _ nothing) (deckList, error) {
			list, err := t.decks.ListDecks(ctx)
			return deckList{Decks: list}, err
		},
		fit: deckList.fit,
	})
}

type deckList struct {
	Decks []decks.Summary `json:"decks"`
	Hint  string          `json:"hint,omitempty"`
}

// fit leaves decks out from the end.
func (l deckList) fit(limit int) (deckList, error) {
	kept, left, err := pack(l.Decks, maxHint, limit)
	if left > 0 {
		l.Decks, l.Hint = kept, leftOut(left, "decks", "for one of them, ask the person for the id in the address of the deck's page")
	}
	return l, err
}

type deckInput struct {
	DeckID string `json:"deckId"`
}

func (t *tools) getDeck() (tool, error) {
	return define(definition[deckInput, deckResult]{
		name:  "get_deck",
		title: "Get a deck",
		about: "Returns a deck's columns (ids, sources, filters) and its revision; use it before replace_deck or delete_deck. It returns no posts. " +
			thirdParty + " Next: fetch_column_posts or replace_deck.",
		hints: hints{readOnly: true, idempotent: true},
		call: func(ctx context.Context, in deckInput) (deckResult, error) {
			d, err := t.decks.GetDeck(ctx, in.DeckID)
			return resultOf(d), err
		},
		fit: deckResult.fit,
	})
}

type createInput struct {
	Title   string   `json:"title" limit:"min=1 max=80"`
	Columns []column `json:"columns" limit:"max=6"`
	DeckID  string   `json:"deckId,omitempty" limit:"max=64 pattern=^[A-Za-z0-9][A-Za-z0-9_-]*$"`
}

func (t *tools) createDeck() (tool, error) {
	return define(definition[createInput, deckResult]{
		name:  "create_deck",
		title: "Create a deck",
		about: "Saves a new deck; use it when the person wants to keep timelines (fetch_posts reads one once). " +
			"It posts nothing and opens no page. Repeated with a deckId of your choice it makes no second deck. " +
			thirdParty + " Next: fetch_column_posts.",
		hints:  hints{idempotent: true},
		refine: columns,
		call: func(ctx context.Context, in createInput) (deckResult, error) {
			d, err := t.decks.CreateDeck(ctx, decks.CreateDeck{ID: in.DeckID, Title: in.Title, Columns: columnsOf(in.Columns)})
			return resultOf(d), err
		},
		fit: deckResult.fit,
	})
}

type replaceInput struct {
	DeckID           string   `json:"deckId"`
	ExpectedRevision int64    `json:"expectedRevision" limit:"min=1"`
	Title            string   `json:"title" limit:"min=1 max=80"`
	Columns          []column `json:"columns" limit:"max=6"`
}

func (t *tools) replaceDeck() (tool, error) {
	return define(definition[replaceInput, deckResult]{
		name:  "replace_deck",
		title: "Replace a deck's definition",
		about: "Replaces a deck's title and all columns; use it after get_deck: change that answer and send it all back. " +
			"A column left out is removed, one that keeps its id keeps its filters and reading position. It does not merge. " +
			thirdParty + " Next: fetch_column_posts.",
		hints:  hints{destructive: true, idempotent: true},
		refine: columnsAgain,
		call: func(ctx context.Context, in replaceInput) (deckResult, error) {
			d, err := t.decks.ReplaceDeck(ctx, decks.ReplaceDeck{
				ID: in.DeckID, ExpectedRevision: in.ExpectedRevision, Title: in.Title, Columns: columnsOf(in.Columns),
			})
			return resultOf(d), err
		},
		fit: deckResult.fit,
	})
}

type deleteInput struct {
	DeckID           string `json:"deckId"`
	ExpectedRevision int64  `json:"expectedRevision" limit:"min=1"`
}

type deleteResult struct {
	Deleted bool   `json:"deleted"`
	DeckID  string `json:"deckId"`
}

func (t *tools) deleteDeck() (tool, error) {
	return define(definition[deleteInput, deleteResult]{
		name:  "delete_deck",
		title: "Delete a deck",
		about: "Deletes a deck; use it only when the person asked, since you cannot undo it. " +
			"It does not touch accounts or posts. " + thirdParty + " Next: list_decks.",
		hints: hints{destructive: true, idempotent: true},
		call: func(ctx context.Context, in deleteInput) (deleteResult, error) {
			err := t.decks.DeleteDeck(ctx, in.DeckID, in.ExpectedRevision)
			return deleteResult{Deleted: true, DeckID: in.DeckID}, err
		},
	})
}
