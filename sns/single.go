package sns

import (
	"context"
	"slices"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/sqlite"
)

// ListFollowedTags returns the hashtags that the connection's account follows,
// without their sign. It is empty where the network has none, or the token may
// not read them. Answers younger than 15 s are shared.
func (s *Service) ListFollowedTags(ctx context.Context, connectionID string) ([]string, error) {
	c, err := s.GetConnection(ctx, connectionID)
	if err != nil {
		return nil, err
	}
	if _, ok := s.providers[c.Network].(TagLister); !ok || !c.Login {
		return []string{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.toolTimeout)
	defer cancel()
	tags, err := s.tags.do(ctx, c.ID+keySeparator, false, func(ctx context.Context) ([]string, error) {
		return s.askTags(ctx, c)
	})
	if err != nil {
		return nil, s.failed(err, c)
	}
	return slices.Clone(tags), nil
}

// askTags reads the followed hashtags. A token that may not is an ordinary one:
// it is no failure of the connection.
func (s *Service) askTags(ctx context.Context, c Connection) ([]string, error) {
	tags := []string{}
	err := s.use(ctx, c, func(p Provider, a Account) error {
		list, err := p.(TagLister).FollowedTags(ctx, a)
		switch fault.CodeOf(err) {
		case fault.Forbidden, fault.Unsupported:
			return nil
		}
		for _, t := range list {
			if ValidTag(t) {
				tags = append(tags, t)
			}
		}
		return err
	})
	return tags, err
}

// GetPost returns one post: as it is stored, else as the network has it now,
// which stores it.
func (s *Service) GetPost(ctx context.Context, connectionID, postID string) (Post, error) {
	c, err := s.GetConnection(ctx, connectionID)
	if err != nil {
		return Post{}, err
	}
	src, err := s.validate(c, Source{Kind: KindPost, PostID: postID}, "source")
	if err != nil {
		return Post{}, s.failed(err, c)
	}
	p, found, err := s.findPost(ctx, c, src.PostID)
	if err != nil || found {
		return p, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.toolTimeout)
	defer cancel()
	p, err = s.posts.do(ctx, c.ID+keySeparator+src.PostID, false, func(ctx context.Context) (Post, error) {
		return s.askPost(ctx, c, src)
	})
	if err != nil {
		return Post{}, s.failed(err, c)
	}
	return p, nil
}

func (s *Service) askPost(ctx context.Context, c Connection, src Source) (Post, error) {
	var page UpstreamPage
	err := s.use(ctx, c, func(p Provider, a Account) (err error) {
		page, err = p.Fetch(ctx, a, src, "")
		return err
	})
	if err != nil {
		return Post{}, err
	}
	list := tidyPage(c, &page)
	if len(page.Posts) == 0 {
		return Post{}, fault.New(fault.UpstreamChanged, "%s answered with a post that has no usable id or cannot be read.", hostOf(c.Origin))
	}
	now := s.now()
	err = s.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error { return savePosts(tx, c, list, now) })
	if fault.CodeOf(err) == fault.NotFound {
		return Post{}, err
	}
	s.report(err, "post", c)
	return page.Posts[0], nil
}
