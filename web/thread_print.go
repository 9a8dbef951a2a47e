package web

import (
	"personal-workspace/sns"
	"personal-workspace/web/view"
)

// threadPrinter makes view models of a conversation.
type threadPrinter struct {
	postPrinter
	// anchors are the elements on the page by the ids of their posts.
	anchors map[string]string
}

// alone is a post without what stands around it.
func (p threadPrinter) alone(post sns.Post) view.Thread {
	p.prefix, p.whole = "post-", true
	v := p.post(post)
	return view.Thread{Name: v.Author.Name, Post: view.Row{Post: v}}
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
	out.Post = p.row(t.Post, out.Post.Post)
	for _, a := range t.Ancestors {
		out.Above = append(out.Above, view.ThreadPost{Row: p.row(a, p.post(a))})
	}
	depths := depths(t)
	for i, d := range t.Descendants {
		out.Below = append(out.Below, view.ThreadPost{Row: p.row(d, p.post(d)), Depth: depths[i]})
	}
	out.Title = "No replies here yet"
	if n := len(out.Below); n > 0 {
		out.Title = plural(int64(n), "reply", "replies")
	}
	return out
}

// row is a post whose context leads to the post on the same page, and which is
// folded when a filter of the account says so.
func (p threadPrinter) row(in sns.Post, v view.Post) view.Row {
	if in.ReplyTo != nil && v.ReplyTo != nil && p.anchors[in.ReplyTo.ID] != "" {
		v.ReplyTo.URL = p.anchors[in.ReplyTo.ID]
	}
	return view.Row{Post: v, Folded: folded(in, false)}
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
