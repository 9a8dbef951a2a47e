package mastodon_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func TestSupports(t *testing.T) {
	u := serve(t, answerJSON("[]"))
	for _, tc := range []struct {
		kind          sns.Kind
		login, public fault.Code
	}{
		{sns.KindHome, "", fault.Unsupported},
		{sns.KindLocal, "", ""},
		{sns.KindFederated, "", ""},
		{sns.KindHashtag, "", ""},
		{sns.KindList, "", fault.Unsupported},
		{sns.KindUser, "", ""},
		{sns.KindSearch, "", fault.Unsupported},
		{sns.KindNotifications, "", fault.Unsupported},
		{sns.KindBookmarks, "", fault.Unsupported},
		{sns.KindFavourites, "", fault.Unsupported},
		{sns.KindConversations, "", fault.Unsupported},
		{sns.KindThread, "", ""},
		{sns.KindPost, "", ""},
		{sns.KindForYou, fault.InvalidSource, fault.InvalidSource},
		{sns.KindSeen, fault.InvalidSource, fault.InvalidSource},
		{"", fault.InvalidSource, fault.InvalidSource},
	} {
		t.Run(string(tc.kind), func(t *testing.T) {
			if got := fault.CodeOf(u.provider.Supports(u.account(), tc.kind)); got != tc.login {
				t.Errorf("signed in: %q, want %q", got, tc.login)
			}
			if got := fault.CodeOf(u.provider.Supports(u.public(), tc.kind)); got != tc.public {
				t.Errorf("not signed in: %q, want %q", got, tc.public)
			}
			if _, err := u.provider.Fetch(t.Context(), u.public(), sns.Source{Kind: tc.kind}, ""); tc.public != "" && fault.CodeOf(err) != tc.public {
				t.Errorf("Fetch = %v, want %q", err, tc.public)
			}
		})
	}
	if got := u.log(); len(got) > 2 { // local and federated need nothing else
		t.Errorf("requests = %v, want two", got)
	}
}

func TestVerify(t *testing.T) {
	t.Run("signed in", func(t *testing.T) {
		u := serve(t, answerJSON(encode(accountJSON("7", "ann"))))
		got, err := u.provider.Verify(t.Context(), u.account())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sns.Identity{Account: "@ann@ex.org", AccountID: "7", Title: "Name of ann"}, got); diff != "" {
			t.Errorf("identity (-want +got):\n%s", diff)
		}
		want := []string{"GET /api/v1/accounts/verify_credentials", "GET /api/v1/apps/verify_credentials"}
		if diff := cmp.Diff(want, u.log()); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
	})
	t.Run("without a name or a page", func(t *testing.T) {
		u := serve(t, answerJSON(`{"id":"7","acct":"ann","display_name":""}`))
		got, err := u.provider.Verify(t.Context(), u.account())
		if err != nil {
			t.Fatal(err)
		}
		handle := "@ann@" + strings.TrimPrefix(u.URL, "http://")
		if diff := cmp.Diff(sns.Identity{Account: handle, AccountID: "7", Title: handle}, got); diff != "" {
			t.Errorf("identity (-want +got):\n%s", diff)
		}
	})
	t.Run("with emoji in the name", func(t *testing.T) {
		u := serve(t, answerJSON(`{"id":"7","acct":"ann","display_name":"Ann :cat:","emojis":[{"shortcode":"cat","url":"https://ex.org/c.png"}]}`))
		got, err := u.provider.Verify(t.Context(), u.account())
		if err != nil || got.Title != "Ann" {
			t.Errorf("identity = %+v, %v; want the title Ann", got, err)
		}
	})
	t.Run("a token that is not accepted", func(t *testing.T) {
		u := serve(t, fail(401))
		_, err := u.provider.Verify(t.Context(), u.account())
		wantFault(t, err, fault.Unauthorized, object{"reconnect": true})
	})
	t.Run("a token without the scope", func(t *testing.T) {
		u := serve(t, fail(403))
		_, err := u.provider.Verify(t.Context(), u.account())
		wantFault(t, err, fault.Forbidden, object{"capability": "read:accounts"})
	})
	t.Run("an answer that is no account", func(t *testing.T) {
		u := serve(t, answerJSON(`{"ok":true}`))
		_, err := u.provider.Verify(t.Context(), u.account())
		wantFault(t, err, fault.UpstreamChanged, nil)
	})
	t.Run("a server that is none", func(t *testing.T) {
		for _, status := range []int{400, 404, 405, 422} {
			u := serve(t, fail(status))
			_, err := u.provider.Verify(t.Context(), u.account())
			wantFault(t, err, fault.Unsupported, object{"capability": "accounts"})
			if m := fault.From(err).Message; !strings.Contains(m, "check the address") {
				t.Errorf("%d: message %q does not name the next step", status, m)
			}
		}
	})
}

