package mastodon

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http/httptrace"
	"sync/atomic"
)

// maxSends is how often one request is sent at most: once, and once more.
const maxSends = 2

// errCut is the end of a request that was cut off as often as it may be sent.
var errCut = fmt.Errorf("the connection was cut each time: %w", io.ErrUnexpectedEOF)

// sends counts how often one request goes out. It is not enough to count what
// the workspace asks net/http for: that repeats a GET by itself for as long as
// connections which were used before end without an answer.
type sends struct{ n atomic.Int32 }

func (s *sends) spent() bool { return s.n.Load() >= maxSends }

// watch returns a context for a request that counts its sends and ends, with
// errCut as its cause, before there is one too many.
func (s *sends) watch(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	trace := &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			if !s.spent() {
				return
			}
			cancel(errCut)
			// HTTP/1 looks at the context only after it has begun to write.
			if !shared(got.Conn) {
				_ = got.Conn.Close() // nothing was written to it
			}
		},
		WroteRequest: func(httptrace.WroteRequestInfo) { s.n.Add(1) },
	}
	return httptrace.WithClientTrace(ctx, trace), func() { cancel(nil) }
}

// shared reports whether other requests may be on the connection too, as HTTP/2
// has it.
func shared(c net.Conn) bool {
	t, ok := c.(*tls.Conn)
	return ok && t.ConnectionState().NegotiatedProtocol == "h2"
}
