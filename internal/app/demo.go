package app

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"personal-workspace/decks"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// FillDemo registers the demo's accounts, saves its decks, reads every column
// once and proposes tasks and replies, so that the first pages are full.
func (a *App) FillDemo(ctx context.Context, d *snstest.Demo) error {
	var ids []string
	for _, c := range d.Connections() {
		added, err := a.connectDemo(ctx, c)
		if err != nil {
			return fmt.Errorf("connect the demo account %s: %w", c.Label, err)
		}
		ids = append(ids, added.ID)
	}
	for _, deck := range d.Decks() {
		if err := a.fillDemoDeck(ctx, deck, ids); err != nil {
			return fmt.Errorf("save the demo deck %q: %w", deck.Title, err)
		}
	}
	return a.fillDemoActivities(ctx, d, ids)
}

func (a *App) connectDemo(ctx context.Context, c snstest.DemoConnection) (sns.Connection, error) {
	if c.Profile != "" {
		return a.Store.Posts.AddTwitter(ctx, sns.AddTwitter{Relay: c.Origin, Profile: c.Profile, Label: c.Label, Operator: true})
	}
	return a.Store.Posts.AddMastodon(ctx, sns.AddMastodon{Origin: c.Origin, Token: c.Token, Label: c.Label, Operator: true})
}

func (a *App) fillDemoDeck(ctx context.Context, deck snstest.DemoDeck, ids []string) error {
	in := decks.CreateDeck{Title: deck.Title}
	for _, c := range deck.Columns {
		in.Columns = append(in.Columns, decks.Column{Title: c.Title, ConnectionID: ids[c.Connection], Source: c.Source})
	}
	saved, err := a.Decks.CreateDeck(ctx, in)
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	for _, c := range saved.Columns {
		g.Go(func() error { return a.Store.Posts.Refresh(ctx, c.ConnectionID, c.Source) })
	}
	return g.Wait()
}
