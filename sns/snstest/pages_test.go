package snstest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"personal-workspace/sns/snstest"
)

func TestPicturesAreDrawn(t *testing.T) {
	_, origin := newServer(t, snstest.Options{})
	paths := []string{"/pictures/avatar/ann.svg", "/pictures/header/ann.svg", "/pictures/avatar/nobody@far.example.svg"}
	for _, s := range snstest.Scenes() {
		paths = append(paths, "/pictures/scene/"+s+"-640x480.svg", "/pictures/card/"+s+".svg")
	}
	for _, e := range snstest.Emoji() {
		paths = append(paths, "/pictures/emoji/"+e+".svg")
	}
	for _, path := range paths {
		r := get(t, origin+path, "")
		if r.status != http.StatusOK || r.header.Get("Content-Type") != "image/svg+xml" || !strings.HasSuffix(string(r.body), "</svg>") {
			t.Errorf("GET %s = %d %s, %d bytes", path, r.status, r.header.Get("Content-Type"), len(r.body))
		}
	}
	for _, path := range []string{"/pictures/scene/nothing-1x1.svg", "/pictures/scene/tea.svg", "/pictures/emoji/nothing.svg", "/pictures/other/tea.svg"} {
		if got := get(t, origin+path, "").status; got != http.StatusNotFound {
			t.Errorf("GET %s = %d, want 404", path, got)
		}
	}
}

func TestTheChimeIsASoundFile(t *testing.T) {
	_, origin := newServer(t, snstest.Options{})
	r := get(t, origin+"/pictures/chime.wav", "")
	if r.header.Get("Content-Type") != "audio/wav" || string(r.body[:4]) != "RIFF" || len(r.body) != 44+16000 {
		t.Errorf("%s, %d bytes beginning with %q", r.header.Get("Content-Type"), len(r.body), r.body[:4])
	}
}

func TestLinksOfADemoServerLeadToPagesOfItsOwn(t *testing.T) {
	m, origin := newServer(t, snstest.Options{LinkToSelf: true})
	id := m.Add(snstest.Status{Author: "cleo@far.example", Text: "Tea at #noon <now>"})
	m.Add(snstest.Status{ID: "5", Text: "for followers", Visibility: "private"})
	var me struct{ Acct string }
	get(t, origin+"/api/v1/accounts/verify_credentials", m.Token()).into(t, &me)
	if me.Acct != "ann@mock.example" {
		t.Errorf("acct = %s, want its host too", me.Acct)
	}
	var st struct{ URL, Content string }
	get(t, origin+"/api/v1/statuses/"+id, m.Token()).into(t, &st)
	if st.URL != origin+"/@cleo@far.example/"+id {
		t.Errorf("url = %s", st.URL)
	}
	if want := `<a href="` + origin + `/tags/noon"`; !strings.Contains(st.Content, want) {
		t.Errorf("content %s lacks %s", st.Content, want)
	}
	for _, page := range []string{st.URL, origin + "/tags/noon", origin + "/@cleo@far.example"} {
		if body := string(get(t, page, "").body); !strings.Contains(body, "Tea at #noon &lt;now&gt;") {
			t.Errorf("GET %s = %s", page, body)
		}
	}
	for _, page := range []string{"/@ben/5", "/tags/nothing", "/@nobody", "/what"} {
		if got := get(t, origin+page, "").status; got != http.StatusNotFound {
			t.Errorf("GET %s = %d, want 404", page, got)
		}
	}
}

func TestManyReadersAndWritersAtOnce(t *testing.T) {
	m, origin := newServer(t, snstest.Options{RateLimit: snstest.RateLimit{Off: true}})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 10 {
				id := m.Add(snstest.Status{Author: fmt.Sprintf("p%d", i), Text: fmt.Sprintf("Post %d #tea", j)})
				m.Favourite(id)
				m.Notify(snstest.Notification{Type: "mention", From: []string{"ben"}, Status: id})
				m.SetQuirks(func(q *snstest.Quirks) { q.EmptyBoosts = j%2 == 0 })
			}
		})
		wg.Go(func() {
			for range 10 {
				for _, path := range []string{"/api/v1/timelines/home", "/api/v1/notifications", "/api/v1/timelines/tag/tea", "/api/v1/favourites"} {
					m.ServeHTTP(httptest.NewRecorder(), read(t, origin+path, m.Token()))
				}
			}
		})
	}
	wg.Wait()
	if got := len(get(t, origin+"/api/v1/timelines/home?limit=40", m.Token()).ids(t)); got != 40 {
		t.Errorf("%d posts, want 40", got)
	}
}

// read is a request that a test's other goroutines may make.
func read(t *testing.T, address, token string) *http.Request {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

func TestClosingIsSafeAtAnyTime(t *testing.T) {
	m := snstest.NewMastodon(snstest.Options{})
	if err := m.Close(); err != nil {
		t.Errorf("Close before Start: %v", err)
	}
	if _, err := m.StartLoopback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := m.StartLoopback(t.Context()); err == nil {
		t.Error("a second start is accepted")
	}
	for range 2 {
		if err := m.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
}
