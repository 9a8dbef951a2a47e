package snstest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

// The tests of this file hold the mock to what GoToSocial 0.20 was seen to do.

func newGoToSocial(t *testing.T) (m *snstest.Mastodon, origin string) {
	t.Helper()
	return newServer(t, snstest.Options{Quirks: snstest.GoToSocial(), IDs: snstest.ULID})
}

func TestGoToSocialSearchesByIDsNotByOffset(t *testing.T) {
	m, origin := newGoToSocial(t)
	want := m.AddMany(5)
	slices.Reverse(want)
	find := func(more string) []string {
		var found struct{ Statuses []struct{ ID string } }
		get(t, origin+"/api/v2/search?q=post&type=statuses&limit=2"+more, m.Token()).into(t, &found)
		out := []string{}
		for _, st := range found.Statuses {
			out = append(out, st.ID)
		}
		return out
	}
	got := [][]string{find(""), find("&offset=2"), find("&max_id=" + want[1]), find("&max_id=" + want[1] + "&offset=2")}
	if diff := cmp.Diff([][]string{want[:2], {}, want[2:4], {}}, got); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func TestMastodonSearchesByOffsetAndByIDs(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	want := m.AddMany(4)
	slices.Reverse(want)
	for _, more := range []string{"&offset=2", "&max_id=" + want[1]} {
		var found struct{ Statuses []struct{ ID string } }
		get(t, origin+"/api/v2/search?q=post&type=statuses&limit=2"+more, m.Token()).into(t, &found)
		if len(found.Statuses) != 2 || found.Statuses[0].ID != want[2] {
			t.Errorf("%s finds %v, want %v", more, found.Statuses, want[2:])
		}
	}
}

func TestGoToSocialIgnoresWhatNarrows(t *testing.T) {
	m, origin := newGoToSocial(t)
	at := m.Now().Add(-time.Hour)
	plain := m.Add(snstest.Status{At: at, Text: "#tea"})
	media := m.Add(snstest.Status{At: at.Add(time.Minute), Text: "#tea #cake", Media: []snstest.Media{{}}})
	m.Add(snstest.Status{At: at.Add(2 * time.Minute), Text: "#cake", Author: "cleo@far.example"})
	ben := m.AccountID("ben")
	for path, want := range map[string][]string{
		"/api/v1/timelines/public?local=true&only_media=true":        {media, plain},
		"/api/v1/timelines/tag/tea?only_media=true":                  {media, plain},
		"/api/v1/timelines/tag/tea?any[]=cake":                       {media, plain},
		"/api/v1/timelines/tag/tea?all[]=cake":                       {media, plain},
		"/api/v1/timelines/tag/tea?none[]=cake":                      {media, plain},
		"/api/v1/accounts/" + ben + "/statuses?tagged=cake":          {media, plain},
		"/api/v1/accounts/" + ben + "/statuses?only_media=true":      {media},
		"/api/v1/accounts/01F5QGS5DGK5X0628C836G30KZ/statuses":       {},
		"/api/v1/accounts/" + ben + "/statuses?exclude_replies=true": {media, plain},
	} {
		got := append([]string{}, get(t, origin+path, m.Token()).ids(t)...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("GET %s (-want +got):\n%s", path, diff)
		}
	}
}

func TestGoToSocialSendsAllNotificationsWhenItKnowsNoneOfTheTypes(t *testing.T) {
	m, origin := newGoToSocial(t)
	m.Notify(snstest.Notification{Type: "follow"})
	m.Notify(snstest.Notification{Type: "mention"})
	for query, want := range map[string]int{
		"?types[]=quote": 2, "?types[]=quote&types[]=quoted_update": 2, "?types[]=quote&types[]=follow": 1, "?types[]=poll": 0,
	} {
		if got := len(get(t, origin+"/api/v1/notifications"+query, m.Token()).ids(t)); got != want {
			t.Errorf("notifications%s has %d entries, want %d", query, got, want)
		}
	}
}

// The last page fills up with entries that came before, behind the oldest one.
func TestGoToSocialRepeatsEntriesAtTheEnd(t *testing.T) {
	m, origin := newGoToSocial(t)
	list := m.AddList("Close", "ben")
	want := m.AddMany(11)
	slices.Reverse(want)
	for _, path := range []string{"/api/v1/timelines/home", "/api/v1/timelines/list/" + list} {
		pages := walk(t, origin+path+"?limit=8", m.Token())
		wantPages := [][]string{want[:8], append(slices.Clone(want[8:]), want[6:]...), {}}
		if diff := cmp.Diff(wantPages, pages, cmp.Transformer("nil", func(s []string) string { return strings.Join(s, "\n") })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if got := get(t, origin+"/api/v1/timelines/public?limit=20", m.Token()).ids(t); len(got) != 11 {
		t.Errorf("public has %d entries, want 11", len(got))
	}
}

func TestGoToSocialSendsNextWithTheLastBookmarks(t *testing.T) {
	m, origin := newGoToSocial(t)
	for _, id := range m.AddMany(3) {
		m.Bookmark(id)
		m.Favourite(id)
	}
	for _, path := range []string{"/api/v1/bookmarks", "/api/v1/favourites"} {
		if link := get(t, origin+path, m.Token()).header.Get("Link"); !strings.Contains(link, `rel="next"`) {
			t.Errorf("%s: Link %q has no next", path, link)
		}
	}
}

func TestGoToSocialShowsStrangersOnlyThePublicTimeline(t *testing.T) {
	m, origin := newGoToSocial(t)
	id := m.Add(snstest.Status{Text: "#tea"})
	for path, want := range map[string]int{
		"/api/v1/timelines/public": 200, "/api/v1/instance": 200, "/api/v2/instance": 200,
		"/api/v1/timelines/tag/tea": 401, "/api/v1/timelines/home": 401, "/api/v2/search?q=a": 401,
		"/api/v1/accounts/lookup?acct=ben": 401, "/api/v1/statuses/" + id: 401,
		"/api/v1/accounts/" + m.AccountID("ben") + "/statuses": 401,
	} {
		if got := get(t, origin+path, "").status; got != want {
			t.Errorf("GET %s without a token = %d, want %d", path, got, want)
		}
	}
}

func TestGoToSocialPutsDirectPostsInHomeAndLists(t *testing.T) {
	m, origin := newGoToSocial(t)
	list := m.AddList("Close", "ben")
	id := m.Add(snstest.Status{Text: "@ann psst", Visibility: "direct"})
	for _, path := range []string{"/api/v1/timelines/home", "/api/v1/timelines/list/" + list} {
		if got := get(t, origin+path+"?limit=1", m.Token()).ids(t); !slices.Equal(got, []string{id}) {
			t.Errorf("%s = %v, want the direct post", path, got)
		}
	}
}

func TestGoToSocialLeavesMembersOut(t *testing.T) {
	m, origin := newGoToSocial(t)
	m.Notify(snstest.Notification{Type: "follow"})
	plain := m.Add(snstest.Status{Text: "plain"})
	matched := m.Add(snstest.Status{Text: "spoiler", Filtered: []snstest.Filter{{Title: "Spoilers"}}})
	for _, c := range []struct {
		path   string
		absent []string
		there  []string
	}{
		{"/api/v1/statuses/" + plain, []string{"filtered", "quote", "quotes_count"}, []string{"id", "reblogs_count", "tags"}},
		{"/api/v1/statuses/" + matched, []string{"quote", "quotes_count"}, []string{"filtered"}},
		{"/api/v2/instance", []string{"api_versions"}, []string{"domain"}},
	} {
		var got map[string]any
		get(t, origin+c.path, m.Token()).into(t, &got)
		for _, name := range c.absent {
			if _, ok := got[name]; ok {
				t.Errorf("%s has %s", c.path, name)
			}
		}
		for _, name := range c.there {
			if _, ok := got[name]; !ok {
				t.Errorf("%s lacks %s", c.path, name)
			}
		}
	}
	for _, path := range []string{"/api/v2/instance", "/api/v1/notifications"} {
		body := string(get(t, origin+path, m.Token()).body)
		if strings.Contains(body, "timelines_access") || strings.Contains(body, "group_key") {
			t.Errorf("%s = %s", path, body)
		}
	}
}

func TestGoToSocialReadsALimitOfZeroAsNone(t *testing.T) {
	m, origin := newGoToSocial(t)
	m.AddMany(30)
	for limit, want := range map[string]int{"0": 20, "-1": 1, "500": 30} {
		if got := len(get(t, origin+"/api/v1/timelines/public?limit="+limit, m.Token()).ids(t)); got != want {
			t.Errorf("limit=%s gives %d entries, want %d", limit, got, want)
		}
	}
}

func TestGoToSocialSaysItInItsOwnWords(t *testing.T) {
	m, origin := newGoToSocial(t)
	narrow := m.IssueToken("ann", "read:lists")
	const nobody = "01F5QGS5DGK5X0628C836G30KZ"
	for _, c := range []struct {
		path, token string
		status      int
		text        string
	}{
		{"/api/v1/timelines/list/" + nobody, m.Token(), 404, "Not Found: list not found"},
		{"/api/v1/statuses/" + nobody, m.Token(), 404, "Not Found: target status not found"},
		{"/api/v1/statuses/" + nobody + "/context", m.Token(), 404, "Not Found: target status not found"},
		{"/api/v1/accounts/" + nobody, m.Token(), 404, "Not Found"},
		{"/api/v1/accounts/lookup?acct=nobody", m.Token(), 404, "Not Found: @nobody not found"},
		{"/api/v2/notifications", m.Token(), 404, "Not Found"},
		{"/api/v1/timelines/home?limit=abc", m.Token(), 400, "Bad Request: bad integer limit value"},
		{"/api/v1/timelines/home", "nonsense", 401, "Unauthorized: token not supplied"},
		{"/api/v1/timelines/home", "", 401, "Unauthorized: token not supplied"},
		{"/api/v1/timelines/home", narrow, 403, "Forbidden: token has insufficient scope permission"},
		{"/api/v1/apps/verify_credentials", m.Token(), 403, "Forbidden: token has insufficient scope permission"},
	} {
		r := get(t, origin+c.path, c.token)
		if want := fmt.Sprintf(`{"error":%q}`, c.text); r.status != c.status || string(r.body) != want {
			t.Errorf("GET %s = %d %s, want %d %s", c.path, r.status, r.body, c.status, want)
		}
	}
	for _, tag := range []string{"nobodyusesthis", url.PathEscape("a-b")} {
		if got := get(t, origin+"/api/v1/timelines/tag/"+tag, m.Token()).status; got == http.StatusOK {
			t.Errorf("the hashtag %s is found", tag)
		}
	}
}
