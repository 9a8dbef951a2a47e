package snstest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

func TestTokensOpenOnlyTheirScopes(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	list := m.AddList("Close", "ben")
	narrow := m.IssueToken("ann", "read:statuses", "read:lists", "profile")
	revoked := m.IssueToken("ann")
	m.RevokeToken(revoked)
	for _, c := range []struct {
		name, path, token string
		status            int
		body              string
	}{
		{"everything", "/api/v1/notifications", m.Token(), 200, "[]"},
		{"a scope it has", "/api/v1/timelines/list/" + list, narrow, 200, "[]"},
		{"a group of scopes", "/api/v1/notifications", m.IssueToken("ann", "read"), 200, "[]"},
		{"a scope it lacks", "/api/v1/notifications", narrow, 403, `{"error":"This action is outside the authorized scopes"}`},
		{"revoked", "/api/v1/timelines/home", revoked, 401, `{"error":"The access token was revoked"}`},
		{"unknown, even where none is needed", "/api/v1/timelines/public", "nonsense", 401, `{"error":"The access token is invalid"}`},
		{"none where one is needed", "/api/v1/timelines/home", "", 401, `{"error":"The access token is invalid"}`},
		{"none on a public timeline", "/api/v1/timelines/public", "", 200, "[]"},
		{"somebody else's list", "/api/v1/timelines/list/" + list, m.IssueToken("otto"), 404, `{"error":"Record not found"}`},
		{"an unknown route", "/api/v1/streaming/user", m.Token(), 404, `{"error":"Record not found"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := get(t, origin+c.path, c.token)
			if r.status != c.status || string(r.body) != c.body {
				t.Errorf("GET %s = %d %s, want %d %s", c.path, r.status, r.body, c.status, c.body)
			}
		})
	}
}

func TestPublicTimelinesCanNeedAToken(t *testing.T) {
	m, origin := newServer(t, snstest.Options{Quirks: snstest.Quirks{PublicNeedsToken: true}})
	m.AddMany(1)
	if got := get(t, origin+"/api/v1/timelines/public", "").status; got != http.StatusUnauthorized {
		t.Errorf("without a token: %d, want 401", got)
	}
	if got := get(t, origin+"/api/v1/timelines/public", m.Token()); len(got.ids(t)) != 1 {
		t.Errorf("with a token: %d %s", got.status, got.body)
	}
	if body := string(get(t, origin+"/api/v2/instance", "").body); !strings.Contains(body, `"live_feeds":{"local":"authenticated"`) {
		t.Error("the instance does not say that its feeds need a login")
	}
}

func TestTheLimitCountsAndResets(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 47, 30, 0, time.UTC)
	m, origin := newServer(t, snstest.Options{
		Now:       func() time.Time { return now },
		RateLimit: snstest.RateLimit{Requests: 3, Pages: 1},
	})
	ask := func(query, token string) [4]string {
		r := get(t, origin+"/api/v1/timelines/home"+query, token)
		return [4]string{http.StatusText(r.status), r.header.Get("X-RateLimit-Remaining"), r.header.Get("X-RateLimit-Reset"), r.header.Get("Retry-After")}
	}
	got := [][4]string{
		ask("", m.Token()), ask("?max_id=5", m.Token()), ask("?max_id=4", m.Token()), ask("", m.Token()), ask("", m.IssueToken("otto")),
	}
	now = now.Add(3 * time.Minute)
	got = append(got, ask("", m.Token()))

	want := [][4]string{
		{"OK", "2", "2026-11-30T12:50:00.000000Z", ""},
		{"OK", "0", "2026-11-30T13:00:00.000000Z", ""},
		{"Too Many Requests", "0", "2026-11-30T13:00:00.000000Z", ""},
		{"Too Many Requests", "0", "2026-11-30T12:50:00.000000Z", ""},
		{"OK", "2", "2026-11-30T12:50:00.000000Z", ""},
		{"OK", "2", "2026-11-30T12:55:00.000000Z", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

func TestTheLimitCanBeOff(t *testing.T) {
	m, origin := newServer(t, snstest.Options{RateLimit: snstest.RateLimit{Off: true}})
	if got := get(t, origin+"/api/v1/timelines/home", m.Token()).header.Get("X-RateLimit-Limit"); got != "" {
		t.Errorf("X-RateLimit-Limit = %q, want none", got)
	}
}

func TestRequestsAreRecorded(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	get(t, origin+"/api/v1/timelines/home?limit=2", m.Token())
	get(t, origin+"/api/v1/lists", m.Token())

	got := m.RequestsTo("/api/v1/timelines/home")

	want := []snstest.Request{{
		At: time.Date(2026, 11, 30, 12, 47, 30, 0, time.UTC), Method: "GET", Path: "/api/v1/timelines/home", Query: url.Values{"limit": {"2"}},
		Authorization: "Bearer " + m.Token(), Accept: "application/json", UserAgent: "Go-http-client/1.1", Account: "ann", Status: 200, Bytes: 2,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	m.ForgetRequests()
	if n := len(m.Requests()); n != 0 {
		t.Errorf("%d requests after ForgetRequests, want 0", n)
	}
}

func TestViolationsNameWhatNoClientMayDo(t *testing.T) {
	for _, c := range []struct {
		name, method, path string
		header             http.Header
		status             int
		want               []string
	}{
		{"reading", "GET", "/api/v1/timelines/public", http.Header{"Accept": {"application/json"}}, 200, nil},
		{"posting a status", "POST", "/api/v1/statuses", http.Header{"Accept": {"*/*"}}, 405, []string{"POST /api/v1/statuses writes"}},
		{"deleting", "DELETE", "/api/v1/lists/1", http.Header{"Accept": {"*/*"}}, 405, []string{"DELETE /api/v1/lists/1 writes"}},
		{"registering for a login", "POST", "/api/v1/apps", http.Header{"Accept": {"*/*"}}, 422, nil},
		{"asking for HTML", "GET", "/api/v1/instance", http.Header{"Accept": {"text/html"}}, 200, []string{`GET /api/v1/instance accepts "text/html", which is not JSON`}},
		{
			"an empty bearer", "GET", "/api/v1/instance",
			http.Header{"Accept": {"application/json"}, "Authorization": {"Bearer "}},
			401,
			[]string{"GET /api/v1/instance has an Authorization header without a token"},
		},
		{
			"a token in the query", "GET", "/api/v1/instance?access_token=x",
			http.Header{"Accept": {"application/json"}},
			200,
			[]string{"GET /api/v1/instance has a token in the query"},
		},
		{
			"a path within an id", "GET", "/api/v1/statuses/1%2F..%2F2",
			http.Header{"Accept": {"application/json"}},
			404,
			[]string{"GET /api/v1/statuses/1%2F..%2F2 leads out of its path"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := snstest.NewMastodon(snstest.Options{})
			origin, err := m.StartLoopback(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { m.Close() })
			req, err := http.NewRequestWithContext(t.Context(), c.method, origin+c.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header = c.header
			resp, err := new(http.Client).Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != c.status {
				t.Errorf("status %d, want %d", resp.StatusCode, c.status)
			}
			if diff := cmp.Diff(c.want, m.Violations(), cmp.Transformer("nil", func(s []string) string { return strings.Join(s, "\n") })); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestInstanceVersions(t *testing.T) {
	m, origin := newServer(t, snstest.Options{Domain: "tea.example"})
	var v1 struct{ URI string }
	get(t, origin+"/api/v1/instance", "").into(t, &v1)
	var v2 struct {
		Domain string
		API    struct{ Mastodon int } `json:"api_versions"`
	}
	get(t, origin+"/api/v2/instance", "").into(t, &v2)
	if v1.URI != "tea.example" || v2.Domain != "tea.example" || v2.API.Mastodon != 7 {
		t.Errorf("v1 %+v, v2 %+v", v1, v2)
	}
	m.SetQuirks(func(q *snstest.Quirks) { q.NoInstanceV2 = true })
	if got := get(t, origin+"/api/v2/instance", "").status; got != http.StatusNotFound {
		t.Errorf("v2 = %d, want 404", got)
	}
}

func TestVerifyTellsTheAccountAndTheScopes(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	token := m.IssueToken("ann", "profile")
	var me struct{ ID, Acct string }
	get(t, origin+"/api/v1/accounts/verify_credentials", token).into(t, &me)
	var app struct{ Scopes []string }
	get(t, origin+"/api/v1/apps/verify_credentials", token).into(t, &app)
	if me.ID != m.AccountID("ann") || me.Acct != "ann" {
		t.Errorf("account = %+v", me)
	}
	if diff := cmp.Diff([]string{"profile"}, app.Scopes); diff != "" {
		t.Errorf("scopes (-want +got):\n%s", diff)
	}
}
