package mastodon_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// linked answers every page with a post and the given Link headers.
func linked(headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, h := range headers {
			w.Header().Add("Link", h)
		}
		io.WriteString(w, statuses(30, 1))
	}
}

func wantNext(t *testing.T, want string, headers ...string) {
	t.Helper()
	if got := serve(t, linked(headers...)).page(t, home, "").Next; got != want {
		t.Errorf("next = %q, want %q", got, want)
	}
}

func testLinkTwoHeaders(t *testing.T) {
	wantNext(t, "max_id=11", `<https://ex.org/x?min_id=30>; rel="prev"`, `<https://ex.org/x?max_id=11>; rel="next"`)
}

func testLinkCommas(t *testing.T) {
	wantNext(t, "max_id=11", `<https://ex.org/x?any[]=a,b&max_id=11>; rel="next", <https://ex.org/x?any[]=a,b&min_id=30>; rel="prev"`)
}

func testLinkElsewhere(t *testing.T) {
	u := serve(t, linked(`<http://elsewhere.example:81/x?max_id=11>; rel="next"`))
	page := u.page(t, home, "")
	if page.Next != "max_id=11" {
		t.Fatalf("next = %q, want max_id=11", page.Next)
	}
	u.page(t, home, page.Next)
	if got, want := u.log()[1], "GET /api/v1/timelines/home?limit=20&max_id=11"; got != want {
		t.Errorf("the next page was asked for with %q, want %q", got, want)
	}
}

func testLinkOddLimit(t *testing.T) {
	wantNext(t, "max_id=11", `<https://ex.org/x?limit=abc&max_id=11>; rel="next"`)
}

func testNoLink(t *testing.T) {
	for _, tc := range []struct {
		name   string
		source sns.Source
		count  int
		want   string
	}{
		{"home with a full page", home, 20, "max_id=11"},
		{"home with a page that is not full", home, 19, ""},
		{"a hashtag with a full page", sns.Source{Kind: sns.KindHashtag, Tag: "cat"}, 20, "max_id=11"},
		{"bookmarks with a full page", sns.Source{Kind: sns.KindBookmarks}, 20, ""},
		{"favourites with a full page", sns.Source{Kind: sns.KindFavourites}, 20, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := serve(t, answerJSON(statuses(30, tc.count))).page(t, tc.source, "").Next; got != tc.want {
				t.Errorf("next = %q, want %q", got, tc.want)
			}
		})
	}
}

func testEmptyLastPage(t *testing.T) {
	u := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("max_id") == "28" {
			io.WriteString(w, "[]")
			return
		}
		w.Header().Set("Link", `<https://ex.org/x?max_id=28>; rel="next", <https://ex.org/x?min_id=30>; rel="prev"`)
		io.WriteString(w, statuses(30, 3))
	})
	page := u.page(t, home, "")
	if page.Next != "max_id=28" {
		t.Fatalf("next = %q, want max_id=28", page.Next)
	}
	page = u.page(t, home, page.Next)
	if len(page.Posts) != 0 || page.Next != "" {
		t.Errorf("%d posts, next %q; want the end", len(page.Posts), page.Next)
	}
	t.Run("a server that repeats its place", func(t *testing.T) {
		u := serve(t, linked(`<https://ex.org/x?max_id=28>; rel="next"`))
		if got := u.page(t, home, "max_id=28").Next; got != "" {
			t.Errorf("next = %q, want the end", got)
		}
	})
}

func testDuplicates(t *testing.T) {
	page := serve(t, answerJSON("["+strings.Join([]string{status("9", nil), status("9", nil), status("8", nil), status("9", nil)}, ",")+"]")).page(t, home, "")

	if diff := cmp.Diff([]string{"9", "8"}, ids(page.Posts)); diff != "" || page.Skipped != 0 {
		t.Errorf("skipped %d, posts (-want +got):\n%s", page.Skipped, diff)
	}
}

func testForeignPosition(t *testing.T) {
	wantBadPosition(t, "cursor=DAABCgABF__", "max_id=../x", "since_id=5", "offset=-20", "offset=abc", "offset=")
}

func testBrokenPosition(t *testing.T) {
	wantBadPosition(t, "110503322889311999", "max_id=", "Max_id=5", "max_id=5&limit=900", "max_id=5,max_id=6", "offset=20,offset=40", "max_id=5,", "offset=020", "max_id="+strings.Repeat("1", 10_000), "c1.abc.def", "\x00")
}

func wantBadPosition(t *testing.T, cursors ...string) {
	t.Helper()
	u := serve(t, answerJSON("[]"))
	for _, cursor := range cursors {
		_, err := u.fetch(t, home, cursor)
		if code := fault.CodeOf(err); code != fault.InvalidCursor {
			t.Errorf("cursor %.30q: %v, want %s", cursor, err, fault.InvalidCursor)
		}
	}
	if got := u.log(); len(got) != 0 {
		t.Errorf("requests = %v, want none", got)
	}
}

func testHashtagNames(t *testing.T) {
	for _, name := range []string{"日本語", "CAFÉ", "7・5", "a·b", "می\u200cخواهم", "ก็", "___"} {
		t.Run(name, func(t *testing.T) {
			u := serve(t, answerJSON("[]"))
			u.page(t, sns.Source{Kind: sns.KindHashtag, Tag: name}, "")
			if got, want := u.request(t).URL.Path, "/api/v1/timelines/tag/"+name; got != want {
				t.Errorf("path = %q, want %q", got, want)
			}
		})
	}
}

