package view

import "strconv"

// PostPage is a post with what stands around it.
type PostPage struct {
	Page
	// BackURL leads to where the page was opened from, BackText says where.
	BackURL, BackText string
	Thread            Thread
	// Column is the one that the page was opened from, "" for none; Tasks takes
	// the form that makes a task from a post.
	Column, Tasks string
}

// Thread is a post between what it answers and what answers it.
type Thread struct {
	// Name is who wrote the post.
	Name  string
	Above []ThreadPost
	Post  Row
	// Facts are the time in full, who may see the post, and which account did.
	Facts string
	Below []ThreadPost
	// Title stands above the answers.
	Title string
	// Panel says why there is no conversation, nil when there is.
	Panel *Panel
	// Again leads to the page that tries to read the conversation again, "" when
	// there is no need.
	Again string
	// Loader asks for the conversation; nil once it is there or has failed. The
	// page of Again has it for browsers without script.
	Loader *Loader
}

// ThreadPost is a post of a conversation. Depth is how many of the answers
// above it it hangs on, from 1; what is deeper than MaxDepth is drawn there.
type ThreadPost struct {
	Row
	Depth int
}

// MaxDepth is how many steps answers to answers are set in.
const MaxDepth = 5

func (p ThreadPost) class() string { return "depth-" + strconv.Itoa(min(max(p.Depth, 1), MaxDepth)) }
