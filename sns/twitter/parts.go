package twitter

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

var (
	namePattern     = regexp.MustCompile(`^[A-Za-z0-9_]{1,20}$`)
	languagePattern = regexp.MustCompile(`^[A-Za-z0-9-]{2,16}$`)
)

// isName reports whether s is a name of an account of X.
func isName(s string) bool { return namePattern.MatchString(s) }

// authorOf maps who wrote a tweet.
func (m *mapper) authorOf(t value) sns.Author {
	core := t.get("core")
	user := core.get("user_results", "result")
	if !user.exists() {
		user = core.get("user_result", "result")
	}
	return author(user)
}

// author maps an account. Since 2026 all of it stands in groups; before, most
// stood in legacy.
func author(user value) sns.Author {
	legacy := user.get("legacy")
	first := func(limit int, values ...value) string {
		for _, v := range values {
			if s := richtext.CutLine(v.str(), limit); s != "" {
				return s
			}
		}
		return ""
	}
	a := sns.Author{
		ID:          first(sns.MaxID, user.get("rest_id"), legacy.get("id_str")),
		DisplayName: first(sns.MaxName, user.get("core", "name"), legacy.get("name")),
		AvatarURL:   richtext.SafeURL(first(sns.MaxURL, user.get("avatar", "image_url"), legacy.get("profile_image_url_https"))),
		Protected:   user.get("privacy", "protected").yes() || legacy.get("protected").yes(),
	}
	name := first(sns.MaxHandle-1, user.get("core", "screen_name"), legacy.get("screen_name"))
	if name != "" {
		a.Handle = "@" + name
	}
	if isName(name) {
		a.URL = "https://x.com/" + name
	}
	if a.Handle == "" && a.DisplayName == "" && !isNumber(a.ID) {
		return sns.Author{Unknown: true}
	}
	if !isNumber(a.ID) {
		a.ID = ""
	}
	return a
}

// language is a language tag, "" for X's words for "none".
func language(s string) string {
	if !languagePattern.MatchString(s) || len(s) == 3 && s[0] == 'q' || slices.Contains([]string{"und", "zxx", "art"}, s) {
		return ""
	}
	return s
}

func counts(t value) *sns.Counts {
	legacy := t.get("legacy")
	c := sns.Counts{
		Replies: count(legacy.get("reply_count")), Boosts: count(legacy.get("retweet_count")),
		Likes: count(legacy.get("favorite_count")), Quotes: count(legacy.get("quote_count")),
		Views: count(t.get("views", "count")),
	}
	if c == (sns.Counts{}) {
		return nil
	}
	return &c
}

// count is a number that is not negative, nil when X gave none.
func count(v value) *int64 {
	n, ok := v.integer()
	if !ok {
		return nil
	}
	n = max(n, 0)
	return &n
}

func viewer(legacy value) *sns.Viewer {
	liked, boosted, kept := legacy.get("favorited"), legacy.get("retweeted"), legacy.get("bookmarked")
	if !liked.isBool() && !boosted.isBool() && !kept.isBool() {
		return nil
	}
	return &sns.Viewer{Liked: liked.yes(), Boosted: boosted.yes(), Bookmarked: kept.yes()}
}

func mediaOf(legacy value) value {
	if v := legacy.get("extended_entities", "media"); v.kind() == array {
		return v
	}
	return legacy.get("entities", "media")
}

var mediaTypes = map[string]string{"photo": "image", "animated_gif": "gif", "video": "video"}

func media(legacy value) []sns.Media {
	var out []sns.Media
	for a := range mediaOf(legacy).elements() {
		if a.kind() != object || len(out) == sns.MaxMedia {
			continue
		}
		out = append(out, attachment(a))
	}
	return out
}

func attachment(a value) sns.Media {
	alt, _ := richtext.Cut(richtext.Lines(a.get("ext_alt_text").str()), sns.MaxAlt)
	picture := richtext.SafeURL(a.get("media_url_https").str())
	m := sns.Media{
		Type: mediaTypes[a.get("type").str()], URL: picture, PreviewURL: picture, Alt: alt,
		Width: pixels(a.get("original_info", "width")), Height: pixels(a.get("original_info", "height")),
	}
	switch m.Type {
	case "video", "gif":
		m.URL = film(a.get("video_info", "variants"))
		m.DurationMs = duration(a.get("video_info", "duration_millis"))
	case "":
		m.Type = "unknown"
	}
	if status := a.get("ext_media_availability", "status").str(); status != "" && status != "Available" {
		m.Type, m.URL = "unknown", ""
	}
	return m
}

