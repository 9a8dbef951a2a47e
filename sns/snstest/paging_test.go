package snstest_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

var nextLink = regexp.MustCompile(`<([^>]+)>; rel="next"`)

// walk follows the next links from an address and returns the ids of each page.
func walk(t *testing.T, address, token string) [][]string {
	t.Helper()
	var pages [][]string
	for address != "" {
		r := get(t, address, token)
		pages = append(pages, r.ids(t))
		address = ""
		if m := nextLink.FindStringSubmatch(strings.Join(r.header.Values("Link"), ", ")); m != nil {
			address = m[1]
		}
	}
	return pages
}

func sizes(pages [][]string) []int {
	var out []int
	for _, p := range pages {
		out = append(out, len(p))
	}
	return out
}

func TestATimelineEndsWithAnEmptyPage(t *testing.T) {
	for name, style := range map[string]snstest.IDStyle{"snowflake": snstest.Snowflake, "ULID": snstest.ULID, "flake": snstest.Flake} {
		t.Run(name, func(t *testing.T) {
			m, origin := newServer(t, snstest.Options{IDs: style})
			ids := m.AddMany(11)
			slices.Reverse(ids)

			pages := walk(t, origin+"/api/v1/timelines/home?limit=3", m.Token())

			if diff := cmp.Diff([]int{3, 3, 3, 2, 0}, sizes(pages)); diff != "" {
				t.Errorf("page sizes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(ids, slices.Concat(pages...)); diff != "" {
				t.Errorf("ids (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIDsLookLikeTheirServers(t *testing.T) {
	for _, c := range []struct {
		style snstest.IDStyle
		want  string
	}{
		{snstest.Snowflake, `^[0-9]{18}$`},
		{snstest.ULID, `^[0-9A-HJKMNP-TV-Z]{26}$`},
		{snstest.Flake, `^[0-9A-Za-z]{18}$`},
	} {
		m, _ := newServer(t, snstest.Options{IDs: c.style})
		if id := m.Add(snstest.Status{}); !regexp.MustCompile(c.want).MatchString(id) {
			t.Errorf("id %s does not match %s", id, c.want)
		}
	}
}

func TestBookmarksPageByTheirOwnIDsAndOnlyWhenFull(t *testing.T) {
	for _, kind := range []string{"bookmarks", "favourites"} {
		t.Run(kind, func(t *testing.T) {
			m, origin := newServer(t, snstest.Options{})
			ids := m.AddMany(5)
			mark := map[string]func(string){"bookmarks": m.Bookmark, "favourites": m.Favourite}[kind]
			for _, id := range []string{ids[3], ids[0], ids[4], ids[1], ids[2]} {
				mark(id)
			}

			pages := walk(t, origin+"/api/v1/"+kind+"?limit=2", m.Token())

			want := [][]string{{ids[2], ids[1]}, {ids[4], ids[0]}, {ids[3]}}
			if diff := cmp.Diff(want, pages); diff != "" {
				t.Errorf("pages (-want +got):\n%s", diff)
			}
			link := get(t, origin+"/api/v1/"+kind+"?limit=2", m.Token()).header.Get("Link")
			if strings.Contains(link, ids[1]) {
				t.Errorf("Link %s names a status, want an internal id", link)
			}
		})
	}
}

func TestMinIDGivesTheNextNewerAndSinceIDTheNewest(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	ids := m.AddMany(9)
	for query, want := range map[string][]string{
		"min_id=" + ids[2] + "&limit=2":                        {ids[4], ids[3]},
		"since_id=" + ids[2] + "&limit=2":                      {ids[8], ids[7]},
		"max_id=" + ids[5] + "&since_id=" + ids[2]:             {ids[4], ids[3]},
		"max_id=" + ids[5] + "&min_id=" + ids[0] + "&limit=1":  {ids[1]},
		"max_id=zzz&limit=1":                                   {ids[8]},
		"limit=0":                                              {ids[8]},
		"limit=abc&max_id=" + ids[1]:                           {ids[0]},
		"max_id=999999999999999999&limit=1":                    {ids[8]},
		"max_id=1&limit=1":                                     {},
		"max_id=" + ids[0]:                                     {},
		"since_id=" + ids[8]:                                   {},
		"min_id=" + ids[8] + "&limit=40":                       {},
		"max_id=" + ids[3] + "&min_id=" + ids[0] + "&limit=20": {ids[2], ids[1]},
	} {
		got := get(t, origin+"/api/v1/timelines/home?"+query, m.Token()).ids(t)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestPagingGoesOnFromADeletedStatus(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	ids := m.AddMany(3)
	m.Delete(ids[1])

	got := get(t, origin+"/api/v1/timelines/home?max_id="+ids[1], m.Token()).ids(t)

	if diff := cmp.Diff([]string{ids[0]}, got); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
}

func TestLimitIsClamped(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	m.AddMany(50)
	for query, want := range map[string]int{"": 20, "?limit=500": 40, "?limit=-1": 1, "?limit=33": 33} {
		if got := len(get(t, origin+"/api/v1/timelines/home"+query, m.Token()).ids(t)); got != want {
			t.Errorf("home%s has %d, want %d", query, got, want)
		}
	}
}

func TestLinkHeaderForms(t *testing.T) {
	const path = "/api/v1/timelines/tag/tea"
	for _, c := range []struct {
		name   string
		quirks snstest.Quirks
		query  string
		want   []string // {o} origin, {a} newest id, {b} oldest id
	}{
		{
			"Mastodon forgets any, all, none and remote",
			snstest.Quirks{IgnoreRemote: true},
			"?limit=2&any[]=x&remote=true&local=true",
			[]string{`<{o}` + path + `?local=true&limit=2&max_id={b}>; rel="next", <{o}` + path + `?local=true&limit=2&min_id={a}>; rel="prev"`},
		},
		{"none", snstest.Quirks{NoLink: true}, "", nil},
		{"another host", snstest.Quirks{LinkHost: "wrong.example"}, "", []string{`<https://wrong.example` + path + `?max_id={b}>; rel="next", <https://wrong.example` + path + `?min_id={a}>; rel="prev"`}},
		{"plain http", snstest.Quirks{LinkPlain: true}, "", []string{`<http://elsewhere.example` + path + `?max_id={b}>; rel="next", <http://elsewhere.example` + path + `?min_id={a}>; rel="prev"`}},
		{"relative", snstest.Quirks{LinkRelative: true}, "", []string{`<` + path + `?max_id={b}>; rel="next", <` + path + `?min_id={a}>; rel="prev"`}},
		{"two lines, prev first", snstest.Quirks{LinkTwoHeaders: true}, "", []string{`<{o}` + path + `?min_id={a}>; rel="prev"`, `<{o}` + path + `?max_id={b}>; rel="next"`}},
		{"unquoted", snstest.Quirks{LinkUnquoted: true}, "", []string{`<{o}` + path + `?max_id={b}>; rel=next, <{o}` + path + `?min_id={a}>; rel=prev`}},
		{"upper case", snstest.Quirks{LinkUpper: true}, "", []string{`<{o}` + path + `?max_id={b}>; REL="NEXT", <{o}` + path + `?min_id={a}>; REL="PREV"`}},
		{"semicolon", snstest.Quirks{LinkSemicolon: true}, "", []string{`<{o}` + path + `?max_id={b}>; rel="next";, <{o}` + path + `?min_id={a}>; rel="prev";`}},
		{"a comma in the address", snstest.Quirks{LinkExtra: "any[]=a,b"}, "", []string{`<{o}` + path + `?any[]=a,b&max_id={b}>; rel="next", <{o}` + path + `?any[]=a,b&min_id={a}>; rel="prev"`}},
		{"a limit that is no number", snstest.Quirks{LinkLimit: "abc"}, "?limit=2", []string{`<{o}` + path + `?limit=abc&max_id={b}>; rel="next", <{o}` + path + `?limit=abc&min_id={a}>; rel="prev"`}},
		{"an offset", snstest.Quirks{LinkOffset: true}, "", []string{`<{o}` + path + `?offset=20>; rel="next", <{o}` + path + `?min_id={a}>; rel="prev"`}},
		{"next only when full", snstest.Quirks{LinkFullOnly: true}, "", []string{`<{o}` + path + `?min_id={a}>; rel="prev"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, origin := newServer(t, snstest.Options{Quirks: c.quirks})
			oldest := m.Add(snstest.Status{Author: "ben", Text: "#tea"})
			newest := m.Add(snstest.Status{Author: "ben", Text: "#tea"})
			var want []string
			for _, w := range c.want {
				want = append(want, strings.NewReplacer("{o}", origin, "{a}", newest, "{b}", oldest).Replace(w))
			}

			got := get(t, origin+path+c.query, m.Token()).header.Values("Link")

			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Link (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDuplicatesAppearWithinAndAcrossPages(t *testing.T) {
	m, origin := newServer(t, snstest.Options{Quirks: snstest.Quirks{Duplicates: true}})
	ids := m.AddMany(4)

	pages := walk(t, origin+"/api/v1/timelines/home?limit=2", m.Token())

	want := [][]string{{ids[3], ids[3], ids[3], ids[2]}, {ids[2], ids[1], ids[1], ids[1], ids[0]}, {}}
	if diff := cmp.Diff(want, pages); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestStrictServersRefuseABadLimit(t *testing.T) {
	m, origin := newServer(t, snstest.Options{Quirks: snstest.GoToSocial(), IDs: snstest.ULID})
	if got := get(t, origin+"/api/v1/timelines/home?limit=abc", m.Token()).status; got != http.StatusBadRequest {
		t.Errorf("status %d, want 400", got)
	}
}

func TestNumericIDsKeepTheirDigits(t *testing.T) {
	m, origin := newServer(t, snstest.Options{Quirks: snstest.Quirks{NumericIDs: true}})
	m.Add(snstest.Status{ID: "110503322889311999"})
	m.Add(snstest.Status{ID: "99999999999999999999", ReplyTo: "110503322889311999"})

	body := string(get(t, origin+"/api/v1/timelines/home", m.Token()).body)

	for _, want := range []string{`"id":99999999999999999999`, `"in_reply_to_id":110503322889311999`, `"id":110503322889311999`} {
		if !strings.Contains(body, want) {
			t.Errorf("home lacks %s", want)
		}
	}
}
