package ingress_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"personal-workspace/internal/ingress"
)

// deadlineRecorder keeps the deadline that was set last.
type deadlineRecorder struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

func (d *deadlineRecorder) SetReadDeadline(t time.Time) error {
	d.deadline = t
	return nil
}

func TestLimitBodyIsLiftedByTheWholeBodyAlone(t *testing.T) {
	for name, c := range map[string]struct {
		body    string
		read    int64
		limited bool
	}{
		"no body":              {"", 0, false},
		"a body read whole":    {"form", 100, false},
		"a body read in part":  {"form", 2, true},
		"a body never read":    {"form", 0, true},
		"a body up to its end": {"form", 4, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := ingress.LimitBody(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if _, err := io.ReadAll(io.LimitReader(r.Body, c.read)); err != nil {
					t.Errorf("ReadAll: %v", err)
				}
			}), time.Hour)
			var body io.Reader = http.NoBody
			if c.body != "" {
				body = strings.NewReader(c.body)
			}
			w := &deadlineRecorder{ResponseRecorder: httptest.NewRecorder()}

			h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", body))

			if got := !w.deadline.IsZero(); got != c.limited {
				t.Errorf("the deadline is %v afterwards, want one: %v", w.deadline, c.limited)
			}
		})
	}
}
