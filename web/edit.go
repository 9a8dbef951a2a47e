package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// editRoutes change decks: make, edit, duplicate, delete, export and import.
func (h *Handler) editRoutes(rt router) {
	rt.person("GET /decks/new", h.newDeck)
	rt.person("POST /decks/new", h.makeDeck)
	rt.person("GET /decks/import", h.importForm)
	rt.person("POST /decks/import", h.importDecks)
	rt.person("GET /export/decks", h.exportDecks)
	rt.person("GET /decks/{deck}/export", h.exportDeck)
	rt.person("GET /decks/{deck}/edit", h.editDeck)
	rt.person("POST /decks/{deck}/edit", h.saveDeck)
	rt.person("GET /decks/{deck}/add", h.addColumn)
	rt.person("POST /decks/{deck}/add", h.saveNewColumn)
	rt.person("GET /decks/{deck}/columns/{column}/edit", h.editColumn)
	rt.person("POST /decks/{deck}/columns/{column}/edit", h.saveColumn)
	rt.person("POST /decks/{deck}/delete", h.deleteDeck)
	rt.person("POST /decks/{deck}/undo", h.undoDeck)
	rt.person("POST /decks/{deck}/move", h.moveDeck)
	rt.person("POST /decks/{deck}/duplicate", h.duplicateDeck)
	rt.person("POST /decks/{deck}/rename", h.stepRoute(stepWords{"It was to be renamed.", "Rename it all the same"}, h.renameDeck))
	column := func(action string, words stepWords, do func(http.ResponseWriter, *http.Request, step) error) {
		rt.person("POST /decks/{deck}/columns/{column}/"+action, h.stepRoute(words, do))
	}
	column("rename", stepWords{"A column was to be renamed.", "Rename it all the same"}, h.renameColumn)
	column("move", stepWords{"A column was to be moved.", "Move it all the same"}, h.moveColumn)
	column("remove", stepWords{"A column was to be removed.", "Remove it all the same"}, h.removeColumn)
	column("duplicate", stepWords{"A column was to be duplicated.", "Duplicate it all the same"}, h.duplicateColumn)
	column("pause", stepWords{}, h.pauseColumn)
	// A deck may have the id of a page above; Site.Deck puts a slash behind.
	rt.person("GET /decks/{deck}/{$}", h.deck)
}

// connectionMap has the connections by their ids, for the pages that edit.
func (h *Handler) connectionMap(ctx context.Context) (map[string]connection, error) {
	list, err := h.connections.ListConnections(ctx)
	if err != nil {
		return nil, err
	}
	m := make(map[string]connection, len(list))
	for _, c := range list {
		m[c.ID] = connection{c, connectionTone(c)}
	}
	return m, nil
}

// editDeck shows a deck's definition as a form.
func (h *Handler) editDeck(w http.ResponseWriter, r *http.Request) error {
	d, err := h.decks.GetDeck(r.Context(), r.PathValue("deck"))
	if err != nil {
		return err
	}
	f := deckForm{ID: d.ID, Revision: d.Revision, Title: d.Title}
	for _, c := range d.Columns {
		f.Columns = append(f.Columns, formColumn{Column: c})
	}
	return h.showEdit(w, r, http.StatusOK, editState{form: f})
}

// editState is the form of a deck between two requests.
type editState struct {
	form deckForm
	// unsaved: the form differs from the deck.
	unsaved bool
	fault   *fault.Error
	// focus is the id of a button to move the cursor to.
	focus string
}

func (h *Handler) showEdit(w http.ResponseWriter, r *http.Request, status int, s editState) error {
	b, err := h.editBuilder(r.Context(), s.form.ID)
	if err != nil {
		return err
	}
	if err := h.choices(r.Context(), b, s.form.Columns); err != nil {
		return err
	}
	p := b.page(s)
	p.Page = h.page(r, "Edit "+s.form.Title, "decks")
	if isFragment(r) {
		return h.render(w, r, status, view.EditForm(p))
	}
	return h.render(w, r, status, view.EditDeck(p))
}

// saveDeck takes the form of a deck. Its up, down and remove buttons change the
// form alone; nothing is stored before it is saved.
func (h *Handler) saveDeck(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	f, err := readDeckForm(r.PostForm, "do")
	if err != nil {
		return err
	}
	f.ID = r.PathValue("deck")

	do, place, _ := strings.Cut(r.PostForm.Get("do"), " ")
	switch do {
	case "", "save", "add":
		return h.replaceDeck(w, r, f, do == "add")
	case "edit":
		return h.showEdit(w, r, http.StatusOK, editState{form: f, unsaved: true})
	}
	if len(f.Columns) > maxFormColumns {
		return tooManyColumns(len(f.Columns))
	}
	at, err := strconv.Atoi(place)
	if err != nil || at < 0 || at >= len(f.Columns) {
		return unknownMember()
	}
	focus, err := f.rearrange(do, at)
	if err != nil {
		return err
	}
	return h.showEdit(w, r, http.StatusOK, editState{form: f, unsaved: true, focus: focus})
}

