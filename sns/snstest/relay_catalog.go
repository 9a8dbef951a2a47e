package snstest

import (
	"net/http"
	"slices"
)

// operation is a read of X that a client may ask the relay for. This list is
// the mock's own, so that a client which grows a write is caught here too.
type operation struct {
	// methods are how it may be asked.
	methods []string
	// ids are the query ids that X serves.
	ids []string
	// vars are the variables that must be there.
	vars []string
	// page is how many posts a page has, whatever is asked.
	page int
	// cursor is how long a cursor is.
	cursor int
	// replace: later pages deliver their cursors by TimelineReplaceEntry.
	replace bool
	read    func(*question) result
}

var (
	byGET  = []string{http.MethodGet}
	byPOST = []string{http.MethodPost}
	byBoth = []string{http.MethodGet, http.MethodPost}
)

// operations are the reads by their names.
func operations() map[string]operation {
	user := []string{"userId", "count", "includePromotedContent", "withVoice"}
	tweets := append(slices.Clone(user), "withQuickPromoteEligibilityTweetFields")
	media := append(slices.Clone(user), "withClientEventToken", "withBirdwatchNotes")
	return map[string]operation{
		"HomeLatestTimeline": {
			byPOST,
			[]string{"v8D8YuUcH9097nKOVvRPgA"},
			[]string{"count", "enableRanking", "includePromotedContent", "seenTweetIds"},
			35, 60, false, (*question).following,
		},
		"HomeTimeline": {
			byPOST,
			[]string{"-M5P8LkjBRfeMF2MRJfbqA"},
			[]string{"count", "includePromotedContent", "withCommunity", "seenTweetIds"},
			35, 60, false, (*question).forYou,
		},
		"ListLatestTweetsTimeline": {
			byGET,
			[]string{"K77PSxWq_St4HLusAV9nVg", "jW040BLUjh8X6Tw2ODQufA"},
			[]string{"listId", "count"},
			98, 46, false, (*question).list,
		},
		"UserTweets":                  {byGET, []string{"PNd0vlufvrcIwrAnBYKE9g", "eoJ5zbv51Z_KVl81v9PmLQ"}, tweets, 20, 66, false, (*question).userTweets},
		"Viewer":                      {byGET, []string{"_8ClT24oZ8tpylf_OSuNdg"}, []string{"withCommunitiesMemberships"}, 0, 0, false, (*question).viewer},
		"UserByScreenName":            {byGET, []string{"IGgvgiOx4QZndDHuD3x9TQ", "Gb-d6r0vxPOADdG62OEBpQ"}, []string{"screen_name"}, 0, 0, false, (*question).userByName},
		"UserByRestId":                {byGET, []string{"VQfQ9wwYdk6j_u2O4vt64Q", "xvmVfRLmnr1alc5f2dib0Q"}, []string{"userId"}, 0, 0, false, (*question).userByID},
		"UserTweetsAndReplies":        {byGET, []string{"EqtpEwt0CoQXmDfq5DKH0A", "wc5DRl4VaW5lSqJ8YbftZQ"}, append(slices.Clone(user), "withCommunity"), 20, 66, false, (*question).userReplies},
		"UserMedia":                   {byGET, []string{"g_rGPF0fLON-M9cyVjXuzA", "2DC9TKrcUzwGC_QskSVl5w"}, media, 20, 66, false, (*question).userMedia},
		"Likes":                       {byGET, []string{"-a4kQTjMROm_V1cOpbNyXQ"}, media, 20, 66, false, (*question).liked},
		"SearchTimeline":              {byBoth, []string{"-TFXKoMnMTKdEXcCn-eahw", "BGd0T_j7oVwlW5U79tO_0A"}, []string{"rawQuery", "count", "querySource", "product"}, 20, 428, true, (*question).search},
		"Bookmarks":                   {byGET, []string{"R5wixmhMi4oEBUYvBM-44g", "aqjes8lRHRFG0HUglVTfNg"}, []string{"count", "includePromotedContent"}, 20, 70, false, (*question).bookmarked},
		"BookmarkSearchTimeline":      {byGET, []string{"vctB13iDc4trZdZGzhNdVQ"}, []string{"rawQuery", "count"}, 20, 70, false, (*question).bookmarkSearch},
		"NotificationsTimeline":       {byGET, []string{"pG6NU8KZjNi1Iedss0Nu1Q"}, []string{"timeline_type", "count"}, 40, 80, false, (*question).notices},
		"TweetDetail":                 {byGET, []string{"6uCvnic3m5reVuehkvHa3w", "559hs_YZNV4IgA3Z6zIIuw"}, detailVars(), 12, 623, false, (*question).detail},
		"TweetResultByRestId":         {byGET, []string{"SgZWKwvBiOKrSC0QeOGvXw"}, []string{"tweetId", "withCommunity", "includePromotedContent", "withVoice"}, 0, 0, false, (*question).oneTweet},
		"ListOwnerships":              {byGET, []string{"N_9HejNT9Amo1tDF7Gb_TQ"}, []string{"userId", "isListMemberTargetUserId", "count"}, 0, 46, false, (*question).ownerships},
		"ListsManagementPageTimeline": {byGET, []string{"I96vj5eyw1D9g_NA0wWj3Q"}, []string{"count"}, 0, 46, false, (*question).listsPage},
	}
}

func detailVars() []string {
	return []string{
		"focalTweetId", "referrer", "with_rux_injections", "rankingMode", "includePromotedContent", "withCommunity",
		"withQuickPromoteEligibilityTweetFields", "withBirdwatchNotes", "withVoice",
	}
}
