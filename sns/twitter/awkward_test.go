package twitter_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
	"personal-workspace/sns/twitter"
)

// The rows of the table of awkward inputs that concern X, by their numbers.

func TestAwkward7LongNoteIsCutAtARune(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	w.a1.Add(snstest.Tweet{Text: strings.Repeat("あ", 25_000)})
	p := w.only(home)
	if want := strings.Repeat("あ", 10_922); p.Text != want || !p.TextTruncated {
		t.Errorf("text has %d bytes, cut %v; want %d bytes and a flag", len(p.Text), p.TextTruncated, len(want))
	}
}

func TestAwkward8RightToLeftStays(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	w.a1.AddPerson(snstest.Person{Handle: "noa", Name: "\u202Eנועה 🇮🇱"})
	w.a1.Add(snstest.Tweet{Author: "noa", Text: "שלום \u202Eabc"})
	p := w.only(home)
	if p.Text != "שלום \u202Eabc" || p.Author.DisplayName != "\u202Eנועה 🇮🇱" {
		t.Errorf("text %q by %q, want both as written", p.Text, p.Author.DisplayName)
	}
}

func TestAwkward9UnavailableAuthorIsUnknown(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	w.a1.AddPerson(snstest.Person{Handle: "gone", Suspended: true})
	id := w.a1.Add(snstest.Tweet{Author: "gone", Text: "still here"})
	p := w.only(home)
	if !p.Author.Unknown || p.Text != "still here" || p.URL != "https://x.com/i/status/"+id {
		t.Errorf("post = %q by %+v at %s, want it with an unknown author", p.Text, p.Author, p.URL)
	}
}

func TestAwkward12To14AndWireFaults(t *testing.T) {
	for _, c := range []struct {
		name     string
		fault    snstest.Fault
		code     fault.Code
		reason   any
		requests int
	}{
		{"12: a sign-in page", snstest.HTML(http.StatusOK), fault.UpstreamUnavailable, "not_json", 1},
		{"13: an empty answer", snstest.Empty(), fault.UpstreamUnavailable, "empty_body", 1},
		{"14: a redirect", snstest.Redirect("http://127.0.0.1:1/"), fault.UpstreamUnavailable, "redirect", 1},
		{"46: a gzip bomb", snstest.GzipBomb(64 << 20), fault.ResponseTooLarge, nil, 1},
		{"an answer of 9 MiB", snstest.Spaces(9 << 20), fault.ResponseTooLarge, nil, 1},
		{"49: an error without a reason", snstest.Opaque(), fault.UpstreamUnavailable, "relay_opaque", 1},
		{"a cut connection", snstest.Cut(), fault.UpstreamUnavailable, "reset", 2},
		{"a cut answer", snstest.CutMidway(), fault.UpstreamUnavailable, "reset", 2},
		{"a gateway", snstest.BadGateway(), fault.UpstreamUnavailable, "status_502", 2},
		{"half of an answer", snstest.Body("application/json", `{"data":{"home":{`), fault.UpstreamUnavailable, "broken", 1},
		{"what asks for a sign-in", snstest.Fail(http.StatusUnauthorized, "who are you"), fault.UpstreamUnavailable, "refused", 1},
		{"no relay", snstest.Fail(http.StatusNotFound, "?"), fault.UpstreamUnavailable, "not_relay", 1},
		{"no data", snstest.NoData(), fault.UpstreamChanged, "HomeLatestTimeline", 1},
		{"a list", snstest.Body("application/json", `[]`), fault.UpstreamChanged, "HomeLatestTimeline", 1},
		{"null", snstest.Body("application/json", `null`), fault.UpstreamChanged, "HomeLatestTimeline", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Lean: true})
			w.relay.Inject("HomeLatestTimeline", 0, c.fault)
			_, err := w.fetch(home, "")
			f := wantFault(t, err, c.code, map[string]any{"reason": c.reason})
			if strings.Contains(f.Message, "<") || !strings.HasSuffix(f.Message, ".") {
				t.Errorf("message = %q, want a sentence of ours", f.Message)
			}
			if n := len(w.relay.Calls()); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
		})
	}
}

