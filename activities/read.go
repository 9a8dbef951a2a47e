package activities

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// Get returns one activity, an erased one too, or a not_found fault.
func (s *Service) Get(ctx context.Context, id string) (a Activity, err error) {
	known, err := s.known(ctx)
	if err != nil {
		return a, err
	}
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		r, err := find(tx, id)
		a = r.public(known)
		return err
	})
	if err != nil {
		return Activity{}, err
	}
	return a, nil
}

// Revision returns the workspace's activity revision: how many publications and
// decisions were committed.
func (s *Service) Revision(ctx context.Context) (int64, error) {
	list, err := sqlite.ReadQuery(ctx, s.db, sqlite.Int, revisionSQL)
	if err != nil {
		return 0, err
	}
	return list[0], nil
}

// Lists of cursors for assistants.
const (
	listAll  = "context"
	listByID = "ids"
)

// Context returns activities for an assistant: those of the ids in their order,
// or all that are not erased, newest first. A page's cursor goes on behind its
// last activity, whatever was decided or published in the meantime: each activity
// that was there at the first page comes once.
func (s *Service) Context(ctx context.Context, q ContextQuery) (p ContextPage, err error) {
	if q.Limit < 0 || q.Limit > MaxContext {
		return p, fault.Invalid("limit", "The limit is 1 to %d.", MaxContext)
	}
	q.Limit = cmp.Or(q.Limit, MaxContext)
	if len(q.IDs) > MaxContext {
		return p, fault.Limit("activityIds", MaxContext, "There are %d ids; ask for at most %d at once.", len(q.IDs), MaxContext)
	}
	known, err := s.known(ctx)
	if err != nil {
		return p, err
	}
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		if p.Revision, err = readRevision(tx); err != nil {
			return err
		}
		if len(q.IDs) > 0 {
			return p.byID(tx, q, known)
		}
		return p.newest(tx, q, known)
	})
	return p, err
}

func (p *ContextPage) newest(tx *sqlite.Tx, q ContextQuery, known map[string]string) error {
	from := bottom(listAll)
	if q.Cursor != "" {
		var err error
		if from, err = parsePosition(q.Cursor, listAll); err != nil {
			return err
		}
	}
	list, err := listContext(tx, from.seq, q.Limit+1)
	for _, r := range list {
		p.add(r, position{list: listAll, seq: r.seq}, known)
	}
	p.cut(q.Limit)
	return err
}

func (p *ContextPage) byID(tx *sqlite.Tx, q ContextQuery, known map[string]string) error {
	from := position{list: listByID}
	if q.Cursor != "" {
		var err error
		if from, err = parsePosition(q.Cursor, listByID); err != nil {
			return err
		}
	}
	for i := max(0, from.seq); i < int64(len(q.IDs)); i++ {
		r, err := find(tx, q.IDs[i])
		if err != nil {
			return fault.From(err).With(fault.DetailField, fmt.Sprintf("activityIds[%d]", i))
		}
		p.add(r, position{list: listByID, seq: i + 1}, known)
	}
	p.cut(q.Limit)
	return nil
}

func (p *ContextPage) add(r record, behind position, known map[string]string) {
	p.Activities = append(p.Activities, r.public(known))
	p.cursors = append(p.cursors, behind.String())
}

// cut ends the page after limit activities.
func (p *ContextPage) cut(limit int) {
	if len(p.Activities) <= limit {
		return
	}
	p.Activities, p.cursors = p.Activities[:limit], p.cursors[:limit]
	p.NextCursor = p.cursors[limit-1]
}

// summary is what every page shows, as it was at a version of the ledger.
type summary struct {
	version   uint64
	counts    Counts
	proposers []string
}

