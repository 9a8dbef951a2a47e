package sns_test

import (
	"testing"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func TestRenewToken(t *testing.T) {
	cases := map[string]struct {
		token string
		code  fault.Code
		field any
	}{
		"another token of the account": {" token-ann\n", "", nil},
		"a token of somebody else":     {"token-eve", fault.RequestConflict, "token"},
		"no token":                     {" ", fault.InvalidArguments, "token"},
		"something that is no token":   {"token ann", fault.InvalidArguments, "token"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			conn, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example", Token: "token-ann", Label: "Mine"})
			if err != nil {
				t.Fatal(err)
			}

			_, err = w.sns.RenewToken(t.Context(), conn.ID, c.token)

			if got := fault.CodeOf(err); got != c.code {
				t.Errorf("RenewToken = %v, want %q", err, c.code)
			}
			if err != nil && fault.From(err).Details[fault.DetailField] != c.field {
				t.Errorf("field = %v, want %v", fault.From(err).Details[fault.DetailField], c.field)
			}
			list, err := w.sns.ListConnections(t.Context())
			if err != nil || len(list) != 1 || list[0].Label != "Mine" || list[0].Account != "@ann@social.example" {
				t.Errorf("connections = %+v (%v), want the one as it was", list, err)
			}
		})
	}
}

func TestRenewTokenNeedsAnAccount(t *testing.T) {
	w := newWorld(t)
	conn, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example"})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]fault.Code{conn.ID: fault.InvalidArguments, "conn_nothing": fault.NotFound} {
		if _, err := w.sns.RenewToken(t.Context(), id, "token-ann"); fault.CodeOf(err) != want {
			t.Errorf("RenewToken(%s) = %v, want %s", id, err, want)
		}
	}
}
