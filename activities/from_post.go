package activities

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
)

// PostRef names a post as a connection shows it.
type PostRef struct{ ConnectionID, PostID string }

// Made is what Service.CreateFromPost led to.
type Made struct {
	Activity Activity
	// ChangeID is the history's row of the making, for UndoDecision; "" when
	// Existed.
	ChangeID string
	// Existed: the person has an open task for the post already, which is
	// Activity, and no second one was made.
	Existed bool
}

// CreateFromPost makes a task of the person's own from a post. What the post says
// is kept with the task, so that it stays when the post is no longer stored. A post
// that no longer is stored is asked of its network. The same post has one open task
// of the person's, whichever of the accounts shows it.
func (s *Service) CreateFromPost(ctx context.Context, ref PostRef) (m Made, err error) {
	if err := personOnly(ctx); err != nil {
		return m, err
	}
	post, err := s.connections.GetPost(ctx, ref.ConnectionID, ref.PostID)
	if err != nil {
		return m, err
	}
	if post.Unavailable != nil {
		return m, fault.Missing("post", "The post cannot be shown any more; there is nothing to make a task from.")
	}
	post.ConnectionID = ref.ConnectionID
	known, err := s.known(ctx)
	if err != nil {
		return m, err
	}
	c := checker{index: -1, excerptText: MaxPostText}
	p := c.proposal(fromPost(post, s.now()))
	if c.err != nil {
		return m, c.err
	}
	p.key = keyOfPost(post, ref.ConnectionID)
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		m, err = s.createFromPost(tx, p, keysOfPost(post, known), known)
		return err
	})
	if err != nil {
		return Made{}, err
	}
	return m, nil
}

func (s *Service) createFromPost(tx *sqlite.Tx, p checked, keys []string, known map[string]string) (Made, error) {
	there, err := findOwnTasks(tx, keys)
	if err != nil {
		return Made{}, err
	}
	for _, id := range there {
		r, err := find(tx, id)
		return Made{Activity: r.public(known), Existed: true}, err
	}
	r, change, err := s.create(tx, p)
	return Made{Activity: r.public(known), ChangeID: strconv.FormatInt(change, 10)}, err
}

// TasksOfPosts returns the ids of the person's own open tasks that were made from
// posts, by the ids of those posts. All posts are of one connection.
func (s *Service) TasksOfPosts(ctx context.Context, connectionID string, posts []sns.Post) (tasks map[string]string, err error) {
	if len(posts) == 0 {
		return nil, nil
	}
	keys := make([]string, len(posts))
	for i, p := range posts {
		keys[i] = keyOfPost(p, connectionID)
	}
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		there, err := findOwnTasks(tx, keys)
		if err != nil || len(there) == 0 {
			return err
		}
		tasks = map[string]string{}
		for i, p := range posts {
			if id := there[keys[i]]; id != "" {
				tasks[p.ID] = id
			}
		}
		return nil
	})
	return tasks, err
}

// keyOfPost is the key of a task that is made from a post. A post without an
// address is recognised by its id.
func keyOfPost(p sns.Post, connectionID string) string {
	return keyOf(connectionID, cmp.Or(addressOfPost(p), "post:"+p.ID), KindTask)
}

// keysOfPost are the keys of a post for all connections that could show it.
func keysOfPost(p sns.Post, known map[string]string) []string {
	keys := []string{keyOfPost(p, p.ConnectionID)}
	if addressOfPost(p) == "" {
		return keys
	}
	for id := range known {
		keys = append(keys, keyOfPost(p, id))
	}
	return keys
}

// addressOfPost is a post's canonical address, "" for none that can be one.
func addressOfPost(p sns.Post) string {
	url, err := CanonicalURL(linkOf(p.URL))
	if err != nil {
		return ""
	}
	return url
}

// linkOf is an address that an activity may have, else "".
func linkOf(raw string) string {
	safe := richtext.SafeURL(raw)
	if _, err := CanonicalURL(safe); err != nil {
		return ""
	}
	return safe
}

