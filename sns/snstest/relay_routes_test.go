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

const (
	viewer   = "/i/api/graphql/_8ClT24oZ8tpylf_OSuNdg/Viewer"
	features = `{"responsive_web_graphql_timeline_navigation_enabled":true}`
	homeURL  = "/i/api/graphql/v8D8YuUcH9097nKOVvRPgA/HomeLatestTimeline"
	homeVars = `{"count":20,"enableRanking":false,"includePromotedContent":true,"seenTweetIds":[]}`
)

func as(profile string) http.Header {
	return http.Header{"Accept": {"application/json"}, "X-Profile-Name": {profile}}
}

func TestRelayRoutesAnswerAsTheRelayDoes(t *testing.T) {
	query := func(pairs ...string) string {
		var parts []string
		for i := 0; i < len(pairs); i += 2 {
			parts = append(parts, pairs[i]+"="+url.QueryEscape(pairs[i+1]))
		}
		return "?" + strings.Join(parts, "&")
	}
	full := query("variables", `{"withCommunitiesMemberships":true}`, "features", features)
	const gone = "Internal Server Error"
	for _, c := range []struct {
		name, method, path, profile, body string
		status                            int
		kind, want                        string
	}{
		{"health", "GET", "/health", "", "", 200, "application/json", `{"profiles":["a1","a2"],"status":"ok"}`},
		{"profiles", "GET", "/profiles", "", "", 200, "application/json", `{"profiles":["a1","a2"]}`},
		{"no /i/api in front", "GET", "/graphql/x/Viewer", "a1", "", 404, "text/plain; charset=UTF-8", "404 Not Found"},
		{"the root", "GET", "/", "a1", "", 404, "text/plain; charset=UTF-8", "404 Not Found"},
		{"an unknown profile", "GET", viewer + full, "zz", "", 400, "application/json", `{"available":["a1","a2"],"error":"Unknown profile: \"zz\""}`},
		{"a read", "GET", viewer + full, "a1", "", 200, "application/json", `"screen_name":"ann"`},
		{"the other profile", "GET", viewer + full, "a2", "", 200, "application/json", `"screen_name":"otto"`},
		{"the first of two parameters", "GET", viewer + full + "&variables=nonsense", "a1", "", 200, "application/json", `"screen_name":"ann"`},
		{"a query id that is no more", "GET", strings.Replace(viewer, "_8ClT24oZ8tpylf_OSuNdg", "old", 1) + full, "a1", "", 500, "text/plain; charset=UTF-8", gone},
		{"the wrong method", "POST", viewer, "a1", `{"queryId":"_8ClT24oZ8tpylf_OSuNdg","variables":{"withCommunitiesMemberships":true},"features":` + features + `}`, 500, "text/plain; charset=UTF-8", gone},
		{"variables that are no JSON", "GET", viewer + query("variables", "{", "features", features), "a1", "", 500, "text/plain; charset=UTF-8", gone},
		{"a variable too few", "GET", viewer + query("variables", "{}", "features", features), "a1", "", 500, "text/plain; charset=UTF-8", gone},
		{"no features", "GET", viewer + query("variables", `{"withCommunitiesMemberships":true}`), "a1", "", 200, "application/json", `"code":336`},
		{"a POST", "POST", homeURL, "a1", `{"queryId":"v8D8YuUcH9097nKOVvRPgA","variables":` + homeVars + `,"features":` + features + `}`, 200, "application/json", `"home_timeline_urt"`},
		{"a POST without features", "POST", homeURL, "a1", `{"queryId":"v8D8YuUcH9097nKOVvRPgA","variables":` + homeVars + `}`, 200, "application/json", `"code":336`},
		{"a POST with another query id", "POST", homeURL, "a1", `{"queryId":"x","variables":` + homeVars + `,"features":` + features + `}`, 500, "text/plain; charset=UTF-8", gone},
		{"a POST that is no JSON", "POST", homeURL, "a1", `variables=1`, 500, "text/plain; charset=UTF-8", gone},
		{"a POST whose variables are text", "POST", homeURL, "a1", `{"queryId":"v8D8YuUcH9097nKOVvRPgA","variables":"{}","features":` + features + `}`, 500, "text/plain; charset=UTF-8", gone},
		{"typeahead", "GET", "/1.1/search/typeahead.json?q=@ot&src=search_box&result_type=users", "a1", "", 200, "application/json", `"screen_name":"otto"`},
		{"a picture", "GET", "/pictures/avatar/ann.svg", "", "", 200, "image/svg+xml", ">A</text>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, origin := newRelay(t, snstest.RelayOptions{})
			got := request(t, c.method, origin+c.path, as(c.profile), c.body)
			if got.status != c.status || got.header.Get("Content-Type") != c.kind || !strings.Contains(string(got.body), c.want) {
				t.Errorf("%s %s = %d %s %.300q, want %d %s with %q", c.method, c.path, got.status, got.header.Get("Content-Type"), got.body, c.status, c.kind, c.want)
			}
		})
	}
}

