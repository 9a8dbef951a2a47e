package mcp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/activities"
	"personal-workspace/internal/ledger"
)

const milk = `{"id":"milk","kind":"task","title":"Buy milk"}`

func publishArguments(requestID string, revision int, list string) string {
	return fmt.Sprintf(`{"requestId":%q,"expectedRevision":%d,"activities":[%s]}`, requestID, revision, list)
}

// entries returns the ledger's entries about activities.
func (w *world) entries(t *testing.T) (list []ledger.Entry) {
	t.Helper()
	all, err := w.ledger.Entries(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.ResourceType == ledger.ResourceActivity {
			list = append(list, e)
		}
	}
	return list
}

func TestPublicationIsOneCommitWithItsRecord(t *testing.T) {
	w := newWorld(t)
	r := w.call(t, "publish_activities", publishArguments("r1", 0, milk+`,{"id":"ann","kind":"reply","title":"Answer Ann"}`))
	want := `{"requestId":"r1","revision":1,"activities":[{"id":"milk","outcome":"created"},{"id":"ann","outcome":"created"}]}`
	if got := r.Content[0].Text; got != want {
		t.Errorf("receipt %s, want %s", got, want)
	}
	entries, runs := w.entries(t), w.toolRuns(t)
	if len(entries) != 1 || entries[0].Name != ledger.ActivityPublished || entries[0].Actor != (ledger.Actor{Kind: ledger.Caller, ID: "anonymous"}) {
		t.Errorf("the ledger has %+v, want one publication of the caller", entries)
	}
	if len(runs) != 1 || runs[0].Tool != "publish_activities" || runs[0].Outcome != ledger.OutcomeOK {
		t.Errorf("tool runs %+v, want one", runs)
	}
}

// TestALostAnswerIsGivenAgain: byte for byte, whatever happened since, and
// whatever revision the repetition names.
func TestALostAnswerIsGivenAgain(t *testing.T) {
	w := newWorld(t)
	first := w.call(t, "publish_activities", publishArguments("r1", 0, milk)).Content[0].Text
	w.call(t, "publish_activities", publishArguments("r2", 1, `{"id":"tea","kind":"task","title":"Make tea"}`))
	w.decide(t, activities.Decide{IDs: []string{"milk"}, Verb: activities.VerbDismiss})
	for _, revision := range []int{0, 3} {
		if again := w.call(t, "publish_activities", publishArguments("r1", revision, milk)).Content[0].Text; again != first {
			t.Errorf("at revision %d the repetition is answered %s, want %s", revision, again, first)
		}
	}
	if n := len(w.entries(t)); n != 3 {
		t.Errorf("%d commits, want 3", n)
	}
}

// TestTwoClientsOfOneRevision: one is told that it came second and what to do.
func TestTwoClientsOfOneRevision(t *testing.T) {
	w := newWorld(t)
	results := make([]result, 2)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			results[i] = w.call(t, "publish_activities", publishArguments(fmt.Sprint("r", i), 0, fmt.Sprintf(`{"kind":"task","title":"Task %d"}`, i)))
		})
	}
	wg.Wait()
	if results[0].IsError {
		slices.Reverse(results)
	}
	if results[0].IsError || !results[1].IsError {
		t.Fatalf("answers %+v, want one receipt and one fault", results)
	}
	f := results[1].fault(t)
	if f.Code != "stale_revision" || f.Retryable || f.Details["currentRevision"] != 1.0 || !strings.Contains(f.Message, "Call get_activity_context to read them.") {
		t.Errorf("fault %+v", f)
	}
}

func TestDismissalIsToldToAssistants(t *testing.T) {
	w := newWorld(t)
	const ann = `{"kind":"reply","title":"Answer","source":{"url":"https://social.example/@ann/1"}}`
	w.call(t, "publish_activities", publishArguments("r1", 0, ann))
	w.decide(t, activities.Decide{IDs: []string{"act_2"}, Verb: activities.VerbDismiss})
	got := w.call(t, "publish_activities", publishArguments("r2", 2, ann)).Content[0].Text
	want := `{"requestId":"r2","revision":3,"activities":[{"id":"act_2","outcome":"kept_decision","dismissedAt":"2026-11-30T12:00:00Z"}]}`
	if got != want {
		t.Errorf("receipt %s, want %s", got, want)
	}
}