// film is the best file of a video that every browser plays.
func film(variants value) string {
	best, address := int64(-1), ""
	for v := range variants.elements() {
		u := richtext.SafeURL(v.get("url").str())
		rate, _ := v.get("bitrate").integer()
		if v.get("content_type").str() == "video/mp4" && u != "" && rate > best {
			best, address = rate, u
		}
	}
	return address
}

func pixels(v value) int {
	if n, ok := v.integer(); ok && n >= 1 && n <= 1<<20 {
		return int(n)
	}
	return 0
}

func duration(v value) int64 {
	if n, ok := v.integer(); ok && n > 0 && n < 1e10 {
		return n
	}
	return 0
}

// attach sets the poll, or the preview of a link or of a long article.
func (m *mapper) attach(p *sns.Post, t value, short map[string]string) {
	card := t.get("card", "legacy")
	if !card.exists() {
		card = t.get("card")
	}
	if card.kind() == object {
		b := bindings(card.get("binding_values"))
		if strings.HasPrefix(card.get("name").str(), "poll") {
			p.Poll = m.poll(b)
		} else {
			p.Card = linkCard(card, b, short)
		}
	}
	if p.Card == nil {
		p.Card = article(t.get("article", "article_results", "result"))
	}
}

// bindings are the named values of a card: a list of pairs, or an object.
func bindings(v value) map[string]value {
	out := map[string]value{}
	for e := range v.each() {
		if v.kind() == object {
			out[e.name()] = e
		} else if key := e.get("key").str(); key != "" {
			out[key] = e.get("value")
		}
	}
	return out
}

func (m *mapper) poll(b map[string]value) *sns.Poll {
	out := &sns.Poll{Expired: b["counts_are_final"].get("boolean_value").yes()}
	for _, n := range []string{"1", "2", "3", "4"} {
		label := richtext.CutLine(b["choice"+n+"_label"].get("string_value").str(), sns.MaxPollOption)
		if label == "" {
			continue
		}
		votes := count(b["choice"+n+"_count"].get("string_value"))
		if votes != nil && *votes < 1<<53 {
			out.Votes += *votes
		}
		out.Options = append(out.Options, sns.PollOption{Title: label, Votes: votes})
	}
	if len(out.Options) == 0 {
		return nil
	}
	if end, err := time.Parse(time.RFC3339, b["end_datetime_utc"].get("string_value").str()); err == nil {
		out.ExpiresAt = moment(end)
	}
	if out.ExpiresAt != nil && !out.ExpiresAt.After(m.now) {
		out.Expired = true
	}
	return out
}

func linkCard(card value, b map[string]value, short map[string]string) *sns.Card {
	raw := b["card_url"].get("string_value").str()
	if raw == "" {
		raw = card.get("url").str()
	}
	if to := short[raw]; to != "" {
		raw = to
	}
	c := &sns.Card{
		URL:         richtext.SafeURL(raw),
		Title:       richtext.CutLine(b["title"].get("string_value").str(), sns.MaxCardTitle),
		Description: richtext.CutLine(b["description"].get("string_value").str(), sns.MaxCardText),
		Provider:    richtext.CutLine(b["domain"].get("string_value").str(), sns.MaxProvider),
	}
	for _, name := range []string{"thumbnail_image_large", "photo_image_full_size_large", "thumbnail_image"} {
		if c.ImageURL == "" {
			c.ImageURL = richtext.SafeURL(b[name].get("image_value", "url").str())
		}
	}
	if c.URL == "" || c.Title == "" {
		return nil
	}
	return c
}

// article is the preview of a long article, whose tweet is only its address.
func article(v value) *sns.Card {
	id, title := v.get("rest_id").str(), richtext.CutLine(v.get("title").str(), sns.MaxCardTitle)
	if !isNumber(id) || title == "" {
		return nil
	}
	return &sns.Card{
		URL:         "https://x.com/i/article/" + id,
		Title:       title,
		Description: richtext.CutLine(v.get("preview_text").str(), sns.MaxCardText),
		Provider:    "x.com",
	}
}
