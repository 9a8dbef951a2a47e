package sns_test

import (
	"testing"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func TestValidateSource(t *testing.T) {
	w := newWorld(t)
	ann := w.login("ann")
	open, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://open.example"})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name       string
		connection sns.Connection
		source     sns.Source
		code       fault.Code
		details    map[string]any
	}{
		{"home of an account", ann, home, "", nil},
		{"home without login", open, home, fault.InvalidSource, map[string]any{"field": "c.source.kind"}},
		{"a hashtag without login", open, tagged, "", nil},
		{"a search without login", open, sns.Source{Kind: sns.KindSearch, Query: "x"}, fault.InvalidSource, map[string]any{"field": "c.source.kind"}},
		{"a thread cannot be saved", ann, sns.Source{Kind: sns.KindThread, PostID: "1"}, fault.InvalidSource, map[string]any{"field": "c.source.kind"}},
		{"a post cannot be saved", ann, sns.Source{Kind: sns.KindPost, PostID: "1"}, fault.InvalidSource, map[string]any{"field": "c.source.kind"}},
		{"what was seen", ann, sns.Source{Kind: sns.KindSeen, Query: "x"}, fault.Unsupported, map[string]any{"capability": "seen"}},
		{"a network without provider", sns.Connection{Network: sns.Twitter, Login: true}, home, fault.Unsupported, map[string]any{"capability": "twitter"}},
		{"a wrong member", ann, sns.Source{Kind: sns.KindHome, Tag: "x"}, fault.InvalidSource, map[string]any{"field": "c.source.tag"}},
		{
			"an account at the connection's own port",
			sns.Connection{Network: sns.Mastodon, Login: true, Origin: "http://localhost:3001"},
			sns.Source{Kind: sns.KindUser, Account: "ann@localhost:3001"},
			"", nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := w.sns.ValidateSource(tt.connection, tt.source, "c.source")
			if tt.code == "" {
				if err != nil {
					t.Errorf("ValidateSource: %v", err)
				}
				return
			}
			wantFault(t, err, tt.code, tt.details)
		})
	}
	if w.net.asked() != 0 {
		t.Error("validation asked the server")
	}
}

func TestValidateSourceAsksTheProvider(t *testing.T) {
	w := newWorld(t)
	c := w.login("ann")
	w.net.refused = fault.New(fault.Unsupported, "No.").With("capability", "home")
	_, err := w.sns.ValidateSource(c, home, "source")
	wantFault(t, err, fault.Unsupported, map[string]any{"capability": "home", "connectionId": c.ID})
	w.net.refused = fault.New(fault.InvalidSource, "No.")
	_, err = w.sns.ValidateSource(c, home, "columns[0].source")
	wantFault(t, err, fault.InvalidSource, map[string]any{"field": "columns[0].source.kind"})
}
