package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// removedAccount is what an account is called that is not connected any more.
const removedAccount = "Account removed"

// accountsFor are the connections that a kind of source can be asked of, in
// their order.
func (h *Handler) accountsFor(ctx context.Context, k sns.Kind) ([]sns.Connection, error) {
	list, err := h.connections.ListConnections(ctx)
	if err != nil {
		return nil, err
	}
	return h.able(list, k), nil
}

// able are those of the connections that a kind of source can be asked of.
func (h *Handler) able(list []sns.Connection, k sns.Kind) (out []sns.Connection) {
	for _, c := range list {
		if _, err := h.connections.ValidateSource(c, sampleSource(k), "source"); err == nil {
			out = append(out, c)
		}
	}
	return out
}

// account is the choice of the account that a column reads; nil when there is
// no other than its own. One that was removed stays until another is chosen, so
// that the rest of the column can be changed.
func (s fieldSet) account(id string, able []sns.Connection) *view.Field {
	f := view.Field{Name: "connectionId", Kind: "choice", Label: "Read from", Hint: "The source stays the same, read from that account."}
	known := slices.ContainsFunc(able, func(c sns.Connection) bool { return c.ID == id })
	if known && len(able) == 1 {
		return nil
	}
	if !known {
		f.Options = append(f.Options, view.Option{Value: id, Label: s.presentName, Chosen: true})
		f.Hint = "Choose another account to go on reading."
		if len(able) == 0 {
			f.Hint = "No account that is connected has this source. Connect one first, then choose it here."
		}
	}
	for _, c := range able {
		f.Options = append(f.Options, view.Option{Value: c.ID, Label: c.Account, Chosen: c.ID == id})
	}
	f = s.field(f)
	return &f
}

// foreignLists refuses a list that an account has not, in the columns that get
// another account: there the list must be chosen anew. prefix is the path of a
// column by its place.
func (h *Handler) foreignLists(r *http.Request, columns, before []decks.Column, prefix func(int) string) error {
	for i, c := range columns {
		same := func(b decks.Column) bool { return b.ID == c.ID && b.ConnectionID == c.ConnectionID }
		if c.Source.Kind != sns.KindList || slices.ContainsFunc(before, same) {
			continue
		}
		if err := h.foreignList(r, c, prefix(i)); err != nil {
			return err
		}
	}
	return nil
}

// noPrefix is of a form of one column.
func noPrefix(int) string { return "" }

// columnPrefix is of the form of a deck.
func columnPrefix(i int) string { return fmt.Sprintf("columns[%d].", i) }

// foreignList refuses a list that the account has not, as far as it tells them.
func (h *Handler) foreignList(r *http.Request, c decks.Column, prefix string) error {
	list, err := h.connections.ListConnections(r.Context())
	at := slices.IndexFunc(list, func(o sns.Connection) bool { return o.ID == c.ConnectionID })
	if err != nil || at < 0 {
		return err
	}
	lists := h.offers(r.Context(), list[at], sns.KindList).lists
	if len(lists) == 0 || slices.ContainsFunc(lists, func(l sns.List) bool { return l.ID == c.Source.ListID }) {
		return nil
	}
	return fault.Invalid(prefix+"source.listId", "%s has no such list. Choose one of its lists.", list[at].Account)
}
