package mastodon_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/mastodon"
	"personal-workspace/sns/snstest"
)

// reader reads a mock server.
type reader struct {
	*mastodon.Provider
	account sns.Account
}

func read(t *testing.T, m *snstest.Mastodon) reader {
	t.Helper()
	client := egress.Operator(egress.Config{})
	t.Cleanup(client.CloseIdleConnections)
	p := mastodon.New(mastodon.Config{Operator: client.Transport, Now: m.Now})
	return reader{p, sns.Account{ConnectionID: "conn_1", Origin: snstest.Serve(t, m), Operator: true, Token: m.Token(), AccountID: m.AccountID("ann"), Gate: &gate{}}}
}

// all pages to the end and returns the entries of every page.
func (r reader) all(t *testing.T, s sns.Source) []sns.Post {
	t.Helper()
	var out []sns.Post
	cursor := ""
	for range 20 {
		page, err := r.Fetch(t.Context(), r.account, s, cursor)
		if err != nil {
			t.Fatalf("Fetch(%s, %q): %v", s.Kind, cursor, err)
		}
		if page.Skipped > 0 {
			t.Errorf("Fetch(%s, %q) skipped %d", s.Kind, cursor, page.Skipped)
		}
		out = append(out, page.Posts...)
		if page.Next == "" {
			return out
		}
		cursor = page.Next
	}
	t.Fatalf("%s has no end", s.Kind)
	return nil
}

