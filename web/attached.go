package web

import (
	"cmp"
	"net/url"
	"strings"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

var quoteStates = map[string]string{
	sns.QuotePending: "The quote waits for the quoted author's consent.",
	sns.QuoteHidden:  "The quoted post is hidden at the network.",
	sns.QuoteDeleted: "The quoted post was deleted.",
}

func (p postPrinter) quote(q *sns.Quote) *view.Quote {
	if q == nil {
		return nil
	}
	if q.State != sns.QuoteAvailable || q.Post == nil {
		return &view.Quote{
			State: cmp.Or(quoteStates[q.State], "The quoted post is not available."),
			URL:   richtext.SafeURL(q.URL),
		}
	}
	v := &view.Quote{
		Author: p.author(q.Post.Author), At: p.clock.moment(q.Post.CreatedAt), Lang: q.Post.Language,
		Warning: warning(q.Post.ContentWarning), Opened: p.reading.WarningsOpen, Sensitive: blurred(*q.Post), Media: p.media(q.Post.Media),
		Open: p.page(*q.Post), URL: richtext.SafeURL(cmp.Or(q.Post.URL, q.URL)),
	}
	var rest []view.Piece
	v.Text, rest, v.Truncated = p.folded(p.text(*q.Post))
	v.Truncated = v.Truncated || rest != nil || q.Post.TextTruncated
	return v
}

func (p postPrinter) poll(in *sns.Poll) *view.Poll {
	if in == nil {
		return nil
	}
	out := &view.Poll{}
	total := in.Votes
	if in.Multiple && in.Voters != nil {
		total = *in.Voters
	}
	for _, o := range in.Options {
		share := -1
		if o.Votes != nil && total > 0 {
			share = int(min(100, (max(*o.Votes, 0)*100+total/2)/total))
		}
		out.Options = append(out.Options, view.PollOption{Title: o.Title, Share: share})
	}
	parts := []string{plural(in.Votes, "vote", "votes")}
	if in.Multiple {
		parts = append(parts, "several choices")
	}
	switch {
	case in.Expired:
		parts = append(parts, "closed")
	case in.ExpiresAt != nil:
		parts = append(parts, "open until "+p.clock.full(*in.ExpiresAt))
	}
	out.Summary = strings.Join(parts, ", ")
	return out
}

func (p postPrinter) card(in *sns.Card) *view.Card {
	if in == nil {
		return nil
	}
	address := richtext.SafeURL(in.URL)
	if address == "" {
		return nil
	}
	host := address
	if u, err := url.Parse(address); err == nil {
		host = u.Host
	}
	c := &view.Card{URL: address, Title: cmp.Or(in.Title, host), Description: in.Description, Host: host}
	if picture, loads := p.local.address(in.ImageURL); loads {
		c.Picture = &view.Media{Kind: "image", Label: "Preview picture", URL: picture, Loads: true, AtOnce: p.reading.MediaAtOnce}
	}
	return c
}
