package web

import (
	"strings"

	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// threadPrinter makes view models of a conversation.
type threadPrinter struct {
	postPrinter
	// account is the one that the posts were read with.
	account string
	// anchors are the elements on the page by the ids of their posts.
	anchors map[string]string
}

// alone is a post without what stands around it.
func (p threadPrinter) alone(post sns.Post) view.Thread {
	p.prefix, p.whole = "post-", true
	v := p.post(post)
	v.Open = "" // it is this page
	return view.Thread{Name: v.Author.Name, Post: view.Row{Post: v}, Facts: p.facts(post)}
}

// facts are what there is room for on the post's own page.
func (p threadPrinter) facts(post sns.Post) string {
	var parts []string
	if post.CreatedAt != nil {
		parts = append(parts, p.clock.full(*post.CreatedAt))
	}
	if text, known := audiences[post.Visibility]; known {
		parts = append(parts, text)
	}
	if p.account != "" {
		parts = append(parts, "read with "+p.account)
	}
	return strings.Join(parts, " · ")
}

// audiences are who may see a post.
var audiences = map[sns.Visibility]string{
	sns.Public: "Public", sns.Unlisted: "Unlisted", sns.Private: "Followers only",
	sns.Direct: "Only for those mentioned", sns.VisibilityUnknown: "Not public",
}

// thread is a post between what it answers and what answers it.
func (p threadPrinter) thread(t sns.Thread) view.Thread {
	p.prefix = "post-"
	p.anchors = map[string]string{t.Post.ID: "#post"}
	for _, list := range [][]sns.Post{t.Ancestors, t.Descendants} {
		for _, post := range list {
			p.anchors[post.ID] = "#" + p.prefix + idPart(post.EntryID)
		}
	}

	out := p.alone(t.Post)
	p.answers(t.Post, &out.Post.Post)
	for _, a := range t.Ancestors {
		out.Above = append(out.Above, view.ThreadPost{Row: p.row(a)})
	}
	depths := depths(t)
	for i, d := range t.Descendants {
		out.Below = append(out.Below, view.ThreadPost{Row: p.row(d), Depth: depths[i]})
	}
	out.Title = "No replies here yet"
	if n := len(out.Below); n > 0 {
		out.Title = plural(int64(n), "reply", "replies")
	}
	return out
}

// row is a post of the conversation, folded when a filter of the account says
// so.
func (p threadPrinter) row(in sns.Post) view.Row {
	v := p.post(in)
	p.answers(in, &v)
	return view.Row{Post: v, Folded: folded(in, false)}
}

// answers lets a post's context lead to the post on the same page.
func (p threadPrinter) answers(in sns.Post, v *view.Post) {
	if v.ReplyTo != nil && p.anchors[in.ReplyTo.ID] != "" {
		v.ReplyTo.URL = p.anchors[in.ReplyTo.ID]
	}
}

// depths are how far down the answers hang, from 1. One whose post is not there
// hangs on the post itself.
func depths(t sns.Thread) []int {
	known := map[string]int{t.Post.ID: 0}
	out := make([]int, len(t.Descendants))
	for i, d := range t.Descendants {
		depth := 1
		if d.ReplyTo != nil {
			depth = known[d.ReplyTo.ID] + 1
		}
		known[d.ID], out[i] = depth, depth
	}
	return out
}