func tooManyColumns(n int) error {
	return fault.Limit("columns", decks.MaxColumns, "A deck has at most %d columns, not %d; leave some out or make a second deck.", decks.MaxColumns, n)
}

// rearrange does what a button of a column says and returns the button that is
// to have the cursor then.
func (f *deckForm) rearrange(do string, at int) (focus string, err error) {
	c := f.Columns
	to := at
	switch do {
	case "up":
		to = max(at-1, 0)
	case "down":
		to = min(at+1, len(c)-1)
	case "remove", "keep":
		c[at].Removed = do == "remove"
	default:
		return "", unknownMember()
	}
	c[at], c[to] = c[to], c[at]
	switch {
	case do == "remove":
		do = "keep"
	case do == "keep":
		do = "remove"
	case to == 0:
		do = "down"
	case to == len(c)-1:
		do = "up"
	}
	return do + "-" + columnKey(to, c[to].Column), nil
}

// columnKey tells the columns of a form apart.
func columnKey(i int, c decks.Column) string {
	if c.ID == "" {
		return "new" + strconv.Itoa(i)
	}
	return c.ID
}

// replaceDeck stores the form. When the deck is not what the form was made from
// any more, the person is shown both.
func (h *Handler) replaceDeck(w http.ResponseWriter, r *http.Request, f deckForm, add bool) error {
	before, err := h.decks.GetDeck(r.Context(), f.ID)
	if err != nil {
		return err
	}
	if err := h.foreignLists(r, f.kept(), before.Columns, columnPrefix); err != nil {
		return h.refuseEdit(w, r, f, err)
	}
	in := decks.ReplaceDeck{
		ID: f.ID, ExpectedRevision: f.Revision, Title: f.Title, Columns: clearFilters(f.kept(), before.Columns),
	}
	d, err := h.decks.ReplaceDeck(r.Context(), in)
	switch fault.CodeOf(err) {
	case "":
	case fault.StaleRevision:
		markFault(w, fault.From(err))
		return h.conflict(w, r, f, in)
	default:
		return h.refuseEdit(w, r, f, err)
	}

	to := h.site.Deck(d.ID)
	if add {
		to = h.site.AddColumn(d.ID, "", "")
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// refuseEdit prints the form again with what is wrong, if it is something that
// the form can mend.
func (h *Handler) refuseEdit(w http.ResponseWriter, r *http.Request, f deckForm, err error) error {
	problem := fault.From(err)
	if statuses[problem.Code] != http.StatusUnprocessableEntity && fieldOf(problem) == "" || len(f.Columns) > maxFormColumns {
		return err
	}
	markFault(w, problem)
	return h.showEdit(w, r, http.StatusUnprocessableEntity, editState{form: f, unsaved: true, fault: problem})
}

// conflict shows the person's version beside the deck's, column by column.
func (h *Handler) conflict(w http.ResponseWriter, r *http.Request, f deckForm, in decks.ReplaceDeck) error {
	c, err := h.decks.Conflict(r.Context(), in)
	if err != nil {
		return h.refuseEdit(w, r, f, err)
	}
	b, err := h.editBuilder(r.Context(), f.ID)
	if err != nil {
		return err
	}
	f.Revision = c.Theirs.Revision
	p := view.ConflictPage{
		Page: h.page(r, "Changed in the meantime", "decks"), DeckURL: h.site.Deck(f.ID), Action: h.site.EditDeck(f.ID),
		Mine: f.Title, Theirs: c.Theirs.Title, Hidden: f.hidden(), Columns: b.versions(c, f),
	}
	return h.render(w, r, http.StatusConflict, view.Conflict(p))
}

// missingKinds are the kinds that a connection cannot be asked for, and why.
func (h *Handler) missingKinds(c sns.Connection) map[sns.Kind]string {
	missing := map[sns.Kind]string{}
	for _, w := range kindWords {
		_, err := h.connections.ValidateSource(c, sampleSource(w.kind), "source")
		if err != nil {
			missing[w.kind] = whyMissing(c, w.kind, fault.From(err))
		}
	}
	return missing
}

// sampleSource is a source of the kind that passes every rule but that of being
// there.
func sampleSource(k sns.Kind) sns.Source {
	s := sns.Source{Kind: k}
	switch k {
	case sns.KindHashtag:
		s.Tag = "a"
	case sns.KindList:
		s.ListID = "1"
	case sns.KindUser:
		s.Account = "a"
	case sns.KindSearch:
		s.Query = "a"
	}
	return s
}

func whyMissing(c sns.Connection, k sns.Kind, f *fault.Error) string {
	switch {
	case f.Code == fault.Unsupported:
		return f.Message
	case !c.Login && k != sns.KindForYou:
		return c.Account + " is read without login, and this belongs to an account. Connect it with one to see it."
	}
	if c.Network == sns.Twitter && k == sns.KindConversations {
		return "Direct messages on X are not read."
	}
	return networkWord(c.Network) + " has none."
}

func networkWord(n sns.Network) string {
	if n == sns.Twitter {
		return "X"
	}
	return "Mastodon"
}
