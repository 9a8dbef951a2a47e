// Package faulttest checks faults in tests.
package faulttest

import (
	"testing"

	"personal-workspace/internal/fault"
)

// Want checks that err is a fault with the code and, of those named, the details;
// nil as a detail's value means that there is none. It returns the fault.
func Want(t testing.TB, err error, code fault.Code, details map[string]any) *fault.Error {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s", code)
	}
	f := fault.From(err)
	if f.Code != code {
		t.Fatalf("code = %s (%v), want %s", f.Code, err, code)
	}
	for name, want := range details {
		if got := f.Details[name]; got != want {
			t.Errorf("details.%s = %v, want %v", name, got, want)
		}
	}
	return f
}
