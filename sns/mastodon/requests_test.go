package mastodon_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/mastodon"
)

func TestRequestOfSource(t *testing.T) {
	for _, tc := range []struct {
		name   string
		source sns.Source
		cursor string
		want   string
	}{
		{"home", home, "", "/api/v1/timelines/home?limit=20"},
		{"home, later page", home, "max_id=5", "/api/v1/timelines/home?limit=20&max_id=5"},
		{"local", sns.Source{Kind: sns.KindLocal}, "", "/api/v1/timelines/public?limit=20&local=t"},
		{"local media", sns.Source{Kind: sns.KindLocal, OnlyMedia: true}, "max_id=5", "/api/v1/timelines/public?limit=20&local=true&max_id=5&only_media=true"},
		{"federated", sns.Source{Kind: sns.KindFederated}, "", "/api/v1/timelines/public?limit=20"},
		{"federated, remote media", sns.Source{Kind: sns.KindFederated, OnlyMedia: true, RemoteOnly: true}, "", "/api/v1/timelines/public?limit=20&only_media=true&remote=true"},
		{"hashtag", sns.Source{Kind: sns.KindHashtag, Tag: "猫"}, "", "/api/v1/timelines/tag/%E7%8C%AB?limit=20"},
		{
			"hashtag with others",
			sns.Source{Kind: sns.KindHashtag, Tag: "cat", Any: []string{"a1"}, All: []string{"b1", "b2"}, None: []string{"c1"}, LocalOnly: true},
			"max_id=5",
			"/api/v1/timelines/tag/cat?all[]=b1&all[]=b2&any[]=a1&limit=20&local=t&max_id=5&none[]=c1",
		},
		{
			"hashtag media",
			sns.Source{Kind: sns.KindHashtag, Tag: "猫", Any: []string{"a1"}, LocalOnly: true, OnlyMedia: true},
			"",
			"/api/v1/timelines/tag/%E7%8C%AB?any[]=a1&limit=20&local=true&only_media=true",
		},
		{"list", sns.Source{Kind: sns.KindList, ListID: "12"}, "", "/api/v1/timelines/list/12?limit=20"},
		{
			"user by id",
			sns.Source{Kind: sns.KindUser, Account: "42", ExcludeReplies: true, ExcludeBoosts: true, OnlyMedia: true},
			"max_id=5",
			"/api/v1/accounts/42/statuses?exclude_reblogs=true&exclude_replies=true&limit=20&max_id=5&only_media=true",
		},
		{"bookmarks", sns.Source{Kind: sns.KindBookmarks}, "max_id=5", "/api/v1/bookmarks?limit=20&max_id=5"},
		{"favourites", sns.Source{Kind: sns.KindFavourites}, "", "/api/v1/favourites?limit=20"},
		{"conversations", sns.Source{Kind: sns.KindConversations}, "", "/api/v1/conversations?limit=20"},
		{"notifications", sns.Source{Kind: sns.KindNotifications}, "", "/api/v1/notifications?limit=20"},
		{
			"notifications of types",
			sns.Source{Kind: sns.KindNotifications, Types: []string{"reply", "edit", "like"}},
			"max_id=5",
			"/api/v1/notifications?limit=20&max_id=5&types[]=favourite&types[]=mention&types[]=quoted_update&types[]=update",
		},
		{
			"notifications of other types",
			sns.Source{Kind: sns.KindNotifications, Types: []string{"other", "mention", "boost", "like", "quote", "poll"}},
			"",
			"/api/v1/notifications?exclude_types[]=follow&exclude_types[]=follow_request&exclude_types[]=quoted_update&exclude_types[]=status&exclude_types[]=update&limit=20",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := serve(t, answerJSON("[]"))
			u.page(t, tc.source, tc.cursor)
			got := strings.ReplaceAll(u.requests[0].URL.RequestURI(), "%5B%5D", "[]")
			if got != tc.want {
				t.Errorf("request = %s\nwant      %s", got, tc.want)
			}
			if diff := cmp.Diff(slices.Repeat([]bool{strings.Contains(tc.want, "max_id")}, 1+len(tc.source.Any)), u.gate.asked); diff != "" {
				t.Errorf("asked the budget for paging (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	for _, tc := range []struct {
		name   string
		source sns.Source
		login  bool
		want   string
	}{
		{"signed in, by the library", home, true, "Bearer secret-token"},
		{"signed in, by our own get", sns.Source{Kind: sns.KindLocal, OnlyMedia: true}, true, "Bearer secret-token"},
		{"not signed in, by the library", sns.Source{Kind: sns.KindLocal}, false, ""},
		{"not signed in, by our own get", sns.Source{Kind: sns.KindLocal, OnlyMedia: true}, false, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := serveWith(t, mastodon.Config{UserAgent: "workspace/test"}, answerJSON("[]"))
			account := u.account()
			if !tc.login {
				account = u.public()
			}
			if _, err := u.provider.Fetch(t.Context(), account, tc.source, ""); err != nil {
				t.Fatal(err)
			}
			h := u.request(t).Header
			if got := h.Get("Authorization"); got != tc.want {
				t.Errorf("Authorization = %q, want %q", got, tc.want)
			}
			if _, present := h["Authorization"]; present != tc.login {
				t.Errorf("Authorization is there: %v, want %v", present, tc.login)
			}
			if h.Get("Accept") != "application/json" || h.Get("User-Agent") != "workspace/test" || h.Get("Content-Type") != "" {
				t.Errorf("Accept %q, User-Agent %q, Content-Type %q", h.Get("Accept"), h.Get("User-Agent"), h.Get("Content-Type"))
			}
		})
	}
}

func TestStatusBecomesFault(t *testing.T) {
	list := sns.Source{Kind: sns.KindList, ListID: "1"}
	for _, tc := range []struct {
		name    string
		status  int
		source  sns.Source
		cursor  string
		code    fault.Code
		details object
	}{
		{"400", 400, home, "", fault.InvalidSource, object{"field": "source"}},
		{"400 on paging", 400, home, "max_id=5", fault.InvalidCursor, object{"reason": "upstream_rejected"}},
		{"404 on paging", 404, list, "max_id=5", fault.InvalidCursor, object{"reason": "upstream_rejected"}},
		{"401", 401, home, "", fault.Unauthorized, object{"reconnect": true}},
		{"403", 403, home, "", fault.Forbidden, object{"capability": "read:statuses"}},
		{"404 of a kind", 404, sns.Source{Kind: sns.KindBookmarks}, "", fault.Unsupported, object{"capability": "bookmarks"}},
		{"404 of an account", 404, sns.Source{Kind: sns.KindUser, Account: "42"}, "", fault.NotFound, object{"what": "account"}},
		{"404 of a post", 404, sns.Source{Kind: sns.KindPost, PostID: "42"}, "", fault.NotFound, object{"what": "post"}},
		{"405", 405, home, "", fault.Unsupported, object{"capability": "home"}},
		{"406", 406, home, "", fault.UpstreamUnavailable, object{"reason": "status_406"}},
		{"410", 410, list, "", fault.NotFound, object{"what": "list"}},
		{"422", 422, home, "", fault.InvalidSource, object{"field": "source"}},
		{"429 without a time is a minute", 429, home, "", fault.RateLimited, object{"retryAt": "2026-11-30T12:45:00Z"}},
		{"500", 500, home, "", fault.UpstreamUnavailable, object{"reason": "status_500", "retryAt": nil}},
		{"501", 501, home, "", fault.Unsupported, object{"capability": "home"}},
		{"304", 304, home, "", fault.UpstreamUnavailable, object{"reason": "redirect"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := serve(t, fail(tc.status))
			_, err := u.fetch(t, tc.source, tc.cursor)
			wantFault(t, err, tc.code, tc.details)
			if strings.Contains(err.Error(), "secret text") {
				t.Errorf("the error repeats the server's text: %v", err)
			}
			if got := u.log(); len(got) != 1 {
				t.Errorf("requests = %v, want one", got)
			}
			if u.gate.open != 0 {
				t.Errorf("%d places of the budget are still taken", u.gate.open)
			}
		})
	}
}

func TestRefusalWithoutLoginSaysSo(t *testing.T) {
	for _, status := range []int{401, 403, 422} {
		u := serve(t, fail(status))
		_, err := u.provider.Fetch(t.Context(), u.public(), sns.Source{Kind: sns.KindLocal}, "")
		wantFault(t, err, fault.Forbidden, object{"reason": "login_required"})
	}
}

func TestSecondTry(t *testing.T) {
	for _, tc := range []struct {
		name  string
		first func(w http.ResponseWriter)
		tries int
	}{
		{"502", func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }, 2},
		{"503", func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }, 2},
		{"504", func(w http.ResponseWriter) { w.WriteHeader(http.StatusGatewayTimeout) }, 2},
		{"a connection that is cut", cut, 2},
		{"500 is not repeated", func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) }, 1},
		{"a 503 that names a time is not repeated", func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var u *upstream
			u = serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if len(u.log()) == 1 {
					tc.first(w)
					return
				}
				io.WriteString(w, statuses(30, 1))
			})
			_, err := u.fetch(t, home, "")
			if (err == nil) != (tc.tries == 2) {
				t.Errorf("err = %v after %d tries", err, tc.tries)
			}
			if got := len(u.log()); got != tc.tries || len(u.gate.asked) != tc.tries {
				t.Errorf("%d requests, asked the budget %d times; want %d", got, len(u.gate.asked), tc.tries)
			}
			for _, d := range u.waits {
				if d < 500*time.Millisecond || d > 1500*time.Millisecond {
					t.Errorf("waited %v, want 0.5 to 1.5 s", d)
				}
			}
		})
	}
}

