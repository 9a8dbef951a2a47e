package twitter_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
	"personal-workspace/sns/snstest"
	"personal-workspace/sns/twitter"
)

// reads are the operations of X that only read, as its documentation of 2026 has
// them. Whatever else is called an operation writes, or is not known to read.
var reads = []string{
	"HomeLatestTimeline", "HomeTimeline", "ListLatestTweetsTimeline", "UserTweets", "UserTweetsAndReplies", "UserMedia", "Likes", "SearchTimeline",
	"Bookmarks", "BookmarkSearchTimeline", "NotificationsTimeline", "TweetDetail", "TweetResultByRestId", "UserByScreenName", "UserByRestId",
	"ListsManagementPageTimeline", "ListOwnerships", "Viewer",
}

// writing are beginnings of names of operations that change something.
var writing = regexp.MustCompile(`(?i)^(create|delete|update|edit|favorite|unfavorite|retweet|unretweet|repost|bookmark(ed)?tweet|pin|unpin|mute|unmute|block|unblock|follow|unfollow|join|leave|list(add|remove)|add|remove|set|put|post|send|vote|moderate|schedule|enable|disable|mark|dm|report|cast)`)

func TestCatalogueHoldsNothingThatWrites(t *testing.T) {
	names := twitter.OperationNames()
	if len(names) < 15 {
		t.Fatalf("the catalogue has %d operations: is the test looking in the right place?", len(names))
	}
	for _, name := range names {
		if !slices.Contains(reads, name) || writing.MatchString(name) {
			t.Errorf("%s is not known to read", name)
		}
	}
	if diff := cmp.Diff([]string{"HomeLatestTimeline", "HomeTimeline"}, twitter.AskedByPOST(nil)); diff != "" {
		t.Errorf("asked by POST (-want +got):\n%s", diff)
	}
}

// The example in the documentation is one that a person can begin with.
func TestTheDocumentedCatalogueIsRead(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "x.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(doc), "```json\n")
	example, _, _ = strings.Cut(example, "```")
	got, err := twitter.ParseCatalogue([]byte(example))
	want := []string{"HomeLatestTimeline", "ListLatestTweetsTimeline"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("operations of the example (-want +got):\n%s%v", diff, err)
	}
}

func TestWritingNamesAreFound(t *testing.T) {
	for _, name := range []string{"CreateTweet", "DeleteTweet", "FavoriteTweet", "CreateRetweet", "CreateBookmark", "ListAddMember", "PinTweet", "MuteList", "CastVote"} {
		if !writing.MatchString(name) || slices.Contains(reads, name) {
			t.Errorf("%s passes for a read", name)
		}
	}
}

// TestOnlyOnePlaceSends reads the source: requests are made by exchange,
// addresses are written in request and in Profiles, and no method but those of the
// catalogue stands anywhere.
func TestOnlyOnePlaceSends(t *testing.T) {
	allowed := map[string][]string{
		"RoundTrip":             {"exchange"},
		"NewRequestWithContext": {"request", "Profiles"},
		"/i/api/graphql/":       {"request"},
		"/profiles":             {"Profiles"},
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			where := "outside of functions"
			if f, ok := d.(*ast.FuncDecl); ok {
				where = f.Name.Name
			}
			ast.Inspect(d, func(n ast.Node) bool {
				what := ""
				switch n := n.(type) {
				case *ast.SelectorExpr:
					what = n.Sel.Name
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "http" && slices.Contains([]string{"MethodPut", "MethodPatch", "MethodDelete", "Client", "Get", "Post"}, what) {
						t.Errorf("%s: %s names http.%s", name, where, what)
					}
				case *ast.BasicLit:
					what = strings.Trim(n.Value, "\"`")
					if strings.HasPrefix(what, "/1.1/") || strings.HasPrefix(what, "/2/") || strings.HasPrefix(what, "/api/") {
						t.Errorf("%s: %s has the address %s", name, where, what)
					}
				}
				if places, watched := allowed[what]; watched {
					found[what]++
					if !slices.Contains(places, where) {
						t.Errorf("%s: %s has %s", name, where, what)
					}
				}
				return true
			})
		}
	}
	for what := range allowed {
		if found[what] == 0 {
			t.Errorf("%s stands nowhere: is the test looking in the right place?", what)
		}
	}
}

