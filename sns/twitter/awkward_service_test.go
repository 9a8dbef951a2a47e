package twitter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/sqlite/sqlitetest"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

func testDuplicates(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true, Plain: true, PageSize: 5})
	posts := s.a1.AddMany(8)
	again := func(id string) snstest.Tweet { // another entry of the same post
		return snstest.Tweet{At: epoch.Add(-150 * time.Second), Raw: []byte(`{"rest_id":"` + id + `","legacy":{"full_text":"again"}}`)}
	}
	s.a1.Add(again(posts[7]))
	s.a1.Add(again(posts[7]))
	s.a1.Add(snstest.Tweet{At: epoch.Add(-310 * time.Second), Raw: again(posts[7]).Raw})
	slices.Reverse(posts)
	if diff := cmp.Diff(posts, slices.Concat(s.pages(home, func() {})...)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
}

func testForeignCursors(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.a1.AddMany(40)
	other, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: s.origin, Profile: "a2", Operator: true})
	if err != nil {
		t.Fatal(err)
	}
	page, err := s.FetchPosts(t.Context(), s.conn.ID, home, "")
	if err != nil {
		t.Fatal(err)
	}
	s.relay.ForgetCalls()
	for name, c := range map[string]struct {
		connection string
		source     sns.Source
	}{"another account": {other.ID, home}, "another source": {s.conn.ID, forYou}} {
		_, err = s.FetchPosts(t.Context(), c.connection, c.source, page.NextCursor)
		if f := fault.From(err); f.Code != fault.InvalidCursor || f.Details[fault.DetailReason] != "source_mismatch" {
			t.Errorf("%s: %v, want a mismatch", name, err)
		}
	}
	if n := len(s.relay.Calls()); n != 0 {
		t.Errorf("%d requests were made, want none", n)
	}
}

func testBrokenCursors(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true})
	s.a1.AddMany(40)
	page, err := s.FetchPosts(t.Context(), s.conn.ID, home, "")
	if err != nil {
		t.Fatal(err)
	}
	s.relay.ForgetCalls()
	good := page.NextCursor
	flipped := []byte(good)
	flipped[len(flipped)/2] ^= 1
	for name, cursor := range map[string]string{
		"flipped": string(flipped), "overlong": strings.Repeat("c", 10_000), "X's own": "DAABCgABF__________", "an id": "2085474086805762419", "cut": good[:len(good)-3],
	} {
		_, err := s.FetchPosts(t.Context(), s.conn.ID, home, cursor)
		if f := fault.From(err); f.Code != fault.InvalidCursor || f.Details[fault.DetailReason] != "malformed" {
			t.Errorf("%s: %v, want a malformed cursor", name, err)
		}
	}
	if n := len(s.relay.Calls()); n != 0 {
		t.Errorf("%d requests were made, want none", n)
	}
}

func testSignedOutWhilePaging(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{Lean: true, Plain: true})
	posts := s.a1.AddMany(40)
	page, err := s.FetchPosts(t.Context(), s.conn.ID, home, "")
	if err != nil {
		t.Fatal(err)
	}
	s.relay.Inject("*", 0, snstest.SignedOut())
	page, err = s.FetchPosts(t.Context(), s.conn.ID, home, page.NextCursor) // the rest of the first answer
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.FetchPosts(t.Context(), s.conn.ID, home, page.NextCursor)
	wantFault(t, err, fault.Unauthorized, map[string]any{"reason": "signed_out", "reconnect": true, "connectionId": s.conn.ID})
	c, err := s.GetConnection(t.Context(), s.conn.ID)
	if err != nil || c.State != sns.ReauthRequired || c.StateCode != sns.CodeSignedOut {
		t.Errorf("connection is %s (%s), %v; want reauth_required (signed_out)", c.State, c.StateCode, err)
	}
	slices.Reverse(posts)
	if diff := cmp.Diff(posts[:35], ids(s.stored(home).Posts)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

func testLargeAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		between  func(*service)
		requests int
	}{
		"at once":           {func(*service) {}, 1},
		"after ten minutes": {func(s *service) { s.clock.add(11 * time.Minute) }, 5},
		"across restarts":   {(*service).start, 5},
	} {
		t.Run(name, func(t *testing.T) {
			s := serviceOver(t, snstest.RelayQuirks{Lean: true, Plain: true, Terminate: true})
			all := s.a1.AddMany(98)
			slices.Reverse(all)
			list := s.a1.AddList(snstest.TweetList{Title: "L", Members: []string{"ben"}})
			got := s.pages(sns.Source{Kind: sns.KindList, ListID: list}, func() { c.between(s) })
			if diff := cmp.Diff([][]string{all[:20], all[20:40], all[40:60], all[60:80], all[80:]}, got); diff != "" {
				t.Errorf("pages (-want +got):\n%s", diff)
			}
			if n := len(s.relay.CallsOf("ListLatestTweetsTimeline")); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
		})
	}
}

