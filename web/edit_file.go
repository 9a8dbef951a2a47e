package web

import (
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// fileMemory is how much of an upload is kept in memory: all that a form may be.
const fileMemory = maxForm

// exportDeck hands out one deck as a file.
func (h *Handler) exportDeck(w http.ResponseWriter, r *http.Request) error {
	f, err := h.decks.ExportDeck(r.Context(), r.PathValue("deck"))
	if err != nil {
		return err
	}
	return sendFile(w, f, "deck "+f.Decks[0].Title)
}

// exportDecks hands out all decks as one file.
func (h *Handler) exportDecks(w http.ResponseWriter, r *http.Request) error {
	f, err := h.decks.ExportAll(r.Context())
	if err != nil {
		return err
	}
	return sendFile(w, f, "decks")
}

func sendFile(w http.ResponseWriter, f decks.File, name string) error {
	b, err := f.Encode()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(name) + ".json"}))
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.Write(b)
	return nil
}

// fileName keeps the letters and digits of a name, for any file system.
func fileName(name string) string {
	words := strings.FieldsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return strings.ToLower(strings.Join(words, "-"))
}

// importForm is the page that takes a deck file.
func (h *Handler) importForm(w http.ResponseWriter, r *http.Request) error {
	return h.showImport(w, r, http.StatusOK, "", nil)
}

func (h *Handler) showImport(w http.ResponseWriter, r *http.Request, status int, pasted string, f *fault.Error) error {
	p := view.ImportPage{Page: h.page(r, "Import decks", "decks")}
	p.Text = view.Field{Name: "text", Kind: "area", Label: "Or paste what is in it", Value: pasted}
	if f != nil {
		markFault(w, f)
		p.Problem = f.Message
	}
	return h.render(w, r, status, view.ImportForm(p))
}

// importDecks takes a deck file: first it shows what would be made and from
// which accounts it would read, and stores nothing; then, confirmed, makes it.
func (h *Handler) importDecks(w http.ResponseWriter, r *http.Request) error {
	text, err := readUpload(r)
	if err != nil {
		return err
	}
	if strings.TrimSpace(text) == "" {
		return h.showImport(w, r, http.StatusUnprocessableEntity, "", errNoFile)
	}
	file, err := decks.ParseFile([]byte(text))
	if f := fault.From(err); err != nil {
		if statuses[f.Code] != http.StatusUnprocessableEntity {
			return err
		}
		return h.showImport(w, r, http.StatusUnprocessableEntity, r.PostForm.Get("text"), f)
	}
	preview, err := h.decks.PreviewImport(r.Context(), file)
	if err != nil {
		return err
	}
	if r.PostForm.Get("do") != "confirm" {
		return h.showPreview(w, r, http.StatusOK, text, preview, nil)
	}
	return h.confirmImport(w, r, text, file, preview)
}

var errNoFile = fault.Invalid("file", "Choose a deck file, or paste what is in one.")

// readUpload returns the file that was chosen, or else the text that was pasted.
func readUpload(r *http.Request) (string, error) {
	if err := r.ParseMultipartForm(fileMemory); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return "", badForm(err)
	}
	file, _, err := r.FormFile("file")
	if err != nil {
		// No file was chosen.
		return r.PostForm.Get("text"), nil
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, decks.MaxFile+1))
	if err != nil {
		return "", badForm(err)
	}
	if len(b) == 0 {
		return r.PostForm.Get("text"), nil
	}
	return string(b), nil
}

func (h *Handler) confirmImport(w http.ResponseWriter, r *http.Request, text string, file decks.File, preview decks.Import) error {
	mapping := map[string]string{}
	for i, c := range preview.Connections {
		if id := r.PostForm.Get(accountInput(i)); id != "" {
			mapping[c.Key] = id
		}
	}
	made, err := h.decks.ImportDecks(r.Context(), decks.ImportDecks{
		File: file, Title: r.PostForm.Get("title"), Connections: mapping, DeckID: r.PostForm.Get("deckId"),
	})
	if err != nil {
		f := fault.From(err)
		if _, known := statuses[f.Code]; !known {
			return err
		}
		return h.showPreview(w, r, http.StatusUnprocessableEntity, text, preview, f)
	}

	if len(made) == 1 {
		http.Redirect(w, r, h.site.Deck(made[0].ID), http.StatusSeeOther)
		return nil
	}
	http.Redirect(w, r, h.site.DecksAt(made[0].ID), http.StatusSeeOther)
	return nil
}

