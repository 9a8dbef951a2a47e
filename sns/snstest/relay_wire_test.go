package snstest_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

// member is what stands in an answer under a dotted path; numbers count
// through lists. Absent is no JSON.
func member(t *testing.T, raw []byte, path string) string {
	t.Helper()
	var v any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("decode %.200s: %v", raw, err)
	}
	for name := range strings.SplitSeq(path, ".") {
		switch level := v.(type) {
		case object:
			next, ok := level[name]
			if !ok {
				return "absent"
			}
			v = next
		case []any:
			var i int
			if err := json.Unmarshal([]byte(name), &i); err != nil || i >= len(level) {
				return "absent"
			}
			v = level[i]
		default:
			return "absent"
		}
	}
	return encoded(t, v)
}

func TestAPostIsSentAsXSendsIt(t *testing.T) {
	long := strings.Repeat("Long & patient. ", 30)
	at := time.Date(2026, 8, 6, 21, 12, 23, 0, time.UTC)
	for _, c := range []struct {
		name  string
		tweet snstest.Tweet
		want  map[string]string
	}{
		{"a plain one", snstest.Tweet{ID: "2085474086805762419", At: at, Text: "hello"}, map[string]string{
			"__typename": `"Tweet"`, "rest_id": `"2085474086805762419"`, "legacy.created_at": `"Thu Aug 06 21:12:23 +0000 2026"`, "legacy.full_text": `"hello"`,
			"legacy.lang": `"en"`, "legacy.entities": `{}`, "note_tweet": "absent", "legacy.extended_entities": "absent", "views.count": `"40"`,
			"core.user_results.result.core.screen_name": `"ben"`, "core.user_results.result.legacy": "absent",
		}},
		{"HTML and links", snstest.Tweet{Text: "a & <b> https://example.org/a?b=1 #tea @ben 🫖 @nobody"}, map[string]string{
			"legacy.full_text":                    `"a \u0026amp; \u0026lt;b\u0026gt; https://t.co/VKHY7DN4RQ #tea @ben 🫖 @nobody"`,
			"legacy.entities.urls.0.expanded_url": `"https://example.org/a?b=1"`, "legacy.entities.urls.0.indices": `[18,41]`,
			"legacy.entities.hashtags.0.text": `"tea"`, "legacy.entities.user_mentions.0.screen_name": `"ben"`, "legacy.entities.user_mentions.1": "absent",
		}},
		{"a note", snstest.Tweet{Text: long}, map[string]string{
			"note_tweet.note_tweet_results.result.text": encoded(t, long), "note_tweet.note_tweet_results.result.entity_set": `{}`,
			"legacy.full_text": encoded(t, strings.Repeat("Long &amp; patient. ", 16)+"Long &amp; patient.…"),
		}},
		{"a picture with alt text", snstest.Tweet{Text: "look", Media: []snstest.Media{{Scene: "tea", Alt: "A cup.", Width: 640, Height: 480}}}, map[string]string{
			"legacy.extended_entities.media.0.type": `"photo"`, "legacy.extended_entities.media.0.ext_alt_text": `"A cup."`,
			"legacy.extended_entities.media.0.original_info.width": "640", "legacy.extended_entities.media.1": "absent",
		}},
		{"a video", snstest.Tweet{Media: []snstest.Media{{Type: "video", Seconds: 2.5}}}, map[string]string{
			"legacy.extended_entities.media.0.type": `"video"`, "legacy.extended_entities.media.0.video_info.duration_millis": "2500",
			"legacy.extended_entities.media.0.video_info.variants.0.bitrate": "absent", "legacy.extended_entities.media.0.video_info.variants.2.bitrate": "2176000",
			"legacy.extended_entities.media.0.ext_alt_text": "absent",
		}},
		{"a loop", snstest.Tweet{Media: []snstest.Media{{Type: "gifv"}}}, map[string]string{
			"legacy.extended_entities.media.0.type": `"animated_gif"`, "legacy.extended_entities.media.0.video_info.variants.0.content_type": `"video/mp4"`,
		}},
		{"a poll", snstest.Tweet{Poll: &snstest.Poll{Options: []snstest.Option{{Title: "Tea", Votes: 3}, {Title: "Coffee"}}, Ends: at}}, map[string]string{
			"card.legacy.name": `"poll2choice_text_only"`, "card.legacy.binding_values.0": `{"key":"choice1_label","value":{"string_value":"Tea","type":"STRING"}}`,
			"card.legacy.binding_values.1.value.string_value": `"3"`, "card.legacy.binding_values.4.value.string_value": `"2026-08-06T21:12:23Z"`,
			"card.legacy.binding_values.6.value.boolean_value": "true",
		}},
		{"a card", snstest.Tweet{Text: "https://example.org/", Card: &snstest.Card{URL: "https://example.org/", Title: "Title", Provider: "example.org", Scene: "tea"}}, map[string]string{
			"card.legacy.name": `"summary_large_image"`, "card.legacy.binding_values.0.value.string_value": `"Title"`, "card.legacy.binding_values.4.key": `"thumbnail_image_large"`,
		}},
		{"an article", snstest.Tweet{Text: "https://x.com/i/article/1", Article: "On tea"}, map[string]string{"article.article_results.result.title": `"On tea"`}},
		{"an edited one", snstest.Tweet{ID: "9", At: at, Edited: true}, map[string]string{"edit_control.edit_control_initial.edit_tweet_ids.1": `"9"`, "edit_control.edit_tweet_ids": "absent"}},
		{"a limited one", snstest.Tweet{ID: "9", Limited: true}, map[string]string{"__typename": `"TweetWithVisibilityResults"`, "tweet.rest_id": `"9"`, "tweet.__typename": "absent"}},
		{"a tombstone", snstest.Tweet{Gone: "This Post was deleted."}, map[string]string{"__typename": `"TweetTombstone"`, "tombstone.text.text": `"This Post was deleted."`}},
		{"a preview", snstest.Tweet{Preview: true}, map[string]string{"__typename": `"TweetPreviewDisplay"`, "legacy": "absent"}},
		{"a broken one", snstest.Tweet{Raw: json.RawMessage(`{"rest_id":{}}`)}, map[string]string{"rest_id": "{}", "legacy": "absent"}},
		{"changed members", snstest.Tweet{
			Patch: map[string]any{"legacy.favorite_count": json.Number("99999999999999999999"), "legacy.created_at": "Thu Jan 01 00:00:00 +0000 99999", "card": nil},
			Drop:  []string{"legacy.full_text", "core.user_results.result"},
		}, map[string]string{
			"legacy.favorite_count": "99999999999999999999", "legacy.created_at": `"Thu Jan 01 00:00:00 +0000 99999"`, "card": "null",
			"legacy.full_text": "absent", "core.user_results": "{}",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Plain: true}})
			id := r.Profile("a1").Add(c.tweet)
			body := relayed(t, origin, "a1", "TweetResultByRestId", object{"tweetId": id}).body
			got := map[string]string{}
			for path := range c.want {
				got[path] = member(t, body, "data.tweetResult.result."+path)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRepostsAndQuotesHoldTheOriginal(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	p := r.Profile("a1")
	p.AddPerson(snstest.Person{Handle: "away", Suspended: true})
	original := p.Add(snstest.Tweet{Text: strings.Repeat("Long & patient. ", 30)})
	inner := p.Add(snstest.Tweet{Text: "on this", Quote: original})
	for _, c := range []struct {
		name  string
		tweet snstest.Tweet
		want  map[string]string
	}{
		{"a repost", snstest.Tweet{Author: "cleo", Repost: original}, map[string]string{
			"legacy.retweeted_status_result.result.rest_id": `"` + original + `"`, "note_tweet": "absent", "legacy.favorite_count": "0",
			"legacy.retweeted_status_result.result.note_tweet.is_expandable": "true",
		}},
		{"a quote", snstest.Tweet{Text: "so true", Quote: original}, map[string]string{
			"quoted_status_result.result.rest_id": `"` + original + `"`, "legacy.quoted_status_id_str": `"` + original + `"`,
			"legacy.quoted_status_permalink.expanded": `"https://x.com/ben/status/` + original + `"`, "quotedRefResult": "absent",
		}},
		{"a shallow quote", snstest.Tweet{Quote: original, Shallow: true}, map[string]string{
			"quotedRefResult.result": `{"__typename":"Tweet","rest_id":"` + original + `"}`, "quoted_status_result": "absent",
		}},
		{"a quote of a quote", snstest.Tweet{Quote: inner}, map[string]string{
			"quoted_status_result.result.rest_id": `"` + inner + `"`, "quoted_status_result.result.quotedRefResult.result.rest_id": `"` + original + `"`,
		}},
		{"somebody suspended", snstest.Tweet{Author: "away", Text: "hm"}, map[string]string{"core.user_results.result.__typename": `"UserUnavailable"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := relayed(t, origin, "a1", "TweetResultByRestId", object{"tweetId": p.Add(c.tweet)}).body
			got := map[string]string{}
			for path := range c.want {
				got[path] = member(t, body, "data.tweetResult.result."+path)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsNotThere(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	r.Profile("a1").AddPerson(snstest.Person{Handle: "away", ID: "77", Suspended: true})
	for _, c := range []struct {
		operation string
		vars      object
		want      string
	}{
		{"TweetResultByRestId", object{"tweetId": "1"}, `{"data":{"tweetResult":{}}}`},
		{"UserByScreenName", object{"screen_name": "nobody"}, `{"data":{}}`},
		{"UserByRestId", object{"userId": "1"}, `{"data":{}}`},
		{"UserByScreenName", object{"screen_name": "away"}, `{"data":{"user":{"result":{"__typename":"UserUnavailable","message":"User is suspended","reason":"Suspended"}}}}`},
		{"UserTweets", object{"userId": "1"}, `{"data":{"user":{}}}`},
		{"UserTweets", object{"userId": "77"}, `{"data":{"user":{"result":{"__typename":"UserUnavailable","message":"User is suspended","reason":"Suspended"}}}}`},
		{"ListLatestTweetsTimeline", object{"listId": "1"}, `{"data":{}}`},
	} {
		t.Run(c.operation, func(t *testing.T) {
			got := relayed(t, origin, "a1", c.operation, c.vars)
			if got.status != 200 || string(got.body) != c.want {
				t.Errorf("= %d %s, want 200 %s", got.status, got.body, c.want)
			}
		})
	}
	if got := string(relayed(t, origin, "a1", "TweetDetail", object{"focalTweetId": "1"}).body); !strings.Contains(got, `"code":144`) {
		t.Errorf("a thread that is not there = %s", got)
	}
}

func TestPeopleCanBeSentInTheOldShape(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	r.Profile("a1").AddPerson(snstest.Person{Handle: "Noa", Name: "נועה 🌊", Protected: true, Patch: map[string]any{"legacy.verified": nil}})
	r.SetQuirks(func(q *snstest.RelayQuirks) { q.OldUsers = true })
	body := relayed(t, origin, "a1", "UserByScreenName", object{"screen_name": "noa"}).body
	got := []string{member(t, body, "data.user.result.legacy.name"), member(t, body, "data.user.result.legacy.protected"), member(t, body, "data.user.result.core"), member(t, body, "data.user.result.legacy.verified")}
	if diff := cmp.Diff([]string{`"נועה 🌊"`, "true", "absent", "null"}, got); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}
