package snstest

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// fill puts the file's content into the server, as of the start.
func (s *demoServer) fill(start time.Time) error {
	f := s.file
	s.AddEmoji(f.Emoji...)
	for _, a := range f.Accounts {
		s.AddAccount(a.account())
	}
	for _, l := range f.Lists {
		s.lists[l.Title] = s.AddList(l.Title, l.Members...)
	}
	for _, t := range f.Tags {
		s.FollowTag(t)
	}
	posts := slices.Clone(f.Posts)
	slices.SortStableFunc(posts, func(a, b demoPost) int { return int(b.Ago/1e9 - a.Ago/1e9) })
	for _, p := range posts {
		if err := s.publish(p, start.Add(-time.Duration(p.Ago)), start); err != nil {
			return err
		}
	}
	return s.fillMarks(start)
}

func (s *demoServer) fillMarks(start time.Time) error {
	for _, key := range s.file.Bookmarks {
		id, err := s.id(key)
		if err != nil {
			return err
		}
		s.Bookmark(id)
	}
	for _, key := range s.file.Favourites {
		id, err := s.id(key)
		if err != nil {
			return err
		}
		s.Favourite(id)
	}
	for _, n := range s.file.Notifications {
		id, err := s.id(n.Post)
		if err != nil {
			return err
		}
		s.Notify(Notification{Type: n.Type, From: n.From, Status: id, At: start.Add(-time.Duration(n.Ago))})
	}
	for _, t := range s.file.Talks {
		id, err := s.id(t.Last)
		if err != nil {
			return err
		}
		s.Converse(Conversation{With: t.With, Last: id, Unread: t.Unread})
	}
	return nil
}

// id is the status of a key; the empty key is no status.
func (s *demoServer) id(key string) (string, error) {
	id, ok := s.ids[key]
	if !ok && key != "" {
		return "", fmt.Errorf("the demo content names the post %q before it is there", key)
	}
	return id, nil
}

func (s *demoServer) publish(p demoPost, at, start time.Time) error {
	reply, err := s.id(p.ReplyTo)
	if err != nil {
		return err
	}
	boost, err := s.id(p.Boost)
	if err != nil {
		return err
	}
	st := Status{
		Author: p.By, At: at, Text: strings.Join(p.Text, "\n\n"), Warning: p.Warning, Sensitive: p.Sensitive, Language: p.Lang,
		Visibility: p.Visibility, ReplyTo: reply, Boost: boost, Media: p.Media, Card: p.Card, Boosts: p.Boosts, Favourites: p.Favourites, Pinned: p.Pinned,
	}
	if p.Quote != "" {
		id, err := s.id(p.Quote)
		if err != nil {
			return err
		}
		st.Quote = &Quote{ID: id}
	}
	if p.Poll != nil {
		st.Poll = &Poll{Options: p.Poll.Options, Multiple: p.Poll.Multiple, Ends: start.Add(time.Duration(p.Poll.Ends)), Voters: p.Poll.Voters}
	}
	if p.Filtered != "" {
		st.Filtered = []Filter{{Title: p.Filtered, Action: p.FilterWay}}
	}
	id := s.Add(st)
	if p.Key != "" {
		s.ids[p.Key] = id
	}
	if p.Edited != 0 {
		s.editedAt(id, start.Add(-time.Duration(p.Edited)))
	}
	return nil
}

// editedAt marks a status as edited without changing its text.
func (m *Mastodon) editedAt(id string, at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.store.known(id, "edited").edited = at
}

// publishNext adds the next written post, or one of the bot's. A post of
// somebody else that names or answers the main account also notifies it.
func (s *demoServer) publishNext(now time.Time) error {
	i := s.next
	s.next++
	if i < len(s.file.Later) {
		p := s.file.Later[i]
		if err := s.publish(p, now, now); err != nil {
			return err
		}
		s.notifyOf(p)
		return nil
	}
	texts := s.file.Bot.Texts
	text := strings.ReplaceAll(texts[i%len(texts)], "{time}", now.Format("15:04"))
	s.Add(Status{Author: s.file.Bot.By, At: now, Text: text, Language: s.file.Bot.Lang})
	return nil
}

func (s *demoServer) notifyOf(p demoPost) {
	me := s.file.Accounts[0].Acct
	if p.By != me && strings.Contains(strings.Join(p.Text, " "), "@"+me) {
		s.Notify(Notification{Type: "mention", From: []string{p.By}, Status: s.ids[p.Key]})
	}
}
