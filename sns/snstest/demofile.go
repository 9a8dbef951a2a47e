package snstest

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// demoContent has one file for each server of the demo.
//
//go:embed demo/*.json
var demoContent embed.FS

var demoFiles = []string{"tidepool", "lightleak", "yunagi"}

// demoFile is the content of one server. Durations count back from the start.
type demoFile struct {
	Domain, Title string
	// Label is what the connection is called.
	Label string
	Emoji []string
	// Accounts: the first is the main one.
	Accounts []demoAccount
	Lists    []demoList
	// Tags are the hashtags the main account follows.
	Tags  []string
	Posts []demoPost
	// Later are published one after another while the demo runs.
	Later []demoPost
	// Bot posts in turn when Later is used up; {time} is the hour and minute.
	Bot           demoBot
	Notifications []demoNote
	// Bookmarks, Favourites and Talks name posts by key, oldest first.
	Bookmarks, Favourites []string
	Talks                 []demoTalk
}

type demoAccount struct {
	Acct, Name, Bio, Avatar string
	Bot, Locked, Stranger   bool
}

type demoList struct {
	Title   string
	Members []string
}

type demoPost struct {
	// Key names the post for replies, boosts and notifications.
	Key, By string
	// Ago is how long before the start it was written, Edited when it was
	// changed.
	Ago, Edited demoAge
	// Text is paragraphs.
	Text                []string
	Warning, Lang       string
	Visibility          string
	ReplyTo, Boost      string
	Quote               string
	Media               []Media
	Poll                *demoPoll
	Card                *Card
	Sensitive, Pinned   bool
	Boosts, Favourites  int
	Filtered, FilterWay string
}

type demoPoll struct {
	Options  []Option
	Multiple bool
	// Ends is the time left at the start; negative when it is over.
	Ends   demoAge
	Voters int
}

type demoBot struct {
	By, Lang string
	Texts    []string
}

type demoNote struct {
	Type string
	From []string
	Post string
	Ago  demoAge
}

type demoTalk struct {
	With   []string
	Last   string
	Unread bool
}

// demoAge is a duration such as "4m", "3h10m" or "12d".
type demoAge time.Duration

// UnmarshalText reads the age; days may stand in front.
func (a *demoAge) UnmarshalText(text []byte) error {
	days, rest, found := strings.Cut(string(text), "d")
	if !found {
		days, rest = "0", string(text)
	}
	if rest == "" {
		rest = "0s"
	}
	whole, err := time.ParseDuration(days + "h")
	if err != nil {
		return fmt.Errorf("read the age %q: %w", text, err)
	}
	part, err := time.ParseDuration(rest)
	if err != nil {
		return fmt.Errorf("read the age %q: %w", text, err)
	}
	*a = demoAge(24*whole + part)
	return nil
}

func readDemoFile(name string) (demoFile, error) {
	raw, err := demoContent.ReadFile("demo/" + name + ".json")
	if err != nil {
		return demoFile{}, fmt.Errorf("read the demo content: %w", err)
	}
	var f demoFile
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return demoFile{}, fmt.Errorf("decode the demo content %s: %w", name, err)
	}
	return f, nil
}

func (a demoAccount) account() Account {
	return Account{Acct: a.Acct, Name: a.Name, Bio: a.Bio, Avatar: a.Avatar, Bot: a.Bot, Locked: a.Locked, Stranger: a.Stranger}
}
