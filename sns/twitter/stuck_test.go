package twitter_test

import (
	"strings"
	"testing"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
)

// An answer that cannot be used would be the same a moment later: whoever asks is
// told when it is asked again, and the relay is left alone until then.
func TestAQuestionWithoutAUsefulAnswerRests(t *testing.T) {
	for name, c := range map[string]struct {
		fault snstest.Fault
		code  fault.Code
	}{
		"an answer of 9 MiB":   {snstest.Spaces(9 << 20), fault.ResponseTooLarge},
		"a form not known":     {snstest.Body("application/json", `{"data":{"list":7}}`), fault.UpstreamChanged},
		"an error not known":   {snstest.Refused(7777, "What?"), fault.UpstreamUnavailable},
		"features that lack":   {snstest.Refused(336, "The following features cannot be null: x"), fault.UpstreamChanged},
		"a page of other JSON": {snstest.Body("application/json", `[]`), fault.UpstreamChanged},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, snstest.RelayQuirks{Lean: true})
			one := sns.Source{Kind: sns.KindList, ListID: w.a1.AddList(snstest.TweetList{Title: "One"})}
			two := sns.Source{Kind: sns.KindList, ListID: w.a1.AddList(snstest.TweetList{Title: "Two"})}
			w.relay.Inject("ListLatestTweetsTimeline", 1, c.fault)
			for range 3 {
				_, err := w.fetch(one, "")
				f := wantFault(t, err, c.code, nil)
				if at := mayRead(t, err); !at.Equal(epoch.Add(30*time.Second)) || !strings.Contains(f.Message, "It is asked again at 12:44:30 UTC.") {
					t.Errorf("retryAt = %s in %q, want 30 s after the answer", at, f.Message)
				}
			}
			if n := len(w.relay.Calls()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
			w.page(two, "") // another list is not left alone for it
			w.clock.add(30 * time.Second)
			w.page(one, "")
		})
	}
}

func TestATestEndsTheRestOfAQuestion(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.relay.Inject("HomeLatestTimeline", 1, snstest.Body("application/json", `{"data":{}}`))
	if _, err := w.fetch(home, ""); err == nil {
		t.Fatal("an answer without data was read")
	}
	if _, err := w.provider.Verify(t.Context(), w.account()); err != nil {
		t.Fatal(err)
	}
	w.page(home, "")
}

// One source that fails ever again rests longer and longer.
func TestRestsOfAQuestionGrow(t *testing.T) {
	w := newWorld(t, snstest.RelayQuirks{Lean: true})
	w.relay.Inject("HomeLatestTimeline", 0, snstest.Body("application/json", `{"data":{}}`))
	for i, want := range []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, 15 * time.Minute, 15 * time.Minute} {
		now := w.clock.now()
		_, err := w.fetch(home, "")
		if got := mayRead(t, err).Sub(now); got < want-time.Second || got > want+3*time.Second {
			t.Errorf("rest %d is %s, want %s", i+1, got, want)
		}
		w.clock.add(want + time.Second)
	}
}
