package snstest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// demoRelayFile is what the demo's account on X sees.
type demoRelayFile struct {
	// Label is what the connection is called, Profile the relay's profile.
	Label, Profile string
	// People: the first is the account.
	People []Person
	Lists  []TweetList
	Posts  []demoTweet
	// Series are posts that came at regular times, a text after the other; {time}
	// is the hour and minute.
	Series []demoSeries
	// Later are published one after another while the demo runs, and then Bot.
	Later   []demoTweet
	Bot     demoBot
	Notices []demoNotice
	// Bookmarks and Likes name posts by key, oldest first.
	Bookmarks, Likes []string
}

type demoTweet struct {
	// Key names the post for answers, reposts, quotes and notices.
	Key, By, Lang string
	Ago           demoAge
	// Text is paragraphs.
	Text                                   []string
	ReplyTo, Repost, Quote                 string
	Media                                  []Media
	Poll                                   *demoPoll
	Card                                   *Card
	Article                                string
	Edited, Pinned, Limited, Sensitive     bool
	Likes, Reposts, Quotes, Replies, Views int
}

type demoSeries struct {
	By    string
	Every demoAge
	Count int
	Texts []string
}

type demoNotice struct {
	Kind string
	From []string
	Post string
	Text string
	Ago  demoAge
}

// demoRelay is the relay of the demo with its one profile.
type demoRelay struct {
	*Relay
	profile *Profile
	file    demoRelayFile
	ids     map[string]string
	lists   map[string]string
	next    int
}

func startDemoRelay(ctx context.Context, now func() time.Time) (*demoRelay, error) {
	raw, err := demoContent.ReadFile("demo/x.json")
	if err != nil {
		return nil, fmt.Errorf("read the demo content: %w", err)
	}
	var f demoRelayFile
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("decode the demo content of X: %w", err)
	}
	r := NewRelay(RelayOptions{
		Profiles: []RelayProfile{{Name: f.Profile, Owner: f.People[0]}}, LinkToSelf: true, Now: now, Quirks: RelayQuirks{Lean: true},
	})
	s := &demoRelay{Relay: r, profile: r.Profile(f.Profile), file: f, ids: map[string]string{}, lists: map[string]string{}}
	if err := s.fill(now()); err != nil {
		return nil, err
	}
	if _, err := r.StartLoopback(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// fill puts the file's content into the relay, as of the start.
func (s *demoRelay) fill(start time.Time) error {
	for _, who := range s.file.People[1:] {
		s.profile.AddPerson(who)
	}
	for _, l := range s.file.Lists {
		s.lists[l.Title] = s.profile.AddList(l)
	}
	for _, series := range s.file.Series {
		for i := range series.Count {
			at := start.Truncate(time.Hour).Add(-time.Duration(i) * time.Duration(series.Every))
			// The hour, not the count, chooses the text: the tide does not
			// depend on when the demo was started.
			text := series.Texts[at.Unix()/int64(time.Duration(series.Every).Seconds())%int64(len(series.Texts))]
			s.profile.Add(Tweet{Author: series.By, At: at, Text: strings.ReplaceAll(text, "{time}", at.Format("15:04"))})
		}
	}
	posts := slices.Clone(s.file.Posts)
	slices.SortStableFunc(posts, func(a, b demoTweet) int { return int(b.Ago/1e9 - a.Ago/1e9) })
	for _, p := range posts {
		if err := s.publish(p, start.Add(-time.Duration(p.Ago)), start); err != nil {
			return err
		}
	}
	return s.fillMarks(start)
}

func (s *demoRelay) fillMarks(start time.Time) error {
	for _, marks := range []struct {
		keys []string
		add  func(...string)
	}{{s.file.Bookmarks, s.profile.Bookmark}, {s.file.Likes, s.profile.Like}} {
		for _, key := range marks.keys {
			id, err := s.id(key)
			if err != nil {
				return err
			}
			marks.add(id)
		}
	}
	for _, n := range s.file.Notices {
		id, err := s.id(n.Post)
		if err != nil {
			return err
		}
		s.profile.Notify(Notice{Kind: n.Kind, From: n.From, Post: id, Text: n.Text, At: start.Add(-time.Duration(n.Ago))})
	}
	return nil
}

// id is the post of a key; the empty key is no post.
func (s *demoRelay) id(key string) (string, error) {
	id, ok := s.ids[key]
	if !ok && key != "" {
		return "", fmt.Errorf("the demo content of X names the post %q before it is there", key)
	}
	return id, nil
}

func (s *demoRelay) publish(p demoTweet, at, start time.Time) error {
	t := Tweet{
		Author: p.By, At: at, Text: strings.Join(p.Text, "\n\n"), Lang: p.Lang, Media: p.Media, Card: p.Card, Article: p.Article,
		Edited: p.Edited, Pinned: p.Pinned, Limited: p.Limited, Sensitive: p.Sensitive,
		Likes: p.Likes, Reposts: p.Reposts, Quotes: p.Quotes, Replies: p.Replies, Views: p.Views,
	}
	for key, id := range map[string]*string{p.ReplyTo: &t.ReplyTo, p.Repost: &t.Repost, p.Quote: &t.Quote} {
		var err error
		if *id, err = s.id(key); err != nil {
			return err
		}
	}
	if p.Poll != nil {
		t.Poll = &Poll{Options: p.Poll.Options, Ends: start.Add(time.Duration(p.Poll.Ends)), Voters: p.Poll.Voters}
	}
	id := s.profile.Add(t)
	if p.Key != "" {
		s.ids[p.Key] = id
	}
	return nil
}

// publishNext adds the next written post, or one of the bot's. A post of
// somebody else that names the account also notifies it.
func (s *demoRelay) publishNext(now time.Time) error {
	i := s.next
	s.next++
	if i >= len(s.file.Later) {
		text := s.file.Bot.Texts[i%len(s.file.Bot.Texts)]
		s.profile.Add(Tweet{Author: s.file.Bot.By, At: now, Text: strings.ReplaceAll(text, "{time}", now.Format("15:04"))})
		return nil
	}
	p := s.file.Later[i]
	if err := s.publish(p, now, now); err != nil {
		return err
	}
	if me := s.file.People[0].Handle; p.By != me && strings.Contains(strings.Join(p.Text, " "), "@"+me) {
		s.profile.Notify(Notice{Kind: "mention", From: []string{p.By}, Post: s.ids[p.Key], At: now})
	}
	return nil
}