// TestWrongPublicationsNameTheMemberAndChangeNothing has what only JSON can get
// wrong; the shared cases have the rest.
func TestWrongPublicationsNameTheMemberAndChangeNothing(t *testing.T) {
	with := func(members string) string {
		return publishArguments("r", 0, milk+`,{"kind":"task","title":"T",`+members+`}`)
	}
	cases := []struct{ name, arguments, field string }{
		{"no arguments", `{}`, "requestId"},
		{"unknown member", `{"requestId":"r","expectedRevision":0,"activities":[` + milk + `],"dryRun":true}`, "dryRun"},
		{"unknown member of an activity", with(`"status":"done"`), "activities[1].status"},
		{"a decision", with(`"decision":{"status":"accepted"}`), "activities[1].decision"},
		{"unknown member of a source", with(`"source":{"postId":"1"}`), "activities[1].source.postId"},
		{"unknown member of an excerpt", with(`"source":{"excerpts":[{"text":"a","html":"<b>"}]}`), "activities[1].source.excerpts[0].html"},
		{"a member that is no text", with(`"body":["a"]`), "activities[1].body"},
		{"an excerpt without a text", with(`"source":{"excerpts":[{"author":"Ann"}]}`), "activities[1].source.excerpts[0].text"},
		{"an author of an excerpt as an object", with(`"source":{"excerpts":[{"text":"a","author":{"name":"Ann"}}]}`), "activities[1].source.excerpts[0].author"},
		{"a date without a time", with(`"dueAt":"2026-12-01"`), "activities[1].dueAt"},
		{"a time without a zone", with(`"dueAt":"2026-12-01T09:00:00"`), "activities[1].dueAt"},
		{"a day that is not there", with(`"dueAt":"2026-02-30T09:00:00Z"`), "activities[1].dueAt"},
		{"a date in words", with(`"dueAt":"tomorrow"`), "activities[1].dueAt"},
		{"a date as a number", with(`"dueAt":1796115600`), "activities[1].dueAt"},
		{"an empty date", with(`"dueAt":""`), "activities[1].dueAt"},
		{"a year before all", with(`"dueAt":"0001-01-01T00:00:00Z"`), "activities[1].dueAt"},
		{"a bad date in an excerpt", with(`"source":{"excerpts":[{"text":"a","at":"2026-13-01T00:00:00Z"}]}`), "activities[1].source.excerpts[0].at"},
		{"an excerpt from the future", with(`"source":{"excerpts":[{"text":"a","at":"2026-12-30T12:00:00Z"}]}`), "activities[1].source.excerpts[0].at"},
		{"a fraction of a second behind a comma", with(`"dueAt":"2026-12-01T09:00:00,5Z"`), "activities[1].dueAt"},
		{"an offset of more than a day", with(`"dueAt":"2026-12-01T09:00:00+24:30"`), "activities[1].dueAt"},
		{"a member twice", with(`"body":"a","body":"b"`), "activities[1].body"},
		{"a member twice, once escaped", with(`"body":"a","b\u006fdy":"a"`), "activities[1].body"},
		{"a member twice in a long publication", with(`"body":"` + strings.Repeat("字", 1500) + `","source":{"excerpts":[{"text":"a"},{"text":"b","text":"c"}]}`), "activities[1].source.excerpts[1].text"},
		{"the activities twice", `{"requestId":"r","expectedRevision":0,"activities":[],"activities":[` + milk + `]}`, "activities"},
		{"the first half of a pair", with(`"body":"a\ud83d"`), "activities[1].body"},
		{"the second half of a pair", with(`"body":"\uDE00b"`), "activities[1].body"},
		{"two halves in the wrong order", with(`"body":"\uDE00\uD83D"`), "activities[1].body"},
		{"a half in a long publication", with(`"body":"` + strings.Repeat("\u3042", 1500) + `","reason":"\ud83dx"`), "activities[1].reason"},
		{"a half in a name", with(`"b\ud83d":"x"`), "activities[1].\"b\\ufffd\""},
		{"bytes that are not UTF-8", with("\"body\":\"a\xff\xfe\""), "activities[1].body"},
		{"an overlong form of NUL", with("\"source\":{\"excerpts\":[{\"text\":\"a\xc0\x80\"}]}"), "activities[1].source.excerpts[0].text"},
		{"a surrogate as UTF-8", with("\"body\":\"a\xed\xa0\x80\""), "activities[1].body"},
		{"an escaped control character", with(`"body":"a\u0000b"`), "activities[1].body"},
		{"withdrawn as a text", with(`"withdrawn":"yes"`), "activities[1].withdrawn"},
		{"a negative revision", publishArguments("r", -1, milk), "expectedRevision"},
		{"a revision as a text", `{"requestId":"r","expectedRevision":"0","activities":[` + milk + `]}`, "expectedRevision"},
		{"a request id with a line break", publishArguments("r\n", 0, milk), "requestId"},
		{"nothing where an activity should be", publishArguments("r", 0, milk+`,null`), "activities[1]"},
		{"an activity as a text", publishArguments("r", 0, `"Buy milk"`), "activities[0]"},
		{"a body of nearly a megabyte", with(`"body":"` + strings.Repeat("字", 300_000) + `"`), "activities[1].body"},
	}
	w := newWorld(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := w.call(t, "publish_activities", c.arguments).fault(t)
			if f.Code != "invalid_arguments" || f.Details["field"] != c.field || f.Retryable || len(f.Message) > 600 {
				t.Errorf("fault %+v, want invalid_arguments of %s", f, c.field)
			}
		})
	}
	var got readContext
	w.structured(t, "get_activity_context", "{}", &got)
	if got.Revision != 0 || len(got.Activities) != 0 || len(w.entries(t)) != 0 {
		t.Errorf("afterwards there are %+v and %d entries, want nothing", got, len(w.entries(t)))
	}
}

