package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

// browser keeps cookies and follows redirects, as a person's browser does.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Timeout: waitLimit, Jar: jar, Transport: &http.Transport{}}
}

// visit opens a page, or sends a form when there is one, and returns where that
// ended and the page.
func visit(t *testing.T, b *http.Client, address string, form url.Values) (path, page string) {
	t.Helper()
	method, body := http.MethodGet, io.Reader(http.NoBody)
	if form != nil {
		method, body = http.MethodPost, strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := b.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.Request.URL.Path, string(text)
}

// The one-time link is printed until a password is set, and the session that it
// began outlives a restart.
func TestPasswordIsSetByThePrintedLink(t *testing.T) {
	dataDir := t.TempDir()
	settings := []string{"WORKSPACE_AUTH=password", "WORKSPACE_LISTEN=127.0.0.1:0"}
	first := start(t, serveCmd(t, dataDir, settings...))
	voided := strings.TrimPrefix(first.line(t), "Set your password: ")
	first.stop(t)

	p := start(t, serveCmd(t, dataDir, settings...))
	link := strings.TrimPrefix(p.line(t), "Set your password: ")
	if !strings.HasPrefix(link, p.base+"/setup/") || strings.TrimPrefix(link, p.base) == strings.TrimPrefix(voided, first.base) {
		t.Fatalf("link = %q, want a new one under %s", link, p.base)
	}
	b := browser(t)
	if path, _ := visit(t, b, p.base+"/decks", nil); path != "/login" {
		t.Errorf("a stranger ends at %s, want /login", path)
	}
	secret := url.Values{"password": {"correct horse battery"}, "again": {"correct horse battery"}}
	if path, _ := visit(t, b, link, secret); path != "/" {
		t.Errorf("setting the password ends at %s, want /", path)
	}
	p.stop(t)
	if log := p.stderr.String(); strings.Contains(log, "/setup/") || strings.Contains(log, "horse") {
		t.Errorf("the log holds a secret:\n%s", log)
	}

	again := start(t, serveCmd(t, dataDir, "WORKSPACE_AUTH=password", "WORKSPACE_LISTEN="+strings.TrimPrefix(p.base, "http://")))
	if path, _ := visit(t, b, again.base+"/decks", nil); path != "/decks" {
		t.Errorf("after the restart the session ends at %s, want /decks", path)
	}
	again.stop(t)
	if strings.Contains(again.stdout.String(), "/setup/") {
		t.Errorf("the restarted server prints a link although a password is set:\n%s", again.stdout)
	}
}

// A forgotten password is reset beside the running server: its sessions end, the
// old password is none any more, and the printed link sets a new one there.
func TestForgottenPasswordIsResetBesideTheServer(t *testing.T) {
	dataDir := t.TempDir()
	p := start(t, serveCmd(t, dataDir, "WORKSPACE_AUTH=password", "WORKSPACE_LISTEN=127.0.0.1:0"))
	b := browser(t)
	old := url.Values{"password": {"correct horse battery"}, "again": {"correct horse battery"}}
	if path, _ := visit(t, b, strings.TrimPrefix(p.line(t), "Set your password: "), old); path != "/" {
		t.Fatalf("setting the password ends at %s, want /", path)
	}

	cmd := serveCmd(t, dataDir, "WORKSPACE_AUTH=password", "WORKSPACE_LISTEN=127.0.0.1:3999")
	cmd.Args = append(cmd.Args[:1], "reset-password")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("reset-password: %v", err)
	}

	if path, _ := visit(t, b, p.base+"/decks", nil); path != "/login" {
		t.Errorf("the session ends at %s, want /login", path)
	}
	if path, page := visit(t, b, p.base+"/login", old); path != "/login" || !strings.Contains(page, "No password is set") {
		t.Errorf("the old password ends at %s, want /login without a form", path)
	}
	_, link, _ := strings.Cut(string(out), "Set your password: ")
	link, _, _ = strings.Cut(link, "\n")
	if !strings.HasPrefix(link, p.base+"/setup/") {
		t.Errorf("the link is %s, want it at the running server's own address %s, whatever the command's settings", link, p.base)
	}
	fresh := url.Values{"password": {"another horse battery"}, "again": {"another horse battery"}}
	if path, _ := visit(t, b, link, fresh); path != "/" {
		t.Errorf("the printed link ends at %s, want /", path)
	}
	p.stop(t)
}
