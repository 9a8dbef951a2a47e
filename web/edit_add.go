package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// maxTagLinks is how many followed hashtags are shown to begin with; all of them
// are suggested while one is typed.
const maxTagLinks = 30

// addColumn is the page that adds a column: it asks for the account, then for
// the kind of source, then for its options.
func (h *Handler) addColumn(w http.ResponseWriter, r *http.Request) error {
	d, err := h.decks.GetDeck(r.Context(), r.PathValue("deck"))
	if err != nil {
		return err
	}
	list, err := h.connections.ConnectionStatuses(r.Context())
	if err != nil {
		return err
	}
	q := r.URL.Query()
	chosen := q.Get("connection")
	if chosen == "" && len(list) == 1 {
		chosen = list[0].ID
	}
	switch {
	case len(d.Columns) >= decks.MaxColumns:
		return h.showFull(w, r, http.StatusOK, d)
	case chosen == "":
		return h.showAccounts(w, r, d, list)
	}
	at := slices.IndexFunc(list, func(c sns.ConnectionStatus) bool { return c.ID == chosen })
	if at < 0 {
		return fault.Missing("account", "That account is not connected any more. Go back and choose another.")
	}
	account := connection{list[at].Connection, connectionTone(list[at].Connection)}
	kind := sns.Kind(q.Get("kind"))
	if kind == "" {
		return h.showKinds(w, r, d, account, len(list) > 1)
	}
	if !isKind(kind) || h.missingKinds(account.Connection)[kind] != "" {
		return h.showKinds(w, r, d, account, len(list) > 1)
	}
	c := decks.Column{ID: h.newID("col"), ConnectionID: account.ID, Source: sns.Source{Kind: kind, Tag: q.Get("tag")}}
	return h.showColumnForm(w, r, http.StatusOK, columnState{deck: d, column: c, revision: d.Revision, account: account, isNew: true})
}

func (h *Handler) addPage(r *http.Request, d decks.Deck) view.AddPage {
	return view.AddPage{Page: h.page(r, "Add a column", "decks"), DeckTitle: d.Title, DeckURL: h.site.Deck(d.ID)}
}

// showFull explains that no more columns fit.
func (h *Handler) showFull(w http.ResponseWriter, r *http.Request, status int, d decks.Deck) error {
	p := h.addPage(r, d)
	p.Full = true
	return h.render(w, r, status, view.AddColumn(p))
}

func (h *Handler) showAccounts(w http.ResponseWriter, r *http.Request, d decks.Deck, list []sns.ConnectionStatus) error {
	p, cl := h.addPage(r, d), h.clock(r.Context())
	for _, c := range list {
		p.Accounts = append(p.Accounts, view.AccountLink{Account: h.accountLine(cl, c), URL: h.site.AddColumn(d.ID, c.ID, "")})
	}
	return h.render(w, r, http.StatusOK, view.AddColumn(p))
}

// showKinds offers what the account has, and says why it has not the rest.
func (h *Handler) showKinds(w http.ResponseWriter, r *http.Request, d decks.Deck, account connection, others bool) error {
	p := h.addPage(r, d)
	p.Account, p.Tone = account.Account, account.tone
	if others {
		p.Back = h.site.AddColumn(d.ID, "", "")
	}
	missing := h.missingKinds(account.Connection)
	for _, k := range kindWords {
		if why := missing[k.kind]; why != "" {
			p.Missing = append(p.Missing, view.Reason{Name: kindName(account.Network, k.kind), Text: why})
			continue
		}
		p.Kinds = append(p.Kinds, view.KindLink{
			URL: h.site.AddColumn(d.ID, account.ID, string(k.kind)), Name: kindName(account.Network, k.kind), Text: inWordsOf(account.Network, k.text),
		})
	}
	return h.render(w, r, http.StatusOK, view.AddColumn(p))
}

// columnState is the form of one column between two requests.
type columnState struct {
	deck     decks.Deck
	column   decks.Column
	revision int64
	account  connection
	// isNew: the column is to be added.
	isNew bool
	fault *fault.Error
	// filters shows the filters at once.
	filters bool
}

