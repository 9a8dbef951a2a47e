package mastodon_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// awkward is the list of inputs that real servers send, or that somebody may
// try, and what must become of them. Each is a subtest of TestAwkward named by
// its number and meaning; the functions are in the awkward_*_test.go files.
//
// Numbers that are absent belong to another network (49 to 63). Cursors (29, 30)
// and what becomes of a connection (35) are the service's: here stands the
// provider's part of them, the rest is tested in package sns. The spelling of
// origins (64) is tested in internal/egress too.
var awkward = []struct {
	name string
	test func(t *testing.T)
}{
	{"1 entities, paragraphs and breaks in content", testEntities},
	{"2 empty content with an image keeps the post", testImageOnly},
	{"3 scripts, handlers and script links in content", testHostileContent},
	{"4 a boost with an empty wrapper shows the original", testBoost},
	{"5 a boost whose original is gone and a conversation without a post are skipped", testNothingToShow},
	{"6 a content warning without sensitive media", testContentWarning},
	{"7 a 5000-character kana post is whole, a longer one is cut between runes", testLongPosts},
	{"8 right-to-left text keeps its override for the page and loses it for models", testRightToLeft},
	{"9 a missing account is unknown and the post is kept", testMissingAccount},
	{"10 a 429 with an ISO reset and no Retry-After is one request", testRateLimitISO},
	{"11 a 503 page with two Retry-After is the later one", testTwoRetryAfter},
	{"12 a login page with status 200 is not JSON", testLoginPage},
	{"13 an empty body with status 200", testEmptyBody},
	{"14 a redirect to another host or port is refused and carries no token", testRedirect},
	{"15 numeric ids above 2^53 keep their digits", testNumericIDs},
	{"16 a numeric id above int64 keeps its post and the page", testHugeID},
	{"17 ULID, flake and note ids page as they are", testOpaqueIDs},
	{"18 ids that climb out of their path make no request", testClimbingIDs},
	{"19 an empty, partial or null time keeps the post", testOddTimes},
	{"20 one malformed entry among 20 is skipped with a warning", testMalformedEntry},
	{"21 a null entry is skipped and a null body is an empty page", testNulls},
	{"22 Link in two headers with prev first", testLinkTwoHeaders},
	{"23 a Link address with commas", testLinkCommas},
	{"24 a Link to another host or http gives only its id", testLinkElsewhere},
	{"25 a Link with limit=abc", testLinkOddLimit},
	{"26 a full page without Link continues by id only where ids page", testNoLink},
	{"27 the empty page after the last ends the source", testEmptyLastPage},
	{"28 a status three times in a page is shown once", testDuplicates},
	{"29 a cursor of another kind of place makes no request", testForeignPosition},
	{"30 a flipped, overlong or pasted cursor makes no request", testBrokenPosition},
	{"31 hashtags in Japanese and with accents are asked for as they are", testHashtagNames},
	{"32 names that are no hashtags make no request", testNoHashtags},
	{"33 a hashtag unknown to the server is an empty page", testUnknownHashtag},
	{"34 a list that was deleted is not found", testDeletedList},
	{"35 a token revoked in the middle of paging", testRevokedToken},
	{"36 a missing scope is named", testMissingScope},
	{"37 a 206 while home is prepared is partial", testPartial},
	{"38 a hiding filter counts in its context only", testFilterContext},
	{"39 an unknown filter action is a warning", testFilterAction},
	{"40 quotes are one level deep and unknown states unavailable", testQuotes},
	{"41 the inline link of a quote goes only when the quote is shown", testQuoteInline},
	{"42 a poll with unknown numbers and 25 options", testPoll},
	{"43 media without an address and with a fractional width", testUnknownMedia},
	{"44 markup and emoji in a display name are literal", testDisplayName},
	{"45 unknown visibilities and notification types", testUnknownWords},
	{"46 a gzip bomb stops at the limit", testGzipBomb},
	{"47 a body that drips stops at the total timeout", testSlowBody},
	{"48 search ends at 200 and without a search backend is an empty page", testSearchEnds},
	{"64 one origin in several spellings", testOrigins},
	{"65 an origin that resolves to a private address is blocked unless listed", testPrivateOrigin},
	{"66 a reset in the past is a second from now", testResetInThePast},
	{"67 a canceled context returns at once and leaves nothing behind", testCancel},
}

func TestAwkward(t *testing.T) {
	for _, tc := range awkward {
		t.Run(tc.name, tc.test)
	}
}

func TestAwkwardIsComplete(t *testing.T) {
	want := []int{64, 65, 66, 67}
	for row := 1; row <= 48; row++ {
		want = append(want, row)
	}
	slices.Sort(want)
	got := []int{}
	for _, tc := range awkward {
		number, _, _ := strings.Cut(tc.name, " ")
		row, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("%q has no number", tc.name)
		}
		got = append(got, row)
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows = %v, want %v", fmt.Sprint(got), fmt.Sprint(want))
	}
}