func testRelayAddresses(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{})
	user := strings.Replace(s.origin, "://", "://me:secret@", 1)
	for _, c := range []string{s.origin + "/graphql", s.origin + "?a=b", s.origin + "#x", user, "ftp://127.0.0.1", "127.0.0.1:6900", ""} {
		_, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: c, Profile: "a1", Operator: true})
		wantFault(t, err, fault.InvalidArguments, map[string]any{"field": "relay"})
		if _, err := s.over(c); err == nil || strings.Contains(fault.From(err).Message, "secret") {
			t.Errorf("as a setting %q gives %v, want a refusal at the start", c, err)
		}
	}
	c, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: s.origin + "/", Profile: "a1", Operator: true})
	if err != nil || c.Origin != s.origin {
		t.Errorf("AddTwitter = %s, %v; want the slash dropped", c.Origin, err)
	}
}

// over is a service of another process with relays in its settings.
func (s *service) over(relays ...string) (*sns.Service, error) {
	db := sqlitetest.OpenAt(s.t, s.file)
	return sns.New(s.t.Context(), sns.Config{
		DB: db, Ledger: ledger.New(ledger.Config{DB: db}), Now: s.clock.now, TwitterRelays: relays,
		Providers: map[sns.Network]sns.Provider{sns.Twitter: s.provider},
	})
}

func testRelaySpellings(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{})
	for _, address := range []string{strings.ToUpper(s.origin), s.origin + "/", " " + s.origin + " "} {
		c, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: address, Profile: "a1", Operator: true})
		if err != nil || c.ID != s.conn.ID || c.Origin != s.origin {
			t.Errorf("%q is connected as %s at %s, %v; want %s at %s", address, c.ID, c.Origin, err, s.conn.ID, s.origin)
		}
	}
	for given, want := range map[string]string{
		"https://Relay.example:443/": "https://relay.example", "http://relay.example:80": "http://relay.example", "https://中文.example": "https://xn--fiq228c.example",
	} {
		other, err := s.over(given)
		if err != nil || !slices.Equal(other.Relays(), []string{want}) {
			t.Errorf("%s as a setting: %v, want %s", given, err, want)
		}
	}
}

func testPrivateRelay(t *testing.T) {
	s := serviceOver(t, snstest.RelayQuirks{})
	s.relay.ForgetCalls()
	_, err := s.AddTwitter(t.Context(), sns.AddTwitter{Relay: s.origin, Profile: "a1"})
	wantFault(t, err, fault.BlockedOrigin, map[string]any{"field": "relay"})
	if n := len(s.relay.Calls()); n != 0 {
		t.Errorf("%d requests were made, want none", n)
	}
	named, err := s.over(s.origin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(named.Close)
	if _, err := named.AddTwitter(t.Context(), sns.AddTwitter{Relay: s.origin, Profile: "a1"}); err != nil {
		t.Errorf("with the relay among the settings: %v", err)
	}
}

func testOddLimits(t *testing.T) {
	for said, want := range map[string]time.Duration{
		`-5`: 15 * time.Minute, `0`: 15 * time.Minute, `"soon"`: 15 * time.Minute, `null`: 15 * time.Minute, `1`: time.Second, `"90"`: 90 * time.Second, `1e15`: time.Hour,
	} {
		t.Run(said, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Lean: true})
			w.relay.Inject("*", 1, snstest.Body("application/json", fmt.Sprintf(`{"errors":[{"code":88,"message":"Rate limit exceeded","retry_after":%s}]}`, said)))
			_, err := w.fetch(home, "")
			wantFault(t, err, fault.RateLimited, nil)
			if d := mayRead(t, err).Sub(w.clock.now()); d != want {
				t.Errorf("limited for %s, want %s", d, want)
			}
			w.clock.add(want)
			w.page(home, "")
		})
	}
	t.Run("kept by another clock", func(t *testing.T) {
		w := newWorld(t, snstest.RelayQuirks{Lean: true})
		a := w.account()
		a.Memory = kept{
			"HomeLatestTimeline": fmt.Sprintf(`{"until":%d,"code":"rate_limited","message":"No."}`, epoch.Add(-time.Hour).UnixMilli()),
			"HomeTimeline":       fmt.Sprintf(`{"until":%d,"code":"rate_limited","message":"No."}`, epoch.Add(48*time.Hour).UnixMilli()),
		}
		for _, src := range []sns.Source{home, forYou} {
			if _, err := w.provider.Fetch(t.Context(), a, src, ""); err != nil {
				t.Errorf("%s: %v", src.Kind, err)
			}
		}
	})
}
