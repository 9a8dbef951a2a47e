package twitter

import (
	"net/http"
	"slices"
	"strings"
)

// operation is one of X's own questions. What is not in operations is never sent.
type operation struct {
	// what it reads, for messages.
	what string
	// budget is how often it may be asked in budgetPer.
	budget int
	// fixed are the variables that are always the same.
	fixed map[string]any
	// names are the other variables that a request may have.
	names []string
	// data are the places below "data" where the answer may stand.
	data []string
	// missing is what is not there when the answer is empty, "" when that
	// cannot be.
	missing string
	// built is how it is asked unless the catalogue's file says otherwise.
	built recipe
}

// harmless are the variables that name nothing which could be changed.
var harmless = []string{"count", "cursor", "rawQuery", "product", "timeline_type"}

// readsByPOST reports whether a file may say that the operation is asked by POST, as
// X reads some timelines. What X does follows from the id alone: a wrong one could be
// that of a write to the list, the account or the post that a question names. Writes
// go by POST.
func (o operation) readsByPOST() bool {
	return !slices.ContainsFunc(o.names, func(name string) bool { return !slices.Contains(harmless, name) })
}

// recipe is the part of an operation that changes with each version of x.com.
type recipe struct {
	// method is GET or POST: X reads some timelines by POST.
	method string
	// id names the version of the operation.
	id string
	// features and toggles are switches that X insists on.
	features, toggles map[string]bool
}

// The names of the operations.
const (
	opHome          = "HomeLatestTimeline"
	opForYou        = "HomeTimeline"
	opList          = "ListLatestTweetsTimeline"
	opUserPosts     = "UserTweets"
	opUserReplies   = "UserTweetsAndReplies"
	opUserMedia     = "UserMedia"
	opLikes         = "Likes"
	opSearch        = "SearchTimeline"
	opBookmarks     = "Bookmarks"
	opNotifications = "NotificationsTimeline"
	opThread        = "TweetDetail"
	opPost          = "TweetResultByRestId"
	opUserByName    = "UserByScreenName"
	opLists         = "ListsManagementPageTimeline"
	opViewer        = "Viewer"
)

// Budgets of one operation of one profile in budgetPer, to stay far from what gets
// an account locked.
const (
	fewReads  = 30
	manyReads = 60
)

// operations is the one list of what may be asked. All of it reads.
var operations = map[string]operation{
	opHome: {
		what: "the Following timeline", budget: manyReads, names: []string{"count", "cursor"},
		fixed: map[string]any{"enableRanking": false, "includePromotedContent": true, "seenTweetIds": []string{}},
		data:  []string{"home.home_timeline_urt"},
		built: built(http.MethodPost, "v8D8YuUcH9097nKOVvRPgA", nil),
	},
	opForYou: {
		what: "the For you timeline", budget: manyReads, names: []string{"count", "cursor"},
		fixed: map[string]any{"includePromotedContent": true, "withCommunity": true, "seenTweetIds": []string{}},
		data:  []string{"home.home_timeline_urt"},
		built: built(http.MethodPost, "-M5P8LkjBRfeMF2MRJfbqA", nil),
	},
	opList: {
		what: "the list", budget: manyReads, names: []string{"listId", "count", "cursor"}, missing: "list",
		data:  []string{"list.tweets_timeline.timeline"},
		built: built(http.MethodGet, "jW040BLUjh8X6Tw2ODQufA", nil),
	},
	opUserPosts: {
		what: "the posts of the account", budget: fewReads, names: []string{"userId", "count", "cursor"}, missing: "account",
		fixed: map[string]any{"includePromotedContent": true, "withQuickPromoteEligibilityTweetFields": true, "withVoice": true},
		data:  userTimeline(),
		built: built(http.MethodGet, "eoJ5zbv51Z_KVl81v9PmLQ", articleToggles()),
	},
	opUserReplies: {
		what: "the posts of the account", budget: fewReads, names: []string{"userId", "count", "cursor"}, missing: "account",
		fixed: map[string]any{
			"includePromotedContent": true, "withQuickPromoteEligibilityTweetFields": true, "withVoice": true, "withCommunity": true,
		},
		data:  userTimeline(),
		built: built(http.MethodGet, "wc5DRl4VaW5lSqJ8YbftZQ", articleToggles()),
	},
	opUserMedia: {
		what: "the media of the account", budget: fewReads, names: []string{"userId", "count", "cursor"}, missing: "account",
		fixed: mediaVariables(),
		data:  userTimeline(),
		built: built(http.MethodGet, "2DC9TKrcUzwGC_QskSVl5w", articleToggles()),
	},
	opLikes: {
		what: "the favourites", budget: fewReads, names: []string{"userId", "count", "cursor"},
		fixed: mediaVariables(),
		data:  userTimeline(),
		built: built(http.MethodGet, "-a4kQTjMROm_V1cOpbNyXQ", articleToggles()),
	},
	opSearch: {
		what: "the results of the search", budget: fewReads, names: []string{"rawQuery", "product", "count", "cursor"},
		fixed: map[string]any{"querySource": "typed_query"},
		data:  []string{"search_by_raw_query.search_timeline.timeline"},
		built: built(http.MethodGet, "BGd0T_j7oVwlW5U79tO_0A", nil),
	},
	opBookmarks: {
		what: "the bookmarks", budget: manyReads, names: []string{"count", "cursor"},
		fixed: map[string]any{"includePromotedContent": true},
		data:  []string{"bookmark_timeline_v2.timeline", "bookmark_timeline.timeline"},
		built: built(http.MethodGet, "aqjes8lRHRFG0HUglVTfNg", nil),
	},
	opNotifications: {
		what: "the notifications", budget: fewReads, names: []string{"timeline_type", "count", "cursor"},
		data:  []string{"viewer_v2.user_results.result.notification_timeline.timeline"},
		built: built(http.MethodGet, "pG6NU8KZjNi1Iedss0Nu1Q", nil),
	},
	opThread: {
		what: "the conversation", budget: manyReads, names: []string{"focalTweetId", "cursor"}, missing: "post",
		fixed: map[string]any{
			"referrer": "tweet", "with_rux_injections": false, "rankingMode": "Relevance", "includePromotedContent": true, "withCommunity": true,
			"withQuickPromoteEligibilityTweetFields": true, "withBirdwatchNotes": true, "withVoice": true,
		},
		data:  []string{"threaded_conversation_with_injections_v2"},
		built: built(http.MethodGet, "559hs_YZNV4IgA3Z6zIIuw", postToggles()),
	},
	opPost: {
		what: "the post", budget: manyReads, names: []string{"tweetId"}, missing: "post",
		fixed: map[string]any{"withCommunity": false, "includePromotedContent": false, "withVoice": false},
		data:  []string{"tweetResult.result"},
		built: built(http.MethodGet, "SgZWKwvBiOKrSC0QeOGvXw", postToggles()),
	},
	opUserByName: {
		what: "the account", budget: fewReads, names: []string{"screen_name"}, missing: "account",
		fixed: map[string]any{"withGrokTranslatedBio": true},
		data:  []string{"user.result"},
		built: built(http.MethodGet, "Gb-d6r0vxPOADdG62OEBpQ", map[string]bool{"withPayments": false, "withAuxiliaryUserLabels": true}),
	},
	opLists: {
		what: "the lists", budget: fewReads, names: []string{"count"},
		data:  []string{"viewer.list_management_timeline.timeline"},
		built: built(http.MethodGet, "I96vj5eyw1D9g_NA0wWj3Q", nil),
	},
	opViewer: {
		what: "the account of the profile", budget: fewReads, missing: "account",
		fixed: map[string]any{"withCommunitiesMemberships": true},
		data:  []string{"viewer.user_results.result"},
		built: built(http.MethodGet, "_8ClT24oZ8tpylf_OSuNdg", nil),
	},
}

