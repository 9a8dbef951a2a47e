package sns_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
)

func TestAddMastodonWithToken(t *testing.T) {
	w := newWorld(t)
	c, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "HTTPS://Social.Example:443/", Token: "  token-ann\n"})
	if err != nil {
		t.Fatalf("AddMastodon: %v", err)
	}
	want := sns.Connection{
		ID: c.ID, Network: sns.Mastodon, Account: "@ann@social.example", Label: "ann", State: sns.Ready, App: "mastodon",
		Origin: "https://social.example", AccountID: "id-ann", Login: true, CreatedAt: epoch, UpdatedAt: epoch,
	}
	if diff := cmp.Diff(want, c, ignoreRevision); diff != "" {
		t.Errorf("AddMastodon (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, w.connection(c.ID), ignoreRevision); diff != "" {
		t.Errorf("GetConnection (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(c.ID, "conn_") {
		t.Errorf("the id is %q", c.ID)
	}
}

func TestAddMastodonWithoutLogin(t *testing.T) {
	w := newWorld(t)
	c, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example", Label: " My  server "})
	if err != nil {
		t.Fatalf("AddMastodon: %v", err)
	}
	if c.Account != "social.example" || c.Login || c.Label != "My  server" {
		t.Errorf("connection = %+v", c)
	}
	if has, err := sns.HasSecrets(t.Context(), w.db); has || err != nil {
		t.Errorf("HasSecrets = %v, %v", has, err)
	}
}

func TestConnectionJSONIsWhatAssistantsSee(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	got, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"` + c.ID + `","network":"mastodon","account":"@ann@social.example","label":"ann","state":"ready"}`
	if string(got) != want {
		t.Errorf("JSON = %s, want %s", got, want)
	}
}

func TestAddMastodonRefusesBadInput(t *testing.T) {
	tests := []struct {
		name    string
		in      sns.AddMastodon
		code    fault.Code
		details map[string]any
	}{
		{"no origin", sns.AddMastodon{}, fault.InvalidArguments, map[string]any{"field": "origin"}},
		{"an origin with a path", sns.AddMastodon{Origin: "https://social.example/home"}, fault.InvalidArguments, map[string]any{"field": "origin"}},
		{"http", sns.AddMastodon{Origin: "http://social.example"}, fault.BlockedOrigin, map[string]any{"field": "origin"}},
		{"a token with a space inside", sns.AddMastodon{Origin: "https://social.example", Token: "abc def"}, fault.InvalidArguments, map[string]any{"field": "token"}},
		{"two lines of token", sns.AddMastodon{Origin: "https://social.example", Token: "abc\ndef"}, fault.InvalidArguments, map[string]any{"field": "token"}},
		{"a token with a control character", sns.AddMastodon{Origin: "https://social.example", Token: "abc\x00"}, fault.InvalidArguments, map[string]any{"field": "token"}},
		{"a token that is no ASCII", sns.AddMastodon{Origin: "https://social.example", Token: "abcé"}, fault.InvalidArguments, map[string]any{"field": "token"}},
		{"a token of 5000 bytes", sns.AddMastodon{Origin: "https://social.example", Token: strings.Repeat("a", 5000)}, fault.InvalidArguments, map[string]any{"field": "token"}},
		{"a label of 81 characters", sns.AddMastodon{Origin: "https://social.example", Label: strings.Repeat("名", 81)}, fault.InvalidArguments, map[string]any{"field": "label"}},
		{"a label of two lines", sns.AddMastodon{Origin: "https://social.example", Label: "a\nb"}, fault.InvalidArguments, map[string]any{"field": "label"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			asked := false
			w.net.verify = func(context.Context, sns.Account) (sns.Identity, error) {
				asked = true
				return sns.Identity{Account: "social.example"}, nil
			}
			_, err := w.sns.AddMastodon(t.Context(), tt.in)
			wantFault(t, err, tt.code, tt.details)
			if asked {
				t.Error("the server was asked all the same")
			}
			w.wantNothing()
		})
	}
}

// wantNothing checks that no connection, secret or ledger entry is stored.
func (w *world) wantNothing() {
	w.t.Helper()
	for _, table := range []string{"connections", "connection_secrets", "ledger"} {
		if n := w.count("SELECT count(*) FROM " + table); n != 0 {
			w.t.Errorf("%s has %d rows", table, n)
		}
	}
}

func TestAddMastodonStoresNothingUnlessTheServerAnswers(t *testing.T) {
	tests := []struct {
		name   string
		verify func(context.Context, sns.Account) (sns.Identity, error)
		code   fault.Code
		field  any
	}{
		{"a refused token", answerIdentity(sns.Identity{}, fault.New(fault.Unauthorized, "No.")), fault.Unauthorized, "token"},
		{"a blocked address", answerIdentity(sns.Identity{}, fault.New(fault.BlockedOrigin, "No.")), fault.BlockedOrigin, nil},
		{"no answer", answerIdentity(sns.Identity{}, context.DeadlineExceeded), fault.Timeout, nil},
		{"no name", answerIdentity(sns.Identity{AccountID: "1"}, nil), fault.UpstreamChanged, nil},
		{"a token of nobody", answerIdentity(sns.Identity{Account: "social.example"}, nil), fault.UpstreamChanged, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.net.verify = tt.verify
			_, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example", Token: "token"})
			wantFault(t, err, tt.code, map[string]any{"field": tt.field, "connectionId": nil})
			w.wantNothing()
		})
	}
}

func answerIdentity(id sns.Identity, err error) func(context.Context, sns.Account) (sns.Identity, error) {
	return func(context.Context, sns.Account) (sns.Identity, error) { return id, err }
}

func TestLabelOfTheNetworkIsMadeFit(t *testing.T) {
	w := newWorld(t)
	w.net.verify = answerIdentity(sns.Identity{Account: "@a@b", AccountID: "1", Title: "a\nb\xff" + strings.Repeat("名", 100)}, nil)
	c, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example", Token: "t"})
	if err != nil {
		t.Fatalf("AddMastodon: %v", err)
	}
	if want := "a b" + strings.Repeat("名", 77); c.Label != want {
		t.Errorf("label = %q, want %q", c.Label, want)
	}
}

func TestNameThatShowsNothingIsNoLabel(t *testing.T) {
	w := newWorld(t)
	w.net.verify = answerIdentity(sns.Identity{Account: "@a@b", AccountID: "1", Title: "\u3164\u200b"}, nil)
	c, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example", Token: "t"})
	if err != nil || c.Label != "@a@b" {
		t.Errorf("label = %q, %v, want the account", c.Label, err)
	}
}

func TestOperatorAndChosenOrigins(t *testing.T) {
	listed := func(c *sns.Config) { c.MastodonOrigins = []string{"http://127.0.0.1:8080", "https://Own.Example/"} }
	only := func(c *sns.Config) { listed(c); c.MastodonOnly = true }
	tests := []struct {
		name     string
		change   func(*sns.Config)
		in       sns.AddMastodon
		code     fault.Code
		operator bool
	}{
		{"a chosen public one", listed, sns.AddMastodon{Origin: "https://social.example"}, "", false},
		{"a listed one", listed, sns.AddMastodon{Origin: "http://127.0.0.1:8080"}, "", true},
		{"a listed one in another spelling", listed, sns.AddMastodon{Origin: "https://OWN.example:443"}, "", true},
		{"another port", listed, sns.AddMastodon{Origin: "http://127.0.0.1:8081"}, fault.BlockedOrigin, false},
		{"at the host's shell", listed, sns.AddMastodon{Origin: "http://10.0.0.1", Operator: true}, "", true},
		{"only listed ones: a listed one", only, sns.AddMastodon{Origin: "https://own.example"}, "", true},
		{"only listed ones: a public one", only, sns.AddMastodon{Origin: "https://social.example"}, fault.BlockedOrigin, false},
		{"only listed ones: at the host's shell", only, sns.AddMastodon{Origin: "https://social.example", Operator: true}, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, tt.change)
			var account sns.Account
			w.net.verify = func(_ context.Context, a sns.Account) (sns.Identity, error) {
				account = a
				return sns.Identity{Account: "host"}, nil
			}
			_, err := w.sns.AddMastodon(t.Context(), tt.in)
			if tt.code != "" {
				wantFault(t, err, tt.code, nil)
				if !strings.Contains(fault.From(err).Message, "WORKSPACE_MASTODON_ORIGINS") {
					t.Errorf("message %q does not name the variable", fault.From(err).Message)
				}
				return
			}
			if err != nil {
				t.Fatalf("AddMastodon: %v", err)
			}
			if account.Operator != tt.operator {
				t.Errorf("operator = %v, want %v", account.Operator, tt.operator)
			}
		})
	}
}

func TestOnlyConfiguredServersAlsoHoldsForExistingConnections(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.sns.Close()
	w.start(func(c *sns.Config) { c.MastodonOnly = true })
	_, err := w.sns.FetchPosts(t.Context(), c.ID, home, "")
	wantFault(t, err, fault.BlockedOrigin, map[string]any{"connectionId": c.ID})
	if w.net.asked() != 0 {
		t.Error("the server was asked all the same")
	}
}

func TestNewRefusesABadListOfOrigins(t *testing.T) {
	w := newWorld(t)
	w.config.MastodonOrigins = []string{"https://own.example", "own.example/path"}
	_, err := sns.New(t.Context(), w.config)
	wantFault(t, err, fault.InvalidArguments, map[string]any{"field": "WORKSPACE_MASTODON_ORIGINS"})
}

func TestAddingAnAccountAgainReplacesItsToken(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")

	again, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example", Token: "  token-ann\n"})
	if err != nil {
		t.Fatal(err)
	}

	if again.ID != c.ID || again.Label != c.Label || again.State != sns.Ready {
		t.Errorf("connection = %+v, want %s with its label, ready", again, c.ID)
	}
	if n := w.count("SELECT count(*) FROM connections"); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
	w.fetch(again, home, "")
}

func TestTwoAccountsOfOneServerAreTwoConnections(t *testing.T) {
	w := newWorld(t)
	ann, bob := w.login("ann"), w.login("bob")
	w.fetch(ann, home, "")
	w.fetch(bob, home, "")
	got := []string{w.net.requests[0].Account.Token, w.net.requests[1].Account.Token}
	if diff := cmp.Diff([]string{"token-ann", "token-bob"}, got); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
	if w.net.requests[0].Account.Gate == w.net.requests[1].Account.Gate {
		t.Error("two connections share a budget")
	}
}

func TestSameServerWithAndWithoutLogin(t *testing.T) {
	w := newWorld(t)
	w.login("ann")
	if _, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example"}); err != nil {
		t.Errorf("without login beside an account: %v", err)
	}
	_, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example"})
	wantFault(t, err, fault.RequestConflict, nil)
}

func TestAddingTheSameAccountAtTheSameTimeMakesOneConnection(t *testing.T) {
	w := newWorld(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example", Token: "token-ann"})
		})
	}
	wg.Wait()
	if n := w.count("SELECT count(*) FROM connections"); n != 1 {
		t.Errorf("%d connections", n)
	}
}

func TestAtMostOneHundredConnections(t *testing.T) {
	w := newWorld(t)
	w.net.verify = func(_ context.Context, a sns.Account) (sns.Identity, error) {
		return sns.Identity{Account: "@" + a.Token + "@x", AccountID: a.Token}, nil
	}
	add := func(i int) error {
		_, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example", Token: post(i).ID})
		return err
	}
	for i := range sns.MaxConnections {
		if err := add(i + 1); err != nil {
			t.Fatalf("connection %d: %v", i+1, err)
		}
	}
	wantFault(t, add(1000), fault.LimitExceeded, map[string]any{"limit": int64(100)})
}

func TestListConnectionsOldestFirst(t *testing.T) {
	w := newWorld(t)
	if list, err := w.sns.ListConnections(t.Context()); list == nil || len(list) != 0 || err != nil {
		t.Errorf("without connections: %v, %v; want an empty list", list, err)
	}
	var want []string
	for _, user := range []string{"zoe", "ann", "bob"} {
		want = append(want, w.login(user).ID)
		w.clock.add(1)
		w.clock.add(1e6)
	}
	list, err := w.sns.ListConnections(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range list {
		got = append(got, c.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestUnknownConnection(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	calls := map[string]func(id string) error{
		"GetConnection":    func(id string) error { _, err := w.sns.GetConnection(ctx, id); return err },
		"RemoveConnection": func(id string) error { return w.sns.RemoveConnection(ctx, id) },
		"FetchPosts":       func(id string) error { _, err := w.sns.FetchPosts(ctx, id, home, ""); return err },
		"StoredPosts": func(id string) error {
			_, err := w.sns.StoredPosts(ctx, id, home, sns.StoredQuery{})
			return err
		},
		"Refresh":   func(id string) error { return w.sns.Refresh(ctx, id, home) },
		"ListLists": func(id string) error { _, err := w.sns.ListLists(ctx, id); return err },
		"GetThread": func(id string) error { _, err := w.sns.GetThread(ctx, id, "1"); return err },
	}
	for name, call := range calls {
		for _, id := range []string{"conn_none", "", "<script>"} {
			err := call(id)
			wantFault(t, err, fault.NotFound, map[string]any{"what": "connection"})
			if strings.Contains(fault.From(err).Message, "script") {
				t.Errorf("%s repeats its input", name)
			}
		}
	}
}

func TestRemoveConnectionTakesEverythingOfIt(t *testing.T) {
	w := newWorld(t)
	sns.Limit(w.sns, 2000, 500_000, 7)
	w.net.feed.add(30)
	ann, bob := w.login("ann"), w.login("bob")
	w.fetch(ann, home, "")
	w.fetch(bob, home, "")
	if err := w.sns.RemoveConnection(t.Context(), ann.ID); err != nil {
		t.Fatalf("RemoveConnection: %v", err)
	}
	for _, table := range []string{"posts", "timelines", "connection_secrets"} {
		if n := w.count("SELECT count(*) FROM "+table+" WHERE connection_id = ?", ann.ID); n != 0 {
			t.Errorf("%s has %d rows of the removed connection", table, n)
		}
	}
	if got := len(w.stored(bob, home).Posts); got != 20 {
		t.Errorf("the other connection has %d posts", got)
	}
	if n := w.count("SELECT count(*) FROM timeline_entries"); n != 20 {
		t.Errorf("%d entries", n)
	}
	_, err := w.sns.FetchPosts(t.Context(), ann.ID, home, "")
	wantFault(t, err, fault.NotFound, nil)
}

func TestConnectionChangesAreInTheLedger(t *testing.T) {
	w := newWorld(t)
	ctx := ledger.WithActor(t.Context(), ledger.Actor{Kind: ledger.Person, ID: "owner"})
	c, err := w.sns.AddMastodon(ctx, sns.AddMastodon{Origin: "https://social.example", Token: "token-ann"})
	if err != nil {
		t.Fatal(err)
	}
	w.net.fail(fault.New(fault.Unauthorized, "No."))
	w.sns.Refresh(ctx, c.ID, home)
	w.net.answer(nil)
	if err := w.sns.Refresh(ctx, c.ID, home); err != nil {
		t.Fatal(err)
	}
	if _, err := w.sns.ForgetSecrets(ctx); err != nil {
		t.Fatal(err)
	}
	if err := w.sns.RemoveConnection(ctx, c.ID); err != nil {
		t.Fatal(err)
	}
	entries, err := w.ledger.Entries(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		Actor ledger.ActorKind
		Data  map[string]any
	}
	var got []line
	for _, e := range entries {
		if e.Name != ledger.ConnectionStateChanged || e.ResourceType != ledger.ResourceConnection || e.ResourceID != c.ID {
			t.Errorf("entry = %+v", e)
		}
		got = append(got, line{e.Actor.Kind, e.Data})
	}
	want := []line{
		{ledger.Person, map[string]any{"state": "ready"}},
		{ledger.System, map[string]any{"state": "reauth_required", "code": "token_revoked"}},
		{ledger.System, map[string]any{"state": "ready"}},
		{ledger.Person, map[string]any{"state": "reauth_required", "code": "secrets_forgotten"}},
		{ledger.Person, map[string]any{"state": "removed"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
}

func TestConnectionsOfAnotherProcessAreSeenAtOnce(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(1)
	config := w.config
	config.DB = sqlitetest.OpenAt(t, w.db.Path())
	config.Ledger = ledger.New(ledger.Config{DB: config.DB})
	other, err := sns.New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	c := w.login("ann")
	if _, err := other.FetchPosts(t.Context(), c.ID, home, ""); err != nil {
		t.Errorf("a connection added elsewhere: %v", err)
	}
	if err := w.sns.RemoveConnection(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	_, err = other.FetchPosts(t.Context(), c.ID, home, "")
	wantFault(t, err, fault.NotFound, nil)
}

func TestConnectionsSurviveARestart(t *testing.T) {
	w := newWorld(t)
	w.net.feed.add(1)
	c := w.login("ann")
	w.restart()
	if diff := cmp.Diff(c, w.connection(c.ID), ignoreRevision); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
	w.fetch(c, home, "")
	if got := w.net.requests[0].Account.Token; got != "token-ann" {
		t.Errorf("token = %q", got)
	}
}
