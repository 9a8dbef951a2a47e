package snstest

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// tweetResults is the member that holds a post: {} for one that is not there.
func (q *question) tweetResults(t *tweet) object {
	if t == nil {
		return object{}
	}
	return object{"result": q.tweet(t, 1)}
}

// tweet is the result of a post with quotes depth levels deep.
func (q *question) tweet(t *tweet, depth int) any {
	switch {
	case t.Raw != nil:
		return t.Raw
	case t.Gone != "":
		return object{"__typename": "TweetTombstone", "tombstone": object{"__typename": "TextTombstone", "text": object{"rtl": false, "text": t.Gone, "entities": []any{}}}}
	case t.Preview:
		return object{"__typename": "TweetPreviewDisplay", "tweet": object{"rest_id": t.id}, "cta": object{"title": "Subscribe to unlock"}}
	}
	out := q.plainTweet(t)
	q.fillNote(out, t)
	q.fillQuote(out, t, depth)
	if t.repost != nil {
		out["legacy"].(object)["retweeted_status_result"] = object{"result": q.tweet(t.repost, 1)}
	}
	if !q.quirks.Lean {
		fillTweet(out, t.id)
	}
	patchPaths(out, t.Patch, t.Drop)
	if t.Limited {
		delete(out, "__typename")
		return object{"__typename": "TweetWithVisibilityResults", "tweet": out, "limitedActionResults": object{"limited_actions": []any{object{"action": "Reply", "prompt": object{"__typename": "CtaLimitedActionPrompt"}}}}}
	}
	return out
}

func (q *question) plainTweet(t *tweet) object {
	out := object{
		"__typename": "Tweet", "rest_id": t.id, "core": object{"user_results": object{"result": q.user(t.author)}}, "is_translatable": t.Lang != "" && t.Lang != "en",
		"views": object{"count": strconv.Itoa(max(t.Views, 40)), "state": "EnabledWithCount"}, "source": `<a href="https://mobile.x.com" rel="nofollow">X Web App</a>`,
		"edit_control": object{"edit_tweet_ids": []string{t.id}, "editable_until_msecs": strconv.FormatInt(t.At.Add(time.Hour).UnixMilli(), 10), "is_edit_eligible": t.ReplyTo == "", "edits_remaining": "5"},
		"legacy":       q.legacy(t),
	}
	if t.Edited {
		before := tweetID(t.At.Add(-time.Minute), 1)
		out["edit_control"] = object{"edit_control_initial": object{"edit_tweet_ids": []string{before, t.id}, "editable_until_msecs": "0", "is_edit_eligible": true, "edits_remaining": "4"}, "initial_tweet_id": before}
	}
	if t.Article != "" {
		out["article"] = object{"article_results": object{"result": object{"rest_id": t.id, "id": "QXJ0aWNsZUVudGl0eTo" + t.id, "title": t.Article, "preview_text": shortNote(t.Text)}}}
	}
	if card := q.cardRecord(t); card != nil {
		out["card"] = card
	}
	return out
}

// legacy is the old part of a post, which still holds most of it.
func (q *question) legacy(t *tweet) object {
	text := q.compose(shortNote(t.Text), true)
	if t.repost != nil {
		text = q.compose(shortNote("RT @"+t.repost.author.Handle+": "+t.repost.Text), true)
	}
	lang := t.Lang
	if lang == "" {
		lang = "en"
	}
	out := object{
		"created_at": t.At.UTC().Format(time.RubyDate), "conversation_id_str": q.root(t).id, "id_str": t.id, "user_id_str": t.author.id, "lang": lang,
		"favorite_count": t.Likes, "retweet_count": t.Reposts, "reply_count": t.Replies, "quote_count": t.Quotes, "bookmark_count": 0,
		"favorited": slices.Contains(q.p.likes, t.id), "bookmarked": slices.Contains(q.p.bookmarks, t.id), "retweeted": false, "is_quote_status": t.Quote != "",
		"possibly_sensitive": t.Sensitive, "possibly_sensitive_editable": true,
	}
	if parent := q.byID[t.ReplyTo]; parent != nil {
		out["in_reply_to_status_id_str"], out["in_reply_to_user_id_str"], out["in_reply_to_screen_name"] = parent.id, parent.author.id, parent.author.Handle
	}
	entities := object{}
	full := text.text
	if len(t.Media) > 0 && t.repost == nil {
		media := q.media(t)
		short := media[0].(object)["url"].(string)
		full = strings.TrimSpace(full + " " + short)
		entities["media"], out["extended_entities"] = media, object{"media": media}
	}
	for name, list := range map[string][]any{"urls": text.urls, "user_mentions": text.mentions, "hashtags": text.hashtags} {
		if len(list) > 0 { // empty ones are absent
			entities[name] = list
		}
	}
	out["full_text"], out["display_text_range"], out["entities"] = full, []int{0, len([]rune(text.text))}, entities
	return out
}