// showColumnForm prints the options of a column, with what its account has to
// choose from.
func (h *Handler) showColumnForm(w http.ResponseWriter, r *http.Request, status int, s columnState) error {
	p := view.ColumnFormPage{
		Page: h.page(r, "Edit a column", "decks"), DeckTitle: s.deck.Title, DeckURL: h.site.Deck(s.deck.ID),
		Action: h.site.EditColumn(s.deck.ID, s.column.ID), Heading: "Edit the column", Submit: "Save",
		Source: kindName(s.account.Network, s.column.Source.Kind), Account: s.account.Account, Tone: s.account.tone, FiltersOpen: s.filters,
		Cost: h.costAdvice(s.account.Connection, s.column.Source),
	}
	if s.isNew {
		p.Title, p.Heading, p.Submit = "Add a column", "Add a column", "Add the column"
		p.Action = h.site.AddColumn(s.deck.ID, "", "")
		p.Back = h.site.AddColumn(s.deck.ID, s.account.ID, "")
	}
	o := h.offers(r.Context(), s.account.Connection, s.column.Source.Kind)
	p.Notice = o.notice
	if s.isNew {
		for _, t := range o.tags[:min(len(o.tags), maxTagLinks)] {
			p.Tags = append(p.Tags, view.Link{URL: h.site.AddTagColumn(s.deck.ID, s.account.ID, t), Text: "#" + t})
		}
	}
	able, err := h.accountsFor(r.Context(), s.column.Source.Kind)
	if err != nil {
		return err
	}
	fillColumnForm(&p, s, o, able)
	return h.render(w, r, status, view.ColumnForm(p))
}

// fillColumnForm makes the inputs of the form.
func fillColumnForm(p *view.ColumnFormPage, s columnState, o offers, able []sns.Connection) {
	set := fieldSet{network: s.account.Network, offers: o, presentName: s.account.Account}
	if s.fault != nil {
		field := fieldOf(s.fault)
		set.problems = map[string]string{field: forField(s.fault)}
		p.Problem = s.fault.Message
	}
	p.Name, p.Options, p.Filters = set.title(s.column, ""), set.options(s.column.Source), set.filters(s.column.Filters)
	var accounts []view.Field
	if a := set.account(s.column.ConnectionID, able); a != nil {
		accounts = append(accounts, *a)
		p.Account = ""
	}
	title := []view.Field{p.Name}
	if firstProblem(accounts, p.Options, title, p.Filters) {
		p.Problem = ""
	}
	p.Name, p.Accounts = title[0], accounts
	p.FiltersOpen = p.FiltersOpen || hasProblem(p.Filters)
	p.Hidden = []view.Hidden{
		{Name: "revision", Value: strconv.FormatInt(s.revision, 10)},
	}
	p.Hidden = append(p.Hidden, formColumn{Column: s.column}.notShown("", title, accounts, p.Options, p.Filters)...)
}

func hasProblem(list []view.Field) bool {
	return slices.ContainsFunc(list, func(f view.Field) bool { return f.Problem != "" })
}

// readColumnForm reads the form of one column.
func readColumnForm(r *http.Request) (c decks.Column, revision int64, err error) {
	if err := readForm(r); err != nil {
		return c, 0, err
	}
	if revision, err = revisionOf(r.PostForm, "revision"); err != nil {
		return c, 0, err
	}
	members := url.Values{}
	for name, values := range r.PostForm {
		if name != "revision" && name != "position" {
			members[name] = values
		}
	}
	f, err := readColumn(members, "")
	return f.Column, revision, err
}

// saveNewColumn takes the last step of adding a column.
func (h *Handler) saveNewColumn(w http.ResponseWriter, r *http.Request) error {
	c, revision, err := readColumnForm(r)
	if err != nil {
		return err
	}
	place, err := placeIn(r.PostForm)
	if err != nil {
		return err
	}
	if err := h.foreignLists(r, []decks.Column{c}, nil, noPrefix); err != nil {
		return h.refuseColumn(w, r, err, columnState{column: c, revision: revision, isNew: true})
	}
	id := r.PathValue("deck")
	d, err := h.decks.AddColumn(r.Context(), decks.AddColumn{DeckID: id, ExpectedRevision: revision, Column: c, Position: place})
	if err != nil {
		return h.refuseColumn(w, r, err, columnState{column: c, revision: revision, isNew: true})
	}

	if place == 0 {
		place = len(d.Columns)
	}
	http.Redirect(w, r, h.site.DeckColumn(d.ID, d.Columns[place-1].ID), http.StatusSeeOther)
	return nil
}

