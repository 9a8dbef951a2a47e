// Package deckstest has the cases of the operations on decks. The same table
// runs through every way in, so that a form and a tool call meet the same rules
// and get the same answers: Run takes a Client, and Whole makes one of a way in
// that only replaces whole decks.
package deckstest

import (
	"strings"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// The operations. The first three change a deck as a whole.
const (
	Create    = "create"
	Replace   = "replace"
	Delete    = "delete"
	Add       = "add column"
	Change    = "change column"
	Move      = "move column"
	Remove    = "remove column"
	Rename    = "rename"
	Duplicate = "duplicate"
	Undo      = "undo"
)

// Operation is one request of a client.
type Operation struct {
	// Do is one of the operations above.
	Do string
	// DeckID may be "" for Create.
	DeckID string
	// ExpectedRevision is for all but Create and Duplicate; of Undo it is the
	// revision to take back.
	ExpectedRevision int64
	// Title is for Create, Replace and Rename.
	Title string
	// Columns are for Create and Replace.
	Columns []decks.Column
	// Column is for Add and Change; Move and Remove have its id alone.
	Column decks.Column
	// Position is for Add and Move.
	Position int
	// NewID is the id of a Duplicate.
	NewID string
}

// Case is an operation with its outcome.
type Case struct {
	Name string
	// Given are operations that succeed, in this order, before Op.
	Given []Operation
	Op    Operation
	// Code and Field are those of the fault; "" is success. The field of a
	// column's member is told from the column: "source.tag".
	Code  fault.Code
	Field string
	// Definition is what the deck Op.DeckID, or Op.NewID, is afterwards; nil
	// leaves that open. A column whose id the workspace made has "".
	Definition *decks.Definition
	// InSteps: the case has no equivalent where decks are replaced as a whole.
	InSteps bool
	// Want are the decks afterwards, in the order of list_decks: id, title,
	// revision and column count. A deck whose id the workspace made has "".
	Want []decks.Summary
}

// Cases returns the part of the table with whole decks; Steps returns the other.
// connectionID is a signed-in Mastodon connection.
func Cases(connectionID string) []Case {
	column := func(id string, src sns.Source) decks.Column {
		return decks.Column{ID: id, ConnectionID: connectionID, Source: src}
	}
	home := sns.Source{Kind: sns.KindHome}
	tag := sns.Source{Kind: sns.KindHashtag, Tag: "日本語"}
	main := Operation{Do: Create, DeckID: "main", Title: "Main", Columns: []decks.Column{column("home", home)}}
	mainDeck := decks.Summary{ID: "main", Title: "Main", Revision: 1, ColumnCount: 1}
	list := append(createCases(column, home, tag, main, mainDeck), refusedCases(column, home, main, mainDeck)...)
	return append(list, changeCases(column, home, tag, main, mainDeck)...)
}

type columnOf func(id string, src sns.Source) decks.Column

func createCases(column columnOf, home, tag sns.Source, main Operation, mainDeck decks.Summary) []Case {
	return []Case{
		{
			Name: "create without columns", Op: Operation{Do: Create, Title: "Empty"},
			Want: []decks.Summary{{Title: "Empty", Revision: 1}},
		},
		{Name: "create with an id", Op: main, Want: []decks.Summary{mainDeck}},
		{Name: "create the same again", Given: []Operation{main}, Op: main, Want: []decks.Summary{mainDeck}},
		{
			Name: "create other content under the id", Given: []Operation{main},
			Op:   Operation{Do: Create, DeckID: "main", Title: "Other"},
			Code: fault.RequestConflict, Want: []decks.Summary{mainDeck},
		},
		{
			Name: "create in Japanese, six columns", Op: Operation{Do: Create, DeckID: "jp", Title: "仕事", Columns: []decks.Column{
				column("", home), column("", tag), column("", home), column("", tag), column("", home), column("", tag),
			}},
			Want: []decks.Summary{{ID: "jp", Title: "仕事", Revision: 1, ColumnCount: 6}},
		},
		{
			Name:  "create again after deleting goes on counting",
			Given: []Operation{main, {Do: Delete, DeckID: "main", ExpectedRevision: 1}},
			Op:    main,
			Want:  []decks.Summary{{ID: "main", Title: "Main", Revision: 3, ColumnCount: 1}},
		},
	}
}

func refusedCases(column columnOf, home sns.Source, main Operation, mainDeck decks.Summary) []Case {
	with := func(columns ...decks.Column) Operation {
		return Operation{Do: Create, DeckID: "d", Title: "D", Columns: columns}
	}
	seven := make([]decks.Column, 7)
	for i := range seven {
		seven[i] = column("", home)
	}
	long := strings.Repeat("字", decks.MaxTitle+1)
	gone := column("", home)
	gone.ConnectionID = "conn_gone"
	titled := column("", home)
	titled.Title = long
	pattern := column("", home)
	pattern.Filters = &decks.Filters{Exclude: []string{"fine", "/(/"}}
	return []Case{
		{Name: "empty title", Op: Operation{Do: Create, Title: "  "}, Code: fault.InvalidArguments, Field: "title"},
		{Name: "title of 81", Op: Operation{Do: Create, Title: long}, Code: fault.InvalidArguments, Field: "title"},
		{Name: "deck id with a slash", Op: Operation{Do: Create, DeckID: "../x", Title: "D"}, Code: fault.InvalidArguments, Field: "deckId"},
		{Name: "seven columns", Op: with(seven...), Code: fault.LimitExceeded, Field: "columns"},
		{Name: "two columns of one id", Op: with(column("a", home), column("a", home)), Code: fault.InvalidArguments, Field: "columns[1].id"},
		{Name: "column id with dots", Op: with(column("..", home)), Code: fault.InvalidArguments, Field: "columns[0].id"},
		{Name: "column title of 81", Op: with(titled), Code: fault.InvalidArguments, Field: "columns[0].title"},
		{Name: "unknown connection", Op: with(column("", home), gone), Code: fault.NotFound, Field: "columns[1].connectionId"},
		{Name: "kind the network lacks", Op: with(column("", sns.Source{Kind: sns.KindForYou})), Code: fault.InvalidSource, Field: "columns[0].source.kind"},
		{Name: "kind nobody has", Op: with(column("", sns.Source{Kind: "moon"})), Code: fault.InvalidSource, Field: "columns[0].source.kind"},
		{Name: "hashtag without a tag", Op: with(column("", sns.Source{Kind: sns.KindHashtag})), Code: fault.InvalidSource, Field: "columns[0].source.tag"},
		{Name: "hashtag of digits", Op: with(column("", sns.Source{Kind: sns.KindHashtag, Tag: "123"})), Code: fault.InvalidSource, Field: "columns[0].source.tag"},
		{Name: "list id that climbs", Op: with(column("", sns.Source{Kind: sns.KindList, ListID: "1/../2"})), Code: fault.InvalidSource, Field: "columns[0].source.listId"},
		{Name: "member of another kind", Op: with(column("", sns.Source{Kind: sns.KindHome, Tag: "x"})), Code: fault.InvalidSource, Field: "columns[0].source.tag"},
		{Name: "thread in a deck", Op: with(column("", sns.Source{Kind: sns.KindThread})), Code: fault.InvalidSource, Field: "columns[0].source.kind"},
		{Name: "filter that is no pattern", Op: with(pattern), Code: fault.InvalidArguments, Field: "columns[0].filters.exclude[1]"},
		{
			Name: "a refused column leaves no part of the deck", Given: []Operation{main},
			Op:   Operation{Do: Replace, DeckID: "main", ExpectedRevision: 1, Title: "Changed", Columns: []decks.Column{column("home", home), gone}},
			Code: fault.NotFound, Field: "columns[1].connectionId", Want: []decks.Summary{mainDeck},
		},
	}
}

func changeCases(column columnOf, home, tag sns.Source, main Operation, mainDeck decks.Summary) []Case {
	replace := func(revision int64, title string, columns ...decks.Column) Operation {
		return Operation{Do: Replace, DeckID: "main", ExpectedRevision: revision, Title: title, Columns: columns}
	}
	return []Case{
		{
			Name: "replace", Given: []Operation{main}, Op: replace(1, "Mine", column("home", home), column("", tag)),
			Want: []decks.Summary{{ID: "main", Title: "Mine", Revision: 2, ColumnCount: 2}},
		},
		{Name: "replace with the same changes nothing", Given: []Operation{main}, Op: replace(1, "Main", column("home", home)), Want: []decks.Summary{mainDeck}},
		{Name: "replace at an old revision", Given: []Operation{main}, Op: replace(7, "Mine"), Code: fault.StaleRevision, Want: []decks.Summary{mainDeck}},
		{
			Name: "replace a deck that is not there", Op: replace(1, "Mine"), Code: fault.NotFound,
		},
		{Name: "replace with an empty title", Given: []Operation{main}, Op: replace(1, ""), Code: fault.InvalidArguments, Field: "title", Want: []decks.Summary{mainDeck}},
		{Name: "delete", Given: []Operation{main}, Op: Operation{Do: Delete, DeckID: "main", ExpectedRevision: 1}},
		{
			Name: "delete at an old revision", Given: []Operation{main, replace(1, "Mine")},
			Op: Operation{Do: Delete, DeckID: "main", ExpectedRevision: 1}, Code: fault.StaleRevision,
			Want: []decks.Summary{{ID: "main", Title: "Mine", Revision: 2}},
		},
		{
			Name: "delete twice", Given: []Operation{main, {Do: Delete, DeckID: "main", ExpectedRevision: 1}},
			Op: Operation{Do: Delete, DeckID: "main", ExpectedRevision: 2}, Code: fault.NotFound,
		},
	}
}
