package web_test

import (
	"strings"
	"testing"
)

// TestBrowserFilesAreBuilt fails until the assets are built: a program without
// them works, but nobody should ship it.
func TestBrowserFilesAreBuilt(t *testing.T) {
	w := newWorkspace(t, nil)
	page := document(t, w.get("/decks").body)
	if len(all(page, tag("script"))) != 1 || len(all(page, with("rel", "stylesheet"))) != 1 {
		t.Fatal("web/static/dist has no app.js or app.css; run 'make assets'")
	}
	if strings.Contains(text(page), "No styles and no script") {
		t.Error("the page says that the files are missing")
	}
}

func TestBrowserFilesAreSmallAndKeptForEver(t *testing.T) {
	w := newWorkspace(t, nil)
	page := document(t, w.get("/decks").body)
	cases := map[string]struct {
		url, contentType string
		budget           int
	}{
		"script": {attr(one(t, page, tag("script")), "src"), "text/javascript; charset=utf-8", 32_000},
		"styles": {attr(one(t, page, with("rel", "stylesheet")), "href"), "text/css; charset=utf-8", 12_000},
		"icon":   {attr(one(t, page, with("rel", "icon")), "href"), "image/svg+xml", 1000},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a := w.get(c.url, "Accept-Encoding", "gzip")
			t.Logf("%s: %d bytes gzip", c.url, len(a.body))
			if len(a.body) > c.budget {
				t.Errorf("%d bytes gzip, want at most %d", len(a.body), c.budget)
			}
			if got := a.Header.Get("Content-Type"); got != c.contentType {
				t.Errorf("type = %q, want %q", got, c.contentType)
			}
			if got, want := a.Header.Get("Cache-Control"), "public, max-age=31536000, immutable"; got != want {
				t.Errorf("Cache-Control = %q, want %q", got, want)
			}
			if plain := w.get(c.url); unzip(t, a.body) != plain.body || plain.body == "" {
				t.Error("the plain file is another one")
			}
		})
	}
}
