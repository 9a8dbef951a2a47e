package twitter_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
	"personal-workspace/sns/twitter"
)

// Whatever is JSON reads as encoding/json reads it.
func FuzzIndex(f *testing.F) {
	for _, in := range []string{`{"a":[1,"b",{"c":null}]}`, `["\ud83d\ude00\\"]`, `{"a":1,"a":2}`, full} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := twitter.Decode(in)
		if !json.Valid(in) || !utf8.Valid(in) {
			return
		}
		if err != nil {
			t.Fatalf("%v for %q", err, in)
		}
		want := standard(t, string(in))
		if bytes.Contains(in, []byte(`":`)) && twice(in) {
			return // of members with one name the first counts here, the last there
		}
		if !reflect.DeepEqual(want, got) {
			t.Errorf("got %.500v, want %.500v", got, want)
		}
	})
}

// twice reports whether an object has a name twice.
func twice(in []byte) bool {
	d := json.NewDecoder(bytes.NewReader(in))
	type level struct {
		names  map[string]bool
		object bool
		key    bool
	}
	var open []level
	for {
		tok, err := d.Token()
		if err != nil {
			return false
		}
		if n := len(open); n > 0 && open[n-1].object && open[n-1].key {
			if name, ok := tok.(string); ok {
				if open[n-1].names[name] {
					return true
				}
				open[n-1].names[name], open[n-1].key = true, false
				continue
			}
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			open = append(open, level{map[string]bool{}, tok == json.Delim('{'), true})
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 {
			open[n-1].key = true
		}
	}
}

// timelines are answers of the mock relay with all it can send.
func timelines(f testing.TB) (out [][]byte) {
	for _, q := range []snstest.RelayQuirks{{}, {OldUsers: true, Lean: true}} {
		r := snstest.NewRelay(snstest.RelayOptions{Quirks: q})
		p := r.Profile("a1")
		root := p.Add(snstest.Tweet{Text: "tea & https://example.org/ #tea @ann", Media: []snstest.Media{{Scene: "tea"}}})
		p.Add(snstest.Tweet{Author: "cleo", Text: "yes", ReplyTo: root})
		p.Add(snstest.Tweet{Author: "cleo", Repost: root})
		p.Add(snstest.Tweet{Text: "look", Quote: root})
		p.Add(snstest.Tweet{Text: "look", Quote: root, Shallow: true})
		p.Add(snstest.Tweet{Text: strings.Repeat("long ", 100), Edited: true})
		p.Add(snstest.Tweet{Text: "gone", Gone: "gone"})
		p.Add(snstest.Tweet{Text: "limited", Limited: true})
		p.Notify(snstest.Notice{Kind: "like", From: []string{"ben"}, Post: root})
		for _, ask := range []string{"HomeLatestTimeline", "NotificationsTimeline"} {
			out = append(out, answerOf(f, r, ask))
		}
	}
	return append(out, []byte(timelineOf(`{"content":{"itemContent":{"tweet_results":{"result":`+full+`}}}}`)))
}

// answerOf asks a relay without a network.
func answerOf(t testing.TB, r *snstest.Relay, operation string) []byte {
	t.Helper()
	c := &handled{h: r}
	p := twitter.New(twitter.Config{Transport: c})
	kind := map[string]sns.Kind{"HomeLatestTimeline": sns.KindHome, "NotificationsTimeline": sns.KindNotifications, "ListLatestTweetsTimeline": sns.KindList}[operation]
	a := sns.Account{Origin: "http://relay.test", Operator: true, Profile: "a1", Gate: &gate{}}
	s := sns.Source{Kind: kind}
	if kind == sns.KindList {
		s.ListID = "1"
	}
	if _, err := p.Fetch(t.Context(), a, s, ""); err != nil {
		t.Fatal(err)
	}
	return c.body
}

// handled is a transport into a handler that keeps the last answer.
type handled struct {
	h    http.Handler
	body []byte
}

func (c *handled) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := &recorder{header: http.Header{}, status: http.StatusOK}
	c.h.ServeHTTP(rec, r)
	c.body = rec.body.Bytes()
	return &http.Response{StatusCode: rec.status, Header: rec.header, ContentLength: -1, Body: io.NopCloser(bytes.NewReader(c.body)), Request: r}, nil
}

type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }

// Whatever stands in a catalogue's file, only what reads comes out of it, and what
// names an object is not asked by POST.
func FuzzCatalogue(f *testing.F) {
	post := `{"method":"POST","path":"/graphql/UnN9Th1BDbeLjpgjGSpL3Q/%s","data":{"variables":{"listId":"1"},"features":{"a":true}}}`
	for _, in := range []string{
		recordedLine("ListLatestTweetsTimeline", newID), recordedLine("CreateTweet", newID), fmt.Sprintf(post, "ListLatestTweetsTimeline"), fmt.Sprintf(post, "SearchTimeline"),
		`{"method":"POST","Method":"GET","path":"/graphql/UnN9Th1BDbeLjpgjGSpL3Q/UserMedia","PATH":"/graphql/a/b","data":{}}`,
	} {
		f.Add([]byte(in))
	}
	mayPost := []string{"Bookmarks", "HomeLatestTimeline", "HomeTimeline", "ListsManagementPageTimeline", "NotificationsTimeline", "SearchTimeline", "Viewer"}
	f.Fuzz(func(t *testing.T, in []byte) {
		names, _ := twitter.ParseCatalogue(in)
		for _, name := range names {
			if !slices.Contains(reads, name) {
				t.Errorf("%s comes out of %q", name, in)
			}
		}
		for _, name := range twitter.AskedByPOST(in) {
			if !slices.Contains(mayPost, name) {
				t.Errorf("%s is asked by POST with %q", name, in)
			}
		}
	})
}

