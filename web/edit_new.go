package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// starterInputs are the names of the inputs that choose a starter; a form that
// has columns of its own has none of them.
var starterInputs = []string{"starter", "home.connection", "list", "list.connection", "list.id", "local.connection", "local.tag"}

// The starters.
const (
	starterHome  = "home"
	starterList  = "list"
	starterLocal = "local"
	starterEmpty = "empty"
)

// newDeck is the page that makes a deck.
func (h *Handler) newDeck(w http.ResponseWriter, r *http.Request) error {
	return h.showNew(w, r, http.StatusOK, url.Values{"starter": {starterHome}}, nil, "")
}

// makeDeck makes a deck from a starter, or from the columns that the form has.
func (h *Handler) makeDeck(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	f, err := readDeckForm(r.PostForm, starterInputs...)
	if err != nil {
		return err
	}
	in := decks.CreateDeck{ID: f.ID, Title: f.Title, Columns: f.kept()}
	problem := fillStarter(&in, r.PostForm)
	if problem == nil {
		d, err := h.decks.CreateDeck(r.Context(), in)
		if err == nil {
			http.Redirect(w, r, h.site.Deck(d.ID), http.StatusSeeOther)
			return nil
		}
		problem = fault.From(err)
	}

	return h.refuseNew(w, r, f, problem)
}

func (h *Handler) refuseNew(w http.ResponseWriter, r *http.Request, f deckForm, problem *fault.Error) error {
	status, known := statuses[problem.Code]
	if !known || len(f.Columns) > maxFormColumns {
		return problem
	}
	markFault(w, problem)
	form := r.PostForm
	if problem.Code == fault.RequestConflict {
		// The form was sent before and changed since: it may make a second deck.
		form.Set("deckId", h.newID("deck"))
		return h.showNew(w, r, status, form, nil, "This form has made a deck already, with other content; it is in the list of decks. Press the button again to make another one.")
	}
	if problem.Code != fault.LimitExceeded && fieldOf(problem) != "" {
		status = http.StatusUnprocessableEntity
	}
	return h.showNew(w, r, status, form, problem, "")
}

// fillStarter gives the deck the columns of the chosen starter, and a title when
// the person gave none.
func fillStarter(in *decks.CreateDeck, form url.Values) *fault.Error {
	var title string
	switch form.Get("starter") {
	case "":
		return nil
	case starterEmpty:
		title = "New deck"
	case starterHome:
		account := form.Get("home.connection")
		mentions := sns.Source{Kind: sns.KindNotifications, Types: []string{"mention", "reply"}}
		in.Columns = []decks.Column{
			{ConnectionID: account, Source: sns.Source{Kind: sns.KindHome}},
			{ConnectionID: account, Title: "Mentions", Source: mentions},
		}
		title = "Home and mentions"
	case starterList:
		account, list, _ := strings.Cut(form.Get("list"), " ")
		if list == "" {
			account, list = form.Get("list.connection"), strings.TrimSpace(form.Get("list.id"))
		}
		in.Columns = []decks.Column{{ConnectionID: account, Source: sns.Source{Kind: sns.KindList, ListID: list}}}
		title = "A list"
	case starterLocal:
		account, tag := form.Get("local.connection"), strings.TrimSpace(form.Get("local.tag"))
		in.Columns = []decks.Column{
			{ConnectionID: account, Source: sns.Source{Kind: sns.KindLocal}},
			{ConnectionID: account, Source: sns.Source{Kind: sns.KindHashtag, Tag: tag}},
		}
		title = "Local and #" + strings.TrimLeft(tag, "#＃")
	default:
		return fault.Invalid("starter", "There is no such beginning; choose one of those on the page.")
	}
	if strings.TrimSpace(in.Title) == "" {
		in.Title = cutTitle(title)
	}
	return nil
}

func cutTitle(s string) string {
	if r := []rune(s); len(r) > decks.MaxTitle {
		return string(r[:decks.MaxTitle])
	}
	return s
}

// showNew prints the form with what was typed.
func (h *Handler) showNew(w http.ResponseWriter, r *http.Request, status int, form url.Values, problem *fault.Error, notice string) error {
	p := view.NewDeckPage{Page: h.page(r, "Make a deck", "decks"), Problem: notice}
	p.Hidden = []view.Hidden{{Name: "deckId", Value: cmp.Or(form.Get("deckId"), h.newID("deck"))}}
	p.Title = view.Field{Name: "title", Label: "Title", Value: form.Get("title"), Max: decks.MaxTitle, Hint: "Empty: named after what it begins with."}
	own, err := readDeckForm(form, starterInputs...)
	if err != nil {
		return err
	}
	if len(own.Columns) > 0 {
		p.Hidden = append(p.Hidden, own.hidden()[2:]...) // without the revision and the title
		for _, c := range own.Columns {
			p.TakenOver = append(p.TakenOver, cmp.Or(c.Title, h.sourceLabel(r.Context(), c.Column)))
		}
	}
	list, err := h.connections.ListConnections(r.Context())
	if err != nil {
		return err
	}
	for _, c := range list {
		p.Accounts = append(p.Accounts, view.Option{Value: c.ID, Label: c.Account})
	}
	problems := newProblems(&p, form, problem)
	p.Starters = h.starters(r.Context(), list, form, problems)
	if len(list) == 0 && form.Get("starter") != starterEmpty {
		chooseStarter(p.Starters, starterEmpty)
	}
	return h.render(w, r, status, view.NewDeck(p))
}