func built(method, id string, toggles map[string]bool) recipe {
	return recipe{method: method, id: id, features: builtFeatures(), toggles: toggles}
}

// userTimeline is where the timelines of an account stand, now and before 2026.
func userTimeline() []string {
	return []string{"user.result.timeline.timeline", "user.result.timeline_v2.timeline"}
}

func mediaVariables() map[string]any {
	return map[string]any{"includePromotedContent": false, "withClientEventToken": false, "withBirdwatchNotes": false, "withVoice": true}
}

func articleToggles() map[string]bool { return map[string]bool{"withArticlePlainText": false} }

func postToggles() map[string]bool {
	return map[string]bool{
		"withArticleRichContentState": true, "withArticlePlainText": false, "withArticleSummaryText": true,
		"withArticleVoiceOver": true, "withGrokAnalyze": false, "withDisallowedReplyControls": false,
	}
}

// The features of x.com in the summer of 2026. X refuses a question that lacks one
// of them and does not mind one too many.
const (
	featuresOn = `rweb_cashtags_enabled profile_label_improvements_pcf_label_in_post_enabled
		creator_subscriptions_tweet_preview_api_enabled responsive_web_graphql_timeline_navigation_enabled
		communities_web_enable_tweet_community_results_fetch c9s_tweet_anatomy_moderator_badge_enabled
		responsive_web_grok_analyze_post_followups_enabled rweb_cashtags_composer_attachment_enabled responsive_web_jetfuel_frame
		responsive_web_grok_share_attachment_enabled responsive_web_grok_annotations_enabled articles_preview_enabled
		responsive_web_edit_tweet_api_enabled graphql_is_translatable_rweb_tweet_is_translatable_enabled
		view_counts_everywhere_api_enabled longform_notetweets_consumption_enabled
		responsive_web_twitter_article_tweet_consumption_enabled content_disclosure_indicator_enabled
		content_disclosure_ai_generated_indicator_enabled responsive_web_grok_show_grok_translated_post
		responsive_web_grok_analysis_button_from_backend post_ctas_fetch_enabled freedom_of_speech_not_reach_fetch_enabled
		standardized_nudges_misinfo tweet_with_visibility_results_prefer_gql_limited_actions_policy_enabled
		longform_notetweets_rich_text_read_enabled responsive_web_grok_image_annotation_enabled
		responsive_web_grok_imagine_annotation_enabled responsive_web_grok_community_note_auto_translation_is_enabled`
	featuresOff = `rweb_video_screen_enabled responsive_web_profile_redirect_enabled rweb_tipjar_consumption_enabled
		verified_phone_label_enabled responsive_web_graphql_skip_user_profile_image_extensions_enabled
		premium_content_api_read_enabled responsive_web_grok_analyze_button_fetch_trends_enabled
		rweb_conversational_replies_downvote_enabled longform_notetweets_inline_media_enabled
		responsive_web_enhance_cards_enabled`
)

func builtFeatures() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(featuresOn) {
		out[name] = true
	}
	for name := range strings.FieldsSeq(featuresOff) {
		out[name] = false
	}
	return out
}
