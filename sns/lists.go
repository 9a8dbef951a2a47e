package sns

import (
	"context"
	"slices"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

const (
	// titleAge is how old a list's title may be before it is asked for again,
	// and titleRetry how long to wait when the answer did not come.
	titleAge   = 24 * time.Hour
	titleRetry = 10 * time.Minute
)

// ListLists returns the lists of the connection's account, as the network orders
// them. Answers younger than 15 s are shared. Their titles are kept for the
// columns that read them.
func (s *Service) ListLists(ctx context.Context, connectionID string) ([]List, error) {
	c, err := s.GetConnection(ctx, connectionID)
	if err != nil {
		return nil, err
	}
	if !c.Login {
		return nil, fault.New(fault.Unsupported, "%s is read without login and has no lists; sign in to it to see some.", c.Account).
			With(fault.DetailCapability, "lists").With(fault.DetailConnectionID, c.ID)
	}
	ctx, cancel := context.WithTimeout(ctx, s.toolTimeout)
	defer cancel()
	lists, err := s.askLists(ctx, c)
	if err != nil {
		return nil, s.failed(err, c)
	}
	return slices.Clone(lists), nil
}

// offeredFor is how much longer the lists of an account can be chosen from.
const offeredFor = time.Hour

// OfferLists is ListLists for who chooses a list within ctx's time: when the
// network gives none by then, it returns those that it gave within the last hour.
func (s *Service) OfferLists(ctx context.Context, connectionID string) ([]List, error) {
	lists, err := s.ListLists(ctx, connectionID)
	if err == nil || fault.CodeOf(err) == fault.NotFound || fault.CodeOf(err) == fault.Unsupported {
		return lists, err
	}
	if known, ok := s.lists.recall(connectionID + keySeparator); ok {
		return slices.Clone(known), nil
	}
	return nil, err
}

// askLists reads the lists of an account from the upstream and stores their
// titles. The answer is shared and must not be changed.
func (s *Service) askLists(ctx context.Context, c Connection) ([]List, error) {
	return s.lists.do(ctx, c.ID+keySeparator, false, func(ctx context.Context) (lists []List, err error) {
		err = s.use(ctx, c, func(p Provider, a Account) error {
			lists, err = p.Lists(ctx, a)
			return err
		})
		if err != nil {
			return nil, err
		}
		lists = tidyLists(lists)
		s.report(s.saveTitles(context.WithoutCancel(ctx), c, lists, s.now().Add(titleAge)), "titles", c)
		return lists, nil
	})
}

// refreshTitle asks what the list of a source is called, unless that is known
// well enough. It is background work: its failure is only remembered, so that
// the same question is not asked again at once.
func (s *Service) refreshTitle(ctx context.Context, c Connection, src Source) {
	now := s.now()
	due, err := s.titleDue(ctx, c, src, now)
	if err != nil || !due {
		s.report(err, "title", c)
		return
	}
	lists, err := s.askLists(ctx, c)
	title, next := "", now.Add(titleAge)
	if err != nil {
		next = now.Add(titleRetry)
	}
	if i := slices.IndexFunc(lists, func(l List) bool { return l.ID == src.ListID }); i >= 0 {
		title = lists[i].Title
	}
	if ctx.Err() == nil {
		s.report(s.saveTitle(context.WithoutCancel(ctx), c, src, title, next), "title", c)
	}
}

// tidyLists drops lists whose id could not be sent back.
func tidyLists(lists []List) []List {
	out := make([]List, 0, len(lists))
	for _, l := range lists {
		if ValidID(l.ID) {
			out = append(out, List{ID: l.ID, Title: cutRunes(cleanLabel(l.Title), MaxName)})
		}
	}
	return out
}

// GetThread reads the conversation around a post from the upstream and stores
// its posts. Answers younger than 15 s are shared.
func (s *Service) GetThread(ctx context.Context, connectionID, postID string) (Thread, error) {
	c, err := s.GetConnection(ctx, connectionID)
	if err != nil {
		return Thread{}, err
	}
	src, err := s.validate(c, Source{Kind: KindThread, PostID: postID}, "source")
	if err != nil {
		return Thread{}, s.failed(err, c)
	}
	key := c.ID + keySeparator + src.PostID
	ctx, cancel := context.WithTimeout(ctx, s.toolTimeout)
	defer cancel()
	t, err := s.threads.do(ctx, key, false, func(ctx context.Context) (Thread, error) {
		return s.askThread(ctx, c, src.PostID)
	})
	if err != nil {
		return Thread{}, s.failed(err, c)
	}
	t.Ancestors, t.Descendants = slices.Clone(t.Ancestors), slices.Clone(t.Descendants)
	return t, nil
}

func (s *Service) askThread(ctx context.Context, c Connection, postID string) (t Thread, err error) {
	err = s.use(ctx, c, func(p Provider, a Account) error {
		t, err = p.Thread(ctx, a, postID)
		return err
	})
	if err != nil {
		return Thread{}, err
	}
	post, e, ok := tidyPost(c, t.Post)
	if !ok {
		return Thread{}, fault.New(fault.UpstreamChanged, "%s answered with a post that has no usable id or cannot be read.", hostOf(c.Origin))
	}
	t.Post = post
	var above, below []entry
	t.Ancestors, above = tidyPosts(c, t.Ancestors)
	t.Descendants, below = tidyPosts(c, t.Descendants)
	now := s.now()
	err = s.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		return savePosts(tx, c, slices.Concat(above, []entry{e}, below), now)
	})
	if fault.CodeOf(err) == fault.NotFound {
		return Thread{}, err
	}
	s.report(err, "thread", c)
	return t, nil
}

func tidyPosts(c Connection, posts []Post) ([]Post, []entry) {
	page := UpstreamPage{Posts: posts}
	list := tidyPage(c, &page)
	return page.Posts, list
}
