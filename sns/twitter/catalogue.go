package twitter

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"personal-workspace/internal/fault"
)

// Limits of the catalogue's file.
const (
	maxCatalogue = 16 << 20
	maxSwitches  = 300
	maxNotes     = 20
)

var (
	graphQLPath   = regexp.MustCompile(`^(?:/i/api)?/graphql/([^/?#]+)/([A-Za-z0-9_]+)$`)
	queryID       = regexp.MustCompile(`^[A-Za-z0-9_-]{8,64}$`)
	switchPattern = regexp.MustCompile(`^[A-Za-z0-9_]{1,128}$`)
)

// catalogue knows how each operation is asked now: as built in, or as a file of
// the operator says. The file is read again when it changes; of one that cannot be
// read whole nothing is taken, and the last good one stays.
type catalogue struct {
	path string
	log  *slog.Logger

	mu   sync.Mutex
	seen fs.FileInfo
	// trouble is what was last said about the file, so that it is said once.
	trouble string
	recipes map[string]recipe
}

func newCatalogue(path string, log *slog.Logger) *catalogue { return &catalogue{path: path, log: log} }

// recipe is how an operation is asked.
func (c *catalogue) recipe(name string) recipe {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path != "" {
		c.refresh()
	}
	if r, ok := c.recipes[name]; ok {
		return r
	}
	return operations[name].built
}

// refresh reads the file if it is not the one that was read; c.mu is held.
func (c *catalogue) refresh() {
	info, err := os.Stat(c.path)
	if err != nil {
		c.seen = nil
		c.complain(fault.FileReason(err))
		return
	}
	if c.seen != nil && os.SameFile(info, c.seen) && info.ModTime().Equal(c.seen.ModTime()) && info.Size() == c.seen.Size() {
		return
	}
	c.seen = info
	recipes, notes, err := readCatalogue(c.path)
	if err != nil {
		c.complain(fault.FileReason(err))
		return
	}
	c.recipes, c.trouble = recipes, ""
	c.log.Info("the catalogue of X was read", "operations", len(recipes))
	for _, n := range notes {
		c.log.Warn("the catalogue of X knows more than this version", "note", n)
	}
}

// warning says what is wrong with the file, "" for nothing.
func (c *catalogue) warning() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path == "" {
		return ""
	}
	c.refresh()
	if c.trouble == "" {
		return ""
	}
	return fmt.Sprintf("The catalogue of X in %s cannot be used (%s); mend the file, until then X is asked as before.", CatalogueVariable, c.trouble)
}

var errNoFile = errors.New("it is no ordinary file")

func (c *catalogue) complain(reason string) {
	if reason != c.trouble {
		c.trouble = reason
		c.log.Warn("the catalogue of X cannot be used; the last good one stays", "reason", reason)
	}
}

func readCatalogue(path string) (map[string]recipe, []string, error) {
	// A pipe without a writer would keep an ordinary open waiting, and every
	// question to X with it.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, nil, cmp.Or(err, errNoFile)
	}
	body, err := io.ReadAll(io.LimitReader(f, maxCatalogue+1))
	if err != nil {
		return nil, nil, err
	}
	if len(body) > maxCatalogue {
		return nil, nil, fmt.Errorf("it is over %d bytes", maxCatalogue)
	}
	return parseCatalogue(body)
}

// recorded is one line: a request that the page of x.com made. Its headers and the
// values of its variables are somebody's and are not read.
type recorded struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Params struct {
		Variables    string `json:"variables"`
		Features     string `json:"features"`
		FieldToggles string `json:"fieldToggles"`
	} `json:"params"`
	Data struct {
		Variables    json.RawMessage `json:"variables"`
		Features     json.RawMessage `json:"features"`
		FieldToggles json.RawMessage `json:"fieldToggles"`
	} `json:"data"`
}

// parseCatalogue takes the recipes of known operations from the lines; of several
// for one the last counts. notes tell of variables that no request will have.
func parseCatalogue(body []byte) (recipes map[string]recipe, notes []string, err error) {
	recipes = map[string]recipe{}
	n := 0
	for line := range bytes.Lines(body) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		name, r, variables, err := parseLine(line)
		if err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", n, err)
		}
		if name == "" {
			continue
		}
		if r.method == http.MethodPost && !operations[name].readsByPOST() {
			notes = append(notes, name+" is not read by POST, which could write")
			continue
		}
		recipes[name] = r
		notes = append(notes, unknownVariables(name, variables)...)
	}
	if len(recipes) == 0 {
		return nil, nil, errors.New("it has no operation that this version reads")
	}
	slices.Sort(notes)
	notes = slices.Compact(notes)
	return recipes, notes[:min(len(notes), maxNotes)], nil
}

// parseLine reads a line; name is "" for a request that the workspace never makes.
func parseLine(line []byte) (name string, r recipe, variables []string, err error) {
	var in recorded
	var loose struct {
		Method string `json:"method"`
		Path   string `json:"path"`
	}
	if err := json.Unmarshal(line, &loose); err != nil {
		return "", r, nil, errors.New("not a whole JSON object with method and path")
	}
	parts := graphQLPath.FindStringSubmatch(loose.Path)
	if parts == nil {
		return "", r, nil, nil
	}
	if _, known := operations[parts[2]]; !known {
		return "", r, nil, nil
	}
	name = parts[2]
	if err := json.Unmarshal(line, &in); err != nil {
		return "", r, nil, fmt.Errorf("%s has members of another form", name)
	}
	vars, features, toggles := []byte(in.Params.Variables), []byte(in.Params.Features), []byte(in.Params.FieldToggles)
	if in.Method == http.MethodPost {
		vars, features, toggles = in.Data.Variables, in.Data.Features, in.Data.FieldToggles
	}
	r = recipe{method: in.Method, id: parts[1]}
	if !queryID.MatchString(r.id) || r.method != http.MethodGet && r.method != http.MethodPost {
		return "", r, nil, fmt.Errorf("%s has a method or an id that none can have", name)
	}
	if r.features, err = switches(features); err == nil {
		r.toggles, err = switches(toggles)
	}
	if err != nil || len(r.features) == 0 {
		return "", r, nil, fmt.Errorf("%s has features or field toggles that are none", name)
	}
	return name, r, variableNames(vars), nil
}

// switches reads an object of names and booleans; nothing is none.
func switches(raw []byte) (map[string]bool, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	var out map[string]bool
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, err
	}
	if len(out) > maxSwitches {
		return nil, errors.New("too many")
	}
	for name := range out {
		if !switchPattern.MatchString(name) {
			return nil, errors.New("not a name")
		}
	}
	return out, nil
}

func variableNames(raw []byte) []string {
	var out map[string]json.RawMessage
	if json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(out))
}

// unknownVariables are those that this version does not send.
func unknownVariables(name string, variables []string) (notes []string) {
	op := operations[name]
	for _, v := range variables {
		if _, fixed := op.fixed[v]; !fixed && !slices.Contains(op.names, v) && switchPattern.MatchString(v) {
			notes = append(notes, name+" has the variable "+v)
		}
	}
	return notes
}

// encode writes the variables, features and toggles of a request as X reads them.
func encode(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // texts, numbers and booleans always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}