func TestSecondFailureIsReported(t *testing.T) {
	u := serve(t, fail(502))

	_, err := u.fetch(t, home, "")

	wantFault(t, err, fault.UpstreamUnavailable, object{"reason": "status_502"})
	if got := len(u.log()); got != 2 {
		t.Errorf("%d requests, want 2", got)
	}
}

func TestNoSecondTryWithoutTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		busy := roundTripper(func(r *http.Request) (*http.Response, error) {
			asked++
			return &http.Response{StatusCode: http.StatusBadGateway, Body: http.NoBody, Request: r}, nil
		})
		p := mastodon.New(mastodon.Config{Operator: busy})
		ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
		defer cancel()
		start := time.Now()

		_, err := p.Fetch(ctx, sns.Account{Origin: "https://ex.org", Operator: true, Token: "t", Gate: &gate{}}, home, "")

		wantFault(t, err, fault.UpstreamUnavailable, object{"reason": "status_502"})
		if took := time.Since(start); asked != 1 || took != 0 {
			t.Errorf("%d requests in %v; want 1 at once", asked, took)
		}
	})
}

func TestCallersDeadlineIsATimeout(t *testing.T) {
	u := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()

	_, err := u.provider.Fetch(ctx, u.account(), home, "")

	wantFault(t, err, fault.Timeout, nil)
}