// Whatever the relay sends, what comes out can be kept and shown.
func FuzzTimeline(f *testing.F) {
	for _, body := range timelines(f) {
		f.Add(body, "HomeLatestTimeline")
		f.Add(body, "NotificationsTimeline")
		f.Add(body, "TweetDetail")
	}
	f.Fuzz(func(t *testing.T, body []byte, operation string) {
		if !slices.Contains(twitter.OperationNames(), operation) {
			return
		}
		posts := []sns.Post{}
		if page, ok := twitter.ParsePage(operation, body, epoch); ok {
			posts = append(posts, page.Posts...)
		}
		if th, ok := twitter.ParseThread(body, "20"); ok {
			posts = append(append(append(posts, th.Ancestors...), th.Post), th.Descendants...)
		}
		for _, p := range posts {
			checkPost(t, p)
		}
	})
}

func checkPost(t *testing.T, p sns.Post) {
	t.Helper()
	if !sns.ValidID(p.ID) || !sns.ValidID(p.EntryID) {
		t.Errorf("ids %q and %q cannot be kept", p.ID, p.EntryID)
	}
	out, err := json.Marshal(p)
	if err != nil {
		t.Errorf("the post cannot be encoded: %v", err)
	}
	for what, s := range map[string]string{"text": p.Text, "name": p.Author.DisplayName, "handle": p.Author.Handle} {
		if !utf8.ValidString(s) {
			t.Errorf("%s %q is no UTF-8", what, s)
		}
	}
	if len(p.Text) > sns.MaxText || len(p.Author.DisplayName) > sns.MaxName || len(p.Media) > 16 || len(p.Links) > 32 || len(out) > 1<<20 {
		t.Errorf("the post is over its limits: %d bytes of text, %d in all", len(p.Text), len(out))
	}
	for _, l := range p.Links {
		if !strings.HasPrefix(l.URL, "http") || !strings.Contains(p.Text, l.Text) {
			t.Errorf("link %+v is not in the text or leads nowhere", l)
		}
	}
	if p.Quote != nil && p.Quote.Post != nil {
		checkPost(t, *p.Quote.Post)
	}
}

// A tweet that is well formed is never lost, whatever JSON stands in the place of
// those beside it.
func FuzzNeighbours(f *testing.F) {
	for _, odd := range []string{
		`null`, `7`, `"x"`, `[]`, `{}`, `{"__typename":"TweetWithVisibilityResults","tweet":[]}`, `{"rest_id":["1"],"legacy":{"full_text":7}}`,
		`{"rest_id":"5","core":7,"legacy":{"entities":{"urls":{"a":{"url":""}}},"full_text":"a"}}`, full,
	} {
		f.Add([]byte(odd), uint8(3), uint8(1))
	}
	for _, body := range timelines(f) {
		f.Add(body, uint8(2), uint8(0))
	}
	f.Fuzz(func(t *testing.T, odd []byte, places, where uint8) {
		if !json.Valid(odd) || !utf8.Valid(odd) || len(odd) > 1<<16 {
			return
		}
		entries, want := []string{}, []string{}
		for i := range 6 {
			id := strconv.Itoa(900 + i)
			entries = append(entries, `{"entryId":"tweet-`+id+`","content":{"itemContent":`+tweetItem(id, "well")+`}}`)
			want = append(want, id)
			if places>>i&1 == 1 {
				entries = append(entries, oddEntry(string(odd), where))
			}
		}
		page, ok := twitter.ParsePage("HomeLatestTimeline", []byte(timelineOf(entries...)), epoch)
		if !ok {
			t.Fatal("the page is lost")
		}
		got := ids(page.Posts)
		for _, id := range want {
			if !slices.Contains(got, id) {
				t.Errorf("the tweet %s is lost: %v", id, got)
			}
		}
	})
}

// oddEntry puts odd JSON into one of the places of an entry.
func oddEntry(odd string, where uint8) string {
	form := []string{
		`%s`, `{"entryId":"tweet-1","content":%s}`, `{"entryId":%s,"content":{"itemContent":{"itemType":"TimelineTweet"}}}`,
		`{"entryId":"tweet-1","content":{"itemContent":%s}}`, `{"entryId":"m","content":{"items":%s}}`, `{"entryId":"m","content":{"items":[%s]}}`,
		`{"entryId":"tweet-1","content":{"itemContent":{"itemType":"TimelineTweet","tweet_results":%s}}}`,
		`{"entryId":"tweet-1","content":{"itemContent":{"itemType":"TimelineTweet","tweet_results":{"result":%s}}}}`,
		`{"entryId":"tweet-1","content":{"itemContent":{"itemType":"TimelineTweet","tweet_results":{"result":{"rest_id":"1","core":%[1]s,"card":%[1]s,"legacy":{"full_text":"x","entities":%[1]s,"extended_entities":%[1]s}}}}}}`,
	}
	return fmt.Sprintf(form[int(where)%len(form)], odd)
}
