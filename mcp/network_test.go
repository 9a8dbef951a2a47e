package mcp_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// network is a provider whose timelines the test writes. Every source shows the
// same posts, pageSize at a time.
type network struct {
	mu       sync.Mutex
	posts    []sns.Post
	lists    []sns.List
	pageSize int
	warnings []string
	partial  bool
	err      error
	// block makes Fetch wait until it is closed or the context ends.
	block chan struct{}
	// waiting receives once for each Fetch that waits.
	waiting chan struct{}
}

func (n *network) Verify(_ context.Context, a sns.Account) (sns.Identity, error) {
	user := strings.TrimPrefix(a.Token, "token-")
	return sns.Identity{Account: "@" + user + "@social.example", AccountID: "900", Title: user}, nil
}

func (n *network) Lists(context.Context, sns.Account) ([]sns.List, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.lists, n.err
}

func (n *network) Fetch(ctx context.Context, _ sns.Account, _ sns.Source, cursor string) (sns.UpstreamPage, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.block != nil {
		block := n.block
		n.mu.Unlock()
		n.waiting <- struct{}{}
		select {
		case <-block:
		case <-ctx.Done():
		}
		n.mu.Lock()
		if ctx.Err() != nil {
			return sns.UpstreamPage{}, ctx.Err()
		}
	}
	if n.err != nil {
		return sns.UpstreamPage{}, n.err
	}
	from, _ := strconv.Atoi(cursor)
	size := n.pageSize
	if size == 0 {
		size = 20
	}
	to := min(from+size, len(n.posts))
	page := sns.UpstreamPage{Posts: n.posts[from:to], Warnings: n.warnings, Partial: n.partial}
	if to < len(n.posts) {
		page.Next = strconv.Itoa(to)
	}
	return page, nil
}

func (n *network) Thread(context.Context, sns.Account, string) (sns.Thread, error) {
	return sns.Thread{}, fault.Missing("post", "There is no such post.")
}

func (n *network) Supports(_ sns.Account, k sns.Kind) error {
	if k == sns.KindForYou {
		return fault.New(fault.InvalidSource, "Mastodon has no forYou timeline; use home.")
	}
	return nil
}

// plainPosts are count posts, newest first, with ids from 1000 downwards.
func plainPosts(count int) []sns.Post {
	posts := make([]sns.Post, count)
	for i := range posts {
		id := strconv.Itoa(1000 - i)
		at := start.Add(-time.Duration(i) * time.Minute)
		posts[i] = sns.Post{
			ID: id, URL: "https://social.example/@ann/" + id, CreatedAt: &at, Visibility: sns.Public,
			Author: sns.Author{ID: "7", Handle: "@ann@social.example", DisplayName: "Ann"}, Text: "Post " + id,
		}
	}
	return posts
}

// ordinaryPosts are 20 posts as a Japanese and English timeline has them: alt
// texts, boosts, content warnings, replies, polls, links.
func ordinaryPosts() []sns.Post {
	posts := plainPosts(20)
	texts := []string{
		"今日は東京で雨が降っています。傘を忘れたので駅の近くの喫茶店で本を読みながら雨が止むのを待っています。コーヒーがとても美味しいです。",
		"Finally finished the shelf. It took three weekends, two trips to the hardware shop and a lot of patience, but it stands straight now.",
		"新しいキーボードが届いた！打鍵感がすごく良くて、仕事が捗りそう。配列に慣れるまで少し時間がかかるかもしれないけど楽しみ。 #自作キーボード",
		"Train to the coast this morning: empty carriage, open windows, salt in the air. https://example.org/journal/2026/11/coast",
	}
	for i := range posts {
		p := &posts[i]
		p.Text, p.Language = texts[i%len(texts)], []string{"ja", "en"}[i%2]
		p.Author.AvatarURL = "https://media.social.example/accounts/avatars/000/000/007/original/0123456789abcdef.png"
		p.Counts = &sns.Counts{Replies: new(int64(i)), Boosts: new(int64(3 * i)), Likes: new(int64(11 * i))}
		p.Viewer = &sns.Viewer{Liked: i%7 == 0}
		p.Emojis = []sns.Emoji{{Shortcode: "blobcat", URL: "https://media.social.example/emoji/blobcat.png"}}
		if i%3 == 0 {
			p.Media = []sns.Media{{
				Type: "image", URL: fmt.Sprintf("https://media.social.example/media_attachments/files/%03d/original/fedcba9876543210.jpg", i),
				PreviewURL: "https://media.social.example/media_attachments/files/small/fedcba9876543210.jpg", Width: 1200, Height: 800,
				Alt: "窓辺の木の机に置かれた白いカップのコーヒーと開いた文庫本。窓の外は雨で、通りを歩く人たちの傘が見える。",
			}}
		}
		if i%4 == 1 {
			p.EntryID = "9" + p.ID
			p.BoostedBy = &sns.Boost{ID: p.EntryID, At: p.CreatedAt, Author: sns.Author{ID: "8", Handle: "@bob@other.example", DisplayName: "ボブ"}}
		}
		if i%5 == 2 {
			p.ContentWarning, p.Sensitive = "食べ物の話", true
		}
		if i%6 == 3 {
			p.ReplyTo = &sns.ReplyTo{ID: "500", AuthorHandle: "@cleo@third.example"}
			p.Mentions = []sns.Mention{{Text: "@cleo", Handle: "@cleo@third.example", URL: "https://third.example/@cleo"}}
		}
	}
	return posts
}