func TestPagingOnEveryKindOfServer(t *testing.T) {
	quirk := func(change func(*snstest.Quirks)) snstest.Quirks {
		var q snstest.Quirks
		change(&q)
		return q
	}
	for _, tc := range []struct {
		name   string
		ids    snstest.IDStyle
		quirks snstest.Quirks
	}{
		{"Mastodon", snstest.Snowflake, snstest.Quirks{}},
		{"GoToSocial", snstest.ULID, snstest.GoToSocial()},
		{"Pleroma", snstest.Flake, snstest.Quirks{}},
		{"numeric ids", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.NumericIDs = true })},
		{"no Link", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.NoLink = true })},
		{"Link to another host", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.LinkPlain = true })},
		{"relative Link", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.LinkRelative = true })},
		{"Link with commas", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.LinkExtra = "any[]=a,b" })},
		{"Link with an odd limit", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.LinkLimit = "abc" })},
		{"Link in two headers", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.LinkTwoHeaders = true })},
		{"unquoted Link", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.LinkUnquoted = true })},
		{"upper-case Link", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.LinkUpper = true })},
		{"Link with semicolons", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.LinkSemicolon = true })},
		{"Link with an offset", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.LinkOffset = true })},
		{"Link on full pages only", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.LinkFullOnly = true })},
		{"null lists", snstest.Snowflake, quirk(func(q *snstest.Quirks) { q.NullLists = true })},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := snstest.NewMastodon(snstest.Options{IDs: tc.ids, Quirks: tc.quirks})
			want := m.AddMany(53)
			slices.Reverse(want)
			got := ids(read(t, m).all(t, home))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("home paged to its end (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRepeatedPostsAreShownOnceAPage(t *testing.T) {
	m := snstest.NewMastodon(snstest.Options{IDs: snstest.ULID, Quirks: snstest.Quirks{Duplicates: true}})
	want := m.AddMany(53)
	r := read(t, m)

	seen := map[string]bool{}
	cursor := ""
	for {
		page, err := r.Fetch(t.Context(), r.account, home, cursor)
		if err != nil {
			t.Fatal(err)
		}
		entries := ids(page.Posts)
		slices.Sort(entries)
		if len(slices.Compact(entries)) != len(page.Posts) {
			t.Errorf("a page repeats an entry: %v", ids(page.Posts))
		}
		for _, id := range entries {
			seen[id] = true
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(seen) != len(want) {
		t.Errorf("%d different posts were read, want %d", len(seen), len(want))
	}
}

func TestEverySourceOfAServer(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	m := snstest.NewMastodon(snstest.Options{Now: func() time.Time { return at }})
	list := m.AddList("Friends", "ben")
	first := m.Add(snstest.Status{Text: "Hello @ann, see https://example.com/a/long/address/with/many/parts?x=1 #cats :cat:"})
	reply := m.Add(snstest.Status{Author: "ann", Text: "Hi @ben", ReplyTo: first})
	boost := m.Add(snstest.Status{Author: "cem@two.example", Boost: first})
	media := m.Add(snstest.Status{Text: "猫 #cats", Media: []snstest.Media{{Alt: "窓辺の猫"}}, Quote: &snstest.Quote{ID: first}})
	secret := m.Add(snstest.Status{Text: "Just for @ann", Visibility: "direct"})
	m.Bookmark(first)
	m.Favourite(media)
	m.Notify(snstest.Notification{Type: "favourite", Status: reply})
	m.Converse(snstest.Conversation{With: []string{"ben"}, Last: secret})
	m.Converse(snstest.Conversation{With: []string{"ben"}})
	r := read(t, m)
	for _, tc := range []struct {
		name   string
		source sns.Source
		want   []string
	}{
		{"hashtag", sns.Source{Kind: sns.KindHashtag, Tag: "cats"}, []string{media, first}},
		{"hashtag with media", sns.Source{Kind: sns.KindHashtag, Tag: "cats", OnlyMedia: true}, []string{media}},
		{"list", sns.Source{Kind: sns.KindList, ListID: list}, []string{media, first}},
		{"user", sns.Source{Kind: sns.KindUser, Account: "@cem@two.example"}, []string{boost}},
		{"user without boosts", sns.Source{Kind: sns.KindUser, Account: "@cem@two.example", ExcludeBoosts: true}, []string{}},
		{"local", sns.Source{Kind: sns.KindLocal}, []string{media, first}},
		{"bookmarks", sns.Source{Kind: sns.KindBookmarks}, []string{first}},
		{"favourites", sns.Source{Kind: sns.KindFavourites}, []string{media}},
		{"search", sns.Source{Kind: sns.KindSearch, Query: "猫"}, []string{media}},
		{"post", sns.Source{Kind: sns.KindPost, PostID: first}, []string{first}},
		{"thread", sns.Source{Kind: sns.KindThread, PostID: reply}, []string{first, reply}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, ids(r.all(t, tc.source))); diff != "" {
				t.Errorf("posts (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("text", func(t *testing.T) {
		p := r.all(t, sns.Source{Kind: sns.KindPost, PostID: first})[0]
		if want := "Hello @ann, see https://example.com/a/long/address/with/many/parts?x=1 #cats :cat:"; p.Text != want {
			t.Errorf("text = %q, want %q", p.Text, want)
		}
		if len(p.Links) != 1 || len(p.Mentions) != 1 || p.Mentions[0].Handle != "@ann@mock.example" || !slices.Equal(p.Hashtags, []string{"cats"}) {
			t.Errorf("links %v, mentions %v, hashtags %v", p.Links, p.Mentions, p.Hashtags)
		}
	})
	t.Run("quote", func(t *testing.T) {
		q := r.all(t, sns.Source{Kind: sns.KindPost, PostID: media})[0].Quote
		if q == nil || q.State != sns.QuoteAvailable || q.Post == nil || q.Post.ID != first {
			t.Errorf("quote = %+v, want the first post", q)
		}
	})
	t.Run("notifications", func(t *testing.T) {
		got := r.all(t, sns.Source{Kind: sns.KindNotifications, Types: []string{"like"}})
		if len(got) != 1 || got[0].ID != reply || got[0].Notification.Actors[0].Handle != "@ben@mock.example" {
			t.Errorf("notifications = %+v, want ben's like of the reply", got)
		}
	})
	t.Run("conversations", func(t *testing.T) {
		page, err := r.Fetch(t.Context(), r.account, sns.Source{Kind: sns.KindConversations}, "")
		if err != nil || page.Skipped != 1 || !slices.Equal(ids(page.Posts), []string{secret}) {
			t.Errorf("posts %v, skipped %d, %v; want the one with a post", ids(page.Posts), page.Skipped, err)
		}
	})
	t.Run("lists", func(t *testing.T) {
		got, err := r.Lists(t.Context(), r.account)
		if err != nil || !slices.Equal(got, []sns.List{{ID: list, Title: "Friends"}}) {
			t.Errorf("lists = %v, %v", got, err)
		}
	})
	t.Run("verify", func(t *testing.T) {
		got, err := r.Verify(t.Context(), r.account)
		if err != nil || got.Account != "@ann@mock.example" || got.AccountID != m.AccountID("ann") {
			t.Errorf("identity = %+v, %v", got, err)
		}
	})
}

func TestFailuresOfAServer(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 44, 0, 0, time.UTC)
	for _, tc := range []struct {
		name   string
		inject snstest.Fault
		code   fault.Code
	}{
		{"revoked token", snstest.Unauthorized(), fault.Unauthorized},
		{"missing scope", snstest.Forbidden(), fault.Forbidden},
		{"rate limit", snstest.RateLimited(at.Add(time.Minute)), fault.RateLimited},
		{"starting", snstest.Starting(120, at.Add(time.Minute)), fault.UpstreamUnavailable},
		{"login page", snstest.HTML(200), fault.UpstreamUnavailable},
		{"empty", snstest.Empty(), fault.UpstreamUnavailable},
		{"redirect", snstest.Redirect("http://127.0.0.1:1"), fault.UpstreamUnavailable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := snstest.NewMastodon(snstest.Options{Now: func() time.Time { return at }})
			m.Inject("/api/v1/timelines/home", 0, tc.inject)
			r := read(t, m)
			_, err := r.Fetch(t.Context(), r.account, home, "")
			if got := fault.CodeOf(err); got != tc.code {
				t.Errorf("err = %v, want %s", err, tc.code)
			}
			if got := len(m.Requests()); got != 1 {
				t.Errorf("%d requests, want 1", got)
			}
		})
	}
}

func TestServerWithoutLogin(t *testing.T) {
	m := snstest.NewMastodon(snstest.Options{Title: "Mock", Quirks: snstest.Quirks{NoInstanceV2: true}})
	id := m.Add(snstest.Status{Text: "public"})
	r := read(t, m)
	r.account.Token, r.account.AccountID = "", ""

	identity, err := r.Verify(t.Context(), r.account)
	if err != nil || identity.Title != "Mock" || identity.AccountID != "" {
		t.Errorf("identity = %+v, %v; want the title Mock", identity, err)
	}
	got := r.all(t, sns.Source{Kind: sns.KindLocal})
	if !slices.Equal(ids(got), []string{id}) || got[0].Viewer != nil {
		t.Errorf("posts = %v by viewer %v, want %s by nobody", ids(got), got[0].Viewer, id)
	}
}
