package snstest

import (
	"embed"
	"fmt"
	"hash/fnv"
	"html"
	"io/fs"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// drawings are the insides of SVG pictures, 1200 by 800, and of emoji, 64 by 64.
//
//go:embed pictures
var drawings embed.FS

// Scenes are the names a Media or Card may show.
func Scenes() []string { return drawingNames("pictures") }

// Emoji are the names of custom emoji that have a drawing.
func Emoji() []string { return drawingNames("pictures/emoji") }

func drawingNames(folder string) []string {
	entries, err := fs.ReadDir(drawings, folder)
	if err != nil {
		panic(err) // the folder is compiled in
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".svg"); ok {
			names = append(names, name)
		}
	}
	return names
}

func drawing(path string) string {
	raw, err := drawings.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(raw)
}

var sceneName = regexp.MustCompile(`^([a-z]+)-([0-9]{1,4})x([0-9]{1,4})\.svg$`)

// picture answers every picture of the server.
func (m *Mastodon) picture(w http.ResponseWriter, r *http.Request) { picture(w, r, m.avatarSign) }

// picture answers a picture of a mock server; all are drawn here, so that
// nothing is fetched from elsewhere. sign is what stands in somebody's avatar.
func picture(w http.ResponseWriter, r *http.Request, sign func(who string) string) {
	name := r.PathValue("name")
	base := strings.TrimSuffix(name, ".svg")
	switch r.PathValue("kind") {
	case "avatar":
		avatar(w, base, sign(base))
	case "header":
		writeSVG(w, "0 0 1500 500", fmt.Sprintf(`<rect width="1500" height="500" fill="hsl(%d 35%% 60%%)"/>`, hue(base)))
	case "emoji":
		writeSVG(w, "0 0 64 64", drawing("pictures/emoji/"+base+".svg"))
	case "card":
		writeSVG(w, "0 85 1200 630", drawing("pictures/"+base+".svg"))
	case "scene":
		scene(w, r, name)
	default:
		http.NotFound(w, r)
	}
}

func scene(w http.ResponseWriter, r *http.Request, name string) {
	parts := sceneName.FindStringSubmatch(name)
	if parts == nil || !slices.Contains(Scenes(), parts[1]) {
		http.NotFound(w, r)
		return
	}
	inner := `<svg viewBox="0 0 1200 800" preserveAspectRatio="xMidYMid slice" width="100%" height="100%">` + drawing("pictures/"+parts[1]+".svg") + `</svg>`
	writeSVG(w, "0 0 "+parts[2]+" "+parts[3], inner)
}

// avatarSign is what stands in the avatar of an account.
func (m *Mastodon) avatarSign(acct string) string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if a := m.store.accounts[acct]; a != nil {
		return signOf(a.Avatar, a.Name)
	}
	return "?"
}

// signOf is the sign of somebody: one of their own or how their name begins.
func signOf(own, name string) string {
	if own != "" {
		return own
	}
	first, _ := utf8.DecodeRuneInString(name)
	return string(first)
}

// avatar draws a letter or a sign on a colour of the account's own.
func avatar(w http.ResponseWriter, acct, sign string) {
	h := hue(acct)
	writeSVG(w, "0 0 120 120", fmt.Sprintf(`<linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(%d 55%% 62%%)"/><stop offset="1" stop-color="hsl(%d 55%% 38%%)"/></linearGradient>`+
		`<rect width="120" height="120" fill="url(#g)"/><text x="60" y="82" text-anchor="middle" font-family="sans-serif" font-size="60" fill="#fff">%s</text>`,
		h, (h+40)%360, html.EscapeString(sign)))
}

func hue(name string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // a hash never fails
	return h.Sum32() % 360
}

func writeSVG(w http.ResponseWriter, box, inner string) {
	if inner == "" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/svg+xml")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	h.Set("Cache-Control", "max-age=3600")
	_, _ = fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s">%s</svg>`, box, inner)
}
