package activitiestest

import (
	"time"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// Post is the post that all cases with a source are about, an hour older than now.
func Post(now time.Time) sns.Post {
	at := now.Add(-time.Hour).UTC()
	return sns.Post{
		ID: "1000", EntryID: "1000", Network: sns.Mastodon, URL: postURL, CreatedAt: &at, Visibility: sns.Public,
		Author: sns.Author{ID: "7", Handle: "@ann@social.example", DisplayName: "Ann", URL: "https://social.example/@ann"},
		Text:   "Tea on Friday?\nAt mine.",
	}
}

// fromPosts make a task from the post.
func (w World) fromPosts() []Case {
	op := Operation{FromPost: &activities.PostRef{ConnectionID: w.ConnectionID, PostID: "1000"}}
	made := State{Title: "Tea on Friday?", Kind: activities.KindTask, Status: activities.Accepted, Own: true}
	about := task("", "Buy tea")
	about.Source = &activities.Source{ConnectionID: w.ConnectionID, URL: postURL + "?utm_source=mail"}
	return []Case{
		{Name: "make a task from a post", Op: op, Revision: 1, Want: []State{made}},
		{Name: "make a task from a post, pressed twice", Given: []Operation{op}, Op: op, Revision: 1, Want: []State{made}},
		{
			Name: "make a task from a post of an account that is not there", Op: Operation{FromPost: &activities.PostRef{ConnectionID: "conn_gone", PostID: "1000"}},
			Outcome: Outcome{Code: fault.NotFound},
		},
		{
			Name: "publish about a post that the person made a task from", Given: []Operation{op}, Op: publication("r1", 1, about),
			Receipt: []string{"kept_decision"}, Revision: 2, Want: []State{made},
		},
	}
}
