package config

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ingress"
)

// clause is what follows a setting's name in a message.
func clause(format string, args ...any) error { return fmt.Errorf(format, args...) }

func applyListen(c *Config, values []string) error {
	for _, v := range values {
		a, err := ParseAddress(v)
		if err != nil {
			return err
		}
		if slices.Contains(c.Listen, a) {
			return clause("has %s twice", v)
		}
		c.Listen = append(c.Listen, a)
	}
	return nil
}

func applyDataDir(c *Config, values []string) (err error) {
	c.DataDir, err = absolute(values[0])
	return err
}

func applyKeyFile(c *Config, values []string) (err error) {
	c.KeyFile, err = absolute(values[0])
	return err
}

// checkFile has nothing to put into the configuration: Load has read the file.
func checkFile(_ *Config, values []string) error {
	_, err := absolute(values[0])
	return err
}

// absolute refuses the empty path, which would silently be the directory that
// the program was started in.
func absolute(path string) (string, error) {
	if path == "" {
		return "", clause("is empty; name a path, or leave the setting out")
	}
	return filepath.Abs(path)
}

// basePath is a path of plain segments: what a proxy passes on unchanged and
// what needs no escaping in links and cookies.
var basePath = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)

func applyOrigin(c *Config, values []string) error {
	const example = "such as https://workspace.example.org or https://example.org/workspace"
	u, err := url.Parse(values[0])
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Opaque != "":
		return clause("needs an http or https address %s", example)
	case u.User != nil:
		return clause("must not hold a user name or password")
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return clause("must not have a query or a fragment, %s", example)
	}
	host, port, ok := ingress.ParseHost(u.Host)
	if !ok {
		return clause("needs a host, %s", example)
	}
	path := strings.TrimSuffix(u.Path, "/")
	if !basePath.MatchString(path) {
		return clause("has a path of other characters than letters, digits and . _ ~ -")
	}
	if port != "" {
		host += ":" + port
	}
	c.Origin = &url.URL{Scheme: u.Scheme, Host: host, Path: path}
	return nil
}

func applyHosts(c *Config, values []string) error {
	for _, v := range values {
		if _, _, ok := ingress.ParseHost(v); !ok {
			return clause("holds %q, which is no host; write a name such as workspace.example.org or an address, with a port or without", shown(v))
		}
	}
	c.Hosts = values
	return nil
}

func applyProxies(c *Config, values []string) error {
	p, err := ingress.ParseProxies(values)
	if err != nil {
		return clause("needs addresses, ranges such as 10.0.0.0/24, or unix, not %q", strings.Join(values, ","))
	}
	c.Proxies = p
	return nil
}

func applyAuth(c *Config, values []string) error {
	a := Auth(values[0])
	if a != AuthPassword && a != AuthNone {
		return clause("must be password or none, not %q", values[0])
	}
	c.Auth = a
	return nil
}

func applyMastodonOrigins(c *Config, values []string) (err error) {
	c.MastodonOrigins, err = origins(values)
	return err
}

func applyTwitterRelays(c *Config, values []string) (err error) {
	c.TwitterRelays, err = origins(values)
	return err
}

func origins(values []string) (list []string, err error) {
	for _, v := range values {
		o, err := egress.CanonicalOrigin(v)
		if err != nil {
			reason := "it is no address of a server, such as https://mastodon.example"
			if f, ok := errors.AsType[*fault.Error](err); ok {
				reason = f.Message
			}
			return nil, clause("holds %q: %s", shown(v), strings.TrimSuffix(reason, "."))
		}
		list = append(list, o)
	}
	return list, nil
}

// shown is a value as a message may quote it: messages end up in logs, and an
// address with a name, a query or a fragment mostly holds a password or a token
// there.
func shown(v string) string {
	if scheme, _, ok := strings.Cut(v, "://"); ok && strings.ContainsAny(v, "@?#") {
		return scheme + "://…"
	}
	if strings.ContainsAny(v, "@?#") {
		return "…"
	}
	return v
}

func applyTwitterCatalog(c *Config, values []string) (err error) {
	c.TwitterCatalog, err = absolute(values[0])
	return err
}

func applyLogFormat(c *Config, values []string) error {
	if !slices.Contains([]string{"auto", "text", "json"}, values[0]) {
		return clause("must be auto, text or json, not %q", values[0])
	}
	c.LogFormat = values[0]
	return nil
}