// root is where the conversation of a post begins.
func (q *question) root(t *tweet) *tweet {
	for {
		parent := q.byID[t.ReplyTo]
		if parent == nil {
			return t
		}
		t = parent
	}
}

// fillNote adds the whole of a text that is too long for full_text.
func (q *question) fillNote(out object, t *tweet) {
	if t.repost != nil || len([]rune(t.Text)) <= noteLength {
		return
	}
	text := q.compose(t.Text, false)
	set := object{}
	for name, list := range map[string][]any{"urls": text.urls, "user_mentions": text.mentions, "hashtags": text.hashtags} {
		if len(list) > 0 {
			set[name] = list
		}
	}
	out["note_tweet"] = object{"is_expandable": true, "note_tweet_results": object{"result": object{
		"id": base64.StdEncoding.EncodeToString([]byte("NoteTweetEntity:" + t.id)), "text": text.text, "entity_set": set, "richtext": object{"richtext_tags": []any{}}, "media": object{"inline_media": []any{}},
	}}}
}

func (q *question) fillQuote(out object, t *tweet, depth int) {
	if t.Quote == "" {
		return
	}
	legacy := out["legacy"].(object)
	legacy["quoted_status_id_str"] = t.Quote
	quoted := q.byID[t.Quote]
	if quoted == nil {
		out["quoted_status_result"] = object{}
		return
	}
	page := q.site() + "/" + quoted.author.Handle + "/status/" + quoted.id
	legacy["quoted_status_permalink"] = object{"url": shortened(page), "expanded": page, "display": displayed(page)}
	if t.Shallow || depth <= 0 {
		out["quotedRefResult"] = object{"result": object{"__typename": "Tweet", "rest_id": quoted.id}}
		return
	}
	out["quoted_status_result"] = object{"result": q.tweet(quoted, depth-1)}
}

// site is where the pages of people and posts are.
func (q *question) site() string {
	if q.linkToSelf {
		return q.base
	}
	return "https://x.com"
}

func (q *question) media(t *tweet) []any {
	var out []any
	page := fmt.Sprintf("%s/%s/status/%s", q.site(), t.author.Handle, t.id)
	for i, in := range t.Media {
		kind, what := in.Type, "video"
		switch in.Type {
		case "", "image":
			kind, what = "photo", "photo"
		case "gifv":
			kind = "animated_gif"
		}
		address := fmt.Sprintf("%s/%s/%d", page, what, i+1)
		width, height, scene := in.Width, in.Height, in.Scene
		if width == 0 || height == 0 {
			width, height = 1200, 800
		}
		if scene == "" {
			scene = "plain"
		}
		picture := in.URL
		if picture == "" {
			picture = fmt.Sprintf("%s/pictures/scene/%s-%dx%d.svg", q.base, scene, width, height)
		}
		w := object{
			"id_str": tweetID(t.At, int64(i+1)), "media_key": fmt.Sprintf("3_%s%d", t.id, i), "type": kind, "media_url_https": picture,
			"url": shortened(page + "/media"), "expanded_url": address, "display_url": "pic.x.com/" + shortened(page)[13:], "indices": []int{0, 23},
			"original_info": object{"width": width, "height": height, "focus_rects": []any{}}, "sizes": object{"large": object{"w": width, "h": height, "resize": "fit"}, "thumb": object{"w": 150, "h": 150, "resize": "crop"}},
			"ext_media_availability": object{"status": "Available"}, "features": object{"large": object{"faces": []any{}}},
		}
		if in.Alt != "" {
			w["ext_alt_text"] = in.Alt
		}
		if kind != "photo" {
			w["video_info"] = q.videoInfo(in, t.id, width, height)
		}
		out = append(out, w)
	}
	return out
}

