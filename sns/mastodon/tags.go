package mastodon

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

const (
	// maxTagPages is how many pages of followed hashtags are read, each of as
	// many as servers give.
	maxTagPages = 3
	tagsPerPage = "200"
)

var _ sns.TagLister = (*Provider)(nil)

// FollowedTags implements sns.TagLister.
func (p *Provider) FollowedTags(ctx context.Context, a sns.Account) ([]string, error) {
	what := subject{name: "followed hashtags", scope: "read:follows", capability: "followed_tags"}
	tags, at := []string{}, ""
	for range maxTagPages {
		query := url.Values{"limit": {tagsPerPage}}
		if at != "" {
			query.Set("max_id", at)
			what.paging = true
		}
		res, err := p.get(ctx, a, what, "/api/v1/followed_tags", query)
		if err != nil && at != "" && fault.CodeOf(err) != fault.Canceled {
			return tags, nil // the first ones are good
		}
		if err != nil {
			return nil, err
		}
		if tags, err = appendTags(tags, res.body); err != nil {
			return nil, err
		}
		next, _ := nextID(res.link)
		if next == "" || next == at || !sns.ValidID(next) {
			break
		}
		at = next
	}
	return tags, nil
}

// appendTags adds the names in a body, each once.
func appendTags(tags []string, body []byte) ([]string, error) {
	err := eachItem(body, maxLists, func(raw []byte) {
		t := decodeItem[struct {
			Name string `json:"name"`
		}](raw)
		if t == nil {
			return
		}
		name := richtext.CutLine(strings.TrimPrefix(t.Name, "#"), sns.MaxTagName)
		if sns.ValidTag(name) && !slices.Contains(tags, name) {
			tags = append(tags, name)
		}
	})
	if err != nil {
		return nil, changed("followed_tags").Wrap(err)
	}
	return tags, nil
}