// placeIn is where a column is to stand, from 1; 0 and "" are behind all others.
func placeIn(form url.Values) (int, error) {
	text := form.Get("position")
	if text == "" {
		return 0, nil
	}
	place, err := strconv.Atoi(text)
	if err != nil {
		return 0, fault.Invalid("position", "The form does not say where the column is to stand. Reload its page and try again.").Wrap(err)
	}
	return place, nil
}

// refuseColumn answers a fault of a column's form: with the form, if it can be
// mended there.
func (h *Handler) refuseColumn(w http.ResponseWriter, r *http.Request, err error, s columnState) error {
	s.fault = fault.From(err)
	name := s.column.Title
	if name == "" {
		name = h.sourceLabel(r.Context(), s.column)
	}
	words := stepWords{text: "“" + name + "” was to be changed.", again: "Change it all the same"}
	if s.isNew {
		words = stepWords{text: "“" + name + "” was to be added.", again: "Add it all the same"}
	}
	d, deckErr := h.decks.GetDeck(r.Context(), r.PathValue("deck"))
	switch {
	case deckErr != nil:
		return deckErr
	case s.fault.Code == fault.StaleRevision:
		return h.askAgain(w, r, err, words)
	case s.fault.Code == fault.LimitExceeded && fieldOf(s.fault) == "columns":
		markFault(w, s.fault)
		return h.showFull(w, r, http.StatusUnprocessableEntity, d)
	case fieldOf(s.fault) == "":
		return err
	}
	markFault(w, s.fault)
	s.deck = d
	if s.account, err = h.accountOf(r.Context(), s.column); err != nil {
		return err
	}
	return h.showColumnForm(w, r, http.StatusUnprocessableEntity, s)
}

// accountOf is the connection of a column; one that is gone has only its network
// and its name.
func (h *Handler) accountOf(ctx context.Context, c decks.Column) (connection, error) {
	m, err := h.connectionMap(ctx)
	if account, ok := m[c.ConnectionID]; ok || err != nil {
		return account, err
	}
	removed, err := h.connections.RemovedAccounts(ctx)
	return goneAccount(removed[c.ConnectionID]), err
}

// goneAccount stands for the connection of an account that was removed.
func goneAccount(was sns.RemovedAccount) (c connection) {
	c.Network, c.Account = was.Network, removedAccount
	if was.Account != "" {
		c.Account += ": " + was.Account
	}
	return c
}

// editColumn is the page with the options and filters of one column.
func (h *Handler) editColumn(w http.ResponseWriter, r *http.Request) error {
	d, err := h.decks.GetDeck(r.Context(), r.PathValue("deck"))
	if err != nil {
		return err
	}
	c, err := d.Column(r.PathValue("column"))
	if err != nil {
		return err
	}
	account, err := h.accountOf(r.Context(), c)
	if err != nil {
		return err
	}
	return h.showColumnForm(w, r, http.StatusOK, columnState{
		deck: d, column: c, revision: d.Revision, account: account, filters: r.URL.Query().Has("filters"),
	})
}

// saveColumn takes the form of one column.
func (h *Handler) saveColumn(w http.ResponseWriter, r *http.Request) error {
	c, revision, err := readColumnForm(r)
	if err != nil {
		return err
	}
	c.ID = r.PathValue("column")
	before, err := h.decks.GetDeck(r.Context(), r.PathValue("deck"))
	if err != nil {
		return err
	}
	if err := h.foreignLists(r, []decks.Column{c}, before.Columns, noPrefix); err != nil {
		return h.refuseColumn(w, r, err, columnState{column: c, revision: revision})
	}
	d, err := h.decks.ChangeColumn(r.Context(), decks.ChangeColumn{
		DeckID: r.PathValue("deck"), ExpectedRevision: revision, ColumnID: c.ID,
		Title: c.Title, ConnectionID: c.ConnectionID, Source: c.Source, Filters: c.Filters,
	})
	if err != nil {
		return h.refuseColumn(w, r, err, columnState{column: c, revision: revision})
	}

	http.Redirect(w, r, h.site.DeckColumn(d.ID, c.ID), http.StatusSeeOther)
	return nil
}
