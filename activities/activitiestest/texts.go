package activitiestest

import (
	"strings"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
)

// refusedTexts are publications of one activity with one member that is wrong.
func (w World) refusedTexts() []Case {
	over := func(n int) string { return strings.Repeat("字", n+1) }
	list := []Case{}
	add := func(name, field string, code fault.Code, change func(p *activities.Proposal)) {
		p := task("a", "A")
		p.Source = &activities.Source{URL: postURL, Author: &activities.Author{}, Excerpts: []activities.Excerpt{{Text: "Tea?"}}}
		change(&p)
		list = append(list, Case{Name: "publish " + name, Op: publication("r1", 0, p), Outcome: Outcome{code, "activities[0]" + field}})
	}
	invalid := func(name, field string, change func(p *activities.Proposal)) {
		add(name, "."+field, fault.InvalidArguments, change)
	}
	invalid("an id that climbs", "id", func(p *activities.Proposal) { p.ID = "../x" })
	invalid("an id of 65", "id", func(p *activities.Proposal) { p.ID = strings.Repeat("a", 65) })
	invalid("a kind nobody has", "kind", func(p *activities.Proposal) { p.Kind = "order" })
	invalid("an empty title", "title", func(p *activities.Proposal) { p.Title = "" })
	invalid("a blank title", "title", func(p *activities.Proposal) { p.Title = " \u3000 " })
	invalid("a title of 201", "title", func(p *activities.Proposal) { p.Title = over(activities.MaxTitle) })
	invalid("a control character in the title", "title", func(p *activities.Proposal) { p.Title = "a\x00b" })
	invalid("a line break in the title", "title", func(p *activities.Proposal) { p.Title = "a\nb" })
	invalid("a body of 8001", "body", func(p *activities.Proposal) { p.Body = over(activities.MaxBody) })
	invalid("a body of a megabyte", "body", func(p *activities.Proposal) { p.Body = strings.Repeat("x", 1_000_000) })
	invalid("a control character in the body", "body", func(p *activities.Proposal) { p.Body = "a\x1b[2Jb" })
	invalid("a reason of 1001", "reason", func(p *activities.Proposal) { p.Reason = over(activities.MaxReason) })
	invalid("a control character in the reason", "reason", func(p *activities.Proposal) { p.Reason = "a\x07" })
	invalid("a priority nobody has", "priority", func(p *activities.Proposal) { p.Priority = "urgent" })
	invalid("an address of a script", "source.url", func(p *activities.Proposal) { p.Source.URL = "javascript:alert(1)" })
	invalid("an author's address of a file", "source.author.url", func(p *activities.Proposal) { p.Source.Author.URL = "file:///etc/passwd" })
	invalid("an author's name of 201", "source.author.name", func(p *activities.Proposal) { p.Source.Author.Name = over(activities.MaxName) })
	invalid("a conversation's name of 201", "source.conversationTitle", func(p *activities.Proposal) { p.Source.ConversationTitle = over(activities.MaxName) })
	invalid("a conversation's key of 2049", "source.conversationKey", func(p *activities.Proposal) { p.Source.ConversationKey = over(activities.MaxURL) })
	invalid("an empty excerpt", "source.excerpts[0].text", func(p *activities.Proposal) { p.Source.Excerpts[0].Text = "" })
	invalid("an excerpt of 2001", "source.excerpts[0].text", func(p *activities.Proposal) { p.Source.Excerpts[0].Text = over(activities.MaxExcerptText) })
	invalid("a control character in an excerpt", "source.excerpts[0].text", func(p *activities.Proposal) { p.Source.Excerpts[0].Text = "a\x00" })
	invalid("an excerpt's address of data", "source.excerpts[0].url", func(p *activities.Proposal) { p.Source.Excerpts[0].URL = "data:text/html,x" })
	invalid("an excerpt that turns what follows it", "source.excerpts[0].text", func(p *activities.Proposal) { p.Source.Excerpts[0].Text = "Tea\u202E?aeT" })
	invalid("eleven excerpts", "source.excerpts", func(p *activities.Proposal) {
		p.Source.Excerpts = make([]activities.Excerpt, activities.MaxExcerpts+1)
		for i := range p.Source.Excerpts {
			p.Source.Excerpts[i].Text = "Tea?"
		}
	})
	add("an account that is not connected", ".source.connectionId", fault.NotFound, func(p *activities.Proposal) { p.Source.ConnectionID = "conn_gone" })
	add("more than 32 kB", "", fault.LimitExceeded, func(p *activities.Proposal) {
		p.Body = strings.Repeat("🐈", activities.MaxBody)
		p.Source.Excerpts[0].Text = strings.Repeat("🐈", activities.MaxExcerptText)
	})
	return list
}
