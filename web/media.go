package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

var mediaLabels = map[string]struct{ kind, label string }{
	"image": {"image", "Picture"},
	"gif":   {"gif", "Moving picture"},
	"video": {"video", "Video"},
	"audio": {"audio", "Audio"},
}

func (p postPrinter) media(in []sns.Media) []view.Media {
	var out []view.Media
	for _, m := range in {
		l, known := mediaLabels[m.Type]
		if !known {
			l.kind, l.label = "file", "Attachment"
		}
		v := view.Media{Kind: l.kind, Label: l.label, Alt: m.Alt, Described: m.Alt != "", Width: m.Width, Height: m.Height}
		preview, previews := p.local.address(m.PreviewURL)
		if previews {
			v.PreviewURL = preview
		}
		var loads bool
		v.URL, loads = p.local.address(cmp.Or(richtext.SafeURL(m.URL), m.PreviewURL))
		v.Loads = known && (loads || previews && l.kind == "image")
		v.AtOnce = v.Loads && p.reading.MediaAtOnce
		if known && v.URL != "" && !v.Loads {
			v.Blocked = "It cannot be shown here because its server has no https. The link opens it."
		}
		if m.DurationMs > 0 {
			v.Label += " " + duration(time.Duration(m.DurationMs)*time.Millisecond)
		}
		if !v.Described {
			v.Alt = "No description given"
		}
		out = append(out, v)
	}
	return out
}

func duration(d time.Duration) string {
	seconds := int(d.Round(time.Second) / time.Second)
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// localMedia hands out the files of servers that a page may not load from,
// under an address of the workspace: those of the demo, on plain http.
type localMedia struct {
	site view.Site
	// servers are the handlers of the files by the server's host with its port.
	servers map[string]http.Handler
}

// address is where a browser finds a file, "" for an unsafe address, and whether
// the content policy lets a page load it from there. Other files open in a
// window of their own.
func (l localMedia) address(raw string) (address string, loads bool) {
	safe := richtext.SafeURL(raw)
	u, err := url.Parse(safe)
	if err != nil {
		return safe, false
	}
	if l.servers[u.Host] != nil {
		return l.site.DemoMedia(u.Host, u.EscapedPath()), true
	}
	return safe, strings.HasPrefix(safe, "https://")
}

// serve answers with a file as the server itself does, without asking over the
// network.
func (l localMedia) serve(w http.ResponseWriter, r *http.Request) error {
	server := l.servers[r.PathValue("server")]
	if server == nil {
		return errNoPage
	}
	own := r.Clone(r.Context())
	own.URL = &url.URL{Path: "/" + r.PathValue("path")}
	own.Header = http.Header{} // the session is nobody else's to see
	server.ServeHTTP(w, own)
	return nil
}
