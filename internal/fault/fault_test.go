package fault_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
)

func TestFrom(t *testing.T) {
	cause := errors.New("disk gone")
	for _, tc := range []struct {
		name string
		err  error
		code fault.Code
	}{
		{"nil has no code", nil, ""},
		{"a fault keeps its code", fault.Missing("deck", "gone"), fault.NotFound},
		{"a wrapped fault keeps its code", fmt.Errorf("read deck: %w", fault.Stale(4, "moved")), fault.StaleRevision},
		{"a deadline is a timeout", fmt.Errorf("fetch: %w", context.DeadlineExceeded), fault.Timeout},
		{"a canceled context is canceled", context.Canceled, fault.Canceled},
		{"anything else is internal", cause, fault.Internal},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := fault.CodeOf(tc.err); got != tc.code {
				t.Errorf("CodeOf(%v) = %q, want %q", tc.err, got, tc.code)
			}
		})
	}
}

func TestInternalKeepsTheCauseOutOfTheMessage(t *testing.T) {
	err := errors.New("open /secret/path: no")

	got := fault.From(err)

	if want := "Something went wrong in the workspace; its log has the reason."; got.Message != want {
		t.Errorf("Message = %q, want %q", got.Message, want)
	}
	if !errors.Is(got, err) {
		t.Error("the cause is lost")
	}
}

func TestWithDoesNotChangeTheOriginal(t *testing.T) {
	a := fault.Invalid("title", "too long")

	b := a.With(fault.DetailLimit, 80)

	if diff := cmp.Diff(map[string]any{"field": "title"}, a.Details); diff != "" {
		t.Errorf("original changed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"field": "title", "limit": 80}, b.Details); diff != "" {
		t.Errorf("copy (-want +got):\n%s", diff)
	}
}

func TestRetryAtIsTheNextWholeSecondUTC(t *testing.T) {
	at := time.Date(2026, 11, 30, 14, 5, 9, 999, time.FixedZone("x", 3600))

	got := fault.New(fault.RateLimited, "wait").RetryAt(at).Details["retryAt"]

	if want := "2026-11-30T13:05:10Z"; got != want {
		t.Errorf("retryAt = %v, want %v", got, want)
	}
}
