package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// editBuilder makes the models of the pages that edit one deck.
type editBuilder struct {
	site        view.Site
	connections map[string]connection
	// removed are the accounts that were disconnected, by the ids of their
	// connections.
	removed map[string]sns.RemovedAccount
	// titles are the networks' names of the deck's lists, by column.
	titles map[string]string
	// accounts are the connections to choose from, by kind of source; offers are
	// what those with a list column have, by connection.
	accounts map[sns.Kind][]sns.Connection
	offers   accountOffers
}

func (h *Handler) editBuilder(ctx context.Context, deckID string) (*editBuilder, error) {
	connections, err := h.connectionMap(ctx)
	if err != nil {
		return nil, err
	}
	removed, err := h.connections.RemovedAccounts(ctx)
	if err != nil {
		return nil, err
	}
	b := &editBuilder{site: h.site, connections: connections, removed: removed, titles: map[string]string{}}
	_, stored, err := h.decks.StoredDeck(ctx, deckID, 1)
	for _, c := range stored {
		b.titles[c.Column.ID] = c.Page.Title
	}
	return b, err
}

// choices adds what the form of a deck lets choose from: the accounts, and of
// those with a list column their lists.
func (h *Handler) choices(ctx context.Context, b *editBuilder, columns []formColumn) error {
	list, err := h.connections.ListConnections(ctx)
	if err != nil {
		return err
	}
	b.accounts = map[sns.Kind][]sns.Connection{}
	ask := map[string]bool{}
	for _, c := range columns {
		b.accounts[c.Source.Kind] = h.able(list, c.Source.Kind)
		ask[c.ConnectionID] = ask[c.ConnectionID] || c.Source.Kind == sns.KindList
	}
	list = slices.DeleteFunc(slices.Clone(list), func(c sns.Connection) bool { return !ask[c.ID] })
	b.offers = h.allOffers(ctx, list)
	return nil
}

// source is what a column reads, name what it is called.
func (b *editBuilder) source(c decks.Column) string {
	return cmp.Or(b.titles[c.ID], c.Source.LabelOn(b.connection(c).Network))
}

func (b *editBuilder) name(c decks.Column) string {
	return cmp.Or(strings.TrimSpace(c.Title), b.source(c))
}

func (b *editBuilder) account(c decks.Column) string { return b.connection(c).Account }

// connection is what a column reads; one that is gone has only its network and its
// name.
func (b *editBuilder) connection(c decks.Column) connection {
	if account, ok := b.connections[c.ConnectionID]; ok {
		return account
	}
	return goneAccount(b.removed[c.ConnectionID])
}

// page makes the form of a deck.
func (b *editBuilder) page(s editState) view.EditPage {
	p := view.EditPage{
		ID: s.form.ID, Revision: strconv.FormatInt(s.form.Revision, 10), Unsaved: s.unsaved,
		Room: len(s.form.kept()) < decks.MaxColumns, Focus: s.focus,
	}
	problems, general := b.problems(s)
	p.Problem = general
	p.Title = view.Field{
		Name: "title", Label: "Title", Value: s.form.Title, Required: true, Max: decks.MaxTitle, Problem: problems["title"],
	}
	found := p.Title.Problem != ""
	p.Title.Focus = found
	for i, c := range s.form.Columns {
		e := b.column(i, c, problems)
		e.First, e.Last = i == 0, i == len(s.form.Columns)-1
		if !found {
			e.Open = hasProblem(e.Options) || hasProblem(e.Filters)
			e.Title.Focus = e.Title.Problem != ""
			found = e.Title.Focus || firstProblem(e.Accounts, e.Options, e.Filters)
		}
		p.Columns = append(p.Columns, e)
	}
	return p
}

func (b *editBuilder) column(i int, c formColumn, problems map[string]string) view.EditColumn {
	conn := b.connection(c.Column)
	prefix := fmt.Sprintf("columns[%d].", i)
	e := view.EditColumn{
		Index: i, Key: columnKey(i, c.Column), Name: b.name(c.Column), Source: b.source(c.Column),
		Account: b.account(c.Column), Tone: conn.tone, Removed: c.Removed,
	}
	if c.Removed {
		e.Hidden = c.hidden(prefix)
		return e
	}
	set := fieldSet{prefix: prefix, problems: problems, network: conn.Network, offers: b.offers[c.ConnectionID], presentName: conn.Account}
	if a := set.account(c.ConnectionID, b.accounts[c.Source.Kind]); a != nil {
		e.Accounts = []view.Field{*a}
	}
	e.Title, e.Options, e.Filters = set.title(c.Column, b.source(c.Column)), set.options(c.Source), set.filters(c.Filters)
	e.Hidden = c.notShown(prefix, []view.Field{e.Title}, e.Accounts, e.Options, e.Filters)
	return e
}

// notShown are the inputs of a column that have no field on the page.
func (c formColumn) notShown(prefix string, fields ...[]view.Field) (out []view.Hidden) {
	shown := map[string]bool{}
	for _, list := range fields {
		for _, f := range list {
			shown[f.Name] = true
		}
	}
	for _, v := range c.hidden(prefix) {
		if !shown[v.Name] {
			out = append(out, v)
		}
	}
	return out
}