func accountInput(i int) string { return "account" + strconv.Itoa(i) }

// showPreview says what an import would make.
func (h *Handler) showPreview(w http.ResponseWriter, r *http.Request, status int, text string, in decks.Import, f *fault.Error) error {
	p := view.PreviewPage{Page: h.page(r, "Import decks", "decks"), Text: text}
	p.DeckID = cmp.Or(r.PostForm.Get("deckId"), h.newID("deck"))
	if f != nil {
		markFault(w, f)
		p.Problem = columnOfFile(in, fieldOf(f)) + f.Message
		if f.Code == fault.RequestConflict {
			p.DeckID = h.newID("deck")
			p.Problem = "This file was imported already, with other choices; the decks are in the list. Press the button again to import it once more."
		}
	}
	if len(in.Decks) == 1 {
		title := in.Decks[0].Title
		if r.PostForm.Has("title") {
			title = r.PostForm.Get("title")
		}
		p.Title = &view.Field{Name: "title", Label: "Title", Value: title, Max: decks.MaxTitle, Hint: "Empty: as in the file."}
	}
	if room := in.Room; room < len(in.Decks) && p.Problem == "" {
		p.Problem = "There is room for " + plural(int64(room), "more deck", "more decks") + ". Delete some, or import fewer at once."
	}
	for _, d := range in.Decks {
		p.Decks = append(p.Decks, previewDeck(d))
	}
	for i, c := range in.Connections {
		p.Accounts = append(p.Accounts, accountChoice(i, c, r.PostForm.Get(accountInput(i))))
	}
	return h.render(w, r, status, view.Preview(p))
}

// fileColumn is the path of a column, or of a member of it, in a deck file.
var fileColumn = regexp.MustCompile(`^(?:decks\[(\d+)\]\.)?columns\[(\d+)\]`)

// columnOfFile names the column that a fault of an import is about, to stand
// before what is wrong with it; "" where it is about none.
func columnOfFile(in decks.Import, field string) string {
	m := fileColumn.FindStringSubmatch(field)
	if m == nil {
		return ""
	}
	deck, _ := strconv.Atoi(m[1]) // "" is the only deck; the rest is digits
	column, _ := strconv.Atoi(m[2])
	if deck >= len(in.Decks) || column >= len(in.Decks[deck].Columns) {
		return ""
	}
	return "The column “" + in.Decks[deck].Columns[column].Name() + "” cannot be imported so. "
}

func previewDeck(d decks.ImportedDeck) view.PreviewDeck {
	v := view.PreviewDeck{Title: d.Title, Exists: d.Exists}
	for _, c := range d.Columns {
		name := c.Name()
		if label := c.SourceName(); label != name {
			name += " (" + label + ")"
		}
		v.Columns = append(v.Columns, view.PreviewColumn{Name: name, Account: fileAccount(c.Connection)})
	}
	return v
}

// fileAccount is what a file calls an account.
func fileAccount(c *decks.FileConnection) string {
	if c == nil {
		return "an account that was removed"
	}
	return cmp.Or(c.Handle, c.Host)
}

// accountChoice says which account here stands for one of the file. One that is
// not here must be chosen.
func accountChoice(i int, c decks.ImportedConnection, chosen string) view.Field {
	f := view.Field{
		Name: accountInput(i), Kind: "choice",
		Label: "Columns of " + fileAccount(c.File) + " (" + strconv.Itoa(c.Columns) + ")",
	}
	chosen = cmp.Or(chosen, c.ConnectionID)
	if c.ConnectionID == "" {
		f.Hint = "This account is not connected here: choose which one to read instead."
		unchosen := "Choose an account"
		if len(c.Choices) == 0 {
			f.Hint, unchosen = "No account of this network is connected here: connect one first, or leave these columns out.", "No account to choose"
		}
		f.Options = append(f.Options, view.Option{Value: "", Label: unchosen})
		f.Required = true
	}
	if c.Lists > 0 {
		f.Hint = strings.TrimSpace(f.Hint + " Lists are the account's own: with another account, choose the list of such a column again after the import.")
	}
	for _, o := range c.Choices {
		f.Options = append(f.Options, view.Option{Value: o.ID, Label: o.Account, Chosen: o.ID == chosen})
	}
	f.Options = append(f.Options, view.Option{Value: decks.LeaveOut, Label: "Leave these columns out", Chosen: chosen == decks.LeaveOut})
	return f
}
