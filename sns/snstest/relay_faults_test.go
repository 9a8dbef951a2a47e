package snstest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

func TestRelayFaultsAnswerAsTheRelayFails(t *testing.T) {
	refused := func(code, message string) string {
		return `{"data":{},"errors":[{"message":"` + message + `","locations":[{"column":1,"line":1}],"extensions":{"code":` + code +
			`,"kind":"Permissions","name":"AuthorizationError","source":"Client","tracing":{"trace_id":"4bdc8ae3f0b7c21d"}},"code":` + code +
			`,"kind":"Permissions","name":"AuthorizationError","source":"Client"}]}`
	}
	for _, c := range []struct {
		name       string
		fault      snstest.Fault
		status     int
		kind, body string
	}{
		{"opaque", snstest.Opaque(), 500, "text/plain; charset=UTF-8", "Internal Server Error"},
		{"rate limited", snstest.TooManyRequests(0), 200, "application/json", refused("88", "Rate limit exceeded.")},
		{"signed out", snstest.SignedOut(), 200, "application/json", refused("32", "Could not authenticate you")},
		{"busy", snstest.Refused(130, "OverCapacity"), 200, "application/json", refused("130", "OverCapacity")},
		{"no data", snstest.NoData(), 200, "application/json", `{"data":{}}`},
		{"empty", snstest.Empty(), 200, "application/json; charset=utf-8", ""},
		{"login page", snstest.HTML(200), 200, "text/html; charset=utf-8", "<!doctype html>…"},
		{"the proxy in front", snstest.BadGateway(), 502, "text/html; charset=utf-8", "<!doctype html>…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, origin := newRelay(t, snstest.RelayOptions{})
			r.Inject("a1/HomeLatestTimeline", 1, c.fault)

			got := relayed(t, origin, "a1", "HomeLatestTimeline", nil)

			body, want := string(got.body), c.body
			if prefix, ok := strings.CutSuffix(want, "…"); ok && strings.HasPrefix(body, prefix) {
				body = want
			}
			if got.status != c.status || got.header.Get("Content-Type") != c.kind || body != want {
				t.Errorf("= %d %s %s, want %d %s %s", got.status, got.header.Get("Content-Type"), got.body, c.status, c.kind, c.body)
			}
			if got := relayed(t, origin, "a1", "HomeLatestTimeline", nil).body; !bytes.Contains(got, []byte("instructions")) {
				t.Errorf("the request after the fault = %.300s", got)
			}
		})
	}
}

func TestALockedAccountIsTold(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	r.Inject("*", 0, snstest.Locked())
	if got := relayed(t, origin, "a1", "Viewer", nil).body; !bytes.Contains(got, []byte(`"code":326`)) {
		t.Errorf("answer = %s", got)
	}
}

func TestARateLimitMayTellItsEnd(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	r.Inject("Viewer", 0, snstest.TooManyRequests(420))
	if got := member(t, relayed(t, origin, "a1", "Viewer", nil).body, "errors.0.extensions.retry_after"); got != "420" {
		t.Errorf("retry_after = %s, want 420", got)
	}
}

func TestAnErrorCanStandBesideTheData(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{Quirks: snstest.RelayQuirks{Plain: true, Lean: true}})
	id := r.Profile("a1").Add(snstest.Tweet{Text: "hello"})
	r.Inject("HomeLatestTimeline", 1, snstest.Beside(131, "Dependency: Internal error."))
	got := relayed(t, origin, "a1", "HomeLatestTimeline", nil)
	ids, _ := wallOf(t, got, homeTimeline).posts()
	if diff := cmp.Diff([]string{id}, ids); diff != "" || member(t, got.body, "errors.0.code") != "131" {
		t.Errorf("errors = %s, posts (-want +got):\n%s", member(t, got.body, "errors"), diff)
	}
}

func TestRelayFaultsMeetWhomTheyAreMeantFor(t *testing.T) {
	r, origin := newRelay(t, snstest.RelayOptions{})
	r.Inject("a1/*", 0, snstest.Opaque())
	r.InjectAfter("UserByRestId", 1, 1, snstest.Opaque())
	var got []int
	for _, c := range [][2]string{{"a1", "Viewer"}, {"a1", "HomeTimeline"}, {"a2", "Viewer"}, {"a2", "UserByRestId"}, {"a2", "UserByRestId"}, {"a2", "UserByRestId"}} {
		got = append(got, relayed(t, origin, c[0], c[1], object{"userId": "1"}).status)
	}
	r.ClearFaults()
	got = append(got, relayed(t, origin, "a1", "Viewer", nil).status)
	if diff := cmp.Diff([]int{500, 500, 200, 200, 500, 200, 200}, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestARelayCanAnswerWithoutMeasureOrEnd(t *testing.T) {
	ask := func(ctx context.Context, origin string) (n int64, err error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+viewer, nil)
		if err != nil {
			return 0, err
		}
		req.Header = as("a1")
		resp, err := new(http.Client).Do(req)
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		return io.Copy(io.Discard, resp.Body)
	}
	r, origin := newRelay(t, snstest.RelayOptions{})
	for _, c := range []struct {
		name  string
		fault snstest.Fault
		bytes int64
		err   error
	}{
		{"9 MiB", snstest.Spaces(9 << 20), 9<<20 + 2, nil},
		{"cut before the answer", snstest.Cut(), 0, io.EOF},
		{"cut in the middle", snstest.CutMidway(), 11, io.ErrUnexpectedEOF},
		{"reset", snstest.Reset(), 0, syscall.ECONNRESET},
	} {
		r.Inject("Viewer", 0, c.fault)
		if n, err := ask(t.Context(), origin); n != c.bytes || !errors.Is(err, c.err) {
			t.Errorf("%s: %d bytes, %v, want %d and %v", c.name, n, err, c.bytes, c.err)
		}
		r.ClearFaults()
	}
	for name, fault := range map[string]snstest.Fault{"never": snstest.Hang(), "byte by byte": snstest.Trickle(time.Millisecond)} {
		r.Inject("Viewer", 1, fault)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if _, err := ask(ctx, origin); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v, want the deadline", name, err)
		}
		cancel()
	}
}