// newProblems says beside which input of the form a fault belongs; others stand
// above the form.
func newProblems(p *view.NewDeckPage, form url.Values, problem *fault.Error) map[string]string {
	if problem == nil {
		return nil
	}
	text, field := forField(problem), fieldOf(problem)
	input := map[string]string{
		"title": "title", "columns[0].source.listId": "list.id", "columns[1].source.tag": "local.tag",
	}[field]
	switch {
	case input == "title":
		p.Title.Problem, p.Title.Focus = text, true
		return nil
	case input == "" || form.Get("starter") == "":
		p.Problem = problem.Message
		return nil
	}
	return map[string]string{input: text}
}

func chooseStarter(list []view.Starter, value string) {
	for i := range list {
		list[i].Chosen = list[i].Value == value
	}
}

// starters are the three beginnings, and the empty deck.
func (h *Handler) starters(ctx context.Context, list []sns.Connection, form url.Values, problems map[string]string) []view.Starter {
	able := func(kinds ...sns.Kind) (fit []sns.Connection) {
		for _, c := range list {
			if h.savesAll(c, kinds) {
				fit = append(fit, c)
			}
		}
		return fit
	}
	all := h.allOffers(ctx, able(sns.KindList))
	out := []view.Starter{
		homeStarter(able(sns.KindHome, sns.KindNotifications), form),
		listStarter(able(sns.KindList), all, form, problems),
		localStarter(able(sns.KindLocal, sns.KindHashtag), all, form, problems),
		{Value: starterEmpty, Name: "Nothing", Text: "An empty deck; add its columns next."},
	}
	chosen := form.Get("starter")
	for _, s := range out {
		if s.Value == chosen && s.Missing != "" {
			chosen = ""
		}
	}
	for i := range out {
		if chosen == "" && out[i].Missing == "" {
			chosen = out[i].Value
		}
		out[i].Chosen = out[i].Value == chosen
	}
	return out
}

func (h *Handler) savesAll(c sns.Connection, kinds []sns.Kind) bool {
	for _, k := range kinds {
		if _, err := h.connections.ValidateSource(c, sampleSource(k), "source"); err != nil {
			return false
		}
	}
	return true
}

const noLogin = "Connect an account with a sign-in for that."

func homeStarter(fit []sns.Connection, form url.Values) view.Starter {
	s := view.Starter{Value: starterHome, Name: "Home and mentions", Text: "What the account follows, and beside it who mentioned it."}
	if len(fit) == 0 {
		s.Missing = noLogin
		return s
	}
	s.Fields = []view.Field{accountField("home.connection", fit, form)}
	return s
}

// listStarter offers the lists of every account in one choice. Where none could
// be read the list's id can be typed.
func listStarter(fit []sns.Connection, all accountOffers, form url.Values, problems map[string]string) view.Starter {
	s := view.Starter{Value: starterList, Name: "One list", Text: "One of an account's lists."}
	if len(fit) == 0 {
		s.Missing = noLogin
		return s
	}
	f := view.Field{Name: "list", Label: "List", Kind: "choice"}
	for _, c := range fit {
		for _, l := range all[c.ID].lists {
			v := c.ID + " " + l.ID
			f.Options = append(f.Options, view.Option{Value: v, Label: cmp.Or(l.Title, "List "+l.ID) + " – " + c.Account, Chosen: form.Get("list") == v})
		}
	}
	if len(f.Options) > 0 {
		s.Fields = []view.Field{f}
		return s
	}
	s.Text = cmp.Or(all.notice(), "None of your accounts has a list yet. Make one at its server, then reload this page; or type the id of a list.")
	s.Fields = []view.Field{accountField("list.connection", fit, form), {
		Name: "list.id", Label: "Id of the list", Value: form.Get("list.id"), Problem: problems["list.id"], Focus: problems["list.id"] != "",
		Hint: "The number at the end of the list's address at its server.",
	}}
	return s
}

func localStarter(fit []sns.Connection, all accountOffers, form url.Values, problems map[string]string) view.Starter {
	s := view.Starter{Value: starterLocal, Name: "Local and a hashtag", Text: "Everyone on a server, and beside it the posts with a tag."}
	if len(fit) == 0 {
		s.Missing = "Connect an account on a Mastodon server for that."
		return s
	}
	s.Fields = []view.Field{accountField("local.connection", fit, form), {
		Name: "local.tag", Label: "Hashtag", Value: form.Get("local.tag"), Max: sns.MaxTag + 1,
		Problem: problems["local.tag"], Focus: problems["local.tag"] != "", Suggestions: all.tags(),
	}}
	return s
}

func accountField(name string, fit []sns.Connection, form url.Values) view.Field {
	f := view.Field{Name: name, Label: "Account", Kind: "choice"}
	for _, c := range fit {
		f.Options = append(f.Options, view.Option{Value: c.ID, Label: c.Account, Chosen: form.Get(name) == c.ID})
	}
	return f
}
