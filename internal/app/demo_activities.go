package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"personal-workspace/activities"
	"personal-workspace/internal/ledger"
	"personal-workspace/sns/snstest"
)

// fillDemoActivities lets an assistant propose six tasks and two replies, as one
// would that has read the demo's timelines.
func (a *App) fillDemoActivities(ctx context.Context, d *snstest.Demo, connections []string) error {
	now := a.config.Now()
	list := slices.Concat(demoTasks(now), demoReplies(now))
	for _, p := range list {
		if s := p.Source; s != nil {
			server := 0
			if s.Author != nil && strings.HasSuffix(s.Author.Handle, "@lightleak.example") {
				server = 1
			}
			s.ConnectionID, s.URL = connections[server], d.Origins()[server]+s.URL
		}
	}
	ctx = ledger.WithActor(ctx, ledger.Actor{Kind: ledger.Caller, ID: "anonymous"})
	ctx, call := a.runs.BeginCall(ctx, ledger.ToolRun{Caller: "anonymous", ClientName: "Demo assistant", Tool: "publish_activities"})
	_, err := a.Activities.Publish(ctx, activities.Publication{RequestID: "demo", Activities: list})
	if err != nil {
		return fmt.Errorf("propose the demo's tasks and replies: %w", err)
	}
	call.End(ledger.OutcomeOK, "", "")
	return nil
}

// demoTasks are one that is late, one due today, and four for any time.
func demoTasks(now time.Time) []activities.Proposal {
	at := func(d time.Duration) *time.Time { return new(now.Add(d).UTC().Truncate(time.Minute)) }
	today := now.Add(3 * time.Hour)
	if last := time.Date(now.Year(), now.Month(), now.Day(), 23, 59, 0, 0, now.Location()); last.Before(today) {
		today = last
	}
	said := func(path, author, text string, ago time.Duration) *activities.Source {
		return &activities.Source{Network: "mastodon", URL: path, Excerpts: []activities.Excerpt{{Text: text, Author: author, At: at(-ago)}}}
	}
	return []activities.Proposal{
		{
			Kind: activities.KindTask, Title: "Bring the lamp to the repair café", DueAt: at(-20 * time.Hour), Priority: activities.PriorityHigh,
			Reason: "You said that you would bring it, and the café was yesterday.",
			Source: said("/@repaircafe", "Repair Café Ellery", "Mira, your lamp has a place on the bench. Bring the plug too this time.", 26*time.Hour),
		},
		{
			Kind: activities.KindTask, Title: "Buy the ferry ticket to Skarn", Body: "Departure 07:20. Ask whether the bicycle needs a place of its own.", DueAt: new(today.UTC().Truncate(time.Minute)),
			Reason: "Five of sixteen bicycle places are left, and you go tomorrow.",
			Source: said("/@ferrybot", "Skarn Ferry", "Departure 07:20 Port Ellery → Skarn: on time. Bicycles: 11 of 16 places free.", time.Hour),
		},
		{
			Kind: activities.KindTask, Title: "Return the chart book to the library", Priority: activities.PriorityHigh,
			Reason: "The library asks for it, and somebody else waits.",
			Source: said("/@library", "Port Ellery Library", "Whoever has the pilot's charts of the northern shoals: there is a list, and it is getting impatient.", 5*time.Hour),
		},
		{Kind: activities.KindTask, Title: "Read Bea’s thread about the island that is on no other map", Reason: "You bookmarked its first part."},
		{
			Kind: activities.KindTask, Title: "夕凪の銭湯の写真を見る", Body: "ハルカさんの投稿に、古い銭湯の写真が三枚ある。",
			Reason: "You follow #銭湯, and these are new.",
			Source: said("/@haruka@yunagi.example", "はるか", "朝の港で、漁協の猫が網の上で寝ていた。", 9*time.Hour),
		},
		{Kind: activities.KindTask, Title: "Pick up the secateurs from Joon’s beans", Priority: activities.PriorityLow, Reason: "Joon has found them."},
	}
}

// demoReplies are answers to somebody who waits.
func demoReplies(now time.Time) []activities.Proposal {
	at := func(ago time.Duration) *time.Time { return new(now.Add(-ago).UTC().Truncate(time.Minute)) }
	return []activities.Proposal{
		{
			Kind: activities.KindReply, Title: "Tell Tilde which loaf to keep", Body: "@tilde The dark rye, please, and one of the cardamom ones if the queue leaves any. I come by at four.",
			Reason: "Tilde asks you directly, and the bakery closes at five.",
			Source: &activities.Source{
				Network: "mastodon", URL: "/@tilde", ConversationTitle: "Tilde about the bread", Author: &activities.Author{Name: "Tilde Østby", Handle: "@tilde@tidepool.example"},
				Excerpts: []activities.Excerpt{
					{Text: "First trays out. The rye sulked all night and then did exactly what it was told.", Author: "Tilde Østby", At: at(3 * time.Hour)},
					{Text: "@mira Shall I keep one for you? Say which.", Author: "Tilde Østby", At: at(40 * time.Minute)},
				},
			},
		},
		{
			Kind: activities.KindReply, Title: "Answer Sam about the darkroom on Wednesday", Body: "@sam Wednesday works. I bring paper; is the second timer mended?",
			Reason: "Sam needs to know by tonight who comes.",
			Source: &activities.Source{
				Network: "mastodon", URL: "/@sam", ConversationTitle: "Darkroom on Wednesday", Author: &activities.Author{Name: "Sam Okafor-Lind", Handle: "@sam@lightleak.example"},
				Excerpts: []activities.Excerpt{{Text: "@mira_mends Wednesday, seven to ten? There are two enlargers free.", Author: "Sam Okafor-Lind", At: at(2 * time.Hour)}},
			},
		},
	}
}