func (q *question) videoInfo(in Media, id string, width, height int) object {
	file := func(name string) string { return "https://video.example/amplify/" + id + "/" + name }
	info := object{"aspect_ratio": []int{width, height}, "variants": []any{
		object{"content_type": "application/x-mpegURL", "url": file("pl/list.m3u8")},
		object{"content_type": "video/mp4", "bitrate": 832000, "url": file("640x360/small.mp4")},
		object{"content_type": "video/mp4", "bitrate": 2176000, "url": file("1280x720/large.mp4")},
	}}
	if in.Type == "gifv" {
		info["variants"] = []any{object{"content_type": "video/mp4", "bitrate": 0, "url": file("loop.mp4")}}
		return info
	}
	info["duration_millis"] = int(in.Seconds * 1000)
	return info
}

// cardRecord is the card of a link or of a poll, nil without one.
func (q *question) cardRecord(t *tweet) any {
	var name, url string
	var values []any
	text := func(key, value string) {
		values = append(values, object{"key": key, "value": object{"string_value": value, "type": "STRING"}})
	}
	switch {
	case t.Poll != nil:
		name, url = fmt.Sprintf("poll%dchoice_text_only", len(t.Poll.Options)), "card://"+t.id
		for i, o := range t.Poll.Options {
			text(fmt.Sprintf("choice%d_label", i+1), o.Title)
			if !t.Poll.Hidden {
				text(fmt.Sprintf("choice%d_count", i+1), strconv.Itoa(o.Votes))
			}
		}
		text("end_datetime_utc", t.Poll.Ends.UTC().Format(time.RFC3339))
		text("duration_minutes", "1440")
		values = append(values, object{"key": "counts_are_final", "value": object{"boolean_value": !t.Poll.Ends.After(q.now()), "type": "BOOLEAN"}})
	case t.Card != nil:
		name, url = "summary_large_image", shortened(t.Card.URL)
		text("title", t.Card.Title)
		text("description", t.Card.Description)
		text("domain", t.Card.Provider)
		text("card_url", url)
		if t.Card.Scene != "" {
			values = append(values, object{"key": "thumbnail_image_large", "value": object{"image_value": object{"url": q.base + "/pictures/card/" + t.Card.Scene + ".svg", "width": 1200, "height": 630}, "type": "IMAGE"}})
		}
	default:
		return nil
	}
	return object{"rest_id": url, "legacy": object{"name": name, "url": url, "binding_values": values, "card_platform": object{"platform": object{"audience": object{"name": "production"}, "device": object{"name": "Swift", "version": "12"}}}}}
}

// user is a person as X sends them.
func (q *question) user(who *person) any {
	if who.Suspended {
		return unavailableUser("Suspended")
	}
	picture := q.base + "/pictures/avatar/" + who.Handle + ".svg"
	out := object{"__typename": "User", "id": base64.StdEncoding.EncodeToString([]byte("User:" + who.id)), "rest_id": who.id, "is_blue_verified": who.Verified}
	if q.quirks.OldUsers {
		out["legacy"] = object{
			"name": who.Name, "screen_name": who.Handle, "created_at": who.created.Format(time.RubyDate), "description": who.Bio, "protected": who.Protected,
			"profile_image_url_https": picture, "verified": false, "followers_count": 20 + 7*len(who.Handle), "following": q.p.follows(who),
		}
	} else {
		out["core"] = object{"name": who.Name, "screen_name": who.Handle, "created_at": who.created.Format(time.RubyDate)}
		out["avatar"] = object{"image_url": picture}
		out["privacy"] = object{"protected": who.Protected}
		out["verification"] = object{"verified": false}
		out["profile_bio"] = object{"description": who.Bio}
		out["relationship_counts"] = object{"followers": 20 + 7*len(who.Handle), "following": 80}
		out["relationship_perspectives"] = object{"following": q.p.follows(who)}
	}
	if !q.quirks.Lean {
		fillUser(out)
	}
	if who.Automated {
		out["affiliates_highlighted_label"] = object{"label": object{"description": "Automated", "userLabelType": "AutomatedLabel", "longDescription": object{"text": "Automated by @" + who.Handle}}}
	}
	patchPaths(out, who.Patch, nil)
	return out
}

func unavailableUser(reason string) object {
	return object{"__typename": "UserUnavailable", "message": "User is suspended", "reason": reason}
}

// patchPaths replaces and removes members by their dotted path; what a path
// leads through is made.
func patchPaths(out object, patch map[string]any, drop []string) {
	for path, value := range patch {
		place, last := walk(out, path)
		place[last] = value
	}
	for _, path := range drop {
		place, last := walk(out, path)
		delete(place, last)
	}
}

func walk(out object, path string) (place object, last string) {
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		next, ok := out[name].(object)
		if !ok {
			next = object{}
			out[name] = next
		}
		out = next
	}
	return out, names[len(names)-1]
}
