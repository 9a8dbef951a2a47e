package snstest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

func TestNotificationsCanBeNarrowed(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	post := m.Add(snstest.Status{Author: "ann", Text: "mine"})
	names := map[string]string{}
	for _, n := range []snstest.Notification{
		{Type: "follow", From: []string{"cleo"}},
		{Type: "favourite", From: []string{"ben"}, Status: post},
		{Type: "pleroma:emoji_reaction", From: []string{"ben"}, Status: post},
		{Type: "mention", From: []string{"cleo"}, Status: m.Add(snstest.Status{Author: "cleo", Text: "@ann hi"})},
	} {
		names[m.Notify(n)[0]] = n.Type
	}
	for query, want := range map[string][]string{
		"":                                   {"mention", "pleroma:emoji_reaction", "favourite", "follow"},
		"?types[]=mention&types[]=follow":    {"mention", "follow"},
		"?exclude_types[]=mention":           {"pleroma:emoji_reaction", "favourite", "follow"},
		"?account_id=" + m.AccountID("cleo"): {"mention", "follow"},
		"?limit=2":                           {"mention", "pleroma:emoji_reaction"},
		"?limit=2&types[]=pleroma:emoji_reaction&types[]=follow": {"pleroma:emoji_reaction", "follow"},
	} {
		var got []string
		for _, id := range get(t, origin+"/api/v1/notifications"+query, m.Token()).ids(t) {
			got = append(got, names[id])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("notifications%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestNotificationsPageAndKeepTheirTypesInLink(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	var want []string
	for i := range 5 {
		want = append(want, m.Notify(snstest.Notification{Type: "follow", From: []string{fmt.Sprintf("p%d", i)}})...)
		m.Notify(snstest.Notification{Type: "mention"})
	}
	slices.Reverse(want)

	pages := walk(t, origin+"/api/v1/notifications?types[]=follow&limit=2", m.Token())

	if diff := cmp.Diff(want, slices.Concat(pages...)); diff != "" {
		t.Errorf("follows (-want +got):\n%s", diff)
	}
}

func TestGroupedNotificationsHoldAccountsAndStatusesOnce(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	post := m.Add(snstest.Status{Author: "ann", Text: "mine"})
	ids := m.Notify(snstest.Notification{Type: "favourite", From: []string{"ben", "cleo", "dora"}, Status: post})
	m.Notify(snstest.Notification{Type: "mention", From: []string{"ben"}, Status: m.Add(snstest.Status{Text: "@ann hi"})})

	type group struct {
		Type     string
		Count    int      `json:"notifications_count"`
		Newest   int64    `json:"most_recent_notification_id"`
		StatusID string   `json:"status_id"`
		Samples  []string `json:"sample_account_ids"`
	}
	var got struct {
		Accounts, Statuses []struct{ ID string }
		Groups             []group `json:"notification_groups"`
	}
	get(t, origin+"/api/v2/notifications", m.Token()).into(t, &got)

	if len(got.Accounts) != 3 || len(got.Statuses) != 2 || len(got.Groups) != 2 {
		t.Fatalf("%d accounts, %d statuses, %d groups, want 3, 2, 2", len(got.Accounts), len(got.Statuses), len(got.Groups))
	}
	want := []string{m.AccountID("dora"), m.AccountID("cleo"), m.AccountID("ben")}
	if diff := cmp.Diff(want, got.Groups[1].Samples); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
	if g := got.Groups[1]; g.Type != "favourite" || g.Count != 3 || fmt.Sprint(g.Newest) != ids[2] || g.StatusID != post {
		t.Errorf("group = %+v", g)
	}
}

func TestGroupedNotificationsAreMissingOnOtherServers(t *testing.T) {
	m, origin := newServer(t, snstest.Options{Quirks: snstest.GoToSocial()})
	if got := get(t, origin+"/api/v2/notifications", m.Token()).status; got != http.StatusNotFound {
		t.Errorf("status %d, want 404", got)
	}
}

func TestAConversationCanHaveLostItsLastStatus(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	last := m.Add(snstest.Status{Author: "cleo", Text: "@ann psst", Visibility: "direct"})
	m.Converse(snstest.Conversation{With: []string{"cleo"}, Last: last, Unread: true})
	m.Converse(snstest.Conversation{With: []string{"ben"}})

	var got []struct {
		Accounts []struct{ Acct string }
		Last     *struct{ ID string } `json:"last_status"`
		Unread   bool
	}
	get(t, origin+"/api/v1/conversations", m.Token()).into(t, &got)

	if len(got) != 2 || got[0].Last != nil || got[1].Last == nil || got[1].Last.ID != last || !got[1].Unread || got[1].Accounts[0].Acct != "cleo" {
		t.Errorf("conversations = %+v", got)
	}
}

func TestSearchPagesByOffset(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	ids := m.AddMany(5)
	m.Add(snstest.Status{Text: "something else #posted"})
	search := func(t *testing.T, query, token string) (statuses, tags int, first string, link string) {
		r := get(t, origin+"/api/v2/search?"+query, token)
		var got struct {
			Statuses []struct{ ID string }
			Hashtags []struct{ Name string }
			Accounts []struct{ ID string }
		}
		r.into(t, &got)
		if len(got.Statuses) > 0 {
			first = got.Statuses[0].ID
		}
		return len(got.Statuses), len(got.Hashtags), first, r.header.Get("Link")
	}
	for _, c := range []struct {
		name, query, token string
		statuses, tags     int
		first              string
	}{
		{"words", "q=POST+of", m.Token(), 5, 0, ids[4]},
		{"an offset", "q=post+of&type=statuses&limit=2&offset=2", m.Token(), 2, 0, ids[2]},
		{"past the end", "q=post+of&type=statuses&offset=20", m.Token(), 0, 0, ""},
		{"an offset counts only with a type", "q=post+of&offset=3", m.Token(), 5, 0, ids[4]},
		{"hashtags", "q=posted&type=hashtags", m.Token(), 0, 1, ""},
		{"a stranger finds no statuses", "q=post+of", "", 0, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			statuses, tags, first, link := search(t, c.query, c.token)
			if statuses != c.statuses || tags != c.tags || first != c.first || link != "" {
				t.Errorf("%d statuses, %d hashtags, first %q, Link %q; want %d, %d, %q and none", statuses, tags, first, link, c.statuses, c.tags, c.first)
			}
		})
	}
}

func TestASearchWithoutABackendIsEmpty(t *testing.T) {
	m, origin := newServer(t, snstest.Options{Quirks: snstest.Quirks{NoSearch: true}})
	m.AddMany(2)
	body := string(get(t, origin+"/api/v2/search?q=post&type=statuses", m.Token()).body)
	if !strings.Contains(body, `"statuses":[]`) {
		t.Errorf("search = %s", body)
	}
}