const newID = "aNewQueryIdOfToday_xyz"

// recordedLine is a line of the relay's dump of a read by GET.
func recordedLine(operation, id string) string {
	return `{"method":"GET","path":"/graphql/` + id + `/` + operation + `","headers":{"authorization":"Bearer secret"},"params":{` +
		`"variables":"{\"listId\":\"1\",\"count\":5,\"cursor\":\"recorded\"}","features":"{\"brand_new_feature\":true,\"other\":false}"}}` + "\n"
}

// fromFile is a world whose catalogue stands in a file.
func fromFile(t *testing.T, lines string) (w *world, path string) {
	t.Helper()
	w = newWorld(t, snstest.RelayQuirks{Lean: true})
	path = filepath.Join(t.TempDir(), "catalogue.ndjson")
	write(t, path, lines)
	w.config.Catalogue = path
	w.restart()
	return w, path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCatalogueFileOverridesAnOperation(t *testing.T) {
	w, _ := fromFile(t, recordedLine("ListLatestTweetsTimeline", newID))
	w.relay.SetQueryID("ListLatestTweetsTimeline", newID)
	w.relay.RequireFeature("brand_new_feature")
	list := w.a1.AddList(snstest.TweetList{Title: "L"})
	w.page(sns.Source{Kind: sns.KindList, ListID: list}, "")
	c := w.relay.Calls()[0]
	var vars map[string]any
	if err := json.Unmarshal(c.Variables, &vars); err != nil {
		t.Fatal(err)
	}
	if c.QueryID != newID || string(c.Features) != `{"brand_new_feature":true,"other":false}` {
		t.Errorf("asked with %s and %s, want what the file has", c.QueryID, c.Features)
	}
	if vars["listId"] != list || vars["cursor"] != nil || vars["count"] != 20.0 {
		t.Errorf("variables = %v, want our own", vars)
	}
}

func TestCatalogueFileSwitchesTheMethod(t *testing.T) {
	line := `{"method":"POST","path":"/i/api/graphql/BGd0T_j7oVwlW5U79tO_0A/SearchTimeline","data":{"queryId":"x","variables":{"rawQuery":"a"},"features":{"a":true}}}`
	w, _ := fromFile(t, line)
	w.relay.SetQuirks(func(q *snstest.RelayQuirks) { q.SearchByPOST = true })
	w.page(sns.Source{Kind: sns.KindSearch, Query: "tea"}, "")
	if c := w.relay.Calls()[0]; c.Method != http.MethodPost || !strings.Contains(string(c.Variables), `"rawQuery":"tea"`) {
		t.Errorf("asked by %s with %s, want a POST for our words", c.Method, c.Variables)
	}
}

func TestCatalogueFileIsReadAgainWhenItChanges(t *testing.T) {
	w, path := fromFile(t, recordedLine("ListLatestTweetsTimeline", newID))
	src := sns.Source{Kind: sns.KindList, ListID: w.a1.AddList(snstest.TweetList{Title: "L"})}
	w.relay.SetQueryID("ListLatestTweetsTimeline", newID)
	w.page(src, "")
	w.relay.SetQueryID("ListLatestTweetsTimeline", "aQueryIdOfTomorrow")
	write(t, path, recordedLine("ListLatestTweetsTimeline", "aQueryIdOfTomorrow"))
	w.page(src, "")
	if calls := w.relay.Calls(); calls[1].QueryID != "aQueryIdOfTomorrow" {
		t.Errorf("asked with %s, want the id that the file has now", calls[1].QueryID)
	}
}

// Of a file that is not good as a whole nothing is taken.
func TestBadCatalogueFileLeavesTheLastGoodOne(t *testing.T) {
	good := recordedLine("ListLatestTweetsTimeline", newID)
	other := recordedLine("ListLatestTweetsTimeline", "anotherQueryIdOfToday")
	for name, bad := range map[string]string{
		"half written":             other + other[:100],
		"half of the only line":    other[:100],
		"empty":                    "",
		"no JSON":                  "<html>",
		"a list":                   "[]\n" + other,
		"an id that climbs":        recordedLine("ListLatestTweetsTimeline", "..%2f..%2fx"),
		"an id with a query":       recordedLine("ListLatestTweetsTimeline", "aaaaaaaa?x=1"),
		"a method that writes":     strings.Replace(other, "GET", "DELETE", 1),
		"features of another form": strings.Replace(other, `\"other\":false`, `\"other\":{\"a\":1}`, 1),
		"no features":              `{"method":"GET","path":"/graphql/anotherQueryIdOfToday/ListLatestTweetsTimeline","params":{}}`,
		"only writes":              recordedLine("CreateTweet", newID),
		"params of another form":   `{"method":"GET","path":"/graphql/anotherQueryIdOfToday/ListLatestTweetsTimeline","params":[1]}`,
		"far too long":             other + strings.Repeat(" ", 17<<20),
	} {
		t.Run(name, func(t *testing.T) {
			w, path := fromFile(t, good)
			w.relay.SetQueryID("ListLatestTweetsTimeline", newID)
			src := sns.Source{Kind: sns.KindList, ListID: w.a1.AddList(snstest.TweetList{Title: "L"})}
			w.page(src, "")
			write(t, path, bad)
			w.page(src, "")
			w.page(src, "")
			if calls := w.relay.Calls(); calls[2].QueryID != newID {
				t.Errorf("asked with %s, want the last good id", calls[2].QueryID)
			}
			if n := strings.Count(w.log.String(), "the last good one stays"); n != 1 {
				t.Errorf("the log complains %d times, want once:\n%s", n, w.log)
			}
			if strings.Contains(w.log.String(), "secret") {
				t.Errorf("the log has what stands in the file:\n%s", w.log)
			}
		})
	}
}

// A pipe in the place of the file keeps nobody waiting for who writes into it.
func TestCatalogueThatIsNoFileLeavesTheBuiltIn(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"a pipe":                   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder":                 func(path string) error { return os.Mkdir(path, 0o700) },
		"a device without end":     func(path string) error { return os.Symlink("/dev/zero", path) },
		"a link to itself":         func(path string) error { return os.Symlink(path, path) },
		"a link to what is nobody": func(path string) error { return os.Symlink(path+".gone", path) },
	} {
		t.Run(name, func(t *testing.T) {
			w, path := fromFile(t, "")
			if err := errors.Join(os.Remove(path), put(path)); err != nil {
				t.Fatal(err)
			}
			w.page(home, "")
			w.page(home, "")
			if n := strings.Count(w.log.String(), "the catalogue of X cannot be used"); n != 1 {
				t.Errorf("the log complains %d times, want once:\n%s", n, w.log)
			}
		})
	}
}

