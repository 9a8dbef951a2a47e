package sns_test

import (
	"testing"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// A token that was only just typed is not one that has stopped working.
func TestARefusedNewTokenIsCalledSo(t *testing.T) {
	w := newWorld(t)
	w.net.verify = answerIdentity(sns.Identity{}, fault.New(fault.Unauthorized, "social.example no longer accepts this account's token; sign in again."))

	_, err := w.sns.AddMastodon(t.Context(), sns.AddMastodon{Origin: "https://social.example", Token: "wrong"})

	want := "social.example does not accept the token; copy the whole of it again, or make a new one there."
	if got := fault.From(err).Message; got != want {
		t.Errorf("message = %q, want %q", got, want)
	}
}
