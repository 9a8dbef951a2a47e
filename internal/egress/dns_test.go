package egress_test

import (
	"context"
	"net"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// answers holds for each full name the IPv4 addresses of its successive
// lookups; the last one stays. Other names do not exist.
type answers map[string][][4]byte

// resolver returns a resolver that asks a name server of the test.
func resolver(t *testing.T, names answers) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	done.Go(func() { serveNames(conn, names) })
	t.Cleanup(func() {
		conn.Close()
		done.Wait()
	})
	return &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
		},
	}
}

func serveNames(conn net.PacketConn, names answers) {
	buf := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return
		}
		if reply, ok := answer(buf[:n], names); ok {
			conn.WriteTo(reply, from)
		}
	}
}

func answer(query []byte, names answers) ([]byte, bool) {
	var m dnsmessage.Message
	if m.Unpack(query) != nil || len(m.Questions) != 1 {
		return nil, false
	}
	q := m.Questions[0]
	reply := dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true}, Questions: m.Questions}
	addresses, known := names[q.Name.String()]
	if !known {
		reply.RCode = dnsmessage.RCodeNameError
	}
	if known && q.Type == dnsmessage.TypeA {
		reply.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type},
			Body:   &dnsmessage.AResource{A: addresses[0]},
		}}
		if len(addresses) > 1 {
			names[q.Name.String()] = addresses[1:]
		}
	}
	packed, err := reply.Pack()
	return packed, err == nil
}