func testNoHashtags(t *testing.T) {
	u := serve(t, answerJSON("[]"))
	for _, name := range []string{"123", "a-b", "_", "..", "😀", strings.Repeat("a", 101), "", "a/b", "#a", "a b", "☃", "·a"} {
		t.Run(name, func(t *testing.T) {
			_, err := u.fetch(t, sns.Source{Kind: sns.KindHashtag, Tag: name}, "")
			wantFault(t, err, fault.InvalidSource, object{"field": "source.tag"})
			_, err = u.fetch(t, sns.Source{Kind: sns.KindHashtag, Tag: "cat", None: []string{name}}, "")
			wantFault(t, err, fault.InvalidSource, object{"field": "source.none"})
		})
	}
	if got := u.log(); len(got) != 0 {
		t.Errorf("requests = %v, want none", got)
	}
}

// fail answers every request with a status and Mastodon's form of an error.
func fail(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"error":"secret text of the upstream"}`)
	}
}

func testUnknownHashtag(t *testing.T) {
	page := serve(t, fail(http.StatusNotFound)).page(t, sns.Source{Kind: sns.KindHashtag, Tag: "cat"}, "")

	if diff := cmp.Diff(sns.UpstreamPage{}, page); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
}

func testDeletedList(t *testing.T) {
	_, err := serve(t, fail(http.StatusNotFound)).fetch(t, sns.Source{Kind: sns.KindList, ListID: "12"}, "")

	wantFault(t, err, fault.NotFound, object{"what": "list"})
}

func testRevokedToken(t *testing.T) {
	u := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("max_id") {
			fail(http.StatusUnauthorized)(w, r)
			return
		}
		io.WriteString(w, statuses(30, 20))
	})
	page := u.page(t, home, "")

	_, err := u.fetch(t, home, page.Next)

	wantFault(t, err, fault.Unauthorized, object{"reconnect": true})
	if got := u.log(); len(got) != 2 {
		t.Errorf("requests = %v, want two", got)
	}
}

func testMissingScope(t *testing.T) {
	_, err := serve(t, fail(http.StatusForbidden)).fetch(t, sns.Source{Kind: sns.KindNotifications}, "")

	wantFault(t, err, fault.Forbidden, object{"reason": "missing_scope", "capability": "read:notifications"})
	if message := fault.From(err).Message; !strings.Contains(message, "read:notifications") {
		t.Errorf("message %q does not name the scope", message)
	}
}

func testPartial(t *testing.T) {
	u := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusPartialContent)
		io.WriteString(w, statuses(30, 2))
	})

	page := u.page(t, home, "")

	if !page.Partial || len(page.Posts) != 2 {
		t.Errorf("partial %v, %d posts; want true, 2", page.Partial, len(page.Posts))
	}
}

func testSearchEnds(t *testing.T) {
	source := sns.Source{Kind: sns.KindSearch, Query: "猫"}
	t.Run("pages by offset to 200", func(t *testing.T) {
		u := searchServer(t, func(offset int, _ string) string { return statuses(300-offset, 20) })
		var page sns.UpstreamPage
		for cursor := ""; ; cursor = page.Next {
			page = u.page(t, source, cursor)
			if page.Next == "" {
				break
			}
		}
		offsets := []string{}
		for _, r := range u.requests {
			offsets = append(offsets, r.URL.Query().Get("offset"))
		}
		if diff := cmp.Diff(strings.Split(",20,40,60,80,100,120,140,160,180", ","), offsets); diff != "" {
			t.Errorf("offsets (-want +got):\n%s", diff)
		}
		if len(page.Warnings) != 1 {
			t.Errorf("warnings of the last page = %v, want one", page.Warnings)
		}
		q := u.requests[1].URL.Query()
		if diff := cmp.Diff(url.Values{"q": {"猫"}, "type": {"statuses"}, "limit": {"20"}, "offset": {"20"}}, q); diff != "" {
			t.Errorf("query (-want +got):\n%s", diff)
		}
	})
	t.Run("past 200 asks nothing", func(t *testing.T) {
		u := serve(t, answerJSON(`{}`))
		page := u.page(t, source, "offset=200")
		if len(page.Warnings) != 1 || page.Next != "" || len(u.log()) != 0 {
			t.Errorf("warnings %v, next %q, requests %v; want one, none, none", page.Warnings, page.Next, u.log())
		}
	})
	t.Run("without a search backend", func(t *testing.T) {
		page := serve(t, fail(http.StatusNotFound)).page(t, source, "")
		if len(page.Warnings) != 1 || page.Next != "" || len(page.Posts) != 0 {
			t.Errorf("page = %+v, want it empty with one warning", page)
		}
	})
	t.Run("a short page is the last", func(t *testing.T) {
		page := serve(t, answerJSON(`{"statuses":`+statuses(300, 3)+`}`)).page(t, source, "")
		if len(page.Posts) != 3 || page.Next != "" {
			t.Errorf("%d posts, next %q; want 3, none", len(page.Posts), page.Next)
		}
	})
}
