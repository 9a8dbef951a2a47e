package web

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// freshFor is how long a stored timeline counts as new: nobody is asked again
// just because a page was reloaded.
const freshFor = time.Minute

// columnBuilder makes the view models of columns, for one moment.
type columnBuilder struct {
	site  view.Site
	clock clock
	local localMedia
	// seen stands for what had happened when the first thing was read.
	seen        string
	reading     preferences
	connections map[string]connection
	// removed are the accounts that were disconnected, by the ids of their
	// connections.
	removed map[string]sns.RemovedAccount
	// tasksOf finds the person's open tasks from posts of a connection, by the ids
	// of the posts; made is what the page is to say of one that was just made.
	tasksOf func(connectionID string, posts []sns.Post) map[string]string
	made    madePart
}

type connection struct {
	sns.Connection
	tone view.Tone
}

func (h *Handler) builder(ctx context.Context) (*columnBuilder, error) {
	seen := h.seen()
	list, err := h.connections.ListConnections(ctx)
	if err != nil {
		return nil, err
	}
	removed, err := h.connections.RemovedAccounts(ctx)
	if err != nil {
		return nil, err
	}
	b := &columnBuilder{
		site: h.site, clock: h.clock(ctx), local: h.local, seen: seen, reading: h.preferences(ctx),
		connections: make(map[string]connection, len(list)), removed: removed, tasksOf: h.tasksOf(ctx),
	}
	for _, c := range list {
		b.connections[c.ID] = connection{c, connectionTone(c)}
	}
	return b, nil
}

// definitionOf tells what one column shows from what another does. Its name is
// no part of that.
func definitionOf(c decks.Column) string {
	b, err := json.Marshal([]any{c.ConnectionID, c.Source.Canonical(), c.Filters})
	if err != nil {
		panic(err) // plain strings, numbers and booleans always encode
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:4])
}

// stream is how a page that shows a deck, or one column of it, hears of changes.
func (b *columnBuilder) stream(d decks.Deck, column string) view.Stream {
	s := view.Stream{
		URL: b.site.Events(d.ID, column), Seen: b.seen,
		Deck: d.ID, Revision: strconv.FormatInt(d.Revision, 10), Show: b.site.Deck(d.ID),
	}
	if column != "" {
		s.Show = b.site.Column(d.ID, column)
	}
	return s
}

// column makes the model of a stored part of a column.
func (b *columnBuilder) column(deckID string, c decks.StoredColumn) view.Column {
	v := b.frame(deckID, c.Column, c.Page.Title)
	v.State, v.Panel = b.state(deckID, c)
	b.rows(&v, deckID, c.Column, c.Page.Posts, c.Hidden, c.Page.Gaps)
	if v.Hidden > 0 {
		v.Unfiltered = b.site.Unfiltered(deckID, c.Column.ID)
	}
	v.Older, v.End = b.older(deckID, c), c.Page.End && len(c.Page.Posts) > 0
	if len(c.Page.Posts) > 0 {
		v.Missing = b.gap(deckID, c.Column, c.Page.Head)
	}
	if v.Panel == nil && len(v.Rows) == 0 {
		b.empty(&v, deckID, c)
	}
	return v
}

// older leads to what comes after the last post: only the network knows it where
// posts are missing or the store ends, else it is stored.
func (b *columnBuilder) older(deckID string, c decks.StoredColumn) string {
	if last := len(c.Page.Posts) - 1; last >= 0 {
		if cursor := c.Page.Gaps[c.Page.Posts[last].EntryID]; cursor != "" {
			return b.gap(deckID, c.Column, cursor)
		}
	}
	switch {
	case c.Page.Older != "":
		return b.site.Older(deckID, c.Column.ID, definitionOf(c.Column), c.Page.Older, "")
	case len(c.Page.Posts) == 0:
		return b.gap(deckID, c.Column, c.Page.Head)
	}
	return ""
}

// frame is what a column has whatever it shows. title is what the network calls
// its list, "" when there is none or it is not known.
func (b *columnBuilder) frame(deckID string, c decks.Column, title string) view.Column {
	conn, known := b.connections[c.ConnectionID]
	if !known {
		was := b.removed[c.ConnectionID]
		conn.Network, conn.Account, conn.tone = was.Network, was.Account, view.NoTone
	}
	v := view.Column{
		ID: c.ID, Name: cmp.Or(c.Title, title, c.Source.LabelOn(conn.Network)), URL: b.site.Column(deckID, c.ID),
		Account: conn.Account, Network: string(conn.Network), Tone: conn.tone,
		Filtered: c.Filters != nil && !isZero(*c.Filters), Connection: c.ConnectionID, News: b.site.ColumnNews(deckID, c.ID, definitionOf(c)),
		Tasks: b.site.MakeTask(c.ConnectionID),
	}
	return v
}

func (b *columnBuilder) rows(v *view.Column, deckID string, c decks.Column, posts []sns.Post, hidden []bool, gaps map[string]string) {
	print := b.printer(c.ConnectionID, view.From{Deck: deckID, Column: c.ID})
	print.prefix, print.tasks = "post-"+c.ID+"-", b.tasksOf(c.ConnectionID, posts)
	fold := c.Filters != nil && c.Filters.Action == "fold"
	for i, p := range posts {
		if hidden[i] && !fold {
			v.Hidden++
			continue
		}
		row := view.Row{Post: print.post(p), Folded: folded(p, hidden[i])}
		if i < len(posts)-1 {
			row.Gap = b.gap(deckID, c, gaps[p.EntryID])
		}
		v.Rows = append(v.Rows, row)
	}
}

