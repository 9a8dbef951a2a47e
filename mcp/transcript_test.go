package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"personal-workspace/activities"
)

// TestTranscripts plays conversations at the level of HTTP and JSON, as clients
// of both protocol generations have them, against a workspace with one account.
//
// A transcript is a txtar archive of requests, each followed by its answer. A
// request has a line "METHOD PATH", headers, an empty line and a body. JSON and
// both accepted types are understood unless a header says otherwise. Answers are
// written by go test -run Transcripts -update.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, archive)
			if *update {
				if err := os.WriteFile(path, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if archive, err = txtar.ParseFile(path); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(got))); diff != "" {
				t.Errorf("transcript (-want +got), accept it with -update:\n%s", diff)
			}
		})
	}
}

// play returns the archive with the answers that its requests really get.
func play(t *testing.T, archive *txtar.Archive) *txtar.Archive {
	t.Helper()
	w := newWorld(t)
	w.connect(t, "ann")
	w.net.posts = plainPosts(3)
	w.net.posts[0].Text = "<b>雨</b> & \"more\""
	out := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, " answer") {
			continue
		}
		out.Files = append(out.Files, f)
		if did, input, ok := strings.Cut(string(f.Data), "\n\n"); ok && strings.HasPrefix(did, "PERSON ") {
			w.act(t, strings.TrimPrefix(did, "PERSON "), input)
			continue
		}
		out.Files = append(out.Files, txtar.File{Name: f.Name + " answer", Data: answerOf(t, w.routes(), string(f.Data))})
	}
	return out
}

// act does what the person does on a page.
func (w *world) act(t *testing.T, path, input string) {
	t.Helper()
	var d activities.Decide
	var e activities.Edit
	switch path {
	case "/decide":
		if err := json.Unmarshal([]byte(input), &d); err != nil {
			t.Fatal(err)
		}
		w.decide(t, d)
	case "/edit":
		if err := json.Unmarshal([]byte(input), &e); err != nil {
			t.Fatal(err)
		}
		w.edit(t, e)
	default:
		t.Fatalf("the person cannot do %s", path)
	}
}

func answerOf(t *testing.T, h http.Handler, request string) []byte {
	t.Helper()
	head, body, _ := strings.Cut(request, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	method, target, _ := strings.Cut(lines[0], " ")
	headers := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		if headers[name] = strings.TrimSpace(value); headers[name] == "" {
			delete(headers, name)
		}
	}
	res := send(t, h, method, target, headers, strings.TrimSpace(body))
	text := bodyOf(t, res)
	answer := bytes.NewBufferString(fmt.Sprintf("%d %s\n", res.StatusCode, res.Header.Get("Content-Type")))
	for line := range strings.Lines(string(text)) {
		answer.Write(readableJSON(line))
	}
	return answer.Bytes()
}

// readableJSON indents a line of JSON, also one that is the data of an event.
func readableJSON(line string) []byte {
	var b bytes.Buffer
	name, data := "", line
	if rest, ok := strings.CutPrefix(line, "data: "); ok {
		name, data = "data: ", rest
	}
	if json.Indent(&b, []byte(strings.TrimSpace(data)), "", "  ") != nil {
		return []byte(line)
	}
	return append([]byte(name), append(b.Bytes(), '\n')...)
}
