package snstest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

func newDemo(t *testing.T, c snstest.DemoConfig) *snstest.Demo {
	t.Helper()
	d, err := snstest.StartDemo(t.Context(), c)
	if err != nil {
		t.Fatalf("StartDemo: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return d
}

// mastodons are the accounts on Mastodon.
func mastodons(d *snstest.Demo) []snstest.DemoConnection { return d.Connections()[:3] }

// all reads a timeline to its end by max_id.
func all(t *testing.T, address, token string) []json.RawMessage {
	t.Helper()
	var out []json.RawMessage
	for next := address; ; {
		r := get(t, next, token)
		if r.status != http.StatusOK {
			t.Fatalf("GET %s = %d", next, r.status)
		}
		var page []json.RawMessage
		r.into(t, &page)
		if len(page) == 0 {
			return out
		}
		out = append(out, page...)
		next = address + "?max_id=" + r.ids(t)[len(page)-1]
	}
}

// home is every post of a home timeline as it came, a line each.
func home(t *testing.T, c snstest.DemoConnection) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, post := range all(t, c.Origin+"/api/v1/timelines/home", c.Token) {
		out.Write(append(post, '\n'))
	}
	return out.Bytes()
}

func TestDemoHomesPage(t *testing.T) {
	d := newDemo(t, snstest.DemoConfig{})
	for i, want := range []int{45, 25, 25} {
		c := d.Connections()[i]
		if got := len(all(t, c.Origin+"/api/v1/timelines/home", c.Token)); got < want {
			t.Errorf("home of %s has %d posts, want at least %d", c.Label, got, want)
		}
	}
}

func TestDemoContentIsVaried(t *testing.T) {
	d := newDemo(t, snstest.DemoConfig{})
	var content []byte
	for _, c := range mastodons(d) {
		content = append(content, home(t, c)...)
	}
	for name, pattern := range map[string]string{
		"English": `"language":"en"`, "Japanese": `"language":"ja"`, "German": `"language":"de"`, "Arabic": `"language":"ar"`,
		"Hebrew": `"language":"he"`, "Spanish": `"language":"es"`,
		"a content warning": `"spoiler_text":"[^"]`, "sensitive media": `"sensitive":true`, "a reply": `"in_reply_to_id":"`,
		"a boost": `"reblog":\{`, "a quote": `"quoted_status":\{`, "an open poll": `"expired":false,"multiple":false`, "a closed poll": `"expired":true`,
		"a link card": `"card":\{"url":"https://[a-z-]+\.example/`, "a card with a picture": `"image":"http`,
		"alt text": `"description":"[^"]`, "media without alt text": `"description":null`, "audio": `"type":"audio"`,
		"a custom emoji": `"shortcode":"`, "an edited post": `"edited_at":"`, "a filtered post": `"filter_action":"warn"`,
		"a private post": `"visibility":"private"`, "a very long word": `[a-zA-Zäöü]{60}`, "a bot": `"bot":true`,
	} {
		if !regexp.MustCompile(pattern).Match(content) {
			t.Errorf("no home of the demo has %s (%s)", name, pattern)
		}
	}
}

func TestDemoNamesOnlyExampleDomainsAndItself(t *testing.T) {
	d := newDemo(t, snstest.DemoConfig{})
	allowed := regexp.MustCompile(`^([a-z0-9-]+\.)*[a-z0-9-]+\.example$`)
	for _, c := range mastodons(d) {
		content := home(t, c)
		for _, link := range regexp.MustCompile(`https?://[^\s"'<>\\)]+`).FindAllString(string(content), -1) {
			u, err := url.Parse(link)
			if err != nil {
				t.Errorf("%s: %v", link, err)
				continue
			}
			if !slices.Contains(d.Origins(), u.Scheme+"://"+u.Host) && !allowed.MatchString(u.Host) {
				t.Errorf("the demo links to %s", link)
			}
		}
	}
}

func TestDemoMediaHandsOutFilesOnly(t *testing.T) {
	d := newDemo(t, snstest.DemoConfig{})
	for path, want := range map[string]int{"/pictures/scene/tea-640x480.svg": 200, "/pictures/chime.wav": 200, "/api/v2/instance": 404, "/oauth/authorize": 404} {
		for _, origin := range d.Origins() {
			w := httptest.NewRecorder()
			d.Media()[strings.TrimPrefix(origin, "http://")].ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			if w.Code != want {
				t.Errorf("%s of %s answers %d, want %d", path, origin, w.Code, want)
			}
		}
	}
}

func TestDemoPicturesAreAllDrawn(t *testing.T) {
	d := newDemo(t, snstest.DemoConfig{})
	seen := map[string]bool{}
	for _, c := range mastodons(d) {
		content := home(t, c)
		for _, picture := range regexp.MustCompile(`http://[^"]+/pictures/[^"]+`).FindAllString(string(content), -1) {
			if seen[picture] {
				continue
			}
			seen[picture] = true
			if r := get(t, picture, ""); r.status != http.StatusOK || len(r.body) < 100 {
				t.Errorf("GET %s = %d with %d bytes", picture, r.status, len(r.body))
			}
		}
	}
}

// path is where the columns of the demo's decks read.
func path(s sns.Source) string {
	switch s.Kind {
	case sns.KindHome:
		return "/api/v1/timelines/home"
	case sns.KindNotifications:
		return "/api/v1/notifications"
	case sns.KindList:
		return "/api/v1/timelines/list/" + s.ListID
	case sns.KindHashtag:
		return "/api/v1/timelines/tag/" + url.PathEscape(s.Tag) + "?any[]=" + url.QueryEscape(strings.Join(s.Any, "&any[]="))
	case sns.KindLocal:
		return "/api/v1/timelines/public?local=true"
	case sns.KindBookmarks:
		return "/api/v1/bookmarks"
	}
	return "/unknown/" + string(s.Kind)
}

func TestDemoDecks(t *testing.T) {
	d := newDemo(t, snstest.DemoConfig{})
	decks := d.Decks()
	if len(decks) != 4 || len(decks[0].Columns) != 6 || len(decks[2].Columns) != 6 {
		t.Fatalf("Decks() = %d decks, with %d and %d columns, want 4 with 6 and 6", len(decks), len(decks[0].Columns), len(decks[2].Columns))
	}
	for _, deck := range decks {
		for _, col := range deck.Columns {
			t.Run(deck.Title+"/"+col.Title, func(t *testing.T) {
				c := d.Connections()[col.Connection]
				if c.Profile != "" {
					if n := len(xColumn(t, d, col.Source)); n < 5 {
						t.Errorf("the column has %d entries, want at least 5", n)
					}
					return
				}
				r := get(t, c.Origin+path(col.Source), c.Token)
				if r.status != http.StatusOK {
					t.Fatalf("status %d, want 200", r.status)
				}
				if n := len(r.ids(t)); n < 5 {
					t.Errorf("the column has %d entries, want at least 5", n)
				}
			})
		}
	}
}

// xColumn are the entries of the newest page of a source on X, advertisements and
// cursors left out.
func xColumn(t *testing.T, d *snstest.Demo, s sns.Source) (ids []string) {
	t.Helper()
	operation, vars, path := "", object{}, ""
	switch s.Kind {
	case sns.KindHome:
		operation, path = "HomeLatestTimeline", homeTimeline
	case sns.KindForYou:
		operation, path = "HomeTimeline", homeTimeline
	case sns.KindList:
		operation, vars, path = "ListLatestTweetsTimeline", object{"listId": s.ListID}, listPath
	case sns.KindSearch:
		operation, vars, path = "SearchTimeline", object{"rawQuery": s.Query, "product": "Latest"}, "search_by_raw_query.search_timeline.timeline"
	case sns.KindNotifications:
		operation, path = "NotificationsTimeline", "viewer_v2.user_results.result.notification_timeline.timeline"
	case sns.KindBookmarks:
		operation, path = "Bookmarks", "bookmark_timeline_v2.timeline"
	default:
		t.Fatalf("the demo has a column of X of the kind %s", s.Kind)
	}
	for _, in := range wallOf(t, relayed(t, d.Relay().Origin(), "mira", operation, vars), path).Instructions {
		for _, e := range in.Entries {
			if name := beginning(e); e.EntryID != "" && !strings.Contains(name, "cursor") && !strings.HasPrefix(name, "promoted") {
				ids = append(ids, e.EntryID)
			}
		}
	}
	return ids
}

func TestDemoRelayIsReadByNobodyElse(t *testing.T) {
	d := newDemo(t, snstest.DemoConfig{})
	xColumn(t, d, sns.Source{Kind: sns.KindHome})
	if v := d.Relay().Violations(); len(v) > 0 {
		t.Errorf("violations: %q", v)
	}
}

func TestDemoPostsOfXAreVaried(t *testing.T) {
	d := newDemo(t, snstest.DemoConfig{})
	content := relayed(t, d.Relay().Origin(), "mira", "HomeLatestTimeline", nil).body
	_, next := wallOf(t, reply{body: content}, homeTimeline).posts()
	content = append(content, relayed(t, d.Relay().Origin(), "mira", "HomeLatestTimeline", object{"cursor": next}).body...)
	for name, pattern := range map[string]string{
		"English": `"lang":"en"`, "Japanese": `"lang":"ja"`, "German": `"lang":"de"`, "Arabic": `"lang":"ar"`, "Hebrew": `"lang":"he"`, "Korean": `"lang":"ko"`,
		"Portuguese": `"lang":"pt"`, "French": `"lang":"fr"`, "Polish": `"lang":"pl"`, "a note": `"note_tweet":`, "a repost": `"retweeted_status_result":`,
		"a quote": `"quoted_status_result":`, "an open poll": `poll4choice_text_only`, "a closed poll": `"boolean_value":true`, "a card": `summary_large_image`,
		"alt text": `"ext_alt_text"`, "a video": `"type":"video"`, "a loop": `"type":"animated_gif"`, "an article": `"article_results"`, "an edited post": `edit_control_initial`,
		"a thread": `home-conversation-`, "a promoted post": `promotedMetadata`, "a locked account": `"protected":true`, "a bot": `AutomatedLabel`,
	} {
		if !regexp.MustCompile(pattern).Match(content) {
			t.Errorf("the home of X has no %s (%s)", name, pattern)
		}
	}
	for _, link := range regexp.MustCompile(`"expanded_url":"https?://([^/"]+)`).FindAllStringSubmatch(string(content), -1) {
		if host := link[1]; !strings.HasSuffix(host, ".example") && !strings.HasPrefix(host, "127.0.0.1:") && host != "x.com" {
			t.Errorf("the demo of X links to %s", host)
		}
	}
}

func TestDemoStepsBringSomethingNewForEver(t *testing.T) {
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	d := newDemo(t, snstest.DemoConfig{Now: func() time.Time { return now }})
	c := d.Connections()[0]
	newest := get(t, c.Origin+"/api/v1/timelines/home", c.Token).ids(t)[0]
	for step := range 60 {
		now = now.Add(time.Minute)
		if err := d.Step(); err != nil {
			t.Fatalf("Step %d: %v", step, err)
		}
		if step%2 == 1 {
			continue // the other servers
		}
		got := get(t, c.Origin+"/api/v1/timelines/home", c.Token).ids(t)[0]
		if got == newest {
			t.Fatalf("after step %d home still begins with %s", step, got)
		}
		newest = got
	}
}

func TestDemoMentionsNotify(t *testing.T) {
	d := newDemo(t, snstest.DemoConfig{})
	c := d.Connections()[0]
	before := get(t, c.Origin+"/api/v1/notifications", c.Token).ids(t)
	for range 3 { // the second post of the main server names its owner
		if err := d.Step(); err != nil {
			t.Fatal(err)
		}
	}
	after := get(t, c.Origin+"/api/v1/notifications", c.Token).ids(t)
	if len(after) != len(before)+1 {
		t.Errorf("%d notifications, want %d", len(after), len(before)+1)
	}
}

func TestDemoRunsUntilItsContextEnds(t *testing.T) {
	d := newDemo(t, snstest.DemoConfig{Every: time.Millisecond})
	c := d.Connections()[0]
	newest := get(t, c.Origin+"/api/v1/timelines/home", c.Token).ids(t)[0]
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()

	deadline := time.Now().Add(time.Minute)
	for get(t, c.Origin+"/api/v1/timelines/home", c.Token).ids(t)[0] == newest {
		if time.Now().After(deadline) {
			t.Fatal("nothing new arrived")
		}
	}

	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
}
