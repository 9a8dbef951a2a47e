package mastodon_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	api "github.com/mattn/go-mastodon"
)

const library = `"github.com/mattn/go-mastodon"`

// readMethods are the methods of the library's client that may be named below
// sns. Everything else it has writes, streams or logs in.
var readMethods = []string{
	"AccountLookup", "GetAccountCurrentUser", "GetAccountStatusesParams", "GetBookmarks", "GetConversations", "GetFavourites",
	"GetInstance", "GetLists", "GetStatus", "GetStatusContext", "GetTimelineHashtagMultiple", "GetTimelineHome", "GetTimelineList",
	"GetTimelinePublic",
}

// libraryTypes are what may be named of the library itself: types without
// methods that reach a server, and the client.
var libraryTypes = []string{
	"Account", "Attachment", "Card", "Client", "Config", "Emoji", "ID", "Mention", "Notification", "Pagination", "Poll", "Status", "TagData",
}

// formFile is the one file that may send a form: those of a login.
const formFile = "submit.go"

// TestNothingBelowSNSCanWrite reads the source: no method of the library's
// client but those that read, and no request of another method than GET but in
// formFile.
func TestNothingBelowSNSCanWrite(t *testing.T) {
	files, posts := 0, 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		provider := filepath.Dir(path) == filepath.Join("..", "mastodon") && !strings.HasSuffix(path, "_test.go")
		alias := importName(file)
		if alias == "" && !provider {
			return nil
		}
		files++
		for _, problem := range writes(fset, file, alias) {
			if d.Name() == formFile && strings.HasSuffix(problem, ": names http.MethodPost") {
				posts++
				continue
			}
			t.Error(problem)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if posts != 1 {
		t.Errorf("%s names http.MethodPost %d times, want once", formFile, posts)
	}
	if files < 15 {
		t.Errorf("%d files were read, want at least 15: is the test looking in the right place?", files)
	}
}

// The check itself, on sources that break the rule.
func TestWritesAreFound(t *testing.T) {
	for name, body := range map[string]string{
		"a write method":              `func f(c *api.Client) { c.PostStatus(nil, nil) }`,
		"a method value":              `func f(c *api.Client) any { return c.DeleteStatus }`,
		"a method expression":         `var f = (*api.Client).Reblog`,
		"registering an application":  `var f = api.RegisterApp`,
		"a request of another method": `var f = http.MethodPost`,
		"a method as a text":          `var f = "DELETE"`,
		"a client of http":            `func f(c *api.Client) { c.PostForm("", nil) }`,
		"streaming":                   `func f(c *api.Client) { c.StreamingUser(nil) }`,
	} {
		t.Run(name, func(t *testing.T) {
			fset := token.NewFileSet()
			source := "package x\nimport (\n\"net/http\"\napi " + library + "\n)\nvar _ = http.MethodGet\n" + body
			file, err := parser.ParseFile(fset, "x.go", source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if got := writes(fset, file, importName(file)); len(got) != 1 {
				t.Errorf("found %v, want one", got)
			}
		})
	}
}

// importName returns under which name a file imports the library, or "".
func importName(file *ast.File) string {
	for _, i := range file.Imports {
		if i.Path.Value != library {
			continue
		}
		if i.Name != nil {
			return i.Name.Name
		}
		return "mastodon"
	}
	return ""
}

// writes lists what in a file could write. Names are judged without types, so a
// method of ours must not be called like one of the library's that writes.
func writes(fset *token.FileSet, file *ast.File, alias string) []string {
	imports := map[string]bool{}
	for _, i := range file.Imports {
		name := filepath.Base(strings.Trim(i.Path.Value, `"`))
		if i.Name != nil {
			name = i.Name.Name
		}
		imports[name] = true
	}
	forbidden := forbiddenMethods()
	var out []string
	report := func(n ast.Node, what string) { out = append(out, fset.Position(n.Pos()).String()+": "+what) }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, isName := n.X.(*ast.Ident)
			switch {
			case isName && x.Name == alias:
				if !slices.Contains(libraryTypes, n.Sel.Name) {
					report(n, "names "+n.Sel.Name+" of the library")
				}
			case isName && x.Name == "http" && strings.HasPrefix(n.Sel.Name, "Method") && n.Sel.Name != "MethodGet":
				report(n, "names http."+n.Sel.Name)
			case isName && imports[x.Name]:
			case forbidden[n.Sel.Name]:
				report(n, "calls "+n.Sel.Name)
			}
		case *ast.BasicLit:
			method := slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, strings.Trim(n.Value, "\"`"))
			if method && !strings.HasSuffix(fset.Position(n.Pos()).Filename, "_test.go") {
				report(n, "has the method "+n.Value)
			}
		}
		return true
	})
	return out
}

// forbiddenMethods are all methods of the library's client that do not read.
// Four of the http.Client in it have common names; the transport sends nothing
// but GET whoever asks.
func forbiddenMethods() map[string]bool {
	out := map[string]bool{}
	client := reflect.TypeFor[*api.Client]()
	for m := range client.Methods() {
		name := m.Name
		if !slices.Contains(readMethods, name) && !slices.Contains([]string{"Get", "Do", "Post", "CloseIdleConnections"}, name) {
			out[name] = true
		}
	}
	return out
}

func TestReadMethodsExist(t *testing.T) {
	client := reflect.TypeFor[*api.Client]()
	for _, name := range readMethods {
		if _, ok := client.MethodByName(name); !ok {
			t.Errorf("the library has no method %s", name)
		}
	}
}