func TestVerifyTellsTheScopes(t *testing.T) {
	for _, tc := range []struct {
		name string
		app  http.HandlerFunc
		want []string
	}{
		{"told", answerJSON(`{"name":"x","scopes":["read","write:statuses"," push ",""]}`), []string{"read", "write:statuses", "push"}},
		{"not told", answerJSON(`{"name":"x"}`), nil},
		{"in another form", answerJSON(`{"scopes":"read write"}`), nil},
		{"a list", answerJSON(`[]`), nil},
		{"forbidden", fail(403), nil},
		{"unknown", fail(404), nil},
		{"broken", fail(500), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/api/v1/apps/verify_credentials" {
					tc.app(w, r)
					return
				}
				io.WriteString(w, encode(accountJSON("7", "ann")))
			})
			got, err := u.provider.Verify(t.Context(), u.account())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got.Scopes); diff != "" {
				t.Errorf("scopes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestVerifyWithoutLogin(t *testing.T) {
	host := func(u *upstream) string { return strings.TrimPrefix(u.URL, "http://") }
	t.Run("version 2", func(t *testing.T) {
		u := serve(t, answerJSON(`{"domain":"ex.org","title":"Example","version":"4.5.2"}`))
		got, err := u.provider.Verify(t.Context(), u.public())
		if err != nil || !cmp.Equal(got, sns.Identity{Account: host(u), Title: "Example"}) {
			t.Errorf("identity = %+v, %v; want Example", got, err)
		}
		if got := u.log(); len(got) != 1 || got[0] != "GET /api/v2/instance" {
			t.Errorf("requests = %v", got)
		}
	})
	t.Run("version 1", func(t *testing.T) {
		u := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/api/v1/instance" {
				fail(404)(w, r)
				return
			}
			io.WriteString(w, `{"uri":"ex.org","title":"","version":"3.5.3"}`)
		})
		got, err := u.provider.Verify(t.Context(), u.public())
		if err != nil || !cmp.Equal(got, sns.Identity{Account: host(u), Title: host(u)}) {
			t.Errorf("identity = %+v, %v; want the host", got, err)
		}
	})
	t.Run("no Mastodon", func(t *testing.T) {
		u := serve(t, fail(404))
		_, err := u.provider.Verify(t.Context(), u.public())
		wantFault(t, err, fault.Unsupported, object{"capability": "instance"})
	})
}

// What answers with some JSON is no Mastodon server for that.
func TestVerifyRefusesWhatDescribesNoServer(t *testing.T) {
	for name, body := range map[string]string{
		"an empty object":         `{}`,
		"a list":                  `[]`,
		"null":                    `null`,
		"a text":                  `"ok"`,
		"a title alone":           `{"title":"Example"}`,
		"no version":              `{"domain":"ex.org","title":"Example"}`,
		"a version that is a map": `{"domain":"ex.org","version":{}}`,
		"the status of something": `{"status":"ok","version":"1.2"}`,
		"what broke off":          `{"domain":"ex.org","version":"4.5`,
	} {
		t.Run(name, func(t *testing.T) {
			u := serve(t, answerJSON(body))
			_, err := u.provider.Verify(t.Context(), u.public())
			wantFault(t, err, fault.Unsupported, object{"capability": "instance"})
		})
	}
}

func TestTitlesOfServersAreMadeHarmless(t *testing.T) {
	for name, tt := range map[string]struct{ title, want string }{
		"control characters":    {`a\u0000b\nc`, "ab c"},
		"a turned direction":    {`safe\u202Eelpmaxe`, "safeelpmaxe"},
		"HTML stays text":       {`<script>alert(1)</script>`, "<script>alert(1)</script>"},
		"only what nobody sees": {`\u200b\u2066`, "HOST"},
		"200 bytes of 300":      {strings.Repeat("x", 300), strings.Repeat("x", 200)},
	} {
		t.Run(name, func(t *testing.T) {
			u := serve(t, answerJSON(`{"domain":"ex.org","version":"4.5.2","title":"`+tt.title+`"}`))
			got, err := u.provider.Verify(t.Context(), u.public())
			want := strings.ReplaceAll(tt.want, "HOST", strings.TrimPrefix(u.URL, "http://"))
			if err != nil || got.Title != want {
				t.Errorf("title = %q, %v; want %q", got.Title, err, want)
			}
		})
	}
}

