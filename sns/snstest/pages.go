package snstest

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"
)

// page answers the pages that links of posts lead to when LinkToSelf is set:
// /@acct, /@acct/id and /tags/name. They show plain text only.
func (m *Mastodon) page(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	m.mu.RLock()
	defer m.mu.RUnlock()
	title, body := "", ""
	switch {
	case !m.opts.LinkToSelf || r.Method != http.MethodGet:
	case len(parts) == 1 && parts[0] == "":
		title, body = m.opts.Title, "<p>A server for trying out, with made-up people.</p>"
	case len(parts) == 1 && strings.HasPrefix(parts[0], "@"):
		title, body = m.profile(parts[0][1:])
	case len(parts) == 2 && parts[0] == "tags":
		title, body = "#"+parts[1], m.articles(func(st *status) bool { return st.public() && containsTag(st, parts[1]) })
	case len(parts) == 2 && strings.HasPrefix(parts[0], "@"):
		title, body = "Post", m.articles(func(st *status) bool { return st.id == parts[1] && m.store.visible(nil, st) })
	}
	if body == "" {
		http.NotFound(w, r)
		return
	}
	writePage(w, title, m.opts.Title, body)
}

func (m *Mastodon) profile(acct string) (title, body string) {
	a := m.store.accounts[acct]
	if a == nil {
		return "", ""
	}
	return a.Name, "<p>" + html.EscapeString(a.handle(m.opts.Domain)) + "</p><p>" + html.EscapeString(a.Bio) + "</p>" +
		m.articles(func(st *status) bool { return st.author == a && m.store.visible(nil, st) })
}

func (m *Mastodon) articles(belongs func(*status) bool) string {
	var b strings.Builder
	for _, st := range m.store.statuses {
		if !belongs(st) {
			continue
		}
		shown := st
		if st.boost != nil {
			shown = st.boost
		}
		fmt.Fprintf(&b, `<article><h2 dir="auto">%s</h2><p>%s · %s</p>`, html.EscapeString(shown.author.Name),
			html.EscapeString(shown.author.handle(m.opts.Domain)), shown.At.UTC().Format(time.RFC1123))
		for _, text := range []string{shown.Warning, shown.Text} {
			if text != "" {
				fmt.Fprintf(&b, `<p dir="auto" style="white-space:pre-wrap">%s</p>`, html.EscapeString(text))
			}
		}
		for _, md := range shown.Media {
			fmt.Fprintf(&b, "<p><em>%s</em></p>", html.EscapeString(md.Alt))
		}
		b.WriteString("</article>")
	}
	return b.String()
}

func containsTag(st *status, tag string) bool {
	for _, t := range st.tags {
		if t == normalizeTag(tag) {
			return true
		}
	}
	return false
}

func writePage(w http.ResponseWriter, title, site, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%[1]s · %[2]s</title>`+
		`<style>:root{color-scheme:light dark}body{max-width:40rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui}article{border-top:1px solid;margin-top:1rem}</style>`+
		`<p>%[2]s – a made-up server of the demonstration</p><h1>%[1]s</h1>%[3]s</html>`, html.EscapeString(title), html.EscapeString(site), body)
}