func TestBudgetRefusalMakesNoRequest(t *testing.T) {
	u := serve(t, answerJSON("[]"))
	u.gate.refuse = fault.New(fault.BudgetExhausted, "Wait.").RetryAt(now)

	_, err := u.fetch(t, home, "")

	wantFault(t, err, fault.BudgetExhausted, object{"retryAt": "2026-11-30T12:44:00Z"})
	if got := u.log(); len(got) != 0 {
		t.Errorf("requests = %v, want none", got)
	}
}

func TestBudgetHearsTheServersLimit(t *testing.T) {
	u := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Remaining", "4")
		w.Header().Set("X-RateLimit-Reset", "2026-11-30T12:45:00.123456Z")
		io.WriteString(w, "[]")
	})
	u.page(t, home, "")

	want := []observation{{4, time.Date(2026, 11, 30, 12, 45, 0, 123456000, time.UTC)}}
	if diff := cmp.Diff(want, u.gate.observed, cmp.AllowUnexported(observation{})); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
}

func TestBudgetHearsThatNothingWasSaid(t *testing.T) {
	u := serve(t, answerJSON("[]"))
	u.page(t, home, "")

	if diff := cmp.Diff([]observation{{remaining: -1}}, u.gate.observed, cmp.AllowUnexported(observation{})); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
}

func TestUnreachableServer(t *testing.T) {
	u := serve(t, answerJSON("[]"))
	account := u.account()
	u.Close()

	_, err := u.provider.Fetch(t.Context(), account, home, "")

	wantFault(t, err, fault.UpstreamUnavailable, object{"reason": "connect"})
}

// A port that speaks plain http is no server with a bad certificate.
func TestServerWithoutHTTPS(t *testing.T) {
	u := serve(t, answerJSON("[]"))
	account := u.account()
	account.Origin = "https" + strings.TrimPrefix(account.Origin, "http")

	_, err := u.provider.Fetch(t.Context(), account, home, "")

	wantFault(t, err, fault.UpstreamUnavailable, object{"reason": "not_https"})
	if m := fault.From(err).Message; strings.Contains(m, "certificate") || !strings.Contains(m, "does not speak https") {
		t.Errorf("message = %q", m)
	}
	if got := u.log(); len(got) != 0 {
		t.Errorf("requests = %v, want none", got)
	}
}

