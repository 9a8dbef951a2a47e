package mastodon_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// The tests of this file read servers that ignore what is asked of them.

func goToSocial(t *testing.T) (*snstest.Mastodon, reader) {
	t.Helper()
	m := snstest.NewMastodon(snstest.Options{IDs: snstest.ULID, Quirks: snstest.GoToSocial()})
	return m, read(t, m)
}

func TestSearchGoesOnWhereOffsetsAreIgnored(t *testing.T) {
	for name, quirks := range map[string]snstest.Quirks{"GoToSocial": snstest.GoToSocial(), "Mastodon": {}} {
		for _, count := range []int{0, 1, 19, 20, 21, 40, 53} {
			t.Run(fmt.Sprintf("%s with %d", name, count), func(t *testing.T) {
				m := snstest.NewMastodon(snstest.Options{IDs: snstest.ULID, Quirks: quirks})
				want := m.AddMany(count)
				slices.Reverse(want)
				got := ids(read(t, m).all(t, sns.Source{Kind: sns.KindSearch, Query: "post"}))
				if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
					t.Errorf("found (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestSearchWithoutOffsetsEndsAt200Too(t *testing.T) {
	m, r := goToSocial(t)
	want := m.AddMany(230)[30:]
	slices.Reverse(want)
	source := sns.Source{Kind: sns.KindSearch, Query: "post"}
	if diff := cmp.Diff(want, ids(r.all(t, source))); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if n := len(m.RequestsTo("/api/v2/search")); n != 11 { // the second page asks twice
		t.Errorf("%d requests, want 11", n)
	}
}

// searchServer answers searches the way find says.
func searchServer(t *testing.T, find func(offset int, maxID string) string) *upstream {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		fmt.Fprintf(w, `{"statuses":%s}`, find(offset, r.URL.Query().Get("max_id")))
	})
}

// search pages to the end and returns what was found and how many requests that
// took.
func (u *upstream) search(t *testing.T) (found []string, requests int) {
	t.Helper()
	cursor := ""
	for range 30 {
		page := u.page(t, sns.Source{Kind: sns.KindSearch, Query: "x"}, cursor)
		found = append(found, ids(page.Posts)...)
		if cursor = page.Next; cursor == "" {
			return found, len(u.log())
		}
	}
	t.Fatal("the search has no end")
	return nil, 0
}

// numbered are the ids from first down, n of them.
func numbered(first, n int) []string {
	out := []string{}
	for i := range n {
		out = append(out, strconv.Itoa(first-i))
	}
	return out
}

// oddSearch is a server that searches in a way of its own, and what is found.
type oddSearch struct {
	name string
	find func(offset int, maxID string) string
	want []string
	// requests at most
	requests int
}

func (o oddSearch) test(t *testing.T) {
	found, requests := searchServer(t, o.find).search(t)
	if diff := cmp.Diff(o.want, found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if requests > o.requests {
		t.Errorf("%d requests, want at most %d", requests, o.requests)
	}
}

func TestSearchWhereOffsetsAreIgnored(t *testing.T) {
	for _, tc := range []oddSearch{
		{
			"the first page again for every offset, but max_id works",
			func(_ int, maxID string) string {
				switch maxID {
				case "":
					return statuses(100, 20)
				case "81":
					return statuses(80, 12)
				}
				return "[]"
			},
			numbered(100, 32), 4,
		},
		{
			"the first page again whatever is asked",
			func(int, string) string { return statuses(100, 20) },
			numbered(100, 20), 3,
		},
	} {
		t.Run(tc.name, tc.test)
	}
}

func TestSearchWherePagesAreUneven(t *testing.T) {
	shuffled := "[" + strings.Join([]string{status("5", nil), status("9", nil), status("7", nil), status("8", nil), status("6", nil)}, ",") + "]"
	for _, tc := range []oddSearch{
		{
			"a new post moves what the offset leaves out",
			func(offset int, _ string) string {
				switch offset {
				case 0:
					return statuses(100, 20)
				case 20:
					return statuses(81, 20)
				}
				return "[]"
			},
			numbered(100, 39), 4,
		},
		{
			"more than was asked for",
			func(offset int, _ string) string { return statuses(100-offset, min(40, 100-offset)) },
			numbered(100, 100), 5,
		},
		{
			"no order that ids tell: only the offset counts",
			func(offset int, maxID string) string {
				switch {
				case maxID != "":
					return statuses(4, 3)
				case offset == 0:
					return "[" + strings.Trim(shuffled, "[]") + "," + strings.Trim(statuses(100, 15), "[]") + "]"
				case offset == 20:
					return statuses(300, 20)
				}
				return "[]"
			},
			slices.Concat([]string{"5", "9", "7", "8", "6"}, numbered(100, 15), numbered(300, 20)), 4,
		},
		{
			"a page from which the server left something out",
			func(offset int, _ string) string {
				switch offset {
				case 0:
					return statuses(100, 17)
				case 20:
					return statuses(80, 3)
				}
				return "[]"
			},
			append(numbered(100, 17), numbered(80, 3)...), 3,
		},
	} {
		t.Run(tc.name, tc.test)
	}
}

// narrowing is a server that has a post for each of what narrows a timeline,
// and ignores all of it.
func narrowing(t *testing.T) (r reader, names map[string]string) {
	t.Helper()
	m, r := goToSocial(t)
	names = map[string]string{}
	at := m.Now().Add(-time.Hour)
	add := func(name string, s snstest.Status) string {
		at = at.Add(time.Minute)
		s.At = at
		id := m.Add(s)
		names[id] = name
		return id
	}
	add("plain", snstest.Status{Text: "#tea"})
	add("media", snstest.Status{Text: "#tea", Media: []snstest.Media{{}}})
	add("far", snstest.Status{Author: "cleo@far.example", Text: "#Tea #Café"})
	add("both", snstest.Status{Text: "#tea #cake"})
	add("other", snstest.Status{Text: "#cake"})
	add("far other", snstest.Status{Author: "cleo@far.example", Text: "#scones"})
	return r, names
}

func TestWhatNarrowsIsAppliedHereToo(t *testing.T) {
	r, names := narrowing(t)
	tea := sns.Source{Kind: sns.KindHashtag, Tag: "tea"}
	with := func(change func(*sns.Source)) sns.Source {
		s := tea
		change(&s)
		return s
	}
	for _, tc := range []struct {
		name   string
		source sns.Source
		want   []string
	}{
		{"local", sns.Source{Kind: sns.KindLocal}, []string{"other", "both", "media", "plain"}},
		{"local media", sns.Source{Kind: sns.KindLocal, OnlyMedia: true}, []string{"media"}},
		{"federated media", sns.Source{Kind: sns.KindFederated, OnlyMedia: true}, []string{"media"}},
		{"federated remote", sns.Source{Kind: sns.KindFederated, RemoteOnly: true}, []string{"far other", "far"}},
		{"federated remote media", sns.Source{Kind: sns.KindFederated, RemoteOnly: true, OnlyMedia: true}, nil},
		{"hashtag media", with(func(s *sns.Source) { s.OnlyMedia = true }), []string{"media"}},
		{"hashtag local", with(func(s *sns.Source) { s.LocalOnly = true }), []string{"both", "media", "plain"}},
		{"all", with(func(s *sns.Source) { s.All = []string{"CAKE"} }), []string{"both"}},
		{"all, whatever the accent", with(func(s *sns.Source) { s.All = []string{"cafe"} }), []string{"far"}},
		{"none", with(func(s *sns.Source) { s.None = []string{"cake", "café"} }), []string{"media", "plain"}},
		{"any", with(func(s *sns.Source) { s.Any = []string{"cake", "scones"} }), []string{"far other", "other", "both", "far", "media", "plain"}},
		{"any of nothing", with(func(s *sns.Source) { s.Any = []string{"nobodyusesthis"} }), []string{"both", "far", "media", "plain"}},
		{
			"any beside a tag nobody used",
			sns.Source{Kind: sns.KindHashtag, Tag: "nobodyusesthis", Any: []string{"cake"}},
			[]string{"other", "both"},
		},
		{
			"any and all and none", with(func(s *sns.Source) { s.Any, s.All, s.None = []string{"scones"}, []string{"tea"}, []string{"cake"} }),
			[]string{"far", "media", "plain"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, id := range ids(r.all(t, tc.source)) {
				got = append(got, names[id])
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUserNarrowsHereToo(t *testing.T) {
	mine := object{"account": accountJSON("42", "ann")}
	and := func(more object) object {
		out := object{"account": mine["account"]}
		maps.Copy(out, more)
		return out
	}
	u := serve(t, answerJSON("["+strings.Join([]string{
		status("9", mine),
		status("8", and(object{"media_attachments": []any{object{"id": "1", "type": "image"}}})),
		status("7", and(object{"in_reply_to_id": "1", "in_reply_to_account_id": "3"})),
		status("6", and(object{"in_reply_to_id": "1", "in_reply_to_account_id": "42"})),
		status("5", and(object{"content": "", "reblog": json.RawMessage(status("1", nil))})),
	}, ",")+"]"))
	for _, tc := range []struct {
		name   string
		source sns.Source
		want   []string
	}{
		{"everything", sns.Source{Kind: sns.KindUser, Account: "42"}, []string{"9", "8", "7", "6", "5"}},
		{"without replies to others", sns.Source{Kind: sns.KindUser, Account: "42", ExcludeReplies: true}, []string{"9", "8", "6", "5"}},
		{"without boosts", sns.Source{Kind: sns.KindUser, Account: "42", ExcludeBoosts: true}, []string{"9", "8", "7", "6"}},
		{"media", sns.Source{Kind: sns.KindUser, Account: "42", OnlyMedia: true}, []string{"8"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, ids(u.page(t, tc.source, "").Posts)); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
		})
	}
}

// A local account may come with its host; its page tells that it is local.
func TestLocalAccountsWithTheirHostAreLocal(t *testing.T) {
	var u *upstream
	u = serve(t, func(w http.ResponseWriter, _ *http.Request) {
		local := accountJSON("1", "ann@ex.org")
		local["url"] = u.URL + "/@ann"
		fmt.Fprintf(w, "[%s,%s]", status("3", object{"account": local}), status("2", object{"account": accountJSON("2", "bob@two.example")}))
	})
	if diff := cmp.Diff([]string{"3"}, ids(u.page(t, sns.Source{Kind: sns.KindLocal}, "").Posts)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestAnyIsReadTagByTagOnlyWhereItIsIgnored(t *testing.T) {
	m := snstest.NewMastodon(snstest.Options{})
	r := read(t, m)
	source := sns.Source{Kind: sns.KindHashtag, Tag: "tea", Any: []string{"cake"}}
	m.Add(snstest.Status{Text: "#tea", At: m.Now().Add(-time.Hour)})
	r.all(t, source)
	if n := len(m.RequestsTo("/api/v1/timelines/tag/cake")); n == 0 {
		t.Error("nothing shows yet that the server knows any, and nothing was asked")
	}
	m.ForgetRequests()
	m.Add(snstest.Status{Text: "#cake", At: m.Now().Add(-time.Minute)})
	r.all(t, source)
	m.Add(snstest.Status{Text: "#tea", At: m.Now()})
	if got := len(r.all(t, source)); got != 3 {
		t.Errorf("%d posts, want 3", got)
	}
	if n := len(m.RequestsTo("/api/v1/timelines/tag/cake")); n != 0 {
		t.Errorf("the server knows any, and was asked %d times for another tag", n)
	}
}

func TestAnyPagesWithoutLossOrRepeat(t *testing.T) {
	m, r := goToSocial(t)
	start := m.Now().Add(-5 * time.Hour)
	var want []string
	for i := range 130 {
		text := []string{"#tea", "#cake", "#tea #cake", "#cake", "#scones", "#none"}[i%6]
		if i > 90 {
			text = "#cake"
		}
		id := m.Add(snstest.Status{Text: text, At: start.Add(time.Duration(i) * time.Minute)})
		if text != "#none" {
			want = append(want, id)
		}
	}
	slices.Reverse(want)
	got := ids(r.all(t, sns.Source{Kind: sns.KindHashtag, Tag: "tea", Any: []string{"cake", "scones"}}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestAnyThatCannotBeReadIsSaid(t *testing.T) {
	u := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/cake") {
			fail(500)(w, r)
			return
		}
		io.WriteString(w, "["+status("5", object{"tags": []any{object{"name": "tea"}}})+"]")
	})
	page := u.page(t, sns.Source{Kind: sns.KindHashtag, Tag: "tea", Any: []string{"cake", "scones"}}, "")
	if len(page.Posts) != 1 || len(page.Warnings) != 1 || !page.Partial {
		t.Errorf("%d posts, partial %v, warnings %v; want the post, partial, one warning", len(page.Posts), page.Partial, page.Warnings)
	}
}

func TestThinnedPagesAreFilledUp(t *testing.T) {
	m, r := goToSocial(t)
	start := m.Now().Add(-5 * time.Hour)
	var want []string
	for i := range 200 {
		s := snstest.Status{Text: "plain", At: start.Add(time.Duration(i) * time.Minute)}
		if i%50 == 1 {
			s.Media = []snstest.Media{{}}
		}
		if id := m.Add(s); s.Media != nil {
			want = append(want, id)
		}
	}
	slices.Reverse(want)
	source := sns.Source{Kind: sns.KindLocal, OnlyMedia: true}
	first, err := r.Fetch(t.Context(), r.account, source, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Posts) != 1 || len(first.Received) != 60 || first.Next == "" {
		t.Errorf("%d posts of %d, next %q; want 1 of 60 and a next page", len(first.Posts), len(first.Received), first.Next)
	}
	if n := len(m.Requests()); n != 3 {
		t.Errorf("%d requests for one page, want 3", n)
	}
	if diff := cmp.Diff(want, ids(r.all(t, source))); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestPagesThatAreFullEnoughAreLeftAlone(t *testing.T) {
	m := snstest.NewMastodon(snstest.Options{})
	for i := range 60 {
		s := snstest.Status{Text: "plain"}
		if i%2 == 0 {
			s.Filtered = []snstest.Filter{{Title: "x", Action: "hide"}}
		}
		m.Add(s)
	}
	r := read(t, m)
	page, err := r.Fetch(t.Context(), r.account, home, "")
	if err != nil || len(page.Posts) != 10 || len(page.Received) != 20 || len(m.Requests()) != 1 {
		t.Errorf("%d posts of %d with %d requests, %v; want 10 of 20 with 1", len(page.Posts), len(page.Received), len(m.Requests()), err)
	}
}

func TestFailureWhileFillingUpKeepsWhatWasRead(t *testing.T) {
	u := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("max_id") {
			fail(429)(w, r)
			return
		}
		io.WriteString(w, "["+status("50", object{"media_attachments": []any{object{"id": "1", "type": "image"}}})+","+strings.Trim(statuses(40, 19), "[]")+"]")
	})
	source := sns.Source{Kind: sns.KindLocal, OnlyMedia: true}
	page := u.page(t, source, "")
	if diff := cmp.Diff([]string{"50"}, ids(page.Posts)); diff != "" || page.Next != "max_id=22" {
		t.Errorf("next %q, posts (-want +got):\n%s", page.Next, diff)
	}
	_, err := u.fetch(t, source, page.Next)
	wantFault(t, err, fault.RateLimited, nil)
}

func TestNotificationTypesOfAServerThatKnowsNone(t *testing.T) {
	m, r := goToSocial(t)
	post := m.Add(snstest.Status{Author: "ann", Text: "mine"})
	for range 45 {
		m.Notify(snstest.Notification{Type: "favourite", Status: post})
	}
	if got := r.all(t, sns.Source{Kind: sns.KindNotifications, Types: []string{"quote"}}); len(got) != 0 {
		t.Errorf("%d notifications, want none", len(got))
	}
}
