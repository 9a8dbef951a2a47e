package sns_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func TestAnAccountThatIsConnectedAgainHasItsIDAndColour(t *testing.T) {
	w := newWorld(t)
	ann, ben := w.login("ann"), w.login("ben")
	if ann.Colour != 0 || ben.Colour != 1 {
		t.Fatalf("colours = %d and %d, want 0 and 1", ann.Colour, ben.Colour)
	}
	if err := w.sns.RemoveConnection(t.Context(), ann.ID); err != nil {
		t.Fatal(err)
	}
	if eva := w.login("eva"); eva.Colour != 2 || eva.ID == ann.ID {
		t.Errorf("another account has the colour %d and the id %s", eva.Colour, eva.ID)
	}
	again := w.login("ann")
	if again.ID != ann.ID || again.Colour != 0 {
		t.Errorf("connected again = %s with the colour %d, want %s and 0", again.ID, again.Colour, ann.ID)
	}
	if got := w.connection(ben.ID).Colour; got != 1 {
		t.Errorf("the other account has the colour %d now", got)
	}
}

func TestRemovedAccountsAreKnownByName(t *testing.T) {
	w := newWorld(t)
	ann := w.login("ann")
	if err := w.sns.RemoveConnection(t.Context(), ann.ID); err != nil {
		t.Fatal(err)
	}
	got, err := w.sns.RemovedAccounts(t.Context())
	if diff := cmp.Diff(map[string]sns.RemovedAccount{
		ann.ID: {ConnectionID: ann.ID, Network: sns.Mastodon, Account: "@ann@social.example"},
	}, got); err != nil || diff != "" {
		t.Errorf("RemovedAccounts, %v (-want +got):\n%s", err, diff)
	}
	w.login("ann")
	if got, err := w.sns.RemovedAccounts(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("RemovedAccounts once it is back = %v, %v", got, err)
	}
}

func TestColoursAreSharedOnlyWhenNoneIsFree(t *testing.T) {
	w := newWorld(t)
	used := map[int]int{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"} {
		used[w.login(name).Colour]++
	}
	if want := map[int]int{0: 2, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1}; !cmp.Equal(used, want) {
		t.Errorf("colours = %v, want %v", used, want)
	}
}

func TestALateAnswerSaysNothingOfAnAccountThatCameBack(t *testing.T) {
	w := newWorld(t)
	ann := w.login("ann")
	asked, answer := make(chan struct{}), make(chan struct{})
	w.net.answer(func(ctx context.Context, r request) (sns.UpstreamPage, error) {
		close(asked)
		<-answer
		return sns.UpstreamPage{}, fault.New(fault.Unauthorized, "no").With(fault.DetailReconnect, true)
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := w.sns.FetchPosts(t.Context(), ann.ID, home, "")
		if err == nil {
			t.Error("the answer about the old credential is no fault")
		}
	}()
	<-asked
	if err := w.sns.RemoveConnection(t.Context(), ann.ID); err != nil {
		t.Fatal(err)
	}
	w.login("ann")
	close(answer)
	<-done
	if got := w.connection(ann.ID).State; got != sns.Ready {
		t.Errorf("state = %s, want ready", got)
	}
}

func TestOnlyAListedServerIsReachedWithoutEncryption(t *testing.T) {
	w := newWorld(t, func(c *sns.Config) { c.MastodonOrigins = []string{"http://127.0.0.1:8095", "https://social.example"} })
	for host, want := range map[string]bool{"127.0.0.1:8095": true, "social.example": false, "other.example": false} {
		if got := w.sns.AllowsHTTP(host); got != want {
			t.Errorf("AllowsHTTP(%s) = %v", host, got)
		}
	}
}