// TestEscapesOfWholeCharactersAreTaken: also those of an emoji, beside what only
// looks like an escape.
func TestEscapesOfWholeCharactersAreTaken(t *testing.T) {
	w := newWorld(t)
	w.call(t, "publish_activities", publishArguments("r", 0, `{"id":"milk","kind":"task","title":"\ud83d\ude00\\ud83d \uD83D\uDE00:","body":"\u3042\\\\ud800\""}`))
	got := w.whole(t, "milk").Proposal
	if want := "\U0001F600\\ud83d \U0001F600:"; got.Title != want || got.Body != "あ\\\\ud800\"" {
		t.Errorf("title %q, body %q, want %q", got.Title, got.Body, want)
	}
}

// TestAPublicationOverTheRequestLimitIsRefusedWhole: more than a request may have
// never reaches the tool.
func TestAPublicationOverTheRequestLimitIsRefusedWhole(t *testing.T) {
	w := newWorld(t)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"publish_activities","arguments":` +
		publishArguments("r", 0, `{"kind":"task","title":"T","body":"`+strings.Repeat("x", 1<<20)+`"}`) + `,` + meta + `}}`
	res := post(t, w.handler, "/mcp", headersOf("tools/call", "publish_activities"), body)
	if text := string(bodyOf(t, res)); res.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(text, "send less at a time") {
		t.Errorf("answered %d %s", res.StatusCode, text)
	}
	if n := len(w.entries(t)); n != 0 {
		t.Errorf("%d commits, want none", n)
	}
}

// TestWrongContextQueriesNameTheMember has the faults of reading.
func TestWrongContextQueriesNameTheMember(t *testing.T) {
	w := newWorld(t)
	w.publish(t, tasks(3, 10)...)
	var first readContext
	w.structured(t, "get_activity_context", `{"limit":1}`, &first)
	cases := []struct{ name, arguments, code, field string }{
		{"a limit of 0", `{"limit":0}`, "invalid_arguments", "limit"},
		{"a limit of 101", `{"limit":101}`, "invalid_arguments", "limit"},
		{"an id that is not there", `{"activityIds":["t0","gone"]}`, "not_found", "activityIds[1]"},
		{"an id that is no text", `{"activityIds":[1]}`, "invalid_arguments", "activityIds[0]"},
		{"101 ids", `{"activityIds":["t0"` + strings.Repeat(`,"t0"`, 100) + `]}`, "limit_exceeded", "activityIds"},
		{"a cursor of the caller's own", `{"cursor":"2"}`, "invalid_cursor", "cursor"},
		{"a cursor of another list", `{"activityIds":["t0"],"cursor":"` + *first.NextCursor + `"}`, "invalid_cursor", "cursor"},
		{"a filter that there is not", `{"status":"proposed"}`, "invalid_arguments", "status"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := w.call(t, "get_activity_context", c.arguments).fault(t)
			if f.Code != c.code || f.Details["field"] != c.field {
				t.Errorf("fault %+v, want %s of %s", f, c.code, c.field)
			}
		})
	}
}

// TestDatesAreReadInAnyZone: what is answered is UTC.
func TestDatesAreReadInAnyZone(t *testing.T) {
	w := newWorld(t)
	w.call(t, "publish_activities", publishArguments("r", 0,
		`{"id":"a","kind":"task","title":"A","dueAt":"2026-12-01T09:00:00+09:00"},{"id":"b","kind":"task","title":"B","dueAt":"2026-12-01T00:00:00.123456Z"}`))
	var got []string
	for _, id := range []string{"a", "b"} {
		text, err := json.Marshal(w.whole(t, id).Proposal.DueAt)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	if diff := cmp.Diff([]string{`"2026-12-01T00:00:00Z"`, `"2026-12-01T00:00:00.123Z"`}, got); diff != "" {
		t.Errorf("dates (-want +got):\n%s", diff)
	}
}

// TestRepetitionsAtOnceAreOneCommit: a client that is impatient gets the same
// receipt on each of its calls.
func TestRepetitionsAtOnceAreOneCommit(t *testing.T) {
	w := newWorld(t)
	answers := make([]string, 8)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			answers[i] = w.call(t, "publish_activities", publishArguments("r", 0, `{"kind":"task","title":"Once"}`)).Content[0].Text
		})
	}
	wg.Wait()
	slices.Sort(answers)
	if distinct := slices.Compact(answers); len(distinct) != 1 || len(w.entries(t)) != 1 {
		t.Errorf("%d commits and the answers %v, want one of each", len(w.entries(t)), distinct)
	}
}

// TestLargeCallsAreAnsweredAlike: what is held back from the SDK reaches the tool
// in every form of an answer, and faults of the protocol stay what they are.
func TestLargeCallsAreAnsweredAlike(t *testing.T) {
	arguments := publishArguments("r", 0, `{"id":"a","kind":"task","title":"T","body":"`+strings.Repeat("雨", 5000)+`"}`)
	call := func(tool, arguments, more string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `,` + more + `}}`
	}
	cases := []struct{ name, tool, body, want string }{
		{"as JSON", "publish_activities", call("publish_activities", arguments, meta), `"outcome":"created"`},
		{"as a stream", "publish_activities", call("publish_activities", arguments, strings.Replace(meta, "{", `{"progressToken":1,`, 1)), `"outcome":"created"`},
		{"of an unknown tool", "fly", call("fly", arguments, meta), "There is no tool fly"},
		{"with a wrong member", "publish_activities", call("publish_activities", strings.Replace(arguments, `"title"`, `"name"`, 1), meta), `activities[0].title`},
		{"that is broken", "publish_activities", strings.TrimSuffix(call("publish_activities", arguments, meta), "}"), `"code":-32700`},
		{"with its arguments twice", "publish_activities", call("publish_activities", arguments+`,"arguments":{}`, meta), `requestId is missing`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			if got := string(bodyOf(t, post(t, w.handler, "/mcp", headersOf("tools/call", c.tool), c.body))); !strings.Contains(got, c.want) {
				t.Errorf("answered %.600s, want %s", got, c.want)
			}
		})
	}
}