func TestCatalogueFloodsNoLog(t *testing.T) {
	var names strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&names, `\"v%d\":1,`, i)
	}
	w, _ := fromFile(t, strings.Replace(recordedLine("ListLatestTweetsTimeline", newID), `\"listId\"`, names.String()+`\"listId\"`, 1))
	w.page(home, "")
	if n := strings.Count(w.log.String(), "has the variable"); n != 20 {
		t.Errorf("the log names %d variables, want 20", n)
	}
}

func TestMissingCatalogueFileLeavesTheBuiltIn(t *testing.T) {
	w, path := fromFile(t, "")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w.page(home, "")
	if !strings.Contains(w.log.String(), "no such file") {
		t.Errorf("the log does not complain:\n%s", w.log)
	}
}

// A dump holds what the page does by itself too, writes among it.
func TestCatalogueFileCannotAddAWrite(t *testing.T) {
	w, _ := fromFile(t, recordedLine("CreateTweet", newID)+recordedLine("ListLatestTweetsTimeline", newID)+
		`{"method":"POST","path":"/1.1/statuses/update.json","data":"x"}`+"\n")
	w.page(home, "")
	if slices.Contains(twitter.OperationNames(), "CreateTweet") {
		t.Error("CreateTweet is in the catalogue")
	}
	wantFault(t, w.provider.Ask(t.Context(), w.account(), "CreateTweet"), fault.Internal, nil)
	if n := len(w.relay.Calls()); n != 1 {
		t.Errorf("%d requests, want the one for the home timeline", n)
	}
}

