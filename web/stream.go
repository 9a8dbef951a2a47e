package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"personal-workspace/decks"
	"personal-workspace/internal/ledger"
	"personal-workspace/sns"
)

const (
	// pingEvery is how often a stream shows that it is alive, and looks whether
	// its session still is.
	pingEvery = 20 * time.Second
	// writeWithin is how long a browser may take to receive what it is sent.
	writeWithin = 10 * time.Second
	// fullRetry is when a browser that found no room may come back.
	fullRetry = 30 * time.Second
	// entriesAtOnce is how many changes are read in one go.
	entriesAtOnce = 200
)

// streamRoutes carry the hints about changes to open pages.
func (h *Handler) streamRoutes(rt router) {
	rt.open("GET /api/activities/events", h.stream)
}

// stream answers with server-sent events, whatever is asked for. They are hints
// that something has changed, never what: the page asks for that. deck names the
// deck that the page shows; its columns are then asked for news as long as the
// stream is open.
//
// Another site's page is refused: it could not read the stream, but would take
// places from the person's own pages.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request) error {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		plain(w, http.StatusForbidden, "The stream is for the workspace's own pages.")
		return nil
	}
	ctx, ok, err := h.personOfScript(w, r)
	if !ok {
		return err
	}
	place, status, refusal := h.streams.enter(browserOf(r))
	if place == nil {
		w.Header().Set("Retry-After", strconv.Itoa(int(fullRetry/time.Second)))
		plain(w, status, refusal)
		return nil
	}
	defer h.streams.leave(place)

	s := &stream{h: h, r: r, place: place, out: newEventWriter(w), deck: r.URL.Query().Get("deck"), column: r.URL.Query().Get("column")}
	if err := s.out.open(); err != nil || r.Method == http.MethodHead {
		return nil // the browser went away
	}
	if err := s.run(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, errGone) {
		h.log.ErrorContext(ctx, "a stream ended", "err", err)
	}
	return nil
}

// stream is one open stream.
type stream struct {
	h     *Handler
	r     *http.Request
	place *place
	out   *eventWriter
	// deck is what the page shows and column the one of it, "" for none and all.
	deck, column string
	// seq is the newest change that was told.
	seq int64

	watch *sns.Watch
	// columns are the ids of the deck's columns by the source that feeds them;
	// paused are those that have none.
	columns map[string][]string
	paused  map[string]bool
}