func TestHugeDescriptionOfAServerIsNotRead(t *testing.T) {
	u := serve(t, answerJSON(`{"domain":"ex.org","version":"4.5.2","title":"`+strings.Repeat("x", 1<<20)+`"}`))
	_, err := u.provider.Verify(t.Context(), u.public())
	wantFault(t, err, fault.ResponseTooLarge, nil)
}

func TestLists(t *testing.T) {
	u := serve(t, answerJSON(`[{"id":"12","title":"Friends\n","exclusive":true},null,{"id":13,"title":"猫"},{"id":"../x","title":"x"}]`))
	got, err := u.provider.Lists(t.Context(), u.account())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]sns.List{{ID: "12", Title: "Friends"}, {ID: "13", Title: "猫"}}, got); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
}

func TestListsFail(t *testing.T) {
	t.Run("without login", func(t *testing.T) {
		u := serve(t, answerJSON(`[]`))
		_, err := u.provider.Lists(t.Context(), u.public())
		wantFault(t, err, fault.Unsupported, nil)
	})
	t.Run("without the scope", func(t *testing.T) {
		u := serve(t, fail(403))
		_, err := u.provider.Lists(t.Context(), u.account())
		wantFault(t, err, fault.Forbidden, object{"capability": "read:lists"})
	})
	t.Run("without lists", func(t *testing.T) {
		u := serve(t, fail(404))
		_, err := u.provider.Lists(t.Context(), u.account())
		wantFault(t, err, fault.Unsupported, object{"capability": "lists"})
	})
}

// accounts answers lookups of @ann and the posts of account 42.
func accounts(w http.ResponseWriter, r *http.Request) {
	switch acct := r.URL.Query().Get("acct"); {
	case r.URL.Path == "/api/v1/accounts/lookup" && strings.EqualFold(acct, "ann@ex.org"):
		io.WriteString(w, encode(accountJSON("42", "ann")))
	case r.URL.Path == "/api/v1/accounts/42/statuses", r.URL.Path == "/api/v1/accounts/9wVdYB3eVTIGvZLnwm/statuses":
		io.WriteString(w, statuses(30, 2))
	default:
		fail(404)(w, r)
	}
}

func TestUserIsLookedUpOnce(t *testing.T) {
	u := serve(t, accounts)
	for range 2 {
		if page := u.page(t, sns.Source{Kind: sns.KindUser, Account: "@ann@ex.org"}, ""); len(page.Posts) != 2 {
			t.Fatalf("%d posts, want 2", len(page.Posts))
		}
	}
	u.page(t, sns.Source{Kind: sns.KindUser, Account: "@Ann@ex.org"}, "max_id=5")

	want := []string{
		"GET /api/v1/accounts/lookup?acct=ann%40ex.org", "GET /api/v1/accounts/42/statuses?limit=20",
		"GET /api/v1/accounts/42/statuses?limit=20", "GET /api/v1/accounts/42/statuses?limit=20&max_id=5",
	}
	if diff := cmp.Diff(want, u.log()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestUserLookupIsPerConnection(t *testing.T) {
	u := serve(t, accounts)
	u.page(t, sns.Source{Kind: sns.KindUser, Account: "@ann@ex.org"}, "")
	other := u.account()
	other.ConnectionID = "conn_2"

	if _, err := u.provider.Fetch(t.Context(), other, sns.Source{Kind: sns.KindUser, Account: "@ann@ex.org"}, ""); err != nil {
		t.Fatal(err)
	}

	if got := len(u.log()); got != 4 {
		t.Errorf("%d requests, want 4: each connection looks up for itself", got)
	}
}

func TestUserThatIsGoneIsLookedUpAgain(t *testing.T) {
	gone := false
	u := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if gone {
			fail(404)(w, r)
			return
		}
		accounts(w, r)
	})
	source := sns.Source{Kind: sns.KindUser, Account: "@ann@ex.org"}
	u.page(t, source, "")
	gone = true
	_, err := u.fetch(t, source, "")
	wantFault(t, err, fault.NotFound, object{"what": "account"})
	gone = false
	u.page(t, source, "")

	if got := u.log()[3]; !strings.HasPrefix(got, "GET /api/v1/accounts/lookup") {
		t.Errorf("after the account was gone the request was %s, want a lookup", got)
	}
}

