package view

import (
	"cmp"

	"personal-workspace/internal/richtext"
)

// Post is a post as it is shown.
type Post struct {
	// ID is unique on the page.
	ID string
	// Lead is the line above a boost or a notification.
	Lead    *Lead
	Author  Author
	At      *Time
	Edited  *Time
	Visible Visibility
	// ReplyTo leads to what the post answers; nil when it answers nothing.
	ReplyTo *Context
	// Warning hides text and media until the reader opens it; Opened: it is open
	// from the start.
	Warning string
	Opened  bool
	// Lang is a BCP 47 tag or "".
	Lang string
	Text []Piece
	// Rest goes on after Text, behind a line that opens it.
	Rest []Piece
	// Truncated: the text goes on at the post's page or its source.
	Truncated bool
	// Sensitive hides the descriptions of media behind a line.
	Sensitive bool
	Media     []Media
	Quote     *Quote
	Poll      *Poll
	Card      *Card
	Counts    []Count
	// Open is the post's own page in the workspace, URL the post at its source;
	// each is "" when there is none.
	Open, URL string
	// Task is about a task from the post; nil where there can be none.
	Task *PostTask
	// Emoji: some of the custom emoji wait until the reader asks for them.
	Emoji bool
	// Quiet shows only the beginning: the reader knows the post.
	Quiet bool
	// Gone replaces everything when the post cannot be shown.
	Gone string
}

// PostTask is about a task from a post: to make one, that there is one, or that
// one was just made.
type PostTask struct {
	// Form is the id of the form that makes tasks, Post what it sends.
	Form, Post string
	// URL is the open task, "" for none.
	URL string
	// Said is what was just done, "" for nothing; Undo takes it back, "" where
	// that cannot be.
	Said, Undo string
	// Problem says why no task was made, "" for nothing.
	Problem string
	// Focus puts the cursor here.
	Focus bool
}

// TaskForm is the id of the form that makes tasks from the posts of a column; ""
// is none.
func TaskForm(column string) string { return "tasks-" + column }

func (p Post) folded() bool { return p.Warning != "" }

// described is the id of the element that says what the post is about: its
// text, or what stands in front of it.
func (p Post) described() string {
	if p.Gone == "" && !p.folded() && len(p.Text) == 0 {
		return ""
	}
	return p.ID + "-text"
}

// Piece is a part of a text: plain, a link or a custom emoji.
type Piece struct {
	richtext.Segment
	// Later: the emoji's picture waits until the reader asks for it, because
	// its server would learn of the reader.
	Later bool
}

// Context says what a post answers, and leads there.
type Context struct {
	Text string
	// URL is a page of the workspace or a fragment, "" for none.
	URL string
}

// Lead says who passed a post on, or what happened.
type Lead struct {
	// Icon is boost, like, heart, follow, mention, poll, edit or bell.
	Icon string
	// Who are names, Text what they did.
	Who  []Author
	Text string
	At   *Time
}

// after is what stands close behind a name.
func (l Lead) after(i int) string {
	if i < len(l.Who)-1 {
		return ","
	}
	return ""
}

// Author is an account as it is shown.
type Author struct {
	Name, Handle string
	// Label is Name in pieces when it has custom emoji, else nil.
	Label []Piece
	// URL is the account's page, "" when unknown.
	URL      string
	Initials string
	Tone     Tone
	// Note is "bot" or "protected" or "".
	Note string
}

// Visibility is who may see a post; the empty value is everyone.
type Visibility struct {
	Icon, Text string
}

// Media is an attachment that the reader may load.
type Media struct {
	// Kind is image, gif, video, audio or file.
	Kind  string
	Label string
	// URL is the file, PreviewURL a smaller picture of it.
	URL, PreviewURL string
	// Alt is what the author wrote, or says that there is nothing.
	Alt string
	// Described: Alt is the author's.
	Described     bool
	Width, Height int
	// Loads: the page may show it in place once the reader asks. Blocked says
	// why it may not although it is of a kind that could be shown.
	Loads   bool
	Blocked string
	// AtOnce: the page shows it without being asked.
	AtOnce bool
}

// shown is what stands on the page: a picture's smaller form.
func (m Media) shown() string { return cmp.Or(m.PreviewURL, m.URL) }

// alternative is for those who do not see the picture.
func (m Media) alternative() string {
	if !m.Described {
		return m.Label + " without a description"
	}
	return m.Alt
}

// Quote is a quoted post, or in State why it is not shown.
type Quote struct {
	State  string
	Author Author
	At     *Time
	Lang   string
	Text   []Piece
	// Truncated: the text goes on at the quoted post's page or source.
	Truncated bool
	// Warning hides the text and the media; Opened is as in Post.
	Warning string
	Opened  bool
	// Sensitive hides the descriptions of media behind a line.
	Sensitive bool
	Media     []Media
	// Open and URL are as in Post.
	Open, URL string
}

// Poll is a poll, read only.
type Poll struct {
	Options []PollOption
	// Summary is "12 votes, closed".
	Summary string
}

// PollOption is one choice with its share in percent, -1 when not known.
type PollOption struct {
	Title string
	Share int
}

// Card is the preview of a link.
type Card struct {
	URL, Title, Description string
	// Host is where the link leads.
	Host string
	// Picture is loaded when the reader asks; nil for none.
	Picture *Media
}

// Count is a number with its meaning.
type Count struct {
	Icon, Text string
	Value      string
}