// The id tells X what to do, whatever the name beside it. What a file gives as the
// id of a read of one list, account or post may be that of a write to it, and a
// write goes by POST.
func TestCatalogueFileCannotTurnAReadIntoAWrite(t *testing.T) {
	const deleteList = "UnN9Th1BDbeLjpgjGSpL3Q"
	line := func(name string) string {
		return `{"method":"POST","path":"/graphql/` + deleteList + `/` + name + `","data":{"variables":{},"features":{"a":true}}}` + "\n"
	}
	for name, src := range map[string]sns.Source{
		"ListLatestTweetsTimeline": {Kind: sns.KindList, ListID: "5"}, "UserTweetsAndReplies": {Kind: sns.KindUser, Account: "@ben"},
		"UserByScreenName": {Kind: sns.KindUser, Account: "@ben"}, "TweetDetail": {Kind: sns.KindThread, PostID: "5"},
		"TweetResultByRestId": {Kind: sns.KindPost, PostID: "5"}, "Likes": {Kind: sns.KindFavourites},
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := fromFile(t, line(name)+recordedLine("Bookmarks", newID))
			w.a1.Add(snstest.Tweet{ID: "5", Text: "hello"})
			w.a1.AddList(snstest.TweetList{ID: "5"})
			w.page(src, "")
			calls := w.relay.CallsOf(name)
			if len(calls) != 1 || calls[0].Method != http.MethodGet || calls[0].QueryID == deleteList {
				t.Errorf("asked %+v, want the built-in question", calls)
			}
			if want := name + " is not read by POST, which could write"; !strings.Contains(w.log.String(), want) {
				t.Errorf("the log does not say %q:\n%s", want, w.log)
			}
		})
	}
}

func TestCatalogueNotesVariablesThatAreNotSent(t *testing.T) {
	w, _ := fromFile(t, strings.Replace(recordedLine("ListLatestTweetsTimeline", newID), `\"count\":5`, `\"count\":5,\"withNewThing\":true`, 1))
	w.page(home, "")
	if !strings.Contains(w.log.String(), "ListLatestTweetsTimeline has the variable withNewThing") {
		t.Errorf("the log does not say so:\n%s", w.log)
	}
}

func TestBrokenCatalogueIsTold(t *testing.T) {
	w, path := fromFile(t, recordedLine("ListLatestTweetsTimeline", newID))
	if got := w.provider.Warnings(); len(got) != 0 {
		t.Errorf("warnings = %q, want none", got)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{"The catalogue of X in WORKSPACE_TWITTER_CATALOG cannot be used (line 1: not a whole JSON object with method and path); mend the file, until then X is asked as before."}
	if diff := cmp.Diff(want, w.provider.Warnings()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if err := os.WriteFile(path, []byte(recordedLine("HomeTimeline", newID)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := w.provider.Warnings(); len(got) != 0 {
		t.Errorf("warnings = %q, want none once it is mended", got)
	}
}