func (b *columnBuilder) gap(deckID string, c decks.Column, cursor string) string {
	if cursor == "" {
		return ""
	}
	return b.site.Older(deckID, c.ID, definitionOf(c), "", cursor)
}

// empty explains a column without a row; while the first answer is awaited there
// is nothing to explain.
func (b *columnBuilder) empty(v *view.Column, deckID string, c decks.StoredColumn) {
	n := len(c.Page.Posts)
	switch {
	case n > 0:
		v.State = view.State{Kind: "ok", Text: "All filtered"}
		v.Panel = b.filtered(deckID, c.Column.ID, n)
	case c.Page.FetchedAt.IsZero():
	case c.Page.Head != "":
		v.Panel = &view.Panel{Title: "Nothing that fits yet", Text: "None of the newest posts is one that this column shows. Older ones may be."}
	default:
		v.State = view.State{Kind: "ok", Text: "Empty"}
		v.Panel = &view.Panel{Title: "Nothing here yet", Text: "Last looked at " + b.clock.hour(c.Page.FetchedAt).Short + "."}
	}
}

func (b *columnBuilder) filtered(deckID, columnID string, n int) *view.Panel {
	text := "The only post here is hidden by this column's filters."
	if n > 1 {
		text = "All " + strconv.Itoa(n) + " posts here are hidden by this column's filters."
	}
	return &view.Panel{Title: "Everything is filtered", Text: text, Links: []view.PanelLink{
		{URL: b.site.Unfiltered(deckID, columnID), Text: "Show"},
		{URL: b.site.EditColumn(deckID, columnID), Text: "Edit filters"},
	}}
}

// fetched makes the model of a page that came from the network.
func (b *columnBuilder) fetched(deckID, title string, p decks.ColumnPage) view.Column {
	v := b.frame(deckID, p.Column, title)
	v.State = view.State{Kind: "ok", Text: "Older posts"}
	b.rows(&v, deckID, p.Column, p.Posts, p.Hidden, nil)
	v.Older = b.gap(deckID, p.Column, p.NextCursor)
	v.End = v.Older == "" && len(v.Rows) > 0
	if len(v.Rows) == 0 && v.Older == "" {
		v.Trouble = &view.Panel{Title: "That was all", Text: "There are no older posts."}
	}
	return v
}

// notFetched makes the model of a page that did not come: the way to try again
// stays.
func (b *columnBuilder) notFetched(deckID, title string, c decks.Column, cursor string, err error) (view.Column, error) {
	f := fault.From(err)
	if f.Code == fault.Canceled || f.Code == fault.Internal {
		return view.Column{}, err
	}
	v := b.frame(deckID, c, title)
	v.State = view.State{Kind: "warn", Text: "Older posts"}
	v.Trouble = &view.Panel{Title: "Older posts did not come", Text: b.clock.explain(f), Alarm: true}
	if f.Code != fault.InvalidCursor {
		v.Older = b.gap(deckID, c, cursor)
	}
	return v, nil
}

// canAsk reports whether it makes sense to ask the column's network now.
func (b *columnBuilder) canAsk(c decks.StoredColumn) bool {
	conn, known := b.connections[c.Column.ConnectionID]
	if !known || conn.State != sns.Ready || c.State.Paused {
		return false
	}
	f := c.Page.Failure
	return f == nil || !b.clock.now.Before(f.RetryAt)
}

// isStale reports whether the stored posts are not from this minute.
func (b *columnBuilder) isStale(c decks.StoredColumn) bool {
	_, known := b.connections[c.Column.ConnectionID]
	return known && !c.State.Paused && b.clock.now.Sub(c.Page.FetchedAt) >= freshFor
}

// wantsNews reports whether a page should ask for news by itself.
func (b *columnBuilder) wantsNews(c decks.StoredColumn) bool {
	last := c.Page.FetchedAt
	if f := c.Page.Failure; f != nil && f.At.After(last) {
		last = f.At
	}
	return b.canAsk(c) && b.clock.now.Sub(last) >= freshFor
}

// load makes the browser ask for the column's fresh fragment.
func (b *columnBuilder) load(v *view.Column, deckID string, c decks.Column, try int, delay time.Duration) {
	n := strconv.Itoa(try)
	v.Loader = &view.Loader{
		ID:      "loader-" + v.ID + "-" + n + "-" + strconv.FormatInt(b.clock.now.UnixMilli(), 36),
		URL:     b.site.Fresh(deckID, v.ID, definitionOf(c), n),
		DelayMs: int(delay / time.Millisecond),
	}
	switch {
	case v.State.Live:
		v.State = view.State{Kind: "busy", Text: "Loading; from", At: v.State.At}
	case v.State.Kind == "ok":
		v.State = view.State{Kind: "busy", Text: "Loading"}
	}
	// What is wrong stays said until the answer is there.
	v.Skeleton = len(v.Rows) == 0 && v.Panel == nil
}

// noAnswer is what a column shows whose network did not answer in time.
func (b *columnBuilder) noAnswer(v *view.Column, deckID string, c decks.Column, try int) {
	if try < maxTries {
		b.load(v, deckID, c, try+1, loaderPause)
		return
	}
	host := hostOf(v.Account)
	v.State = view.State{Kind: "warn", Text: "No answer at", At: b.clock.hour(b.clock.now)}
	v.Panel = &view.Panel{Title: "No answer from " + host, Text: "The server has not answered yet. The workspace goes on waiting; use Refresh to look again.", Alarm: true}
}