// problems puts the fault beside the input that it is about; what has none
// stands above the form. The service counts the columns that stay, the form all.
func (b *editBuilder) problems(s editState) (byField map[string]string, general string) {
	if s.fault == nil {
		return nil, ""
	}
	field := fieldOf(s.fault)
	text := forField(s.fault)
	if m := columnMember.FindStringSubmatch(field); m != nil {
		sent, _ := strconv.Atoi(m[1]) // the pattern is of digits
		for i, c := range s.form.Columns {
			if c.Removed {
				continue
			}
			if sent == 0 {
				return b.columnProblem(i, c.Column, m[2], text)
			}
			sent--
		}
	}
	if field == "title" {
		return map[string]string{field: text}, ""
	}
	return nil, s.fault.Message
}

// columnProblem also says above the form which column is meant, when there is no
// input for it.
func (b *editBuilder) columnProblem(i int, c decks.Column, member, text string) (byField map[string]string, general string) {
	switch member {
	case "id", "source.kind":
		return nil, b.name(c) + ": " + text
	}
	return map[string]string{fmt.Sprintf("columns[%d].%s", i, member): text}, ""
}

// forField is a fault's message where the field it names stands beside it.
func forField(f *fault.Error) string {
	if strings.Contains(f.Message, " source needs ") {
		return "Fill this in."
	}
	return f.Message
}

// hidden are all inputs of a deck's form.
func (f deckForm) hidden() []view.Hidden {
	list := []view.Hidden{{Name: "expectedRevision", Value: strconv.FormatInt(f.Revision, 10)}, {Name: "title", Value: f.Title}}
	for i, c := range f.Columns {
		list = append(list, c.hidden(fmt.Sprintf("columns[%d].", i))...)
	}
	return list
}

// hidden are the inputs of a column that are not empty.
func (c formColumn) hidden(prefix string) []view.Hidden {
	var list []view.Hidden
	text := func(name, value string) {
		if value != "" {
			list = append(list, view.Hidden{Name: prefix + name, Value: value})
		}
	}
	check := func(name string, on bool) {
		if on {
			text(name, "on")
		}
	}
	text("id", c.ID)
	text("title", c.Title)
	text("connectionId", c.ConnectionID)
	check("removed", c.Removed)
	sourceInputs(c, text, check)
	if f := c.Filters; f != nil {
		check("filters.hideBoosts", f.HideBoosts)
		check("filters.hideReplies", f.HideReplies)
		check("filters.hideQuotes", f.HideQuotes)
		check("filters.onlyMedia", f.OnlyMedia)
		text("filters.languages", strings.Join(f.Languages, " "))
		text("filters.include", strings.Join(f.Include, "\n"))
		text("filters.exclude", strings.Join(f.Exclude, "\n"))
		text("filters.scope", f.Scope)
		text("filters.action", f.Action)
	}
	return list
}

func sourceInputs(c formColumn, text func(name, value string), check func(name string, on bool)) {
	s := c.Source
	text("source.kind", string(s.Kind))
	text("source.tag", s.Tag)
	text("source.any", strings.Join(s.Any, " "))
	text("source.all", strings.Join(s.All, " "))
	text("source.none", strings.Join(s.None, " "))
	text("source.listId", s.ListID)
	text("source.account", s.Account)
	check("source.excludeReplies", s.ExcludeReplies)
	check("source.excludeBoosts", s.ExcludeBoosts)
	check("source.onlyMedia", s.OnlyMedia)
	check("source.localOnly", s.LocalOnly)
	check("source.remoteOnly", s.RemoteOnly)
	text("source.query", s.Query)
	text("source.product", s.Product)
	for _, t := range s.Types {
		text("source.types", t)
	}
}

// deletedDeck answers what asks for a deck that was deleted with a page that can
// take that back, and reports whether it did.
func (h *Handler) deletedDeck(w http.ResponseWriter, r *http.Request, f *fault.Error) bool {
	id := r.PathValue("deck")
	if f.Code != fault.NotFound || f.Details[fault.DetailWhat] != "deck" || id == "" || isFragment(r) {
		return false
	}
	u, found, err := h.deletionOf(r.Context(), id)
	if err != nil || !found {
		return false
	}
	markFault(w, f)
	p := view.DeletedPage{Page: h.page(r, "Deleted", "decks"), Undo: u}
	return h.render(w, r, http.StatusGone, view.Deleted(p)) == nil
}

// deletionOf is the row that takes back the deletion of a deck; not found when
// it is there, or never was.
func (h *Handler) deletionOf(ctx context.Context, id string) (u view.Undo, found bool, err error) {
	list, err := h.decks.ListRevisions(ctx, id)
	if err != nil || len(list) == 0 || list[0].Op != "deleted" {
		return u, false, err
	}
	return view.Undo{
		ID: "undo-" + id, Name: list[0].Title, Text: "was deleted.", Action: h.site.UndoDeck(id),
		Hidden: []view.Hidden{{Name: "undo", Value: strconv.FormatInt(list[0].Revision, 10)}},
	}, true, nil
}
