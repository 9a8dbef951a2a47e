package snstest

import (
	"fmt"
	"strings"
)

// What a real answer has besides and no client reads: most of its bytes. A
// parser that looks for known names anywhere finds them here too.

// fillUser adds the members of a person that say nothing to a reader.
func fillUser(out object) {
	for name, value := range map[string]any{
		"affiliates_highlighted_label": object{}, "has_graduated_access": true, "profile_image_shape": "Circle", "parody_commentary_fan_label": "None",
		"dm_permissions": object{"can_dm": true, "can_dm_on_xchat": true}, "media_permissions": object{"can_media_tag": true}, "location": object{"location": "Port Ellery"},
		"notifications_settings": object{"notifications": false}, "super_following": object{"super_followed_by": false, "super_following": false},
		"super_follow_eligible": false, "exclusive_tweet_following": false, "private_super_following": false, "smart_blocked_by": false, "smart_blocking": false,
		"tweet_counts": object{"media_tweets": 214, "tweets": 4711}, "action_counts": object{"favorites_count": 2025}, "pinned_items": object{"tweet_ids_str": []string{"1790000000000000042"}},
		"banner":       object{"image_url": "https://banners.example/1500x500/plain.jpg"},
		"professional": object{"rest_id": "1460000000000000000", "professional_type": "Creator", "category": []any{object{"id": 1042, "name": "Content Creator", "icon_name": "IconBriefcaseStroke"}}},
		"website":      object{"url": "https://t.co/AAAAAAAAAA"}, "profile_description_language": "en", "profile_metadata": object{"profile_interstitial_type": "", "profile_link_color": "1DA1F2"},
	} {
		if _, ok := out[name]; !ok {
			out[name] = value
		}
	}
}

// fillTweet adds the members of a post that say nothing to a reader.
func fillTweet(out object, id string) {
	out["unmention_data"] = object{}
	out["quick_promote_eligibility"] = object{"eligibility": "IneligibleNotProfessional"}
	out["grok_analysis_button"] = true
	out["grok_annotations"] = object{"is_image_editable_by_grok": true}
	out["post_image_description"] = filler("described", 6)
	out["grok_spans"] = spans(36)
	out["grok_analysis_followups"] = []string{filler("followup", 2), filler("followup", 3), filler("followup", 2)}
	out["birdwatch_pivot"] = object{
		"callToAction":   object{"destinationUrl": "https://x.com/i/birdwatch/t/" + id + "?source=6", "prompt": "Do you find this helpful?", "title": "Rate it"},
		"destinationUrl": "https://x.com/i/birdwatch/n/" + id, "footer": object{"text": filler("footer", 4), "entities": []any{}},
		"note":       object{"rest_id": id, "data_v1": object{"summary": object{"text": filler("context", 24)}, "classification": "NotMisleading", "full_text": "This full_text is none of a post."}},
		"shorttitle": "Readers added context", "subtitle": object{"text": filler("subtitle", 16), "entities": []any{}}, "title": "Readers added context they thought people might want to know", "iconType": "BirdwatchV1Icon", "visualStyle": "Default",
	}
}

// filler is n short sentences about nothing.
func filler(word string, n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "The %s of this post, part %d of %d, is padding of the mock. ", word, i+1, n)
	}
	return text.String()
}

// spans is the small change of an answer: n objects with a few numbers each.
func spans(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = object{"from_index": 7 * i, "to_index": 7*i + 5, "richtext_types": []string{"Bold", "Italic"}, "score": 0.5 + float64(i)/100}
	}
	return out
}