// fromPost is a task with a post as its source. A post is what others wrote: what
// cannot be kept of it is left out, so that every post can become a task.
func fromPost(p sns.Post, now time.Time) Proposal {
	src := &Source{ConnectionID: p.ConnectionID, Network: string(p.Network)}
	src.URL = linkOf(p.URL)
	who := Author{Name: lineOf(p.Author.DisplayName, MaxName), Handle: lineOf(p.Author.Handle, MaxName), URL: linkOf(p.Author.URL)}
	if who != (Author{}) {
		src.Author = &who
	}
	e := Excerpt{Text: wordsOf(p), Warning: lineOf(p.ContentWarning, MaxExcerptText), Author: cmp.Or(who.Name, who.Handle), URL: src.URL}
	if at := p.CreatedAt; at != nil && at.Year() >= 1971 && !at.After(now) {
		e.At = at
	}
	src.Excerpts = []Excerpt{e}
	return Proposal{Kind: KindTask, Title: titleOf(p, who), Source: src}
}

// titleOf is the first line of a post that says something, of a hidden text its
// warning, else who wrote the post.
func titleOf(p sns.Post, who Author) string {
	for line := range strings.Lines(cmp.Or(p.ContentWarning, p.Text)) {
		if line = lineOf(line, MaxTitle); richtext.Visible(line) {
			return line
		}
	}
	by := cmp.Or(who.Handle, who.Name)
	if !richtext.Visible(by) {
		return "A post without text"
	}
	return lineOf("Post by "+by, MaxTitle)
}

// wordsOf is what a post says: its text, else what it shows instead.
func wordsOf(p sns.Post) string {
	if text := textOf(p.Text, MaxPostText, maxPostBytes); strings.TrimSpace(text) != "" {
		return text
	}
	var parts []string
	for _, m := range p.Media {
		parts = append(parts, kindsOfMedia[m.Type]+cmp.Or(m.Alt, "no description given"))
	}
	if p.Poll != nil {
		for _, o := range p.Poll.Options {
			parts = append(parts, "Poll: "+o.Title)
		}
	}
	if p.Card != nil {
		parts = append(parts, "Link: "+cmp.Or(p.Card.Title, p.Card.URL))
	}
	if q := p.Quote; q != nil && q.Post != nil {
		parts = append(parts, "Quotes "+cmp.Or(q.Post.Author.Handle, "a post")+": "+q.Post.Text)
	}
	text := textOf(strings.Join(parts, "\n"), MaxPostText, maxPostBytes)
	if strings.TrimSpace(text) == "" {
		return "A post without text"
	}
	return text
}

var kindsOfMedia = map[string]string{"image": "Image: ", "gif": "Animation: ", "video": "Video: ", "audio": "Sound: ", "unknown": "File: "}

// maxPostBytes bounds a kept text beside MaxPostText, so that a task stays below
// MaxActivity in any script.
const maxPostBytes = 16 << 10

// textOf is a text without what none may have, cut to a length.
func textOf(s string, most, bytes int) string {
	s = strings.Map(func(r rune) rune {
		switch bad := badnessOf(r); {
		case r == '\u2028' || r == '\u2029':
			return '\n'
		case r != '\r' && (bad == badControl || bad == badTurn):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = breaks.Replace(s)
	if n, _ := scan(s); n <= most && len(s) <= bytes {
		return s
	}
	cut, _ := richtext.Cut(s, bytes-len("…"))
	return shorten(cut, most-1) + "…"
}

// lineOf is a text as one line without what none may have, cut to a length.
func lineOf(s string, most int) string {
	s = norm.NFC.String(strings.TrimSpace(strings.Map(func(r rune) rune {
		if badnessOf(r) == badTurn {
			return -1
		}
		return r
	}, richtext.Line(s))))
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return shorten(s, most-1) + "…"
}

// shorten cuts a text to at most most code points, behind a word where one ends
// in its second half.
func shorten(s string, most int) string {
	n, end, word := 0, len(s), 0
	for i, r := range s {
		if n == most {
			end = i
			break
		}
		if n > most/2 && unicode.IsSpace(r) {
			word = i
		}
		n++
	}
	if word > 0 && end < len(s) {
		end = word
	}
	return strings.TrimRight(s[:end], " \n\t\u200D")
}