func TestAwkward15And16NumbersKeepTheirDigits(t *testing.T) {
	for _, id := range []string{"110503322889311999", "9223372036854775807", "99999999999999999999"} {
		t.Run(id, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Plain: true})
			w.a1.Add(snstest.Tweet{Text: "hello", Patch: map[string]any{
				"rest_id": json.Number(id), "legacy.in_reply_to_status_id_str": json.Number(id),
			}})
			p := w.only(home)
			if p.ID != id || p.ReplyTo == nil || p.ReplyTo.ID != id {
				t.Errorf("post %s answers %+v, want %s for both", p.ID, p.ReplyTo, id)
			}
		})
	}
}

func TestAwkward18IdsThatClimbAreRefusedWithoutARequest(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	for _, s := range []sns.Source{
		{Kind: sns.KindPost, PostID: "1/../../../v2/x?y=1"},
		{Kind: sns.KindThread, PostID: ".."},
		{Kind: sns.KindList, ListID: "1&count=2"},
		{Kind: sns.KindUser, Account: "../x"},
		{Kind: sns.KindHashtag, Tag: "a b"},
		{Kind: sns.KindSearch},
	} {
		_, err := w.fetch(s, "")
		wantFault(t, err, fault.InvalidSource, nil)
	}
	_, err := w.provider.Thread(t.Context(), w.account(), "x")
	wantFault(t, err, fault.InvalidSource, nil)
	if n := len(w.relay.Calls()); n != 0 {
		t.Errorf("%d requests were made, want none", n)
	}
}

