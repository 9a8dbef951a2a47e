package ingress

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// BodyTimeout is how long a client may take to send a request's body.
const BodyTimeout = 30 * time.Second

// LimitBody gives each client the time timeout to send the body of its request.
// The limit is lifted when all of the body has come. It stays when next answers
// without having read it, because net/http then reads on before it answers, and
// a client that sends nothing would hold its connection for ever. A writer that
// knows no deadlines, such as a test's recorder, has none.
func LimitBody(next http.Handler, timeout time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		c := http.NewResponseController(w)
		if err := c.SetReadDeadline(time.Now().Add(timeout)); err != nil {
			next.ServeHTTP(w, r)
			return
		}
		limited := *r
		limited.Body = &limitedBody{r.Body, c}
		next.ServeHTTP(w, &limited)
	})
}

// limitedBody lifts the deadline at its end.
type limitedBody struct {
	io.ReadCloser
	c *http.ResponseController
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		// It was set before, so it can be lifted.
		_ = b.c.SetReadDeadline(time.Time{})
	}
	return n, err
}