func TestRelayViolationsNameWhatNoClientMayAsk(t *testing.T) {
	for _, c := range []struct {
		name, method, path string
		header             http.Header
		want               []string
	}{
		{"a read", "GET", viewer, as("a1"), nil},
		{"no profile", "GET", viewer, http.Header{"Accept": {"application/json"}}, []string{"GET " + viewer + " names no profile"}},
		{"a write", "POST", "/i/api/graphql/abc/CreateTweet", as("a1"), []string{"POST /i/api/graphql/abc/CreateTweet is none of the reads"}},
		{"a write of the old API", "POST", "/1.1/statuses/update.json", as("a1"), []string{"POST /1.1/statuses/update.json is none of the reads"}},
		{"a read that is not on the list", "GET", "/2/guide.json", as("a1"), []string{"GET /2/guide.json is none of the reads"}},
		{"typeahead by POST", "POST", "/1.1/search/typeahead.json", as("a1"), []string{"POST /1.1/search/typeahead.json is none of the reads"}},
		{"the relay's own switches", "POST", "/api/enable-debug", as("a1"), []string{"POST /api/enable-debug steers the relay"}},
		{"HTML", "GET", viewer, http.Header{"Accept": {"text/html"}, "X-Profile-Name": {"a1"}}, []string{"GET " + viewer + ` accepts "text/html", which is not JSON`}},
		{
			"a credential", "GET", viewer,
			http.Header{"Accept": {"application/json"}, "X-Profile-Name": {"a1"}, "Cookie": {"auth_token=1"}},
			[]string{"GET " + viewer + " sends a credential: Cookie"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := snstest.NewRelay(snstest.RelayOptions{})
			origin, err := r.StartLoopback(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { r.Close() })
			request(t, c.method, origin+c.path, c.header, "{}")
			if diff := cmp.Diff(c.want, r.Violations()); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServeFailsATestThatBreaksARule(t *testing.T) {
	for name, breaks := range map[string]func(origin string){
		"a write": func(origin string) {
			request(t, http.MethodPost, origin+"/i/api/graphql/abc/DeleteTweet", as("a1"), "{}")
		},
		"a read of no profile": func(origin string) { relayed(t, origin, "", "Viewer", nil) },
	} {
		t.Run(name, func(t *testing.T) {
			spy := &spyTB{T: t}
			breaks(snstest.Serve(spy, snstest.NewRelay(snstest.RelayOptions{})))
			spy.cleanup()
			if diff := cmp.Diff([]string{"the mock server refused a request: %s"}, spy.errors); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
		})
	}
}

// A client that forgets the header sees now this and now that account.
func TestWithoutAProfileAnyOneAnswers(t *testing.T) {
	r := snstest.NewRelay(snstest.RelayOptions{})
	origin, err := r.StartLoopback(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	seen := map[string]bool{}
	for n := 0; len(seen) < 2; n++ {
		if n == 200 {
			t.Fatalf("200 requests were answered for %v alone", seen)
		}
		seen[member(t, relayed(t, origin, "", "Viewer", nil).body, "data.viewer.user_results.result.core.screen_name")] = true
	}
}

// spyTB notes the failures of a test and lets it end when asked.
type spyTB struct {
	*testing.T
	errors  []string
	cleanup func()
}

func (s *spyTB) Cleanup(f func())               { s.cleanup = f }
func (s *spyTB) Errorf(format string, _ ...any) { s.errors = append(s.errors, format) }

func TestAQueryIDCanBeRetired(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	r.SetQueryID("Viewer", "newer")
	if got := relayed(t, origin, "a1", "Viewer", nil).status; got != http.StatusInternalServerError {
		t.Errorf("the old id = %d, want 500", got)
	}
	path := strings.Replace(viewer, "_8ClT24oZ8tpylf_OSuNdg", "newer", 1)
	q := url.Values{"variables": {`{"withCommunitiesMemberships":true}`}, "features": {features}}
	if got := request(t, http.MethodGet, origin+path+"?"+q.Encode(), as("a1"), "").status; got != http.StatusOK {
		t.Errorf("the new id = %d, want 200", got)
	}
}

func TestXCanInsistOnAFlag(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	r.RequireFeature("brand_new_enabled")
	got := string(relayed(t, origin, "a1", "Viewer", nil).body)
	if !strings.Contains(got, "The following features cannot be null: brand_new_enabled") {
		t.Errorf("answer = %s", got)
	}
}

func TestAProfileCanGo(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	r.RemoveProfile("a1")
	got := relayed(t, origin, "a1", "Viewer", nil)
	if want := `{"available":["a2"],"error":"Unknown profile: \"a1\""}`; got.status != http.StatusBadRequest || string(got.body) != want {
		t.Errorf("= %d %s, want 400 %s", got.status, got.body, want)
	}
}

func TestCallsAreRecorded(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Lean: true}})
	relayed(t, origin, "a2", "Viewer", nil)
	relayed(t, origin, "a1", "HomeLatestTimeline", nil)

	got := r.CallsOf("Viewer")

	want := []snstest.Call{{
		At: time.Date(2026, 11, 30, 12, 47, 30, 0, time.UTC), Method: "GET", Path: viewer, Operation: "Viewer", QueryID: "_8ClT24oZ8tpylf_OSuNdg", Profile: "a2",
		Variables: []byte(`{"withCommunitiesMemberships":true}`), Features: []byte(features), Accept: "application/json", UserAgent: "Go-http-client/1.1",
		InFlight: 1, Status: 200, Bytes: got[0].Bytes,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if post := r.CallsOf("HomeLatestTimeline"); len(post) != 1 || !strings.Contains(string(post[0].Variables), `"count":20`) {
		t.Errorf("the POST was recorded as %+v", post)
	}
	r.ForgetCalls()
	if n := len(r.Calls()); n != 0 {
		t.Errorf("%d calls after ForgetCalls, want 0", n)
	}
}

func TestCallsCountWhatIsInFlight(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	arrived, leave := make(chan struct{}), make(chan struct{})
	r.Inject("Viewer", 1, func(http.ResponseWriter, *http.Request, http.Handler) {
		close(arrived)
		<-leave
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		relayed(t, origin, "a1", "Viewer", nil)
	}()
	<-arrived
	relayed(t, origin, "a1", "Viewer", nil)
	relayed(t, origin, "a2", "Viewer", nil)
	close(leave)
	<-done
	var got []int
	for _, c := range r.Calls() {
		got = append(got, c.InFlight)
	}
	if diff := cmp.Diff([]int{1, 2, 1}, got); diff != "" {
		t.Errorf("in flight (-want +got):\n%s", diff)
	}
}
