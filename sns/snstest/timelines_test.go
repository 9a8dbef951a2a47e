package snstest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

// newServer starts a mock with a fixed clock that the test can move.
func newServer(t *testing.T, o snstest.Options) (m *snstest.Mastodon, origin string) {
	t.Helper()
	if o.Now == nil {
		now := time.Date(2026, 11, 30, 12, 47, 30, 0, time.UTC)
		o.Now = func() time.Time { return now }
	}
	m = snstest.NewMastodon(o)
	return m, snstest.Serve(t, m)
}

func TestTimelinesHoldWhatBelongsToThem(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	m.AddAccount(snstest.Account{Acct: "stranger", Stranger: true})
	m.AddAccount(snstest.Account{Acct: "far@away.example", Stranger: true})
	list := m.AddList("Close", "ben")
	names := map[string]string{}
	at := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	add := func(name string, s snstest.Status) string {
		at = at.Add(time.Minute)
		s.At = at
		id := m.Add(s)
		names[id] = name
		return id
	}
	friend := add("friend", snstest.Status{Text: "about #Cafés"})
	add("reply", snstest.Status{Author: "cleo", Text: "yes", ReplyTo: friend})
	add("stranger", snstest.Status{Author: "stranger", Text: "#cafes and #tea", Media: []snstest.Media{{}}})
	add("far", snstest.Status{Author: "far@away.example", Text: "#tea"})
	add("private", snstest.Status{Text: "only for followers #tea", Visibility: "private"})
	add("direct", snstest.Status{Text: "@ann psst", Visibility: "direct"})
	add("boost", snstest.Status{Author: "cleo", Boost: friend})
	add("own", snstest.Status{Author: "ann", Text: "mine", Pinned: true})
	ben, cleo := m.AccountID("ben"), m.AccountID("cleo")

	for _, c := range []struct {
		name, path string
		want       []string
	}{
		{"home has friends, boosts and oneself", "/api/v1/timelines/home", []string{"own", "boost", "private", "reply", "friend"}},
		{"public has public posts and no boosts or replies", "/api/v1/timelines/public", []string{"own", "far", "stranger", "friend"}},
		{"local", "/api/v1/timelines/public?local=true", []string{"own", "stranger", "friend"}},
		{"remote", "/api/v1/timelines/public?remote=1", []string{"far"}},
		{"only media", "/api/v1/timelines/public?only_media=t", []string{"stranger"}},
		{"a hashtag without case and accents", "/api/v1/timelines/tag/CAFES", []string{"stranger", "friend"}},
		{"any of", "/api/v1/timelines/tag/cafes?any[]=tea", []string{"far", "stranger", "friend"}},
		{"all of", "/api/v1/timelines/tag/cafes?all[]=tea", []string{"stranger"}},
		{"none of", "/api/v1/timelines/tag/tea?none[]=cafes", []string{"far"}},
		{"an unused hashtag is empty", "/api/v1/timelines/tag/nothing", nil},
		{"a list has its members", "/api/v1/timelines/list/" + list, []string{"private", "friend"}},
		{"an account", "/api/v1/accounts/" + cleo + "/statuses", []string{"boost", "reply"}},
		{"an account without replies", "/api/v1/accounts/" + cleo + "/statuses?exclude_replies=true", []string{"boost"}},
		{"an account without boosts", "/api/v1/accounts/" + cleo + "/statuses?exclude_reblogs=true", []string{"reply"}},
		{"an account's tagged posts", "/api/v1/accounts/" + ben + "/statuses?tagged=cafés", []string{"friend"}},
		{"pinned", "/api/v1/accounts/" + m.AccountID("ann") + "/statuses?pinned=true", []string{"own"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := get(t, origin+c.path, m.Token())
			var got []string
			for _, id := range r.ids(t) {
				got = append(got, names[id])
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("GET %s (-want +got):\n%s", c.path, diff)
			}
		})
	}
}

func TestStrangersSeeNothingPrivate(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	private := m.Add(snstest.Status{Text: "for followers", Visibility: "private"})

	if got := get(t, origin+"/api/v1/statuses/"+private, "").status; got != http.StatusNotFound {
		t.Errorf("a private post answers %d to a stranger, want 404", got)
	}
}

