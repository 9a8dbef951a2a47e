// Package view prints pages. It holds templates, the models they print and the
// one builder of URLs; it knows nothing of services and makes no decision a
// reader could miss: what is shown, and in which words, is in the models.
package view

import (
	"net/url"
	"strings"
)

// SiteConfig is what all pages share.
type SiteConfig struct {
	// BasePath is the path of the public URL; "" and "/" mean the root.
	BasePath string
	// Assets maps a file's name to its path under the base path, with a hash.
	Assets map[string]string
	// MCPURL is the address for assistants, to copy.
	MCPURL string
	// Demo puts the demo banner on every page.
	Demo bool
	// Version of the program.
	Version string
	// CanLogOut shows the button that ends the session.
	CanLogOut bool
}

// Site builds every URL of the workspace and carries what all pages share. It
// is immutable.
type Site struct {
	base   string
	assets map[string]string

	// MCPURL, Demo, Version and CanLogOut are as in SiteConfig.
	MCPURL    string
	Demo      bool
	Version   string
	CanLogOut bool
}

// NewSite returns the site.
func NewSite(c SiteConfig) Site {
	return Site{
		base: strings.TrimSuffix(c.BasePath, "/"), assets: c.Assets,
		MCPURL: c.MCPURL, Demo: c.Demo, Version: c.Version, CanLogOut: c.CanLogOut,
	}
}

// Base is the path that every URL begins with, without the last slash; "" at
// the root.
func (s Site) Base() string { return s.base }

// Path puts the base path before a path that begins with a slash.
func (s Site) Path(path string) string { return s.base + path }

func (s Site) join(elements ...string) string {
	var b strings.Builder
	b.WriteString(s.base)
	for _, e := range elements {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(e))
	}
	return b.String()
}

func query(path string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Add(pairs[i], pairs[i+1])
		}
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// Home is the first page.
func (s Site) Home() string { return s.base + "/" }

// Decks is the list of decks.
func (s Site) Decks() string { return s.join("decks") }

// Deck is one deck. An assistant may have chosen an id that is also the name of a
// page: a slash behind tells them apart.
func (s Site) Deck(id string) string {
	path := s.join("decks", id)
	if path == s.NewDeck() || path == s.ImportDeck() {
		path += "/"
	}
	return path
}

// Column is one column of a deck as a page of its own, and as a fragment.
func (s Site) Column(deck, column string) string { return s.join("decks", deck, "columns", column) }

// Fresh is the fragment of a column once its network has answered; try counts
// the fragments already asked for. of is the definition that the page shows.
func (s Site) Fresh(deck, column, of, try string) string {
	return query(s.Column(deck, column), "fresh", try, "of", of)
}

// Older is the part of a column before a stored post or, with a cursor, before
// what an upstream page ended with. of is the definition that the page shows.
func (s Site) Older(deck, column, of, before, cursor string) string {
	return query(s.Column(deck, column), "before", before, "cursor", cursor, "of", of)
}

// Connections is the list of accounts.
func (s Site) Connections() string { return s.join("connections") }

// Refresh takes the form that asks the networks for a deck's new posts.
func (s Site) Refresh(deck string) string { return s.join("decks", deck, "refresh") }

// DemoMedia is a file of one of the demo's servers; path is as in its own URL,
// escaped and with the first slash.
func (s Site) DemoMedia(server, path string) string { return s.join("demo", "media", server) + path }

// Login is the sign-in page; next is the path, without the base path, to go on
// to, or "".
func (s Site) Login(next string) string { return query(s.join("login"), "next", next) }

// Logout takes the form that ends the session.
func (s Site) Logout() string { return s.join("logout") }

// Setup is the page of a set-up link.
func (s Site) Setup(token string) string { return s.join("setup", token) }

// Asset is the URL of a static file by its name, "" when the file is missing.
func (s Site) Asset(name string) string {
	path, ok := s.assets[name]
	if !ok {
		return ""
	}
	return s.base + path
}

// Built reports whether the script and the styles are there.
func (s Site) Built() bool {
	return s.assets["app.js"] != "" && s.assets["app.css"] != ""
}