// summarize reads the summary once for each commit.
func (s *Service) summarize(ctx context.Context) (*summary, error) {
	version := s.ledger.Version()
	if m := s.summary.Load(); m != nil && m.version == version {
		return m, nil
	}
	m := &summary{version: version}
	err := s.db.Read(ctx, func(tx *sqlite.Tx) (err error) {
		if m.counts, err = readCounts(tx); err != nil {
			return err
		}
		m.proposers, err = readProposers(tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(m.proposers)
	m.proposers = slices.Compact(m.proposers)
	s.summary.Store(m)
	return m, nil
}

// Counts returns how many activities there are.
func (s *Service) Counts(ctx context.Context) (Counts, error) {
	m, err := s.summarize(ctx)
	if err != nil {
		return Counts{}, err
	}
	return m.counts, nil
}

// Proposers returns the names that Query.Proposer can have for what is open. The
// caller must not change the slice.
func (s *Service) Proposers(ctx context.Context) ([]string, error) {
	m, err := s.summarize(ctx)
	if err != nil {
		return nil, err
	}
	return m.proposers, nil
}

// List returns a page of a view. What needs the person comes by its need: overdue,
// due today, replies that somebody waits for, and the rest, each by priority and
// age; what is snoozed by the time it wakes; what is closed, newest decision
// first; all, newest first.
func (s *Service) List(ctx context.Context, q Query) (p Page, err error) {
	q, err = q.check()
	if err != nil {
		return p, err
	}
	if p.Counts, err = s.Counts(ctx); err != nil {
		return p, err
	}
	known, err := s.known(ctx)
	if err != nil {
		return p, err
	}
	now := s.now()
	l := lister{q: q, known: known, now: now.UnixMilli(), tomorrow: tomorrow(now, q.Zone)}
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error { return l.read(tx, &p) })
	return p, err
}

// Order returns the ids of all activities of a view in the order of List, by the
// group; outside ViewTodo the only group is "". After and Limit are not used.
func (s *Service) Order(ctx context.Context, q Query) (order []Ordered, err error) {
	if q, err = q.check(); err != nil {
		return nil, err
	}
	now := s.now()
	all := groups
	if q.View != ViewTodo {
		all = []Group{""}
	}
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		for _, g := range all {
			ids, err := listIDs(tx, q, g, now.UnixMilli(), tomorrow(now, q.Zone))
			if err != nil {
				return err
			}
			for _, id := range ids {
				order = append(order, Ordered{id, g})
			}
		}
		return nil
	})
	return order, err
}

func (q Query) check() (Query, error) {
	q.View = cmp.Or(q.View, ViewTodo)
	switch q.View {
	case ViewTodo, ViewSnoozed, ViewDone, ViewDismissed, ViewAll:
	default:
		return q, fault.Invalid("view", "There is no such list; choose another.")
	}
	if q.Limit < 0 || q.Limit > MaxPage {
		return q, fault.Invalid("limit", "The limit is 1 to %d.", MaxPage)
	}
	q.Limit = cmp.Or(q.Limit, 50)
	if q.Zone == nil {
		q.Zone = time.UTC
	}
	return q, nil
}

// lister reads one page.
type lister struct {
	q             Query
	known         map[string]string
	now, tomorrow int64
}

func (l lister) read(tx *sqlite.Tx, p *Page) (err error) {
	if p.Revision, err = readRevision(tx); err != nil {
		return err
	}
	if p.Groups, err = countGroups(tx, l.q, l.now, l.tomorrow); err != nil {
		return err
	}
	if l.q.View == ViewTodo {
		for _, n := range p.Groups {
			p.Total += n
		}
		return l.todo(tx, p)
	}
	n, err := countView(tx, l.q)
	p.Total = int(n)
	if err != nil {
		return err
	}
	return l.other(tx, p)
}

// todo reads the groups one after the other until the page is full.
func (l lister) todo(tx *sqlite.Tx, p *Page) error {
	from := top(string(groups[0]))
	if l.q.After != "" {
		var err error
		if from, err = parsePosition(l.q.After, groupNames()...); err != nil {
			return err
		}
	}
	begun := false
	for _, g := range groups {
		if !begun && string(g) != from.list {
			continue
		}
		if begun {
			from = top(string(g))
		}
		begun = true
		list, err := listGroup(tx, l.q, g, l.now, l.tomorrow, from, l.q.Limit+1-len(p.Items))
		if err != nil {
			return err
		}
		for _, r := range list {
			p.add(r.public(l.known), g, l.q.Limit, positionIn(r, g))
		}
		if p.Next != "" {
			return nil
		}
	}
	return nil
}

func groupNames() []string {
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = string(g)
	}
	return names
}

// positionIn is the place of a record in its group.
func positionIn(r record, g Group) position {
	urgency := int64(r.proposal.urgency())
	if g == GroupOverdue || g == GroupToday {
		_, _, due := effective(r.proposal, r.decision.edits())
		return position{string(g), due.UnixMilli(), urgency, r.seq}
	}
	return position{string(g), urgency, 0, r.seq}
}

// other reads a view without groups.
func (l lister) other(tx *sqlite.Tx, p *Page) error {
	name := string(l.q.View)
	from := bottom(name)
	if l.q.View == ViewSnoozed {
		from = top(name)
	}
	if l.q.After != "" {
		var err error
		if from, err = parsePosition(l.q.After, name); err != nil {
			return err
		}
	}
	list, err := listView(tx, l.q, from, l.q.Limit+1)
	for _, r := range list {
		_, at := r.place()
		p.add(r.public(l.known), "", l.q.Limit, position{name, at, 0, r.seq})
	}
	return err
}

// add puts an activity on the page; the one behind a full page only tells that
// there is a next one.
func (p *Page) add(a Activity, g Group, limit int, at position) {
	if len(p.Items) == limit {
		p.Next = p.last
		return
	}
	p.Items, p.last = append(p.Items, Item{Activity: a, Group: g}), at.String()
}