func TestAStatusCarriesWhatWasAsked(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	m.AddEmoji("wool")
	parent := m.Add(snstest.Status{Text: "first"})
	m.Add(snstest.Status{
		ID: "115700000000000001", Author: "cleo@far.example", At: time.Date(2026, 11, 30, 12, 0, 1, 5e6, time.UTC),
		Text:    "Hi @ann, <see> #Tea & :wool: https://long.example/a/very/long/path/to/nowhere\nnext\n\nlast",
		Warning: "tea", Language: "de", ReplyTo: parent, Boosts: 3, Favourites: 4,
		Media: []snstest.Media{{Alt: "A cup.", Scene: "tea", Width: 640, Height: 480}, {Type: "unknown", URL: "-"}},
		Poll:  &snstest.Poll{Options: []snstest.Option{{Title: "yes", Votes: 2}, {Title: "no", Votes: 1}}, Voters: 3},
		Card:  &snstest.Card{URL: "https://card.example/", Title: "A card"},
	})
	m.Favourite("115700000000000001")

	var got map[string]any
	get(t, origin+"/api/v1/statuses/115700000000000001", m.Token()).into(t, &got)

	delete(got, "account")
	media := got["media_attachments"].([]any)
	picture := origin + "/pictures/scene/tea-640x480.svg"
	want := map[string]any{
		"url": picture, "preview_url": picture, "description": "A cup.", "type": "image",
		"meta": map[string]any{"original": map[string]any{"width": 640.0, "height": 480.0, "size": "640x480", "aspect": 640.0 / 480.0}},
	}
	first := media[0].(map[string]any)
	for name, value := range want {
		if diff := cmp.Diff(value, first[name]); diff != "" {
			t.Errorf("media %s (-want +got):\n%s", name, diff)
		}
	}
	if second := media[1].(map[string]any); second["url"] != nil {
		t.Errorf("the url of a file being processed = %v, want null", second["url"])
	}
	for name, value := range map[string]any{
		"created_at": "2026-11-30T12:00:01.005Z", "in_reply_to_id": parent, "in_reply_to_account_id": m.AccountID("ben"),
		"sensitive": true, "spoiler_text": "tea", "language": "de", "visibility": "public", "reblogs_count": 3.0, "favourites_count": 5.0,
		"favourited": true, "edited_at": nil, "reblog": nil, "url": "https://far.example/@cleo/115700000000000001",
		"content": `<p>Hi <span class="h-card" translate="no"><a href="https://mock.example/@ann" class="u-url mention">@<span>ann</span></a></span>, ` +
			`&lt;see&gt; <a href="https://mock.example/tags/tea" class="mention hashtag" rel="tag">#<span>Tea</span></a> &amp; :wool: ` +
			`<a href="https://long.example/a/very/long/path/to/nowhere" target="_blank" rel="nofollow noopener" translate="no"><span class="invisible">https://</span>` +
			`<span class="ellipsis">long.example/a/very/long/path/</span><span class="invisible">to/nowhere</span></a><br />next</p><p>last</p>`,
	} {
		if diff := cmp.Diff(value, got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestABoostHoldsTheOriginal(t *testing.T) {
	for _, c := range []struct {
		name   string
		quirks snstest.Quirks
		want   string
	}{
		{"Mastodon repeats the content", snstest.Quirks{}, "<p>original</p>"},
		{"others leave it empty", snstest.Quirks{EmptyBoosts: true}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, origin := newServer(t, snstest.Options{Quirks: c.quirks})
			id := m.Add(snstest.Status{Text: "original"})
			boost := m.Add(snstest.Status{Author: "cleo", Boost: id})

			var got struct {
				Content string
				Reblog  struct{ ID string }
			}
			get(t, origin+"/api/v1/statuses/"+boost, m.Token()).into(t, &got)

			if got.Content != c.want || got.Reblog.ID != id {
				t.Errorf("content %q, reblog %q, want %q and %q", got.Content, got.Reblog.ID, c.want, id)
			}
		})
	}
}

func TestQuotesGoOneLevelDeepUnlessTold(t *testing.T) {
	depth := func(t *testing.T, quirks snstest.Quirks) int {
		m, origin := newServer(t, snstest.Options{Quirks: quirks})
		id := m.Add(snstest.Status{Text: "0"})
		for range 4 {
			id = m.Add(snstest.Status{Text: "more", Quote: &snstest.Quote{ID: id}})
		}
		var st struct {
			Quote *struct {
				State  string
				Status json.RawMessage `json:"quoted_status"`
				ID     string          `json:"quoted_status_id"`
			}
		}
		get(t, origin+"/api/v1/statuses/"+id, m.Token()).into(t, &st)
		levels := 0
		for st.Quote != nil && st.Quote.Status != nil {
			levels++
			inner := st.Quote.Status
			st.Quote = nil
			if err := json.Unmarshal(inner, &st); err != nil {
				t.Fatal(err)
			}
		}
		if st.Quote == nil || st.Quote.ID == "" {
			t.Error("the last level has no quoted_status_id")
		}
		return levels
	}
	if got := depth(t, snstest.Quirks{}); got != 1 {
		t.Errorf("%d levels, want 1", got)
	}
	if got := depth(t, snstest.Quirks{QuoteDepth: 3}); got != 3 {
		t.Errorf("%d levels, want 3", got)
	}
}

func TestPatchAndRawChangeTheRecord(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	m.Add(snstest.Status{Text: "odd", Patch: map[string]any{"created_at": nil, "account": map[string]any{}, "card": map[string]any{"width": 640.5}}})
	m.Add(snstest.Status{Raw: json.RawMessage("null")})

	var got []map[string]any
	get(t, origin+"/api/v1/timelines/home", m.Token()).into(t, &got)

	if got[0] != nil {
		t.Errorf("the raw entry = %v, want null", got[0])
	}
	want := map[string]any{"created_at": nil, "account": map[string]any{}, "card": map[string]any{"width": 640.5}}
	for name, value := range want {
		if diff := cmp.Diff(value, got[1][name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAThreadHasBothDirections(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	root := m.Add(snstest.Status{Text: "root"})
	mid := m.Add(snstest.Status{Text: "mid", ReplyTo: root})
	leaf := m.Add(snstest.Status{Text: "leaf", ReplyTo: mid})
	deeper := m.Add(snstest.Status{Text: "deeper", ReplyTo: leaf})
	other := m.Add(snstest.Status{Text: "other", ReplyTo: mid})
	m.Add(snstest.Status{Text: "elsewhere", ReplyTo: root})

	var got struct{ Ancestors, Descendants []struct{ ID string } }
	get(t, origin+"/api/v1/statuses/"+mid+"/context", m.Token()).into(t, &got)

	want := struct{ Ancestors, Descendants []struct{ ID string } }{
		[]struct{ ID string }{{root}}, []struct{ ID string }{{leaf}, {deeper}, {other}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
}

func TestLookupFindsLocalAndRemote(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	far := m.AddAccount(snstest.Account{Acct: "cleo@far.example"})
	for acct, want := range map[string]string{
		"ann": m.AccountID("ann"), "@ann@mock.example": m.AccountID("ann"), "cleo@far.example": far, "nobody": "",
	} {
		var got struct{ ID string }
		get(t, origin+"/api/v1/accounts/lookup?acct="+url.QueryEscape(acct), m.Token()).into(t, &got)
		if got.ID != want {
			t.Errorf("lookup %s = %q, want %q", acct, got.ID, want)
		}
	}
}

func TestDeletingTakesTheBoostsAlong(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	id := m.Add(snstest.Status{Text: "gone soon"})
	m.Add(snstest.Status{Author: "cleo", Boost: id})
	m.Delete(id)

	if got := get(t, origin+"/api/v1/timelines/home", m.Token()).ids(t); len(got) != 0 {
		t.Errorf("home = %v, want nothing", got)
	}
}

func TestAnEditIsMarked(t *testing.T) {
	m, origin := newServer(t, snstest.Options{})
	id := m.Add(snstest.Status{Text: "frist"})
	m.Edit(id, "first")

	var got struct {
		Content string
		Edited  string `json:"edited_at"`
	}
	get(t, origin+"/api/v1/statuses/"+id, m.Token()).into(t, &got)

	if got.Content != "<p>first</p>" || got.Edited != "2026-11-30T12:47:30.000Z" {
		t.Errorf("content %q, edited_at %q", got.Content, got.Edited)
	}
}
