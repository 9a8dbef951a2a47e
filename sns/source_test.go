package sns_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func TestNormalizeAccepts(t *testing.T) {
	tests := []struct {
		name     string
		network  sns.Network
		in, want sns.Source
	}{
		{"home", sns.Mastodon, home, home},
		{
			"local with media", sns.Mastodon,
			sns.Source{Kind: sns.KindLocal, OnlyMedia: true},
			sns.Source{Kind: sns.KindLocal, OnlyMedia: true},
		},
		{
			"a hashtag with its sign", sns.Mastodon,
			sns.Source{Kind: sns.KindHashtag, Tag: "#日本語"},
			sns.Source{Kind: sns.KindHashtag, Tag: "日本語"},
		},
		{
			"a hashtag with the wide sign", sns.Mastodon,
			sns.Source{Kind: sns.KindHashtag, Tag: "＃日本語"},
			sns.Source{Kind: sns.KindHashtag, Tag: "日本語"},
		},
		{
			"a decomposed hashtag", sns.Mastodon,
			sns.Source{Kind: sns.KindHashtag, Tag: "Cafe\u0301"},
			sns.Source{Kind: sns.KindHashtag, Tag: "Caf\u00e9"},
		},
		{
			"a hashtag keeps its case", sns.Mastodon,
			sns.Source{Kind: sns.KindHashtag, Tag: " CAFÉ "},
			sns.Source{Kind: sns.KindHashtag, Tag: "CAFÉ"},
		},
		{
			"names are sorted, without repeats and without the tag itself", sns.Mastodon,
			sns.Source{Kind: sns.KindHashtag, Tag: "go", Any: []string{"#rust", "Go", "C"}, All: []string{"b", "a", "A"}, None: []string{"z"}},
			sns.Source{Kind: sns.KindHashtag, Tag: "go", Any: []string{"C", "rust"}, All: []string{"a", "b"}, None: []string{"z"}},
		},
		{
			"empty lists are no lists", sns.Mastodon,
			sns.Source{Kind: sns.KindHashtag, Tag: "go", Any: []string{}},
			sns.Source{Kind: sns.KindHashtag, Tag: "go"},
		},
		{
			"an opaque list id", sns.Mastodon,
			sns.Source{Kind: sns.KindList, ListID: "01J.a_b:c~d-e"},
			sns.Source{Kind: sns.KindList, ListID: "01J.a_b:c~d-e"},
		},
		{
			"an account of another server", sns.Mastodon,
			sns.Source{Kind: sns.KindUser, Account: "Ann@EXAMPLE.org"},
			sns.Source{Kind: sns.KindUser, Account: "@Ann@example.org"},
		},
		{
			"an account of an international host", sns.Mastodon,
			sns.Source{Kind: sns.KindUser, Account: "@ann@bücher.example"},
			sns.Source{Kind: sns.KindUser, Account: "@ann@xn--bcher-kva.example"},
		},
		{
			"an account id", sns.Mastodon,
			sns.Source{Kind: sns.KindUser, Account: "01JABC", ExcludeReplies: true},
			sns.Source{Kind: sns.KindUser, Account: "01JABC", ExcludeReplies: true},
		},
		{
			"notifications of some types", sns.Mastodon,
			sns.Source{Kind: sns.KindNotifications, Types: []string{"reply", "mention", "reply"}},
			sns.Source{Kind: sns.KindNotifications, Types: []string{"mention", "reply"}},
		},
		{
			"a search of 500 characters", sns.Mastodon,
			sns.Source{Kind: sns.KindSearch, Query: strings.Repeat("語", 500)},
			sns.Source{Kind: sns.KindSearch, Query: strings.Repeat("語", 500)},
		},
		{
			"the default product of X", sns.Twitter,
			sns.Source{Kind: sns.KindSearch, Query: "go", Product: "latest"},
			sns.Source{Kind: sns.KindSearch, Query: "go"},
		},
		{"the ranked timeline of X", sns.Twitter, sns.Source{Kind: sns.KindForYou}, sns.Source{Kind: sns.KindForYou}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := sns.Normalize(tt.in, tt.network, "source")
			if err != nil {
				t.Fatalf("Normalize: %v", err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Normalize (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHashtagRule(t *testing.T) {
	valid := []string{"a", "1a", "日本語", "7・5", "a·b", "می‌خواهم", "ก็", "___", "_a", "a1_", strings.Repeat("é", 100)}
	invalid := []string{
		"", "#", "123", "٣٤", "_", "__", "a-b", "c++", "x.y", "a b", "·a", "a·", "☃", "①", "Ⅷ", "🎉", "##a", "..",
		"a\x00", "a\xff", strings.Repeat("a", 101),
	}
	for _, tag := range valid {
		t.Run("valid "+tag, func(t *testing.T) {
			if _, err := sns.Normalize(sns.Source{Kind: sns.KindHashtag, Tag: tag}, sns.Mastodon, "source"); err != nil {
				t.Errorf("%q is refused: %v", tag, err)
			}
		})
	}
	for _, tag := range invalid {
		t.Run("invalid "+tag, func(t *testing.T) {
			_, err := sns.Normalize(sns.Source{Kind: sns.KindHashtag, Tag: tag}, sns.Mastodon, "source")
			wantFault(t, err, fault.InvalidSource, map[string]any{"field": "source.tag"})
		})
	}
}

func TestNormalizeRefuses(t *testing.T) {
	m := sns.Mastodon
	tests := []struct {
		name    string
		network sns.Network
		in      sns.Source
		field   string
	}{
		{"no kind", m, sns.Source{}, "columns[1].source.kind"},
		{"an unknown kind", m, sns.Source{Kind: "timeline<script>"}, "columns[1].source.kind"},
		{"a kind of X on Mastodon", m, sns.Source{Kind: sns.KindForYou}, "columns[1].source.kind"},
		{"a kind of Mastodon on X", sns.Twitter, sns.Source{Kind: sns.KindLocal}, "columns[1].source.kind"},
		{"a member of another kind", m, sns.Source{Kind: sns.KindHome, Tag: "go"}, "columns[1].source.tag"},
		{"a flag of another kind", m, sns.Source{Kind: sns.KindHome, OnlyMedia: true}, "columns[1].source.onlyMedia"},
		{"remoteOnly on a hashtag", m, sns.Source{Kind: sns.KindHashtag, Tag: "go", RemoteOnly: true}, "columns[1].source.remoteOnly"},
		{"a product on Mastodon", m, sns.Source{Kind: sns.KindSearch, Query: "go", Product: "top"}, "columns[1].source.product"},
		{"an unknown product on X", sns.Twitter, sns.Source{Kind: sns.KindSearch, Query: "go", Product: "best"}, "columns[1].source.product"},
		{"a hashtag without tag", m, sns.Source{Kind: sns.KindHashtag}, "columns[1].source.tag"},
		{"a bad name in any", m, sns.Source{Kind: sns.KindHashtag, Tag: "go", Any: []string{"ok", "a-b"}}, "columns[1].source.any[1]"},
		{"four names in any", m, sns.Source{Kind: sns.KindHashtag, Tag: "go", Any: []string{"a", "b", "c", "d"}}, "columns[1].source.any"},
		{"five names in all", m, sns.Source{Kind: sns.KindHashtag, Tag: "go", All: []string{"a", "b", "c", "d", "e"}}, "columns[1].source.all"},
		{"five names in none", m, sns.Source{Kind: sns.KindHashtag, Tag: "go", None: []string{"a", "b", "c", "d", "e"}}, "columns[1].source.none"},
		{"a name in all and none", m, sns.Source{Kind: sns.KindHashtag, Tag: "go", All: []string{"A"}, None: []string{"b", "#a"}}, "columns[1].source.none[0]"},
		{"the tag itself in none", m, sns.Source{Kind: sns.KindHashtag, Tag: "Go", None: []string{"gO"}}, "columns[1].source.none[0]"},
		{"a list without id", m, sns.Source{Kind: sns.KindList}, "columns[1].source.listId"},
		{"a list id that climbs", m, sns.Source{Kind: sns.KindList, ListID: "1/../../v2/instance?x=1"}, "columns[1].source.listId"},
		{"a list id of dots", m, sns.Source{Kind: sns.KindList, ListID: ".."}, "columns[1].source.listId"},
		{"a list id with dots inside", m, sns.Source{Kind: sns.KindList, ListID: "a..b"}, "columns[1].source.listId"},
		{"a list id of 129 bytes", m, sns.Source{Kind: sns.KindList, ListID: strings.Repeat("a", 129)}, "columns[1].source.listId"},
		{"a list id of X with letters", sns.Twitter, sns.Source{Kind: sns.KindList, ListID: "12a"}, "columns[1].source.listId"},
		{"a user without account", m, sns.Source{Kind: sns.KindUser}, "columns[1].source.account"},
		{"an account with a path", m, sns.Source{Kind: sns.KindUser, Account: "../ann"}, "columns[1].source.account"},
		{"an account with a port", m, sns.Source{Kind: sns.KindUser, Account: "@ann@example.org:8080"}, "columns[1].source.account"},
		{"an account with two hosts", m, sns.Source{Kind: sns.KindUser, Account: "@ann@a@b"}, "columns[1].source.account"},
		{"an account with a space", m, sns.Source{Kind: sns.KindUser, Account: "an n"}, "columns[1].source.account"},
		{"an account of X of 16 letters", sns.Twitter, sns.Source{Kind: sns.KindUser, Account: "@abcdefghijklmnop"}, "columns[1].source.account"},
		{"excludeBoosts on X", sns.Twitter, sns.Source{Kind: sns.KindUser, Account: "@ann", ExcludeBoosts: true}, "columns[1].source.excludeBoosts"},
		{"a search of nothing", m, sns.Source{Kind: sns.KindSearch, Query: "  "}, "columns[1].source.query"},
		{"a search of 501 characters", m, sns.Source{Kind: sns.KindSearch, Query: strings.Repeat("語", 501)}, "columns[1].source.query"},
		{"a search with a control character", m, sns.Source{Kind: sns.KindSearch, Query: "a\x1bb"}, "columns[1].source.query"},
		{"a search that is no text", m, sns.Source{Kind: sns.KindSearch, Query: "a\xff"}, "columns[1].source.query"},
		{"an unknown type", m, sns.Source{Kind: sns.KindNotifications, Types: []string{"reply", "poke"}}, "columns[1].source.types[1]"},
		{"a thread without post", m, sns.Source{Kind: sns.KindThread}, "columns[1].source.postId"},
		{"a post id that climbs", m, sns.Source{Kind: sns.KindPost, PostID: "a/b"}, "columns[1].source.postId"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := sns.Normalize(tt.in, tt.network, "columns[1].source")
			wantFault(t, err, fault.InvalidSource, map[string]any{"field": tt.field})
		})
	}
}

func TestCanonicalIsSharedByEqualSources(t *testing.T) {
	tests := []struct {
		name string
		a, b sns.Source
		same bool
	}{
		{"letter case of a hashtag", sns.Source{Kind: sns.KindHashtag, Tag: "CAFÉ"}, sns.Source{Kind: sns.KindHashtag, Tag: "café"}, true},
		{"composition of a hashtag", sns.Source{Kind: sns.KindHashtag, Tag: "cafe\u0301"}, sns.Source{Kind: sns.KindHashtag, Tag: "café"}, true},
		{
			"order of names",
			sns.Source{Kind: sns.KindHashtag, Tag: "a", Any: []string{"c", "B"}},
			sns.Source{Kind: sns.KindHashtag, Tag: "a", Any: []string{"b", "C", "c"}},
			true,
		},
		{"letter case of an account", sns.Source{Kind: sns.KindUser, Account: "@Ann@ex.org"}, sns.Source{Kind: sns.KindUser, Account: "@ann@ex.org"}, true},
		{"letter case of an id", sns.Source{Kind: sns.KindUser, Account: "aB"}, sns.Source{Kind: sns.KindUser, Account: "ab"}, false},
		{"the default product", sns.Source{Kind: sns.KindSearch, Query: "x", Product: "latest"}, sns.Source{Kind: sns.KindSearch, Query: "x"}, true},
		{"letter case of a search", sns.Source{Kind: sns.KindSearch, Query: "x"}, sns.Source{Kind: sns.KindSearch, Query: "X"}, false},
		{"another kind", home, sns.Source{Kind: sns.KindLocal}, false},
		{"another flag", sns.Source{Kind: sns.KindLocal}, sns.Source{Kind: sns.KindLocal, OnlyMedia: true}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.a.Canonical() == tt.b.Canonical(); got != tt.same {
				t.Errorf("%s and %s: same = %v, want %v", tt.a.Canonical(), tt.b.Canonical(), got, tt.same)
			}
			if got := tt.a.Hash() == tt.b.Hash(); got != tt.same {
				t.Errorf("hashes: same = %v, want %v", got, tt.same)
			}
		})
	}
}

func TestHashNeverChanges(t *testing.T) {
	// Stored timelines and cursors are found by it.
	if got, want := home.Canonical(), `{"kind":"home"}`; got != want {
		t.Errorf("Canonical() = %s, want %s", got, want)
	}
	if got, want := home.Hash(), "086a164a0b8dffa6c7ad6133"; got != want {
		t.Errorf("Hash() = %s, want %s", got, want)
	}
}

func TestCanonicalLeavesItsSourceAlone(t *testing.T) {
	s := sns.Source{Kind: sns.KindHashtag, Tag: "A", Any: []string{"c", "B"}}
	s.Canonical()
	if diff := cmp.Diff(sns.Source{Kind: sns.KindHashtag, Tag: "A", Any: []string{"c", "B"}}, s); diff != "" {
		t.Errorf("the source changed (-want +got):\n%s", diff)
	}
}

func TestLabel(t *testing.T) {
	tests := []struct {
		source sns.Source
		want   string
	}{
		{home, "Home"},
		{sns.Source{Kind: sns.KindForYou}, "For you"},
		{sns.Source{Kind: sns.KindFederated}, "Federated"},
		{sns.Source{Kind: sns.KindHashtag, Tag: "日本語"}, "#日本語"},
		{sns.Source{Kind: sns.KindHashtag, Tag: "a", Any: []string{"b"}, All: []string{"c"}, None: []string{"d"}}, "#a or #b and #c not #d"},
		{sns.Source{Kind: sns.KindList, ListID: "12"}, "List 12"},
		{sns.Source{Kind: sns.KindUser, Account: "@ann@ex.org"}, "@ann@ex.org"},
		{sns.Source{Kind: sns.KindSearch, Query: "go"}, "Search: go"},
		{sns.Source{Kind: "nonsense"}, "Unknown"},
	}
	for _, tt := range tests {
		if got := tt.source.Label(); got != tt.want {
			t.Errorf("Label(%s) = %q, want %q", tt.source.Kind, got, tt.want)
		}
	}
}

func TestDecodeSource(t *testing.T) {
	tests := []struct {
		name, in, field string
		want            sns.Source
	}{
		{"an object", `{"kind":"hashtag","tag":"go","any":["a"]}`, "", sns.Source{Kind: sns.KindHashtag, Tag: "go", Any: []string{"a"}}},
		{"an unknown member", `{"kind":"home","network":"mastodon"}`, "source", sns.Source{}},
		{"another type", `{"kind":"hashtag","tag":5}`, "source.tag", sns.Source{}},
		{"more after the end", `{"kind":"home"} {}`, "source", sns.Source{}},
		{"no object", `"home"`, "source", sns.Source{}},
		{"nothing", ``, "source", sns.Source{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := sns.DecodeSource([]byte(tt.in), "source")
			if tt.field != "" {
				wantFault(t, err, fault.InvalidSource, map[string]any{"field": tt.field})
				return
			}
			if err != nil {
				t.Fatalf("DecodeSource: %v", err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("DecodeSource (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzSource(f *testing.F) {
	for _, s := range []string{
		`{"kind":"home"}`, `{"kind":"hashtag","tag":"#日本語","any":["a","B"],"none":["c"]}`, `{"kind":"user","account":"@a@b.c"}`,
		`{"kind":"list","listId":"12"}`, `{"kind":"search","query":"İ ſ"}`, `{"kind":"notifications","types":["reply"]}`,
		`{"kind":"post","postId":"../x"}`, `{"kind":"hashtag","tag":"ǅ"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := sns.DecodeSource(data, "source")
		if err != nil {
			wantFault(t, err, fault.InvalidSource, nil)
			return
		}
		for _, n := range []sns.Network{sns.Mastodon, sns.Twitter, "other"} {
			normal, err := sns.Normalize(s, n, "source")
			if err != nil {
				f := fault.From(err)
				if field, _ := f.Details["field"].(string); f.Code != fault.InvalidSource || !strings.HasPrefix(field, "source.") {
					t.Fatalf("fault %s at %q", f.Code, field)
				}
				continue
			}
			checkNormal(t, normal, n)
		}
	})
}

// checkNormal checks what holds of every accepted source.
func checkNormal(t *testing.T, s sns.Source, n sns.Network) {
	again, err := sns.Normalize(s, n, "source")
	if err != nil {
		t.Fatalf("the normal form %+v is refused: %v", s, err)
	}
	if diff := cmp.Diff(s, again); diff != "" {
		t.Fatalf("normalizing again changes it (-once +twice):\n%s", diff)
	}
	for _, id := range []string{s.ListID, s.PostID} {
		if strings.ContainsAny(id, "/?#% ") || strings.Contains(id, "..") {
			t.Fatalf("id %q was accepted", id)
		}
	}
	var back sns.Source
	if err := json.Unmarshal([]byte(s.Canonical()), &back); err != nil {
		t.Fatalf("the canonical form is not JSON: %v", err)
	}
	if back.Canonical() != s.Canonical() {
		t.Fatalf("Canonical is not stable: %s, then %s", s.Canonical(), back.Canonical())
	}
}
