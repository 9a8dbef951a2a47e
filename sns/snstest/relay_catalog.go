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
)

// operations are the reads by their names.
func operations() map[string]operation {
	user := []string{"userId", "count", "includePromotedContent", "withVoice"}
	tweets := append(slices.Clone(user), "withQuickPromoteEligibilityTweetFields")
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
		"ListsManagementPageTimeline": {byGET, []string{"I96vj5eyw1D9g_NA0wWj3Q"}, []string{"count"}, 0, 46, false, (*question).listsPage},
	}
}