func TestAwkward19TimesThatCannotBeRead(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		patch map[string]any
		want  *time.Time
	}{
		{"empty", map[string]any{"legacy.created_at": ""}, &at},
		{"null", map[string]any{"legacy.created_at": nil}, &at},
		{"a number", map[string]any{"legacy.created_at": 12}, &at},
		{"in the year 9999", map[string]any{"legacy.created_at": "Fri Dec 31 23:59:59 -1200 9999"}, &at},
		{"before X", map[string]any{"legacy.created_at": "Thu Jan 01 00:00:00 +0000 1970"}, &at},
		{"and an id without a time", map[string]any{"legacy.created_at": "", "rest_id": "20"}, nil},
		{"and an id beyond time", map[string]any{"legacy.created_at": "", "rest_id": "18446744073709551615"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Plain: true})
			w.a1.Add(snstest.Tweet{Text: "hello", At: at, Patch: c.patch})
			if diff := cmp.Diff(c.want, w.only(home).CreatedAt); diff != "" {
				t.Errorf("createdAt (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAwkward20OneMalformedAmong20(t *testing.T) {
	for name, raw := range map[string]string{
		"a number": `7`, "a list": `[1]`, "no id": `{"__typename":"Tweet","legacy":{"full_text":"x"}}`, "an id that is none": `{"rest_id":"../x","legacy":{}}`,
		"no text": `{"__typename":"Tweet","rest_id":"5","legacy":{}}`, "text of another type": `{"rest_id":"5","legacy":{"full_text":{"a":1}}}`, "a wrapper in a wrapper without end": `{"__typename":"TweetWithVisibilityResults","tweet":{"__typename":"TweetWithVisibilityResults","tweet":{"__typename":"TweetWithVisibilityResults","tweet":{"__typename":"TweetWithVisibilityResults","tweet":7}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Plain: true})
			want := w.a1.AddMany(19)
			w.a1.Add(snstest.Tweet{Text: "odd", At: epoch.Add(-5*time.Minute - time.Second), Raw: json.RawMessage(raw)})
			p := w.page(home, "")
			slices.Reverse(want)
			if diff := cmp.Diff(want, ids(p.Posts)); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
			if p.Skipped != 1 || !slices.Equal(p.Warnings, []string{"1 entry could not be read and is left out."}) {
				t.Errorf("skipped %d with %q, want one with a warning", p.Skipped, p.Warnings)
			}
		})
	}
}

func TestAwkward34DeletedList(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	list := w.a1.AddList(snstest.TweetList{Title: "L"})
	w.a1.DeleteList(list)
	_, err := w.fetch(sns.Source{Kind: sns.KindList, ListID: list}, "")
	wantFault(t, err, fault.NotFound, map[string]any{"what": "list"})
}

func TestAwkward47SlowAnswerStopsAtTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := twitter.New(twitter.Config{Transport: hanging{}})
		a := sns.Account{Origin: "http://relay.test", Operator: true, Profile: "a1", Gate: &gate{}}
		start := time.Now()
		_, err := p.Fetch(t.Context(), a, home, "")
		wantFault(t, err, fault.UpstreamUnavailable, map[string]any{"reason": "timeout"})
		if d := time.Since(start); d != 45*time.Second {
			t.Errorf("it took %s, want 45s", d)
		}
	})
}

// hanging answers nothing.
type hanging struct{}

func (hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestAwkward50ErrorsOfX(t *testing.T) {
	for _, c := range []struct {
		name     string
		fault    snstest.Fault
		code     fault.Code
		reason   any
		requests int
	}{
		{"88", snstest.TooManyRequests(0), fault.RateLimited, nil, 1},
		{"32", snstest.SignedOut(), fault.Unauthorized, "signed_out", 1},
		{"89", snstest.Refused(89, "Invalid or expired token"), fault.Unauthorized, "signed_out", 1},
		{"326", snstest.Locked(), fault.Unauthorized, "account_locked", 1},
		{"64", snstest.Refused(64, "Your account is suspended"), fault.Unauthorized, "account_locked", 1},
		{"336", snstest.Refused(336, "The following features cannot be null: x"), fault.UpstreamChanged, "ListLatestTweetsTimeline", 1},
		{"34", snstest.Refused(34, "Sorry, that page does not exist"), fault.NotFound, nil, 1},
		{"130", snstest.Refused(130, "Over capacity"), fault.UpstreamUnavailable, "busy", 2},
		{"214", snstest.Refused(214, "Bad request"), fault.InvalidSource, nil, 1},
		{"an unknown code", snstest.Refused(7777, "<b>What?</b>"), fault.UpstreamUnavailable, "error_7777", 1},
		{"words without a code", snstest.Body("application/json", `{"errors":[{"message":"OverCapacity: Unspecified"}],"data":null}`), fault.UpstreamUnavailable, "busy", 2},
		{"an error of another form", snstest.Body("application/json", `{"errors":[7,{"code":"88"}],"data":{}}`), fault.RateLimited, nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{})
			list := w.a1.AddList(snstest.TweetList{Title: "L"})
			w.relay.Inject("ListLatestTweetsTimeline", 0, c.fault)
			_, err := w.fetch(sns.Source{Kind: sns.KindList, ListID: list}, "")
			f := wantFault(t, err, c.code, map[string]any{"reason": c.reason})
			if strings.Contains(f.Message, "<b>") || !strings.HasSuffix(f.Message, ".") {
				t.Errorf("message = %q, want a sentence of ours", f.Message)
			}
			if n := len(w.relay.Calls()); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
		})
	}
}

func TestAwkward51NothingThere(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	w.a1.AddPerson(snstest.Person{Handle: "banned", Suspended: true})
	for _, c := range []struct {
		name   string
		source sns.Source
		what   string
	}{
		{"a name", sns.Source{Kind: sns.KindUser, Account: "@nobody"}, "account"},
		{"an id", sns.Source{Kind: sns.KindUser, Account: "999"}, "account"},
		{"a suspended account", sns.Source{Kind: sns.KindUser, Account: "@banned"}, "account"},
		{"a post", sns.Source{Kind: sns.KindPost, PostID: "999"}, "post"},
		{"a thread", sns.Source{Kind: sns.KindThread, PostID: "999"}, "post"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := w.provider.Fetch(t.Context(), w.account(), c.source, "")
			wantFault(t, err, fault.NotFound, map[string]any{"what": c.what})
		})
	}
}

func TestAwkward52ErrorsBesideData(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	id := w.a1.Add(snstest.Tweet{Text: "hello"})
	w.relay.Inject("HomeLatestTimeline", 1, snstest.Beside(131, "Dependency: Internal error."))
	p := w.page(home, "")
	if !slices.Equal(ids(p.Posts), []string{id}) || !slices.Equal(p.Warnings, []string{"X could not read a part of this page."}) {
		t.Errorf("posts %v with %q, want the post and a warning", ids(p.Posts), p.Warnings)
	}
}

func TestAwkward53AdvertisementInAModule(t *testing.T) {
	body := timelineOf(`{"entryId":"home-conversation-1","content":{"entryType":"TimelineTimelineModule","items":[
		{"entryId":"home-conversation-1-tweet-1","item":{"itemContent":` + tweetItem("1", "one") + `}},
		{"entryId":"home-conversation-1-tweet-2","item":{"itemContent":{"promotedMetadata":{"a":1},` + tweetItem("2", "buy")[1:] + `}},
		{"entryId":"home-conversation-1-tweet-3","item":{"itemContent":` + tweetItem("3", "three") + `}}]}}`)
	p, a, _ := answering(body)
	page, err := p.Fetch(t.Context(), a, home, "")
	if err != nil || !slices.Equal(ids(page.Posts), []string{"1", "3"}) {
		t.Errorf("posts %v, %v; want the neighbours alone", ids(page.Posts), err)
	}
}

func TestAwkward54VisibilityWrapper(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	id := w.a1.Add(snstest.Tweet{Text: "limited", Limited: true})
	if p := w.only(home); p.ID != id || p.Text != "limited" {
		t.Errorf("post %s %q, want %s limited", p.ID, p.Text, id)
	}
}

func TestAwkward55TombstoneInATimeline(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	w.a1.Add(snstest.Tweet{Text: "x", Gone: "This Post was deleted."})
	w.a1.Add(snstest.Tweet{Text: "x", Preview: true})
	id := w.a1.Add(snstest.Tweet{Text: "hello"})
	p := w.page(home, "")
	if !slices.Equal(ids(p.Posts), []string{id}) || p.Skipped != 0 {
		t.Errorf("posts %v, %d skipped; want the one that is there and no complaint", ids(p.Posts), p.Skipped)
	}
}

func TestAwkward56RepostOfANote(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	text := strings.Repeat("All of it. ", 60) + "End"
	w.a1.AddPerson(snstest.Person{Handle: "far", Stranger: true})
	note := w.a1.Add(snstest.Tweet{Author: "far", Text: text, Likes: 7, At: epoch.Add(-time.Hour)})
	repost := w.a1.Add(snstest.Tweet{Author: "ben", Repost: note, At: epoch.Add(-time.Minute)})
	p := w.only(home)
	if p.ID != note || p.EntryID != repost || p.Text != text || p.Author.Handle != "@far" || *p.Counts.Likes != 7 {
		t.Errorf("post %s as %s by %s with %d bytes, want the whole note", p.ID, p.EntryID, p.Author.Handle, len(p.Text))
	}
	if b := p.BoostedBy; b == nil || b.ID != repost || b.Author.Handle != "@ben" || !b.At.Equal(epoch.Add(-time.Minute)) {
		t.Errorf("boostedBy = %+v, want @ben with the repost", b)
	}
}

func TestAwkward57UsersOldAndNew(t *testing.T) {
	for name, q := range map[string]snstest.RelayQuirks{"new": {Plain: true}, "old": {Plain: true, OldUsers: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, q)
			w.a1.AddPerson(snstest.Person{Handle: "Ben_7", Name: "Ben", Protected: true})
			w.a1.Add(snstest.Tweet{Author: "Ben_7", Text: "hello"})
			p := w.only(home)
			got := p.Author
			got.AvatarURL = ""
			want := sns.Author{ID: w.relay.PersonID("Ben_7"), Handle: "@Ben_7", DisplayName: "Ben", URL: "https://x.com/Ben_7", Protected: true}
			if diff := cmp.Diff(want, got); diff != "" || p.Author.AvatarURL == "" || p.Visibility != sns.Private {
				t.Errorf("author (-want +got):\n%s\navatar %q, visibility %s", diff, p.Author.AvatarURL, p.Visibility)
			}
		})
	}
}

func TestAwkward58TextIsUnescapedOnce(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true})
	w.a1.Add(snstest.Tweet{Text: "a & b <c> &amp;lt;"})
	if got := w.only(home).Text; got != "a & b <c> &amp;lt;" {
		t.Errorf("text = %q, want it as written", got)
	}
	w.a1.Add(snstest.Tweet{Text: "note with &amp; in it " + strings.Repeat(".", 300)})
	if got := w.page(home, "").Posts[0].Text; !strings.HasPrefix(got, "note with &amp; in it ..") {
		t.Errorf("text = %q, want the note left as it is", got)
	}
}

func TestAwkward60StalledSearchEnds(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true, SearchStalls: true})
	want := w.a1.AddMany(20)
	slices.Reverse(want)
	if diff := cmp.Diff(want, ids(w.all(sns.Source{Kind: sns.KindSearch, Query: "post"}))); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if n := len(w.relay.Calls()); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

func TestAwkward61NothingIsSentWithoutAProfile(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{})
	a := w.account()
	a.Profile = ""
	_, err := w.provider.Fetch(t.Context(), a, home, "")
	wantFault(t, err, fault.Unauthorized, map[string]any{"reason": "unknown_profile"})
	if n := len(w.relay.Calls()); n != 0 {
		t.Errorf("%d requests were made, want none", n)
	}
}

func TestAwkward62PinnedPostIsNotInTheFlow(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Plain: true, PageSize: 5})
	pinned := w.a1.Add(snstest.Tweet{Text: "pinned", Pinned: true, At: epoch.Add(-1000 * time.Hour)})
	w.a1.AddMany(9)
	p := w.page(sns.Source{Kind: sns.KindUser, Account: "@ben"}, "")
	if len(p.Posts) != 5 || slices.Contains(ids(p.Posts), pinned) {
		t.Errorf("posts %v, want 5 without the pinned %s", ids(p.Posts), pinned)
	}
}

func TestAwkward63RelayAddresses(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{})
	for _, c := range []string{"/graphql", "?a=b", "#x"} {
		_, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: s.origin + c, Profile: "a1", Operator: true})
		wantFault(t, err, fault.InvalidArguments, map[string]any{"field": "relay"})
	}
	user := strings.Replace(s.origin, "://", "://me:secret@", 1)
	_, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: user, Profile: "a1", Operator: true})
	wantFault(t, err, fault.InvalidArguments, map[string]any{"field": "relay"})
	c, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: s.origin + "/", Profile: "a1", Operator: true})
	if err != nil || c.Origin != s.origin {
		t.Errorf("AddTwitter = %s, %v; want the slash dropped", c.Origin, err)
	}
}

func TestAwkward67WaitingEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := twitter.New(twitter.Config{Transport: hanging{}})
		a := sns.Account{Origin: "http://relay.test", Operator: true, Profile: "a1", Gate: &gate{}}
		first, endFirst := context.WithCancel(t.Context())
		second, endSecond := context.WithCancel(t.Context())
		done := make(chan error, 2)
		go func() {
			_, err := p.Fetch(first, a, home, "")
			done <- err
		}()
		synctest.Wait()
		go func() {
			_, err := p.Fetch(second, a, forYou, "")
			done <- err
		}()
		synctest.Wait()
		start := time.Now()
		endSecond()
		wantFault(t, <-done, fault.Canceled, nil)
		endFirst()
		wantFault(t, <-done, fault.Canceled, nil)
		if d := time.Since(start); d != 0 {
			t.Errorf("they ended after %s, want at once", d)
		}
	})
}

// timelineOf is an answer of the home timeline with entries.
func timelineOf(entries ...string) string {
	return `{"data":{"home":{"home_timeline_urt":{"instructions":[{"type":"TimelineAddEntries","entries":[` + strings.Join(entries, ",") + `]}]}}}}`
}

// tweetItem is the content of an item with a tweet.
func tweetItem(id, text string) string {
	return `{"itemType":"TimelineTweet","tweet_results":{"result":{"__typename":"Tweet","rest_id":"` + id + `","legacy":{"full_text":"` + text + `"}}}}`
}
