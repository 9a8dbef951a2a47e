package snstest

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"
)

// picture answers a picture of somebody or of a post.
func (r *Relay) picture(w http.ResponseWriter, req *http.Request) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /pictures/{kind}/{name}", func(w http.ResponseWriter, req *http.Request) { picture(w, req, r.avatarSign) })
	mux.ServeHTTP(w, req)
}

func (r *Relay) avatarSign(handle string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if who := r.people[strings.ToLower(handle)]; who != nil {
		return signOf(who.Avatar, who.Name)
	}
	return "?"
}

// page answers what the links of people, posts and hashtags lead to when
// LinkToSelf is set: /handle, /handle/status/id, /i/article/id and /hashtag/name.
// It reports whether there is such a page.
func (r *Relay) page(w http.ResponseWriter, req *http.Request) bool {
	if !r.linkToSelf || req.Method != http.MethodGet {
		return false
	}
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	r.mu.RLock()
	defer r.mu.RUnlock()
	switch {
	case len(parts) == 1:
		who := r.people[strings.ToLower(parts[0])]
		if who == nil {
			return false
		}
		writePage(w, who.Name, "X", "<p>@"+html.EscapeString(who.Handle)+"</p><p>"+html.EscapeString(who.Bio)+"</p>"+
			r.articles(func(t *tweet) bool { return t.author == who }))
		return true
	case len(parts) == 2 && parts[0] == "hashtag":
		tag := "#" + strings.ToLower(parts[1])
		writePage(w, "#"+parts[1], "X", r.articles(func(t *tweet) bool { return strings.Contains(strings.ToLower(t.Text), tag) }))
		return true
	case len(parts) == 3 && (parts[1] == "status" || parts[1] == "article") && r.byID[parts[2]] != nil:
		writePage(w, "Post", "X", r.articles(func(t *tweet) bool { return t.id == parts[2] }))
		return true
	}
	return false
}

func (r *Relay) articles(belongs func(*tweet) bool) string {
	var b strings.Builder
	for _, t := range r.tweets {
		if !belongs(t) {
			continue
		}
		if t.repost != nil {
			t = t.repost
		}
		fmt.Fprintf(&b, `<article><h2 dir="auto">%s</h2><p>@%s · %s</p><p dir="auto" style="white-space:pre-wrap">%s</p>`,
			html.EscapeString(t.author.Name), html.EscapeString(t.author.Handle), t.At.UTC().Format(time.RFC1123), html.EscapeString(t.Text))
		for _, md := range t.Media {
			fmt.Fprintf(&b, "<p><em>%s</em></p>", html.EscapeString(md.Alt))
		}
		b.WriteString("</article>")
	}
	return b.String()
}