func TestUserForms(t *testing.T) {
	for _, tc := range []struct {
		name, account string
		requests      int
		code          fault.Code
	}{
		{"a Mastodon id", "42", 1, ""},
		{"an unknown ULID", "01J9Z3K8Q5V7XW2M4N6P8R0TAB", 1, fault.NotFound},
		{"a flake id, which might be a name", "9wVdYB3eVTIGvZLnwm", 2, ""},
		{"an unknown name", "bob", 1, fault.NotFound},
		{"an unknown handle", "@bob@two.example", 1, fault.NotFound},
		{"a name of digits", "@42", 1, fault.NotFound},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := serve(t, accounts)
			_, err := u.fetch(t, sns.Source{Kind: sns.KindUser, Account: tc.account}, "")
			if got := fault.CodeOf(err); got != tc.code {
				t.Errorf("err = %v, want %q", err, tc.code)
			}
			if got := u.log(); len(got) != tc.requests {
				t.Errorf("requests = %v, want %d", got, tc.requests)
			}
		})
	}
}

func TestRemoteOnlyLeavesLocalPostsOut(t *testing.T) {
	u := serve(t, answerJSON("["+status("3", object{"account": accountJSON("1", "bob@two.example")})+","+status("2", nil)+"]"))

	page := u.page(t, sns.Source{Kind: sns.KindFederated, RemoteOnly: true}, "")

	if diff := cmp.Diff([]string{"3"}, ids(page.Posts)); diff != "" || page.Skipped != 0 {
		t.Errorf("skipped %d, posts (-want +got):\n%s", page.Skipped, diff)
	}
}

func TestServerThatIgnoresTheLimit(t *testing.T) {
	page := serve(t, answerJSON(statuses(2000, 150))).page(t, home, "")

	if len(page.Posts) != 100 || page.Next != "max_id=1901" {
		t.Errorf("%d posts, next %q; want 100, max_id=1901", len(page.Posts), page.Next)
	}
}

// thread answers a post 5 with one post above and two below.
func thread(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/api/v1/statuses/5":
		io.WriteString(w, status("5", filtered("hide", "thread")))
	case "/api/v1/statuses/5/context":
		fmt.Fprintf(w, `{"ancestors":[%s,null],"descendants":[%s,%s,%s]}`, status("4", nil), status("6", nil), status("7", filtered("hide", "thread")), status("8", nil))
	default:
		fail(404)(w, r)
	}
}

func TestThread(t *testing.T) {
	u := serve(t, thread)

	got, err := u.provider.Thread(t.Context(), u.account(), "5")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"4"}, {"5"}, {"6", "8"}}, [][]string{ids(got.Ancestors), {got.Post.EntryID}, ids(got.Descendants)}); diff != "" {
		t.Errorf("thread (-want +got):\n%s", diff)
	}
}

func TestThreadAsPage(t *testing.T) {
	page := serve(t, thread).page(t, sns.Source{Kind: sns.KindThread, PostID: "5"}, "")

	if diff := cmp.Diff([]string{"4", "5", "6", "8"}, ids(page.Posts)); diff != "" || page.Skipped != 1 || page.Next != "" {
		t.Errorf("skipped %d, next %q, posts (-want +got):\n%s", page.Skipped, page.Next, diff)
	}
}