// run tells what changes until the browser goes away, its session ends or the
// workspace stops.
func (s *stream) run(ctx context.Context) error {
	changes := s.h.ledger.Subscribe()
	defer changes.Close()
	s.watch = s.h.connections.Watch()
	defer s.watch.Close()
	if err := s.begin(ctx); err != nil {
		return err
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.h.streams.stopped:
			return s.out.send(s.seq, bye("stopping"))
		case <-changes.C:
			err = s.tellChanges(ctx)
		case <-s.watch.C:
			err = s.tellColumns()
		case <-s.place.again:
			err = s.lookAgain(ctx)
		case <-ping.C:
			err = s.ping(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// begin says which program answers and how the deck stands: a page that has
// missed something sees it there.
func (s *stream) begin(ctx context.Context) (err error) {
	seen := s.h.seen()
	if s.seq, err = s.h.feed.start(ctx); err != nil {
		return err
	}
	hints := []hint{{"hello", map[string]any{"build": s.h.site.Build(), "seen": seen}}}
	if s.deck != "" {
		now, _, err := s.watchDeck(ctx)
		if err != nil {
			return err
		}
		hints = append(hints, now)
	}
	return s.out.send(s.seq, hints...)
}

// watchDeck makes the columns of the deck those that are asked for news, but not
// the paused ones. It returns how the deck stands, and which columns were paused
// or resumed since.
func (s *stream) watchDeck(ctx context.Context) (now hint, turned []hint, err error) {
	d, err := s.h.feed.deck(ctx, s.deck)
	if err != nil {
		return now, nil, err
	}
	if d.gone {
		s.watch.Set(nil)
		return deckHint(s.deck, 0, true), nil, nil
	}
	before := s.paused
	s.columns, s.paused = map[string][]string{}, map[string]bool{}
	var refs []sns.ColumnRef
	for _, c := range d.Columns {
		if s.column != "" && c.ID != s.column {
			continue
		}
		s.paused[c.ID] = d.states[c.ID].Paused
		if was, known := before[c.ID]; known && was != s.paused[c.ID] {
			turned = append(turned, columnHint(c.ID))
		}
		if s.paused[c.ID] {
			continue
		}
		ref := refOf(c)
		refs = append(refs, ref)
		s.columns[sourceKey(ref)] = append(s.columns[sourceKey(ref)], c.ID)
	}
	s.watch.Set(refs)
	return deckHint(d.ID, d.Revision, false), turned, nil
}

func refOf(c decks.Column) sns.ColumnRef {
	return sns.ColumnRef{ConnectionID: c.ConnectionID, Source: c.Source}
}

func sourceKey(r sns.ColumnRef) string { return r.ConnectionID + " " + r.Source.Hash() }

// tellChanges tells what the ledger has that was not told yet: of several
// changes to one thing the last.
func (s *stream) tellChanges(ctx context.Context) error {
	var told []hint
	list, err := s.h.feed.since(ctx, s.seq)
	if err != nil {
		return err
	}
	for _, e := range list {
		told = latest(told, e)
		s.seq = e.Seq
	}
	if len(told) == 0 {
		return nil
	}
	if err := s.out.send(s.seq, told...); err != nil {
		return err
	}
	return s.watchAgain(ctx)
}

// watchAgain follows a deck whose columns may have changed.
func (s *stream) watchAgain(ctx context.Context) error {
	if s.deck == "" {
		return nil
	}
	_, turned, err := s.watchDeck(ctx)
	if err != nil || len(turned) == 0 {
		return err
	}
	return s.out.send(s.seq, turned...)
}

// latest adds the hint of a change and removes an earlier one about the same.
func latest(list []hint, e ledger.Entry) []hint {
	var h hint
	switch e.Name {
	case ledger.DeckChanged:
		revision, _ := e.Data["revision"].(float64)
		h = deckHint(e.ResourceID, int64(revision), e.Data["op"] == "deleted")
		if by := changedBy(e.Actor); by != "" {
			h.data["by"] = by
		}
	case ledger.ActivityPublished, ledger.ActivityDecided:
		revision, _ := e.Data["revision"].(float64)
		h = activitiesHint(int64(revision))
	case ledger.ConnectionStateChanged:
		h = hint{"connection", map[string]any{"id": e.ResourceID, "state": e.Data["state"]}}
	default:
		return list
	}
	for i, old := range list {
		if old.about() == h.about() {
			list = append(list[:i], list[i+1:]...)
			break
		}
	}
	return append(list, h)
}

// changedBy says who has changed a deck, as far as the page has words for it.
func changedBy(a ledger.Actor) string {
	switch a.Kind {
	case ledger.Caller, ledger.Research:
		return "assistant"
	case ledger.Person:
		return "person"
	}
	return ""
}

// tellColumns tells which columns have something new.
func (s *stream) tellColumns() error {
	var told []hint
	for _, r := range s.watch.Changed() {
		for _, id := range s.columns[sourceKey(r)] {
			told = append(told, columnHint(id))
		}
	}
	if len(told) == 0 {
		return nil
	}
	return s.out.send(s.seq, told...)
}

// errGone ends a stream that has nobody to tell any more.
var errGone = errors.New("nobody listens")

// lookAgain looks whether the session is still there and what is to be watched.
func (s *stream) lookAgain(ctx context.Context) error {
	if err := s.checkSession(ctx); err != nil {
		return err
	}
	return s.watchAgain(ctx)
}

// ping shows that the stream is alive.
func (s *stream) ping(ctx context.Context) error {
	if err := s.checkSession(ctx); err != nil {
		return err
	}
	return s.out.comment()
}

func (s *stream) checkSession(ctx context.Context) error {
	ok, err := s.h.sessions.lasts(ctx, s.r)
	if err != nil || ok {
		return err
	}
	if err := s.out.send(s.seq, bye("signed-out")); err != nil {
		return err
	}
	return errGone
}

// hint is one event: a name and a few ids.
type hint struct {
	name string
	data map[string]any
}

// about is what a hint is about: of two about the same only the later counts.
func (h hint) about() string {
	return fmt.Sprint(h.name, " ", h.data["deckId"], " ", h.data["id"])
}

func deckHint(id string, revision int64, gone bool) hint {
	data := map[string]any{"deckId": id, "revision": revision}
	if gone {
		data["gone"] = true
	}
	return hint{"deck", data}
}

func activitiesHint(revision int64) hint {
	return hint{"activities", map[string]any{"revision": revision}}
}

func columnHint(id string) hint { return hint{"column", map[string]any{"columnId": id}} }

func bye(reason string) hint { return hint{"bye", map[string]any{"reason": reason}} }

// eventWriter writes server-sent events, each batch at once and within a bounded
// time: a browser that does not read ends its own stream and holds up nothing.
type eventWriter struct {
	w   http.ResponseWriter
	c   *http.ResponseController
	buf bytes.Buffer
}

func newEventWriter(w http.ResponseWriter) *eventWriter {
	return &eventWriter{w: w, c: http.NewResponseController(w)}
}

// open sends the headers.
func (o *eventWriter) open() error {
	head := o.w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("X-Accel-Buffering", "no")
	o.w.WriteHeader(http.StatusOK)
	return o.flush()
}

// send writes hints with the place in the ledger that they belong to.
func (o *eventWriter) send(seq int64, hints ...hint) error {
	for _, h := range hints {
		data, err := json.Marshal(h.data)
		if err != nil {
			return fmt.Errorf("encode a hint: %w", err)
		}
		fmt.Fprintf(&o.buf, "id: %d\nevent: %s\ndata: %s\n\n", seq, h.name, data)
	}
	return o.flush()
}

// comment writes what browsers ignore.
func (o *eventWriter) comment() error {
	o.buf.WriteString(":\n\n")
	return o.flush()
}

func (o *eventWriter) flush() error {
	defer o.buf.Reset()
	// A writer that knows no deadlines, such as a test's recorder, has none.
	_ = o.c.SetWriteDeadline(time.Now().Add(writeWithin))
	if _, err := o.w.Write(o.buf.Bytes()); err != nil {
		return errors.Join(errGone, err)
	}
	if err := o.c.Flush(); err != nil {
		return errors.Join(errGone, err)
	}
	return nil
}
