// Command floor is what the workspace is measured against: the same language,
// HTTP server, database and MCP library, and nothing of the product. It opens a
// migrated database in the folder given as its argument, serves the SDK's own
// handler with one raw tool that does nothing and a bare handler that stores a
// publication, prints where, and ends with its standard input.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"personal-workspace/internal/sqlite"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string) (err error) {
	debug.SetGCPercent(400) // as the workspace does
	db, err := sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(dir, "floor.sqlite")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: handler(db), ReadHeaderTimeout: 5 * time.Second}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	fmt.Printf("ready: http://%s\n", l.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin) // until whoever started it closes it or dies
	err = srv.Close()
	if served := <-done; !errors.Is(served, http.ErrServerClosed) {
		return served
	}
	return err
}

// handler serves the tool at /mcp, the publisher at /publish and "ok" elsewhere.
func handler(db *sqlite.DB) http.Handler {
	s := sdk.NewServer(&sdk.Implementation{Name: "floor", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: "noop", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "{}"}}}, nil
		})
	mux := http.NewServeMux()
	mux.Handle("/mcp", sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
	mux.Handle("POST /publish", publisher{db})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	return mux
}
