package config_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/app/config"
	"personal-workspace/internal/fault"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// env is an environment with a home, so that only what a test is about can fail.
func env(extra ...string) []string { return append([]string{"HOME=/home/me", "PATH=/bin"}, extra...) }

func load(t *testing.T, flags map[string][]string, environ []string) *config.Config {
	t.Helper()
	c, err := config.Load(flags, environ)
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return c
}

func TestDefaults(t *testing.T) {
	c := load(t, nil, env())
	want := map[string]any{
		"listen":              []string{"127.0.0.1:3000"},
		"data-dir":            "/home/me/.local/state/personal-workspace",
		"credential-key-file": "/home/me/.local/state/personal-workspace/credential-key",
		"auth":                "password",
		"auth-none-private":   false,
		"mastodon-only":       false,
		"log-format":          "auto",
	}
	if diff := cmp.Diff(want, c.Effective()); diff != "" {
		t.Errorf("effective settings (-want +got):\n%s", diff)
	}
	if !c.ListenDefault || c.Origin != nil {
		t.Errorf("ListenDefault = %v, Origin = %v; want true and nil", c.ListenDefault, c.Origin)
	}
}

func TestPrecedence(t *testing.T) {
	file := write(t, `{"auth": "none", "listen": ["127.0.0.1:1"], "hosts": ["file.lan"], "log-format": null}`)
	tests := []struct {
		name  string
		flags map[string][]string
		env   []string
		want  []string
	}{
		{"default", nil, env(), []string{"127.0.0.1:3000"}},
		{"file over default", map[string][]string{"config": {file}}, env(), []string{"127.0.0.1:1"}},
		{"file named by the variable", nil, env("WORKSPACE_CONFIG=" + file), []string{"127.0.0.1:1"}},
		{"environment over file", map[string][]string{"config": {file}}, env("WORKSPACE_LISTEN=127.0.0.1:2, 127.0.0.1:3"), []string{"127.0.0.1:2", "127.0.0.1:3"}},
		{"empty variable is unset", map[string][]string{"config": {file}}, env("WORKSPACE_LISTEN="), []string{"127.0.0.1:1"}},
		{"flag over environment", map[string][]string{"listen": {"127.0.0.1:4"}}, env("WORKSPACE_LISTEN=127.0.0.1:2"), []string{"127.0.0.1:4"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := load(t, tt.flags, tt.env).Effective()["listen"]
			if diff := cmp.Diff(any(tt.want), got); diff != "" {
				t.Errorf("listen (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEffectiveLoadsAsFile(t *testing.T) {
	first := load(t, map[string][]string{"origin": {"https://ws.example.org/ws/"}, "auth-none-private": {"true"}}, env())
	if got, want := first.Effective()["auth-none-private"], true; got != want {
		t.Fatalf("auth-none-private = %v, want %v", got, want)
	}
	again := load(t, nil, env("WORKSPACE_CONFIG="+write(t, mustJSON(t, first.Effective()))))
	if diff := cmp.Diff(first.Effective(), again.Effective()); diff != "" {
		t.Errorf("settings read back (-want +got):\n%s", diff)
	}
}

// A protection that is in force must not be switched off by the file that
// config print makes, however it was written.
func TestBoolsInForceLoadFromTheirPrint(t *testing.T) {
	for _, value := range []string{"true", "TRUE", "True", "t", "T", "1", "false", "F", "0"} {
		t.Run(value, func(t *testing.T) {
			type bools struct{ MastodonOnly, AuthNonePrivate bool }
			first := load(t, nil, env("WORKSPACE_MASTODON_ONLY="+value, "WORKSPACE_AUTH_NONE_PRIVATE="+value))
			want := bools{first.MastodonOnly, first.AuthNonePrivate}
			printed := first.Effective()
			if printed["mastodon-only"] != want.MastodonOnly || printed["auth-none-private"] != want.AuthNonePrivate {
				t.Errorf("printed %v and %v, in force is %+v", printed["mastodon-only"], printed["auth-none-private"], want)
			}
			again := load(t, nil, env("WORKSPACE_CONFIG="+write(t, mustJSON(t, printed))))
			if got := (bools{again.MastodonOnly, again.AuthNonePrivate}); got != want {
				t.Errorf("read back %+v, want %+v", got, want)
			}
		})
	}
}

func TestDataDir(t *testing.T) {
	tests := []struct {
		name string
		env  []string
		want string
	}{
		{"home", []string{"HOME=/home/me"}, "/home/me/.local/state/personal-workspace"},
		{"XDG", []string{"HOME=/home/me", "XDG_STATE_HOME=/state"}, "/state/personal-workspace"},
		{"relative XDG is ignored", []string{"HOME=/home/me", "XDG_STATE_HOME=state"}, "/home/me/.local/state/personal-workspace"},
		{"systemd", []string{"HOME=/home/me", "XDG_STATE_HOME=/state", "STATE_DIRECTORY=/var/lib/ws"}, "/var/lib/ws"},
		{"systemd with two directories", []string{"STATE_DIRECTORY=/var/lib/ws:/var/lib/other"}, "/var/lib/ws"},
		{"own setting", []string{"STATE_DIRECTORY=/var/lib/ws", "WORKSPACE_DATA_DIR=/data"}, "/data"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := load(t, nil, tt.env)
			if c.DataDir != tt.want || c.KeyFile != filepath.Join(tt.want, "credential-key") {
				t.Errorf("DataDir = %q, KeyFile = %q; want %q and the key in it", c.DataDir, c.KeyFile, tt.want)
			}
		})
	}
}

func TestKeyFromSystemdCredentials(t *testing.T) {
	dir := t.TempDir()
	if got, want := load(t, nil, env("CREDENTIALS_DIRECTORY="+dir)).KeyFile, "/home/me/.local/state/personal-workspace/credential-key"; got != want {
		t.Errorf("without the credential KeyFile = %q, want %q", got, want)
	}
	key := filepath.Join(dir, "credential-key")
	if err := os.WriteFile(key, []byte("x"), 0o400); err != nil {
		t.Fatal(err)
	}
	if got := load(t, nil, env("CREDENTIALS_DIRECTORY="+dir)).KeyFile; got != key {
		t.Errorf("with the credential KeyFile = %q, want %q", got, key)
	}
	if got := load(t, nil, env("CREDENTIALS_DIRECTORY="+dir, "WORKSPACE_CREDENTIAL_KEY_FILE=/k")).KeyFile; got != "/k" {
		t.Errorf("with the setting KeyFile = %q, want /k", got)
	}
}

func TestOrigin(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"host", "https://Workspace.Example.org", "https://workspace.example.org"},
		{"slash", "https://workspace.example.org/", "https://workspace.example.org"},
		{"port", "http://ws.lan:8080", "http://ws.lan:8080"},
		{"path", "https://example.org/a/ws/", "https://example.org/a/ws"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := load(t, nil, env("WORKSPACE_ORIGIN="+tt.in))
			if got := c.Origin.String(); got != tt.want {
				t.Errorf("Origin = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestListenAddresses(t *testing.T) {
	c := load(t, nil, env("WORKSPACE_LISTEN=127.0.0.1:0,[::1]:3000,:8080,localhost:1,unix:/run/ws.sock,systemd:"))
	want := []config.Address{
		{Network: "tcp", Addr: "127.0.0.1:0"},
		{Network: "tcp", Addr: "[::1]:3000"},
		{Network: "tcp", Addr: ":8080"},
		{Network: "tcp", Addr: "localhost:1"},
		{Network: "unix", Addr: "/run/ws.sock"},
		{Network: "systemd"},
	}
	if diff := cmp.Diff(want, c.Listen); diff != "" {
		t.Errorf("Listen (-want +got):\n%s", diff)
	}
	if c.ListenDefault {
		t.Error("ListenDefault = true although the variable is set")
	}
}

func TestMastodonOriginsAreCanonical(t *testing.T) {
	c := load(t, nil, env("WORKSPACE_MASTODON_ORIGINS=https://Social.Example/,http://10.0.0.4:8080"))
	if diff := cmp.Diff([]string{"https://social.example", "http://10.0.0.4:8080"}, c.MastodonOrigins); diff != "" {
		t.Errorf("MastodonOrigins (-want +got):\n%s", diff)
	}
}

func TestRefusals(t *testing.T) {
	set := func(flag string, values ...string) map[string][]string { return map[string][]string{flag: values} }
	tests := []struct {
		name  string
		flags map[string][]string
		env   []string
		// field of the fault, and what its message must hold
		field string
		want  []string
	}{
		{"no home", nil, []string{"PATH=/bin"}, "data-dir", []string{"WORKSPACE_DATA_DIR"}},
		{"unknown variable", nil, env("WORKSPACE_LISTNE=x"), "WORKSPACE_LISTNE", []string{"WORKSPACE_LISTNE", "nearest one is WORKSPACE_LISTEN."}},
		{"variable in small letters behind the prefix", nil, env("WORKSPACE_listen=x"), "WORKSPACE_listen", []string{"nearest"}},
		{"an empty data directory", set("data-dir", ""), env(), "data-dir", []string{"WORKSPACE_DATA_DIR", "empty"}},
		{"an empty key file", set("credential-key-file", ""), env(), "credential-key-file", []string{"empty"}},
		{"listen without port", set("listen", "127.0.0.1"), env(), "listen", []string{"WORKSPACE_LISTEN", "127.0.0.1:3000", "--listen"}},
		{"listen on a word", nil, env("WORKSPACE_LISTEN=127.0.0.1:http"), "listen", []string{"port", "the environment"}},
		{"listen on a large port", nil, env("WORKSPACE_LISTEN=127.0.0.1:70000"), "listen", []string{"65535"}},
		{"listen on a URL", nil, env("WORKSPACE_LISTEN=http://127.0.0.1:3000"), "listen", []string{"host:port"}},
		{"listen on a socket without path", nil, env("WORKSPACE_LISTEN=unix:"), "listen", []string{"path"}},
		{"listen twice", nil, env("WORKSPACE_LISTEN=127.0.0.1:1,127.0.0.1:1"), "listen", []string{"twice"}},
		{"origin without scheme", set("origin", "ws.example.org"), env(), "origin", []string{"WORKSPACE_ORIGIN", "https://workspace.example.org"}},
		{"origin of another scheme", set("origin", "ftp://ws.example.org"), env(), "origin", []string{"http or https"}},
		{"origin with a password", set("origin", "https://me:secret@ws.example.org"), env(), "origin", []string{"password"}},
		{"origin with a query", set("origin", "https://ws.example.org/?a"), env(), "origin", []string{"query"}},
		{"origin without host", set("origin", "https:///ws"), env(), "origin", []string{"host"}},
		{"origin with dots in the path", set("origin", "https://ws.example.org/../x"), env(), "origin", []string{"path"}},
		{"origin with an escaped path", set("origin", "https://ws.example.org/a%20b"), env(), "origin", []string{"path"}},
		{"host that is a URL", set("hosts", "https://ws.lan"), env(), "hosts", []string{"WORKSPACE_HOSTS", `"https://ws.lan"`}},
		{"proxy that is a name", set("trusted-proxies", "proxy.lan"), env(), "trusted-proxies", []string{"WORKSPACE_TRUSTED_PROXIES", "10.0.0.0/24"}},
		{"unknown way to sign in", set("auth", "header"), env(), "auth", []string{"password or none"}},
		{"bool of another word", set("auth-none-private", "yes"), env(), "auth-none-private", []string{"true or false"}},
		{"Mastodon origin with a path", set("mastodon-origins", "https://social.example/@me"), env(), "mastodon-origins", []string{"WORKSPACE_MASTODON_ORIGINS"}},
		{"unknown log format", set("log-format", "xml"), env(), "log-format", []string{"auto, text or json"}},
		{"an empty name of the file", set("config", ""), env(), "config", []string{"WORKSPACE_CONFIG", "empty", "--config"}},
		{"missing file", set("config", "/nonexistent.json"), env(), "config", []string{"/nonexistent.json", "no such file"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := config.Load(tt.flags, tt.env)
			assertFault(t, err, tt.field, tt.want)
		})
	}
}

func TestVariablesOfLaterVersions(t *testing.T) {
	for _, name := range []string{
		"WORKSPACE_CODEX", "WORKSPACE_CODEX_MODEL", "WORKSPACE_MCP_AUTH",
		"WORKSPACE_AUTH_HEADER", "WORKSPACE_MCP_URL", "WORKSPACE_RESEARCH_ENDPOINT", "WORKSPACE_RESEARCH_MODEL", "WORKSPACE_RESEARCH_API_KEY_FILE",
	} {
		_, err := config.Load(nil, env(name+"=x"))
		if want := name + " is not a setting of this version; unset it."; err == nil || fault.From(err).Message != want {
			t.Errorf("Load = %v, want %q", err, want)
		}
	}
}

func TestFileRefusals(t *testing.T) {
	tests := []struct {
		name, file, field string
		want              []string
	}{
		{"no JSON", `listen = 1`, "config", []string{"JSON object"}},
		{"array", `[]`, "config", []string{"JSON object"}},
		{"two objects", `{} {}`, "config", []string{"more than one"}},
		{"unknown key", `{"listn": ["x"]}`, "listn", []string{`nearest one is "listen"`}},
		{"variable's name as key", `{"WORKSPACE_LISTEN": ["x"]}`, "WORKSPACE_LISTEN", []string{"no setting"}},
		{"file inside the file", `{"config": "other.json"}`, "config", []string{"no setting"}},
		{"number", `{"listen": 3000}`, "listen", []string{"a text or a list of texts"}},
		{"list of numbers", `{"listen": [3000]}`, "listen", []string{"list of texts"}},
		{"list for a text", `{"auth": ["none"]}`, "auth", []string{"must be a text"}},
		{"text for a bool", `{"mastodon-only": "true"}`, "mastodon-only", []string{"true or false"}},
		{"bad value", `{"auth": "pass"}`, "auth", []string{"WORKSPACE_AUTH", "set by /"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := config.Load(map[string][]string{"config": {write(t, tt.file)}}, env())
			assertFault(t, err, tt.field, tt.want)
		})
	}
}

func assertFault(t *testing.T, err error, field string, want []string) {
	t.Helper()
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Code != fault.InvalidArguments || f.Details[fault.DetailField] != field {
		t.Fatalf("error = %#v, want invalid_arguments of the field %q", err, field)
	}
	for _, w := range want {
		if !strings.Contains(f.Message, w) {
			t.Errorf("message %q does not hold %q", f.Message, w)
		}
	}
	if strings.Contains(f.Message, "secret") || strings.Contains(f.Message, "%!") {
		t.Errorf("message %q is malformed or repeats a password", f.Message)
	}
}

func TestOtherVariablesAreNotOurs(t *testing.T) {
	load(t, nil, env("E2E_CHROMIUM=/x", "MY_WORKSPACE_LISTEN=x", "WORKSPACE=x"))
}

func TestNearest(t *testing.T) {
	known := []string{"serve", "connections add", "connections list", "backup", "restore"}
	tests := []struct{ word, want string }{
		{"serv", "serve"}, {"sevre", "serve"}, {"restor", "restore"}, {"connection list", "connections list"}, {"bakcup", "backup"},
	}
	for _, tt := range tests {
		if got := config.Nearest(tt.word, known); got != tt.want {
			t.Errorf("Nearest(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
	if got := config.Nearest("x", nil); got != "" {
		t.Errorf("Nearest without candidates = %q, want none", got)
	}
}

func TestUsageNamesEverySetting(t *testing.T) {
	usage := config.Usage(false)
	for _, s := range config.Settings() {
		if !strings.Contains(usage, "--"+s.Flag()) || !strings.Contains(usage, s.Name) {
			t.Errorf("the usage text lacks %s", s.Name)
		}
	}
	if strings.Contains(config.Usage(true), "--listen") {
		t.Error("the usage text of a store command has --listen")
	}
	for line := range strings.Lines(usage) {
		if len(strings.TrimRight(line, "\n")) > 80 {
			t.Errorf("line of %d characters: %s", len(line), line)
		}
	}
}

func TestOriginKeepsNoSecret(t *testing.T) {
	c := load(t, nil, env("WORKSPACE_ORIGIN=https://ws.example.org/x"))
	want := &url.URL{Scheme: "https", Host: "ws.example.org", Path: "/x"}
	if diff := cmp.Diff(want, c.Origin); diff != "" {
		t.Errorf("Origin (-want +got):\n%s", diff)
	}
}

func TestMessagesQuoteNoSecret(t *testing.T) {
	for _, name := range []string{"WORKSPACE_TWITTER_RELAY_URL", "WORKSPACE_MASTODON_ORIGINS", "WORKSPACE_HOSTS", "WORKSPACE_ORIGIN"} {
		for _, value := range []string{
			"http://me:hunter2@relay.lan:6900", "http://hunter2@relay.lan", "http://relay.lan/?token=hunter2", "http://relay.lan#hunter2",
			"http://me:p?hunter2@relay.lan", "http://relay.lan/?a@hunter2", "me:hunter2@relay.lan", "http://me:hunter2@[::1",
		} {
			_, err := config.Load(nil, env(name+"="+value))
			if err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s=%s gives %v, want a fault that does not quote the password", name, value, err)
			}
		}
	}
}

func FuzzFile(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"listen": ["127.0.0.1:3000", "unix:/s"], "auth": "none", "mastodon-only": true}`, `{"origin": "https://ws.example.org/ws"}`,
		`{"hosts": null, "trusted-proxies": "unix"}`, `{"listen": []}`, `{"data-dir": ""}`, `{} {}`, `[]`, `{"listn": 1}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := config.Load(map[string][]string{"config": {write(t, text)}}, env())
		if err != nil {
			if fault.CodeOf(err) != fault.InvalidArguments {
				t.Fatalf("Load = %v, want an invalid_arguments fault", err)
			}
			return
		}
		if len(c.Listen) == 0 || !filepath.IsAbs(c.DataDir) || !filepath.IsAbs(c.KeyFile) {
			t.Fatalf("accepted without an address or an absolute path: %+v", c)
		}
		// What is accepted is printed as a file that means the same.
		again, err := config.Load(map[string][]string{"config": {write(t, mustJSON(t, c.Effective()))}}, env())
		if err != nil {
			t.Fatalf("the printed settings do not load: %v", err)
		}
		if diff := cmp.Diff(c.Effective(), again.Effective()); diff != "" {
			t.Errorf("settings read back (-want +got):\n%s", diff)
		}
	})
}
