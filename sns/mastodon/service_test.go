package mastodon_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
	"personal-workspace/sns/mastodon"
	"personal-workspace/sns/snstest"
)

// service is the whole way from a mock server to the store.
type service struct {
	*sns.Service
	server *snstest.Mastodon
	conn   sns.Connection
}

func serviceOver(t *testing.T, o snstest.Options) service {
	t.Helper()
	m := snstest.NewMastodon(o)
	origin := snstest.Serve(t, m)
	client := egress.Operator(egress.Config{})
	t.Cleanup(client.CloseIdleConnections)
	key, err := secret.CreateKey(filepath.Join(t.TempDir(), "credential-key"))
	if err != nil {
		t.Fatal(err)
	}
	db := sqlitetest.Open(t)
	s, err := sns.New(t.Context(), sns.Config{
		DB: db, Ledger: ledger.New(ledger.Config{DB: db}), Key: key,
		Providers: map[sns.Network]sns.Provider{sns.Mastodon: mastodon.New(mastodon.Config{Operator: client.Transport})},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := s.AddMastodon(t.Context(), sns.AddMastodon{Origin: origin, Token: m.Token(), Operator: true})
	if err != nil {
		t.Fatal(err)
	}
	return service{s, m, c}
}

// readAll pages to the end. Before each page but the first it calls between.
func (s service) readAll(t *testing.T, src sns.Source, between func()) []string {
	t.Helper()
	got, cursor := []string{}, ""
	for range 60 {
		page, err := s.FetchPosts(t.Context(), s.conn.ID, src, cursor)
		if err != nil {
			t.Fatalf("FetchPosts: %v", err)
		}
		got = append(got, ids(page.Posts)...)
		if cursor = page.NextCursor; cursor == "" {
			return got
		}
		between()
	}
	t.Fatal("the source has no end")
	return nil
}

func (s service) stored(t *testing.T, src sns.Source) (entries []string, end bool) {
	t.Helper()
	before := ""
	for {
		page, err := s.StoredPosts(t.Context(), s.conn.ID, src, sns.StoredQuery{Limit: sns.MaxStored, Before: before})
		if err != nil {
			t.Fatalf("StoredPosts: %v", err)
		}
		if len(page.Gaps) != 0 {
			t.Errorf("gaps = %v, want none", page.Gaps)
		}
		entries = append(entries, ids(page.Posts)...)
		if before = page.Older; before == "" {
			return entries, page.End
		}
	}
}

// village fills a server with posts of every sort and says, by the name of a
// source, which entries it has, newest first.
type village struct {
	server *snstest.Mastodon
	at     time.Time
	list   string
	want   map[string][]string
}

func settle(m *snstest.Mastodon, n int) *village {
	v := &village{server: m, at: m.Now().Add(-20 * time.Hour), want: map[string][]string{}}
	v.list = m.AddList("Close", "ben", "cleo@far.example")
	for i := range n {
		v.post(i)
	}
	return v
}

func (v *village) put(name, id string) { v.want[name] = slices.Insert(v.want[name], 0, id) }

func (v *village) post(i int) {
	v.at = v.at.Add(time.Minute)
	s := snstest.Status{At: v.at, Author: []string{"ben", "cleo@far.example", "dora"}[i%3], Text: fmt.Sprintf("Word %d", i)}
	media, tea, cake, direct := i%9 == 0, i%2 == 0, i%5 == 0, i%11 == 10
	if media {
		s.Media = []snstest.Media{{}}
	}
	if tea {
		s.Text += " #tea"
	}
	if cake {
		s.Text += " #cake"
	}
	if direct {
		s.Text, s.Visibility = "@ann psst", "direct"
	}
	id := v.server.Add(s)
	v.server.Bookmark(id)
	v.put("bookmarks", id)
	v.put("home", id)
	if s.Author != "dora" {
		v.put("list", id)
	}
	v.note(i, id)
	if direct {
		v.server.Converse(snstest.Conversation{With: []string{s.Author}, Last: id})
		v.put("conversations", id)
		return
	}
	local := s.Author != "cleo@far.example"
	for name, in := range map[string]bool{
		"search": true, "federated": true, "local": local, "remote": !local, "local media": local && media, "user": s.Author == "ben",
		"tea": tea, "tea media": tea && media, "local tea": tea && local, "tea or cake": tea || cake, "tea and cake": tea && cake, "tea without cake": tea && !cake,
	} {
		if in {
			v.put(name, id)
		}
	}
}

// note adds a notification about a post.
func (v *village) note(i int, id string) {
	kind, name := "favourite", "likes"
	if i%7 == 0 {
		kind, name = "mention", "mentions"
	}
	note := v.server.Notify(snstest.Notification{Type: kind, Status: id})[0]
	v.put("notifications", note)
	v.put(name, note)
}

func (v *village) sources() map[string]sns.Source {
	tea := func(change func(*sns.Source)) sns.Source {
		s := sns.Source{Kind: sns.KindHashtag, Tag: "Tea"}
		change(&s)
		return s
	}
	return map[string]sns.Source{
		"home":             home,
		"list":             {Kind: sns.KindList, ListID: v.list},
		"bookmarks":        {Kind: sns.KindBookmarks},
		"conversations":    {Kind: sns.KindConversations},
		"notifications":    {Kind: sns.KindNotifications},
		"mentions":         {Kind: sns.KindNotifications, Types: []string{"mention"}},
		"quotes":           {Kind: sns.KindNotifications, Types: []string{"quote"}},
		"search":           {Kind: sns.KindSearch, Query: "word"},
		"federated":        {Kind: sns.KindFederated},
		"remote":           {Kind: sns.KindFederated, RemoteOnly: true},
		"local":            {Kind: sns.KindLocal},
		"local media":      {Kind: sns.KindLocal, OnlyMedia: true},
		"user":             {Kind: sns.KindUser, Account: "ben"},
		"tea":              tea(func(*sns.Source) {}),
		"tea media":        tea(func(s *sns.Source) { s.OnlyMedia = true }),
		"local tea":        tea(func(s *sns.Source) { s.LocalOnly = true }),
		"tea or cake":      tea(func(s *sns.Source) { s.Any = []string{"cake"} }),
		"tea and cake":     tea(func(s *sns.Source) { s.All = []string{"Cake"} }),
		"tea without cake": tea(func(s *sns.Source) { s.None = []string{"CAKE"} }),
	}
}

// TestNothingIsLostOrRepeatedOnGoToSocial pages every source to its end, while
// nothing changes and while new posts come in.
func TestNothingIsLostOrRepeatedOnGoToSocial(t *testing.T) {
	for _, n := range []int{7, 133} {
		for _, busy := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d posts, busy %v", n, busy), func(t *testing.T) {
				s := serviceOver(t, snstest.Options{
					IDs: snstest.ULID, Quirks: snstest.GoToSocial(), RateLimit: snstest.RateLimit{Off: true},
				})
				v := settle(s.server, n)
				for name, src := range v.sources() {
					t.Run(name, func(t *testing.T) {
						want := append([]string{}, v.want[name]...)
						between := func() {}
						if busy {
							between = func() { v.post(len(v.want["home"])) }
						}
						if diff := cmp.Diff(want, s.readAll(t, src, between)); diff != "" {
							t.Errorf("entries (-want +got):\n%s", diff)
						}
						entries, end := s.stored(t, src)
						if diff := cmp.Diff(want, append([]string{}, entries...)); diff != "" || !end {
							t.Errorf("end %v, stored (-want +got):\n%s", end, diff)
						}
					})
				}
			})
		}
	}
}