func TestPostAsPage(t *testing.T) {
	page := serve(t, thread).page(t, sns.Source{Kind: sns.KindPost, PostID: "5"}, "")

	if diff := cmp.Diff([]string{"5"}, ids(page.Posts)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func TestThreadOfAMissingPost(t *testing.T) {
	u := serve(t, thread)

	_, err := u.provider.Thread(t.Context(), u.account(), "6")

	wantFault(t, err, fault.NotFound, object{"what": "post"})
	if got := u.log(); len(got) != 1 {
		t.Errorf("requests = %v, want one", got)
	}
}

func TestNotifications(t *testing.T) {
	bob := encode(accountJSON("3", "bob@two.example"))
	mine := status("10", nil)
	reply := status("11", object{"in_reply_to_id": "10", "in_reply_to_account_id": "7"})
	note := func(id, kind, status string) string {
		return fmt.Sprintf(`{"id":"%s","type":"%s","created_at":"2026-11-30T11:00:00Z","account":%s,"status":%s}`, id, kind, bob, status)
	}
	u := serve(t, answerJSON("["+strings.Join([]string{
		note("29", "mention", reply), note("28", "mention", status("12", nil)), note("27", "reblog", mine), note("26", "favourite", mine),
		note("25", "follow", "null"), note("24", "follow_request", "null"), note("23", "poll", mine), note("22", "update", mine),
		note("21", "quoted_update", mine), note("20", "quote", mine), note("19", "status", mine), note("18", "admin.sign_up", "null"),
		note("17", "favourite", status("13", filtered("hide", "notifications"))),
		`{"type":"follow"}`,
	}, ",")+"]"))

	page := u.page(t, sns.Source{Kind: sns.KindNotifications}, "")

	got := [][3]string{}
	for _, p := range page.Posts {
		got = append(got, [3]string{p.EntryID, p.Notification.Type, p.ID})
	}
	want := [][3]string{
		{"29", "reply", "11"},
		{"28", "mention", "12"},
		{"27", "boost", "10"},
		{"26", "like", "10"},
		{"25", "follow", "notification:25"},
		{"24", "follow_request", "notification:24"},
		{"23", "poll", "10"},
		{"22", "edit", "10"},
		{"21", "edit", "10"},
		{"20", "quote", "10"},
		{"19", "status", "10"},
		{"18", "other", "notification:18"},
	}
	if diff := cmp.Diff(want, got); diff != "" || page.Skipped != 1 {
		t.Errorf("skipped %d, notifications (-want +got):\n%s", page.Skipped, diff)
	}
}

func TestNotificationWithoutAPost(t *testing.T) {
	u := serve(t, answerJSON(`[{"id":"25","type":"follow","created_at":"2026-11-30T11:00:00Z","account":`+encode(accountJSON("3", "bob@two.example"))+`}]`))

	page := u.page(t, sns.Source{Kind: sns.KindNotifications}, "")

	at := time.Date(2026, 11, 30, 11, 0, 0, 0, time.UTC)
	bob := sns.Author{ID: "3", Handle: "@bob@two.example", DisplayName: "Name of bob@two.example", URL: "https://ex.org/@bob@two.example"}
	want := []sns.Post{{
		ID: "notification:25", EntryID: "25", Network: sns.Mastodon, ConnectionID: "conn_1", Author: bob, CreatedAt: &at,
		Notification: &sns.Notification{Type: "follow", RawType: "follow", At: &at, Actors: []sns.Author{bob}, ActorCount: 1},
	}}
	if diff := cmp.Diff(want, page.Posts); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

// A server may ignore the filter, and cannot tell replies from mentions.
func TestNotificationTypesAreFilteredHereToo(t *testing.T) {
	bob := encode(accountJSON("3", "bob"))
	u := serve(t, answerJSON(fmt.Sprintf(`[{"id":"3","type":"favourite","account":%s,"status":%s},{"id":"2","type":"mention","account":%s,"status":%s}]`,
		bob, status("10", nil), bob, status("11", object{"in_reply_to_account_id": 7}))))

	page := u.page(t, sns.Source{Kind: sns.KindNotifications, Types: []string{"reply"}}, "")

	if diff := cmp.Diff([]string{"2"}, ids(page.Posts)); diff != "" || page.Skipped != 0 {
		t.Errorf("skipped %d, posts (-want +got):\n%s", page.Skipped, diff)
	}
}

func TestConversationsPageByTheirOwnIDs(t *testing.T) {
	u := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Link", `<https://ex.org/api/v1/conversations?max_id=900>; rel="next"`)
		io.WriteString(w, `[{"id":"901","unread":true,"accounts":[],"last_status":`+status("1", object{"visibility": "direct"})+`}]`)
	})

	page := u.page(t, sns.Source{Kind: sns.KindConversations}, "")

	if diff := cmp.Diff([]string{"1"}, ids(page.Posts)); diff != "" || page.Next != "max_id=900" || page.Posts[0].Visibility != sns.Direct {
		t.Errorf("next %q, posts (-want +got):\n%s", page.Next, diff)
	}
}
