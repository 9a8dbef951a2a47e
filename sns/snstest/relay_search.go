package snstest

import (
	"cmp"
	"slices"
	"strings"
)

func (q *question) search() result {
	query, product := q.text("rawQuery"), q.text("product")
	f := feed{key: product + "\x00" + query}
	tweets := q.where(func(t *tweet) bool { return t.repost == nil && matches(t, query) })
	switch product {
	case "Top":
		slices.SortStableFunc(tweets, func(a, b *tweet) int { return cmp.Compare(b.Likes, a.Likes) })
		f.module = "toptweets-conversation"
	case "Media":
		tweets = slices.DeleteFunc(tweets, func(t *tweet) bool { return len(t.Media) == 0 })
		f.grid = "search-grid-0"
	}
	f.items = itemsOf(tweets)
	return q.timeline("search_by_raw_query.search_timeline.timeline", f)
}

// matches reports whether a post has everything that a query asks for: words,
// "phrases", #tags, from: and lang:, and a few filters. Other operators count as
// met, and OR asks for one of its two sides.
func matches(t *tweet, query string) bool {
	text := strings.ToLower(t.Text + " " + t.author.Handle + " " + t.author.Name)
	for all := range strings.SplitSeq(query, " OR ") {
		if !slices.ContainsFunc(terms(all), func(term string) bool { return !t.meets(text, term) }) {
			return true
		}
	}
	return false
}

func (t *tweet) meets(text, term string) bool {
	name, value, _ := strings.Cut(term, ":")
	switch name {
	case "from":
		return strings.EqualFold(strings.TrimPrefix(value, "@"), t.author.Handle)
	case "lang":
		return value == t.Lang || value == "en" && t.Lang == ""
	case "-filter":
		return value != "replies" || t.ReplyTo == ""
	case "filter":
		return value != "media" || len(t.Media) > 0
	case "to", "since", "until", "min_faves", "min_retweets", "min_replies", "url", "quoted_tweet_id":
		return true
	}
	return strings.Contains(text, strings.ToLower(term))
}

// terms are the words of a query, and its quoted phrases without the quotes.
func terms(query string) []string {
	var out []string
	for i, part := range strings.Split(query, `"`) {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}
