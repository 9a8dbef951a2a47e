package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"personal-workspace/internal/fault"
)

// Load makes the configuration from the flags that were given (by flag name,
// without dashes), the environment as os.Environ returns it, and the file that
// one of them names. Every error is an invalid_arguments fault that names the
// setting, and says what to write.
func Load(flags map[string][]string, environ []string) (*Config, error) {
	env, err := environment(environ)
	if err != nil {
		return nil, err
	}
	raw := map[string]given{}
	if path := filePath(flags, env); path != "" {
		if raw, err = readFile(path); err != nil {
			return nil, err
		}
	}
	for _, s := range Settings() {
		if v := env[s.Name]; v != "" {
			raw[s.Flag()] = given{split(s, v), "the environment"}
		}
		if v, ok := flags[s.Flag()]; ok {
			raw[s.Flag()] = given{v, "--" + s.Flag()}
		}
	}
	if err := setDefaults(raw, env); err != nil {
		return nil, err
	}
	return build(raw)
}

func build(raw map[string]given) (*Config, error) {
	c := &Config{raw: raw, ListenDefault: raw["listen"].source == ""}
	for _, s := range Settings() {
		g, ok := raw[s.Flag()]
		if !ok {
			continue
		}
		if err := s.apply(c, g.values); err != nil {
			by := ""
			if g.source != "" {
				by = " (set by " + g.source + ")"
			}
			return nil, fault.Invalid(s.Flag(), "%s %s%s.", s.Name, err, by)
		}
	}
	return c, nil
}

// environment returns the variables of the environment and refuses the unknown
// ones with our prefix: a misspelled setting must not be ignored.
func environment(environ []string) (map[string]string, error) {
	known := names()
	env := map[string]string{}
	var unknown []string
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, prefix) && !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
		env[name] = value
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		if slices.Contains(later, unknown[0]) {
			return nil, fault.Invalid(unknown[0], "%s is not a setting of this version; unset it.", unknown[0])
		}
		return nil, fault.Invalid(unknown[0], "%s is no setting of the workspace; the nearest one is %s. Correct the variable or unset it.",
			unknown[0], Nearest(unknown[0], known))
	}
	return env, nil
}

// later are variables that other versions of the program have. The nearest name
// would lead somebody who has set one of them astray.
var later = []string{
	"WORKSPACE_AUTH_HEADER",
	"WORKSPACE_CODEX",
	"WORKSPACE_CODEX_MODEL",
	"WORKSPACE_MCP_AUTH",
	"WORKSPACE_MCP_URL",
	"WORKSPACE_RESEARCH_API_KEY_FILE",
	"WORKSPACE_RESEARCH_ENDPOINT",
	"WORKSPACE_RESEARCH_MODEL",
}

func names() (list []string) {
	for _, s := range Settings() {
		list = append(list, s.Name)
	}
	return list
}

func filePath(flags map[string][]string, env map[string]string) string {
	if v := flags["config"]; len(v) > 0 {
		return v[len(v)-1]
	}
	return env[FileVariable]
}

// split takes a variable's text apart.
func split(s Setting, v string) []string {
	if s.Kind != List {
		return []string{v}
	}
	var list []string
	for part := range strings.SplitSeq(v, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

func readFile(path string) (map[string]given, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.Invalid("config", "The configuration file %s cannot be read: %s.", path, fault.FileReason(err)).Wrap(err)
	}
	var doc map[string]json.RawMessage
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(&doc); err != nil {
		return nil, fault.Invalid("config", "The configuration file %s is not a JSON object: %v.", path, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.Invalid("config", "The configuration file %s holds more than one JSON object.", path)
	}
	raw := map[string]given{}
	for _, key := range slices.Sorted(maps.Keys(doc)) {
		s, err := settingOf(key, path)
		if err != nil {
			return nil, err
		}
		values, err := fileValues(s, doc[key])
		if err != nil {
			return nil, fault.Invalid(key, "%q in the configuration file %s %s.", key, path, err)
		}
		if values != nil {
			raw[key] = given{values, path}
		}
	}
	return raw, nil
}

func settingOf(key, path string) (Setting, error) {
	var known []string
	for _, s := range Settings() {
		if s.Name == FileVariable {
			continue
		}
		if s.Flag() == key {
			return s, nil
		}
		known = append(known, s.Flag())
	}
	return Setting{}, fault.Invalid(key, "%q in the configuration file %s is no setting; the nearest one is %q.", key, path, Nearest(key, known))
}

// fileValues reads a value of the file; null, like an absent key, gives nil.
func fileValues(s Setting, b json.RawMessage) ([]string, error) {
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case bool:
		if s.Kind == Bool {
			return []string{strconv.FormatBool(v)}, nil
		}
	case string:
		if s.Kind != Bool {
			return []string{v}, nil
		}
	case []any:
		if s.Kind == List {
			return texts(v)
		}
	}
	return nil, clause("must be %s", [...]string{Text: "a text", List: "a text or a list of texts", Bool: "true or false"}[s.Kind])
}

func texts(list []any) ([]string, error) {
	out := []string{}
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil, clause("must be a list of texts")
		}
		out = append(out, s)
	}
	return out, nil
}

// setDefaults fills what nobody set.
func setDefaults(raw map[string]given, env map[string]string) error {
	def := func(flag string, value string) {
		if g, ok := raw[flag]; value != "" && (!ok || len(g.values) == 0) {
			raw[flag] = given{values: []string{value}}
		}
	}
	if len(raw["data-dir"].values) == 0 {
		dir, err := dataDir(env)
		if err != nil {
			return err
		}
		def("data-dir", dir)
	}
	def("listen", DefaultListen)
	def("auth", string(AuthPassword))
	def("auth-none-private", "false")
	def("mastodon-only", "false")
	def("log-format", "auto")
	def("credential-key-file", keyFile(env, raw["data-dir"].values[0]))
	return nil
}

func dataDir(env map[string]string) (string, error) {
	if v := env["STATE_DIRECTORY"]; v != "" {
		// A unit may name several state directories; ours is the first.
		first, _, _ := strings.Cut(v, ":")
		return first, nil
	}
	// The XDG rules say that a relative path is to be ignored.
	if v := env["XDG_STATE_HOME"]; filepath.IsAbs(v) {
		return filepath.Join(v, "personal-workspace"), nil
	}
	if v := env["HOME"]; filepath.IsAbs(v) {
		return filepath.Join(v, ".local", "state", "personal-workspace"), nil
	}
	return "", fault.Invalid("data-dir", "There is no home directory to keep the data in; set WORKSPACE_DATA_DIR.")
}

// KeyFileName is the name of the credential key in the data directory and among
// the credentials that systemd passes.
const KeyFileName = "credential-key"

func keyFile(env map[string]string, dataDir string) string {
	if d := env["CREDENTIALS_DIRECTORY"]; d != "" {
		path := filepath.Join(d, KeyFileName)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return filepath.Join(dataDir, KeyFileName)
}
