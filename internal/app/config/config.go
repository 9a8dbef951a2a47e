// Package config owns the settings of the program: one table from which the
// flags, the environment variables, the keys of the configuration file, the
// usage text and the table in the README are made.
//
// A setting comes from its flag, else from its variable, else from the file
// named by --config, else it has its default. Nothing here reads the
// environment by itself and nothing is global: Load gets all it may look at.
package config

import (
	"net/url"
	"strconv"

	"personal-workspace/internal/ingress"
)

// Config is a checked configuration.
type Config struct {
	// Listen is where to listen; never empty.
	Listen []Address
	// ListenDefault is true when nobody set Listen: then sockets that systemd
	// passes come first.
	ListenDefault bool
	// DataDir is the absolute path of the data directory.
	DataDir string
	// KeyFile is the absolute path of the credential key file.
	KeyFile string
	// Origin is the public address without a trailing slash, its path is the
	// base path; nil when unset.
	Origin *url.URL
	// Hosts are further Host names to answer to.
	Hosts []string
	// Proxies are the reverse proxies that may name the visitor.
	Proxies ingress.Proxies
	// Auth says who may see the pages.
	Auth Auth
	// AuthNonePrivate allows AuthNone on private addresses too.
	AuthNonePrivate bool
	// MastodonOrigins are canonical origins reached as they are, private ones
	// included.
	MastodonOrigins []string
	// MastodonOnly closes all other Mastodon servers.
	MastodonOnly bool
	// TwitterRelays are canonical origins of the relays to X.
	TwitterRelays []string
	// TwitterCatalog is the file that overrides X's operations, "" for none.
	TwitterCatalog string
	// LogFormat is "auto", "text" or "json".
	LogFormat string

	raw map[string]given
}

// Auth says how the person proves who they are.
type Auth string

// The ways to sign in.
const (
	// AuthPassword: one password, set through a one-time link.
	AuthPassword Auth = "password"
	// AuthNone: whoever reaches the address is the person.
	AuthNone Auth = "none"
)

// given is a setting as somebody wrote it.
type given struct {
	values []string
	// source names who wrote it, for messages: "--listen", "the environment",
	// a file's path, or "" for a default.
	source string
}

// Effective returns the settings in force under their flag names, defaults
// included, unset ones left out: what `config print` shows, and what a file for
// --config may hold. No setting holds a secret; a secret is a file's path.
func (c *Config) Effective() map[string]any {
	out := map[string]any{}
	for _, s := range Settings() {
		g, ok := c.raw[s.Flag()]
		if !ok || s.Name == FileVariable {
			continue
		}
		switch s.Kind {
		case List:
			out[s.Flag()] = g.values
		case Bool:
			// As applyBool reads it: 1 and TRUE are true as well, and Load has
			// refused what is no bool.
			out[s.Flag()], _ = strconv.ParseBool(g.values[0])
		default:
			out[s.Flag()] = g.values[0]
		}
	}
	return out
}
