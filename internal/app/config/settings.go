package config

import (
	"strconv"
	"strings"
)

// Kind is the form of a setting's value.
type Kind int

// The kinds of settings.
const (
	// Text is one value.
	Text Kind = iota
	// List is several: a repeated flag, a comma-separated variable, an array
	// in the file.
	List
	// Bool is true or false; the flag alone means true.
	Bool
)

// FileVariable is the variable that names the configuration file.
const FileVariable = "WORKSPACE_CONFIG"

// Setting is one row of the table of settings.
type Setting struct {
	// Name is the environment variable.
	Name string
	Kind Kind
	// Placeholder stands for the value in the usage text.
	Placeholder string
	// Default is the default in words or as a literal; "" for none.
	Default string
	// Help says what the setting does, in sentences.
	Help string
	// Store marks what commands that only open the store need too.
	Store bool
	// apply checks the values and puts them into the configuration. Its error
	// is a clause that follows the setting's name: `needs a port, not "x"`.
	apply func(c *Config, values []string) error
}

// Flag returns the name of the flag, which is also the key in the file.
func (s Setting) Flag() string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(s.Name, prefix)), "_", "-")
}

const prefix = "WORKSPACE_"

// Settings returns the whole table, in the order of the documentation.
func Settings() []Setting {
	return []Setting{
		{
			Name: "WORKSPACE_LISTEN", Kind: List, Placeholder: "ADDRESS", Default: DefaultListen,
			Help:  "Where to listen: `host:port`, `unix:PATH` or `systemd:` (the sockets that systemd passes; they are also taken when nothing is set). Only the workspace's own user can use a socket that it makes. Repeat the flag, or separate by commas in the variable, for several.",
			apply: applyListen,
		},
		{
			Name: "WORKSPACE_DATA_DIR", Placeholder: "DIR", Store: true,
			Default: "`$STATE_DIRECTORY`, else `personal-workspace` in the XDG state directory (`~/.local/state`)",
			Help:    "Directory of the database, the credential key and the backups.",
			apply:   applyDataDir,
		},
		{
			Name: "WORKSPACE_ORIGIN", Placeholder: "URL",
			Help:  "Public address, such as `https://workspace.example.org`; it may have a path. Set it behind a reverse proxy: links, cookies and the allowed host follow it.",
			apply: applyOrigin,
		},
		{
			Name: "WORKSPACE_HOSTS", Kind: List, Placeholder: "HOST",
			Help:  "Further host names to answer to, each with a port or without. Loopback names, the addresses listened on and the host of WORKSPACE_ORIGIN need no entry.",
			apply: applyHosts,
		},
		{
			Name: "WORKSPACE_TRUSTED_PROXIES", Kind: List, Placeholder: "RANGE",
			Help:  "Reverse proxies whose `X-Forwarded-For` names the visitor: addresses, ranges such as `10.0.0.0/24`, or `unix` for whoever connects over a Unix socket. Wrong passwords are counted per visitor.",
			apply: applyProxies,
		},
		{
			Name: "WORKSPACE_AUTH", Placeholder: "MODE", Default: string(AuthPassword),
			Help:  "Who may see the pages: `password` (a one-time link to set it is printed at every start until it is set) or `none` (loopback addresses and Unix sockets only).",
			apply: applyAuth,
		},
		{
			Name: "WORKSPACE_AUTH_NONE_PRIVATE", Kind: Bool, Default: "false",
			Help:  "Lets `none` serve private addresses too (RFC 1918, fc00::/7, 100.64.0.0/10), never all addresses.",
			apply: applyBool(func(c *Config) *bool { return &c.AuthNonePrivate }),
		},
		{
			Name: "WORKSPACE_CREDENTIAL_KEY_FILE", Placeholder: "FILE", Store: true,
			Default: "`$CREDENTIALS_DIRECTORY/credential-key` when it exists, else `credential-key` in the data directory",
			Help:    "File of the key that encrypts stored credentials. It is made when it is missing and no credential is stored.",
			apply:   applyKeyFile,
		},
		{
			Name: "WORKSPACE_MASTODON_ORIGINS", Kind: List, Placeholder: "URL", Store: true,
			Help:  "Mastodon servers to reach as they are, private addresses and plain http included, like those named to `connections add`. All others must be public and https.",
			apply: applyMastodonOrigins,
		},
		{
			Name: "WORKSPACE_MASTODON_ONLY", Kind: Bool, Default: "false", Store: true,
			Help:  "Closes every Mastodon server but those of WORKSPACE_MASTODON_ORIGINS and those named to `connections add`.",
			apply: applyBool(func(c *Config) *bool { return &c.MastodonOnly }),
		},
		{
			Name: "WORKSPACE_TWITTER_RELAY_URL", Kind: List, Placeholder: "URL", Store: true,
			Help:  "Relays that read X, such as http://127.0.0.1:6900. Whoever reaches a relay can post as its accounts: keep it on loopback or a private network.",
			apply: applyTwitterRelays,
		},
		{
			Name: "WORKSPACE_TWITTER_CATALOG", Placeholder: "FILE", Store: true,
			Help:  "NDJSON file of requests recorded by the relay, for when X has changed its operations. It is read again when it changes; only what reads is taken from it.",
			apply: applyTwitterCatalog,
		},
		{
			Name: "WORKSPACE_LOG_FORMAT", Placeholder: "FORMAT", Default: "auto", Store: true,
			Help:  "`text`, `json`, or `auto`: JSON under systemd, else text.",
			apply: applyLogFormat,
		},
		{
			Name: FileVariable, Placeholder: "FILE", Store: true,
			Help:  "JSON file of settings with the flags' names as keys, such as `{\"listen\": [\"127.0.0.1:3000\"]}`.",
			apply: checkFile,
		},
	}
}

func applyBool(field func(*Config) *bool) func(*Config, []string) error {
	return func(c *Config, values []string) error {
		b, err := strconv.ParseBool(values[0])
		if err != nil {
			return clause("must be true or false, not %q", values[0])
		}
		*field(c) = b
		return nil
	}
}