func TestRefusalsNameWhatCannotBeRead(t *testing.T) {
	for kind, what := range map[sns.Kind]string{
		sns.KindHome: "the home timeline", sns.KindLocal: "the local timeline", sns.KindFederated: "the federated timeline",
		sns.KindHashtag: "the timelines of hashtags", sns.KindList: "lists", sns.KindUser: "the posts of accounts",
		sns.KindSearch: "the results of searches", sns.KindNotifications: "notifications", sns.KindBookmarks: "bookmarks",
		sns.KindFavourites: "favourites", sns.KindConversations: "conversations", sns.KindPost: "posts",
	} {
		t.Run(string(kind), func(t *testing.T) {
			u := serve(t, fail(403))
			source := sns.Source{Kind: kind}
			switch kind {
			case sns.KindHashtag:
				source.Tag = "cat"
			case sns.KindList:
				source.ListID = "1"
			case sns.KindUser:
				source.Account = "42"
			case sns.KindSearch:
				source.Query = "x"
			case sns.KindPost:
				source.PostID = "1"
			}
			_, err := u.fetch(t, source, "")
			host := strings.TrimPrefix(u.URL, "http://")
			if m := fault.From(err).Message; !strings.HasPrefix(m, host+" does not let this account read "+what+"; sign in again with the scope read:") {
				t.Errorf("message = %q, want it to name %s", m, what)
			}
		})
	}
}

func TestBrokenAnswers(t *testing.T) {
	for name, body := range map[string]string{
		"an object": `{"error":"x"}`, "a text": `"x"`, "cut off": `[{"id":"1"`, "cut off in a text": `[{"id":"1`, "cut off behind an entry": `[{"id":"1"},`, "no JSON": `<html>`, "a number": `5`, "a comma first": `[,{}]`, "a brace too many": `[}]`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := serve(t, answerJSON(body)).fetch(t, home, "")
			wantFault(t, err, fault.UpstreamChanged, object{"reason": "home"})
		})
	}
}

func TestTextBehindTheAnswerIsIgnored(t *testing.T) {
	if page := serve(t, answerJSON(statuses(30, 2)+"\n\nDEBUG")).page(t, home, ""); len(page.Posts) != 2 {
		t.Errorf("%d posts, want 2", len(page.Posts))
	}
}

func TestBodyOver4MiB(t *testing.T) {
	for _, tc := range []struct {
		name string
		sent func(w http.ResponseWriter)
	}{
		{"with its length", func(w http.ResponseWriter) { w.Header().Set("Content-Length", "5000000") }},
		{"without", func(http.ResponseWriter) {}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				tc.sent(w)
				io.WriteString(w, `["`+strings.Repeat("x", 5_000_000-4)+`"]`)
			})
			_, err := u.fetch(t, home, "")
			wantFault(t, err, fault.ResponseTooLarge, object{"limit": int64(4 << 20)})
		})
	}
}

func TestTransportOnlyReads(t *testing.T) {
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"} {
		t.Run(method, func(t *testing.T) {
			u := serve(t, answerJSON("{}"))
			req, err := http.NewRequestWithContext(t.Context(), method, u.URL+"/api/v1/statuses", strings.NewReader("status=x"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := u.provider.Transport(u.account()).RoundTrip(req); fault.CodeOf(err) != fault.Internal {
				t.Errorf("err = %v, want a refusal", err)
			}
			if got := u.log(); len(got) != 0 {
				t.Errorf("requests = %v, want none", got)
			}
		})
	}
}

func TestTransportStaysOnTheAccountsServer(t *testing.T) {
	u, other := serve(t, answerJSON("{}")), serve(t, answerJSON("{}"))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, other.URL+"/api/v1/timelines/home", nil)
	if err != nil {
		t.Fatal(err)
	}

	_, err = u.provider.Transport(u.account()).RoundTrip(req)

	if fault.CodeOf(err) != fault.Internal || len(other.log()) != 0 {
		t.Errorf("err = %v, requests %v; want a refusal and none", err, other.log())
	}
}

// The address of a request has the search words and ids of the person in it.
func TestErrorsDoNotHoldTheAddress(t *testing.T) {
	u := serve(t, answerJSON("[]"))
	account := u.account()
	u.Close()

	_, err := u.provider.Fetch(t.Context(), account, sns.Source{Kind: sns.KindSearch, Query: "private words"}, "")

	if err == nil || strings.Contains(err.Error(), "private") || strings.Contains(err.Error(), "secret-token") {
		t.Errorf("err = %v, want one without the address", err)
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		t.Errorf("the cause has the address: %v", e)
	}
}
