package activities_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"personal-workspace/activities"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

const postURL = "https://a.example/@ann/115000000000000001"

// posted is an ordinary post; change may alter it.
func posted(change ...func(*sns.Post)) sns.Post {
	p := sns.Post{
		ID: "115000000000000001", EntryID: "115000000000000001", Network: sns.Mastodon, ConnectionID: "conn_a", URL: postURL,
		Author: sns.Author{Handle: "@ann@a.example", DisplayName: "Ann", URL: "https://a.example/@ann"},
		Text:   "Who has a lamp?\nMine is broken.", CreatedAt: new(noon.Add(-time.Hour)), Visibility: sns.Public,
	}
	for _, f := range change {
		f(&p)
	}
	return p
}

// show puts a post where the service finds it, for an account.
func (w *world) show(connectionID string, p sns.Post) activities.PostRef {
	if w.accounts.posts == nil {
		w.accounts.posts = map[activities.PostRef]sns.Post{}
	}
	ref := activities.PostRef{ConnectionID: connectionID, PostID: p.ID}
	w.accounts.posts[ref] = p
	return ref
}

func (w *world) fromPost(t testing.TB, ref activities.PostRef) activities.Made {
	t.Helper()
	m, err := w.CreateFromPost(w.person, ref)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestATaskFromAPostKeepsWhatThePostSays(t *testing.T) {
	w := newWorld(t)
	ref := w.show("conn_a", posted())

	made := w.fromPost(t, ref)
	delete(w.accounts.posts, ref) // the store keeps no post for ever

	want := activities.Activity{
		ID: made.Activity.ID, Own: true,
		Proposal: activities.Proposal{Kind: activities.KindTask, Title: "Who has a lamp?", Source: &activities.Source{
			ConnectionID: "conn_a", Network: "mastodon", URL: postURL,
			Author:   &activities.Author{Name: "Ann", Handle: "@ann@a.example", URL: "https://a.example/@ann"},
			Excerpts: []activities.Excerpt{{Text: "Who has a lamp?\nMine is broken.", Author: "Ann", At: new(noon.Add(-time.Hour)), URL: postURL}},
		}},
		Decision:  activities.Decision{Status: activities.Accepted, DecidedAt: new(noon)},
		CreatedAt: noon, ProposedAt: noon, ConfirmedAt: noon, UpdatedAt: noon, Revision: 1,
	}
	if diff := cmp.Diff(want, w.get(t, made.Activity.ID), cmpopts.IgnoreFields(activities.Activity{}, "ProposedBy")); diff != "" {
		t.Errorf("activity (-want +got):\n%s", diff)
	}
	if made.Existed || made.ChangeID == "" {
		t.Errorf("made = %+v, want a new one with its change", made)
	}
}

func TestTitlesOfTasksFromPosts(t *testing.T) {
	text := func(s string) func(*sns.Post) { return func(p *sns.Post) { p.Text = s } }
	warned := func(s string) func(*sns.Post) { return func(p *sns.Post) { p.ContentWarning = s } }
	anonymous := func(p *sns.Post) { p.Author = sns.Author{Unknown: true} }
	words := strings.Repeat("word ", 60)
	for name, tc := range map[string]struct {
		post sns.Post
		want string
	}{
		"the first line":                    {posted(text("Bring a lamp\r\nand a plug")), "Bring a lamp"},
		"behind lines that say nothing":     {posted(text(" \n\u200B\n  Bring a lamp  \n")), "Bring a lamp"},
		"cut behind a word":                 {posted(text(words)), strings.TrimSpace(words[:5*39]) + "…"},
		"cut where there is no word's end":  {posted(text(strings.Repeat("灯", 250))), strings.Repeat("灯", 199) + "…"},
		"as long as may be":                 {posted(text(strings.Repeat("🐈", 200))), strings.Repeat("🐈", 200)},
		"as long as may be, once composed":  {posted(text(strings.Repeat("e\u0301", 200))), strings.Repeat("é", 200)},
		"without what turns it round":       {posted(text("a\u202Eb\x07c\td")), "ab c d"},
		"the warning, not what it hides":    {posted(warned("Spiders, lots")), "Spiders, lots"},
		"no warning that says nothing":      {posted(warned("\u200B")), "Post by @ann@a.example"},
		"of a post without text":            {posted(text("")), "Post by @ann@a.example"},
		"of a post of nobody, without text": {posted(text(" "), anonymous), "A post without text"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if got := w.fromPost(t, w.show("conn_a", tc.post)).Activity.Proposal.Title; got != tc.want {
				t.Errorf("title = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestExcerptsOfTasksFromPosts(t *testing.T) {
	early := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		change func(*sns.Post)
		want   activities.Excerpt
	}{
		"a hidden text stays hidden": {
			func(p *sns.Post) { p.ContentWarning = "Spiders" },
			activities.Excerpt{Text: "Who has a lamp?\nMine is broken.", Warning: "Spiders"},
		},
		"pictures": {
			func(p *sns.Post) {
				p.Text, p.Media = "", []sns.Media{{Type: "image", Alt: "A lamp"}, {Type: "video"}}
			},
			activities.Excerpt{Text: "Image: A lamp\nVideo: no description given"},
		},
		"a poll": {
			func(p *sns.Post) {
				p.Text, p.Poll = "", &sns.Poll{Options: []sns.PollOption{{Title: "Yes"}, {Title: "No"}}}
			},
			activities.Excerpt{Text: "Poll: Yes\nPoll: No"},
		},
		"a quote": {
			func(p *sns.Post) {
				p.Text, p.Quote = "", &sns.Quote{State: sns.QuoteAvailable, Post: &sns.Post{Text: "Lamp!", Author: sns.Author{Handle: "@ben"}}}
			},
			activities.Excerpt{Text: "Quotes @ben: Lamp!"},
		},
		"a link": {
			func(p *sns.Post) { p.Text, p.Card = "", &sns.Card{URL: "https://a.example/lamps"} },
			activities.Excerpt{Text: "Link: https://a.example/lamps"},
		},
		"nothing": {
			func(p *sns.Post) { p.Text = "\u202E" },
			activities.Excerpt{Text: "A post without text"},
		},
		"a long text": {
			func(p *sns.Post) { p.Text = strings.Repeat("灯", 9000) },
			activities.Excerpt{Text: strings.Repeat("灯", 5460) + "…"},
		},
		"a long text of one byte a letter": {
			func(p *sns.Post) { p.Text = strings.Repeat("lamp ", 2000) },
			activities.Excerpt{Text: strings.TrimSpace(strings.Repeat("lamp ", 1599)) + "…"},
		},
		"no character that a text may not have": {
			func(p *sns.Post) { p.Text = "a\x1b[2Jb\u202Ec\u2028d\r\ne\xff" },
			activities.Excerpt{Text: "a[2Jbc\nd\ne\uFFFD"},
		},
		"a post from the future has no time": {
			func(p *sns.Post) { p.CreatedAt = new(noon.Add(time.Hour)) },
			activities.Excerpt{Text: "Who has a lamp?\nMine is broken."},
		},
		"nor one from before there were any": {
			func(p *sns.Post) { p.CreatedAt = &early },
			activities.Excerpt{Text: "Who has a lamp?\nMine is broken."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			p := posted(tc.change)
			got := w.fromPost(t, w.show("conn_a", p)).Activity.Proposal.Source.Excerpts
			if p.CreatedAt.Equal(noon.Add(-time.Hour)) {
				tc.want.At = p.CreatedAt
			}
			tc.want.Author, tc.want.URL = "Ann", postURL
			if diff := cmp.Diff([]activities.Excerpt{tc.want}, got); diff != "" {
				t.Errorf("excerpts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAPostHasOneOpenTask(t *testing.T) {
	w := newWorld(t)
	ref := w.show("conn_a", posted())
	elsewhere := w.show("conn_b", posted(func(p *sns.Post) { p.ID, p.ConnectionID, p.URL = "7", "conn_b", postURL+"?utm_source=x" }))
	first := w.fromPost(t, ref)
	id := first.Activity.ID

	for name, again := range map[string]activities.PostRef{"the same": ref, "as another account shows it": elsewhere} {
		m := w.fromPost(t, again)
		if m.Activity.ID != id || !m.Existed || m.ChangeID != "" {
			t.Errorf("%s: %+v, want that %s is there", name, m, id)
		}
	}
	w.decide(t, activities.VerbSnooze, id)
	if m := w.fromPost(t, ref); m.Activity.ID != id || !m.Existed {
		t.Errorf("while it is snoozed: %+v, want that %s is there", m, id)
	}
	w.decide(t, activities.VerbDone, id)
	if m := w.fromPost(t, ref); m.Activity.ID == id || m.Existed {
		t.Errorf("once it is done: %+v, want a new one", m)
	}
	if got := w.revision(t); got != 4 {
		t.Errorf("revision = %d, want 4: two makings and two decisions", got)
	}
}

func TestAPostWithoutAnAddressHasOneOpenTaskToo(t *testing.T) {
	for name, url := range map[string]string{"none": "", "of a script": "javascript:alert(1)", "with a password": "https://a:b@a.example/1"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			p := posted(func(p *sns.Post) { p.URL, p.Author.URL = url, url })
			other := posted(func(p *sns.Post) { p.ID, p.URL = "2", url })
			first := w.fromPost(t, w.show("conn_a", p))
			if s := first.Activity.Proposal.Source; s.URL != "" || s.Excerpts[0].URL != "" || s.Author.URL != "" {
				t.Errorf("source = %+v, want no address", s)
			}
			if m := w.fromPost(t, w.show("conn_a", p)); !m.Existed {
				t.Error("a second task was made for the same post")
			}
			if m := w.fromPost(t, w.show("conn_a", other)); m.Existed {
				t.Error("another post has the task of the first")
			}
		})
	}
}

func TestPressedAtOnceAPostHasOneTask(t *testing.T) {
	w := newWorld(t)
	ref := w.show("conn_a", posted())
	made := make([]activities.Made, 8)
	var wg sync.WaitGroup
	for i := range made {
		wg.Go(func() {
			var err error
			if made[i], err = w.CreateFromPost(w.person, ref); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	n := 0
	for _, m := range made {
		if !m.Existed {
			n++
		}
	}
	if n != 1 || w.revision(t) != 1 {
		t.Errorf("%d tasks at revision %d, want one", n, w.revision(t))
	}
}

func TestTasksOfPosts(t *testing.T) {
	w := newWorld(t)
	first, second := posted(), posted(func(p *sns.Post) { p.ID, p.URL = "2", "" })
	third := posted(func(p *sns.Post) { p.ID, p.URL = "3", "https://a.example/@ann/3" })
	a, b := w.fromPost(t, w.show("conn_a", first)).Activity.ID, w.fromPost(t, w.show("conn_a", second)).Activity.ID
	w.publish(t, about(third.URL, time.Time{})) // an assistant's is none of the person's own

	got, err := w.TasksOfPosts(w.person, "conn_a", []sns.Post{first, second, third})
	if diff := cmp.Diff(map[string]string{first.ID: a, "2": b}, got); diff != "" || err != nil {
		t.Errorf("tasks = %v (-want +got):\n%s", err, diff)
	}
	w.decide(t, activities.VerbDone, a, b)
	if got, err := w.TasksOfPosts(w.person, "conn_a", []sns.Post{first, second}); len(got) != 0 || err != nil {
		t.Errorf("of what is done = %v, %v, want none", got, err)
	}
}

func TestATaskFromAPostIsThePersons(t *testing.T) {
	w := newWorld(t)
	made := w.fromPost(t, w.show("conn_a", posted())).Activity
	for name, change := range map[string]func(*activities.Proposal){
		"by its id":   func(p *activities.Proposal) { p.ID = made.ID },
		"by its post": func(*activities.Proposal) {},
	} {
		p := about(postURL, noon)
		change(&p)
		if o := w.publish(t, p).Activities[0]; o.Outcome != "kept_decision" || o.ID != made.ID {
			t.Errorf("%s: %+v, want kept_decision of %s", name, o, made.ID)
		}
	}
	if got := w.get(t, made.ID); !cmp.Equal(got.Proposal, made.Proposal) {
		t.Errorf("proposal = %+v, want it as it was made", got.Proposal)
	}
}

func TestATaskThatWasTakenBackIsNoDismissal(t *testing.T) {
	w := newWorld(t)
	ref := w.show("conn_a", posted())
	undone, dismissed := w.fromPost(t, ref), posted(func(p *sns.Post) { p.ID, p.URL = "2", "https://a.example/@ann/2" })
	if _, err := w.UndoDecision(w.person, undone.ChangeID); err != nil {
		t.Fatal(err)
	}
	w.decide(t, activities.VerbDismiss, w.fromPost(t, w.show("conn_a", dismissed)).Activity.ID)

	for _, tc := range []struct{ name, id, url, want string }{
		{"of what was taken back", "", postURL, "created"},
		{"of what was taken back, under another id", "again", postURL + "#", "created"},
		{"of what was dismissed", "", dismissed.URL, "kept_decision"},
		{"by the id of what was taken back", undone.Activity.ID, postURL, "kept_decision"},
	} {
		p := about(tc.url, time.Time{})
		p.ID = tc.id
		if o := w.publish(t, p).Activities[0]; o.Outcome != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, o.Outcome, tc.want)
		}
	}
	if m := w.fromPost(t, ref); m.Existed {
		t.Error("the post has a task of the person's that was taken back")
	}
}

func TestTasksFromPostsThatAreRefused(t *testing.T) {
	w := newWorld(t)
	gone := w.show("conn_a", posted(func(p *sns.Post) { p.Unavailable = &sns.Unavailable{Reason: "deleted"} }))
	there := w.show("conn_a", posted(func(p *sns.Post) { p.ID = "2" }))
	if _, err := w.CreateFromPost(w.caller, there); fault.CodeOf(err) != fault.Forbidden {
		t.Errorf("for an assistant = %v, want forbidden", err)
	}
	for name, ref := range map[string]activities.PostRef{"that is not there": {ConnectionID: "conn_a", PostID: "9"}, "that was deleted": gone} {
		if _, err := w.CreateFromPost(w.person, ref); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("of a post %s = %v, want not_found", name, err)
		}
	}
	if n := w.revision(t); n != 0 {
		t.Errorf("revision = %d, want nothing changed", n)
	}
}

// TestEveryPostCanBecomeATask makes tasks from posts of any letters, as long as
// the store keeps them.
func TestEveryPostCanBecomeATask(t *testing.T) {
	w := newWorld(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		line := func(name string, most int) string {
			s := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("\x00\t\r\n\"\\\u0085\u200B\u2028\u202E\u0958e\u0301🐈")))).Draw(rt, name)
			s, _ = richtext.Cut(strings.Repeat(s, rapid.IntRange(1, 300).Draw(rt, name+" repeated")), most)
			return s
		}
		n++
		p := posted(func(p *sns.Post) {
			p.ID, p.Text, p.ContentWarning = fmt.Sprint(n), line("text", sns.MaxText), line("warning", sns.MaxWarning)
			p.URL = rapid.SampledFrom([]string{"", "https://a.example/", "http:///", "https://ü.example/", "mailto:"}).Draw(rt, "address")
			p.URL, _ = richtext.Cut(p.URL+line("path", sns.MaxURL), sns.MaxURL)
			p.Author.DisplayName, p.Author.Handle, p.Author.URL = line("name", sns.MaxName), line("handle", sns.MaxHandle), p.URL
		})

		m, err := w.CreateFromPost(w.person, w.show("conn_a", p))
		if err != nil {
			rt.Fatalf("CreateFromPost: %v", err)
		}

		if got := m.Activity.Proposal.Title; !richtext.Visible(got) || utf8.RuneCountInString(got) > activities.MaxTitle {
			rt.Errorf("title = %q", got)
		}
	})
}
