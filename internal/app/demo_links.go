package app

import (
	"context"
	"strings"

	"personal-workspace/sns"
	"personal-workspace/sns/twitter"
)

// demoX reads X in the demo. The people there are made up, and their names may be
// somebody's on x.com: so their pages are those of the demo's relay.
type demoX struct{ *twitter.Provider }

// Fetch implements sns.Provider.
func (d demoX) Fetch(ctx context.Context, a sns.Account, s sns.Source, cursor string) (sns.UpstreamPage, error) {
	page, err := d.Provider.Fetch(ctx, a, s, cursor)
	for i := range page.Posts {
		relocate(&page.Posts[i], a.Origin)
	}
	return page, err
}

// Thread implements sns.Provider.
func (d demoX) Thread(ctx context.Context, a sns.Account, postID string) (sns.Thread, error) {
	t, err := d.Provider.Thread(ctx, a, postID)
	for _, list := range [][]sns.Post{t.Ancestors, t.Descendants} {
		for i := range list {
			relocate(&list[i], a.Origin)
		}
	}
	relocate(&t.Post, a.Origin)
	return t, err
}

// relocate lets the links of a post to x.com lead to another site.
func relocate(p *sns.Post, site string) {
	addresses := []*string{&p.URL, &p.Author.URL}
	for i := range p.Mentions {
		addresses = append(addresses, &p.Mentions[i].URL)
	}
	if p.BoostedBy != nil {
		addresses = append(addresses, &p.BoostedBy.Author.URL)
	}
	if p.Card != nil {
		addresses = append(addresses, &p.Card.URL)
	}
	if p.Notification != nil {
		for i := range p.Notification.Actors {
			addresses = append(addresses, &p.Notification.Actors[i].URL)
		}
	}
	if p.Quote != nil {
		addresses = append(addresses, &p.Quote.URL)
		if p.Quote.Post != nil {
			relocate(p.Quote.Post, site)
		}
	}
	for _, address := range addresses {
		if path, ok := strings.CutPrefix(*address, "https://x.com/"); ok {
			*address = site + "/" + path
		}
	}
}
