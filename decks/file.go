package decks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// Of a deck file.
const (
	// MaxFile is the largest deck file, in bytes, read or written.
	MaxFile = 768 << 10

	fileVersion = 1
	// maxMember is the longest name of an unknown member that is said back, in
	// bytes with its quotes.
	maxMember  = 80
	formatOne  = "workspace-deck"
	formatMany = "workspace-decks"
)

// File is a deck file: decks without anything that only this workspace knows.
// Connections are named by what they are, never by id.
type File struct {
	Decks []FileDeck
}

// FileDeck is one deck in a file.
type FileDeck struct {
	Title   string       `json:"title"`
	Columns []FileColumn `json:"columns"`
}

// FileColumn is one column in a file.
type FileColumn struct {
	ID     string     `json:"id,omitempty"`
	Title  string     `json:"title,omitempty"`
	Source sns.Source `json:"source"`
	// ListTitle is what the network calls the list of the source; it only says
	// to a reader of the file which list that was.
	ListTitle string `json:"listTitle,omitempty"`
	// Connection is nil when the account was not connected any more.
	Connection *FileConnection `json:"connection,omitempty"`
	Filters    *Filters        `json:"filters,omitempty"`
	Paused     bool            `json:"paused,omitempty"`
}

// FileConnection names a connection in any workspace.
type FileConnection struct {
	Kind sns.Network `json:"kind"`
	// Host is the server's name, with a port where it has one.
	Host string `json:"host"`
	// Handle is @user@host, "" without login.
	Handle string `json:"handle,omitempty"`
}

// The two shapes of a file.
type (
	fileHead struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	fileOne struct {
		fileHead
		FileDeck
	}
	fileMany struct {
		fileHead
		Decks []FileDeck `json:"decks"`
	}
)

// Encode writes the file as JSON that ParseFile reads back as the same file: one
// deck as format "workspace-deck", several as "workspace-decks". More than
// MaxFile bytes are limit_exceeded.
func (f File) Encode() ([]byte, error) {
	var shape any = fileMany{fileHead{formatMany, fileVersion}, f.Decks}
	if len(f.Decks) == 1 {
		shape = fileOne{fileHead{formatOne, fileVersion}, f.Decks[0]}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(shape); err != nil {
		return nil, fmt.Errorf("encode the deck file: %w", err)
	}
	if b.Len() > MaxFile {
		return nil, fault.Limit("file", MaxFile, "The file would be larger than %d kB, the most that can be read back; export the decks one by one.", MaxFile>>10)
	}
	return b.Bytes(), nil
}

// ParseFile reads a deck file. It is strict: a member that version 1 does not
// have or that is there twice, a deck beyond its limits or anything after the end
// is a fault whose field is "file" or a path in the file, such as
// "decks[1].columns[0].id".
// Titles are text, whatever they hold. Whether the sources can be read is for
// PreviewImport to say: that depends on the connections.
func ParseFile(data []byte) (File, error) {
	if len(data) > MaxFile {
		return File{}, fault.Limit("file", MaxFile, "The file is larger than %d kB, the most of a deck file; choose another file.", MaxFile>>10)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		return File{}, notADeckFile(errors.New("the file is not UTF-8"))
	}
	many, err := fileShape(data)
	if err != nil {
		return File{}, err
	}
	var f File
	if many {
		var shape fileMany
		err = strict(data, &shape)
		f.Decks = shape.Decks
	} else {
		var shape fileOne
		err = strict(data, &shape)
		f.Decks = []FileDeck{shape.FileDeck}
	}
	if err != nil {
		return File{}, err
	}
	return f, f.check(many)
}

// onlyOnce refuses an object that names a member twice, in whatever case: of two
// the decoder would mix their parts. data is JSON.
func onlyOnce(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	// open are the names seen in the objects around, nil for a list.
	var open []map[string]bool
	name := false // the next token of an object is a name
	for {
		t, err := d.Token()
		if err != nil {
			return nil //nolint:nilerr // it is the end: the data were decoded before
		}
		if at := len(open) - 1; name && t != json.Delim('}') {
			member := strings.ToLower(fmt.Sprint(t))
			if open[at][member] {
				return fault.Invalid("file", "The deck file says %q twice in one place; export the deck again.", t)
			}
			open[at][member], name = true, false
			continue
		}
		switch t {
		case json.Delim('{'):
			open = append(open, map[string]bool{})
		case json.Delim('['):
			open = append(open, nil)
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		name = len(open) > 0 && open[len(open)-1] != nil
	}
}

// fileShape reads which of the shapes a file has and whether it is of a version
// that can be read; nothing else of it is looked at.
func fileShape(data []byte) (many bool, err error) {
	var head struct {
		Format  string          `json:"format"`
		Version json.RawMessage `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return false, notADeckFile(err)
	}
	if head.Format != formatOne && head.Format != formatMany {
		return false, notADeckFile(errors.New("another format"))
	}
	if err := onlyOnce(data); err != nil {
		return false, err
	}
	var version int
	if err := json.Unmarshal(head.Version, &version); err != nil || version < 1 {
		return false, fault.Invalid("version", "The deck file does not say its version; export the deck again.").Wrap(err)
	}
	if version > fileVersion {
		return false, fault.New(fault.Unsupported, "The file has version %d of the deck format, and this workspace reads version %d; update the workspace, or export the deck from one of this version.", version, fileVersion).
			With(fault.DetailField, "version").With(fault.DetailCapability, fmt.Sprintf("%s %d", formatOne, version))
	}
	return head.Format == formatMany, nil
}

func notADeckFile(cause error) error {
	return fault.Invalid("file", "This is not a deck file; choose one that a workspace has exported.").Wrap(cause)
}

func strict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown && len(name) <= maxMember {
			return fault.Invalid("file", "The deck file says %s somewhere, which version %d does not have; take it out, or export the deck again.", name, fileVersion).Wrap(err)
		}
		field := "file"
		if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && t.Field != "" {
			field = strings.TrimPrefix(t.Field, "FileDeck.")
		}
		return fault.Invalid(field, "The deck file has something at %s that version %d does not have there; export the deck again.", field, fileVersion).Wrap(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fault.Invalid("file", "The deck file goes on after its end; export the deck again.")
	}
	return nil
}

// check checks what can be checked without the connections and brings titles
// and filters to their normal form.
func (f File) check(many bool) error {
	if len(f.Decks) == 0 {
		return fault.Invalid("decks", "The file has no deck in it; choose another file.")
	}
	if len(f.Decks) > MaxDecks {
		return fault.Limit("decks", MaxDecks, "The file has %d decks, and there can be %d; export fewer at once.", len(f.Decks), MaxDecks)
	}
	for i := range f.Decks {
		field := ""
		if many {
			field = fmt.Sprintf("decks[%d]", i)
		}
		if err := f.Decks[i].check(field); err != nil {
			return err
		}
	}
	return nil
}

func (d *FileDeck) check(field string) (err error) {
	if d.Title, err = title(d.Title, member(field, "title"), 1); err != nil {
		return err
	}
	if len(d.Columns) > MaxColumns {
		return tooManyColumns(member(field, "columns"), len(d.Columns))
	}
	if d.Columns == nil {
		d.Columns = []FileColumn{}
	}
	for i := range d.Columns {
		if err := d.Columns[i].check(member(field, fmt.Sprintf("columns[%d]", i))); err != nil {
			return err
		}
	}
	return nil
}

func (c *FileColumn) check(field string) (err error) {
	if c.ID != "" && !validID(c.ID) {
		return badColumnID(member(field, "id"))
	}
	if c.Title, err = title(c.Title, member(field, "title"), 0); err != nil {
		return err
	}
	if c.ListTitle, err = listTitle(c.ListTitle, member(field, "listTitle")); err != nil {
		return err
	}
	if c.Filters, err = c.Filters.normalize(member(field, "filters")); err != nil {
		return err
	}
	if c.Connection == nil {
		return nil
	}
	return c.Connection.check(member(field, "connection"))
}

var hostPattern = regexp.MustCompile(`^[\p{L}\p{N}\[\]:._-]{1,255}$`)

// maxHandle is the longest handle, in code points.
const maxHandle = 320

func (c *FileConnection) check(field string) error {
	if c.Kind != sns.Mastodon && c.Kind != sns.Twitter {
		return fault.Invalid(member(field, "kind"), "The deck file has a column of a network that this workspace does not know; remove the column from the file, or update the workspace.")
	}
	if !hostPattern.MatchString(c.Host) {
		return fault.Invalid(member(field, "host"), "The deck file has a column whose server has no proper name; export the deck again.")
	}
	if utf8.RuneCountInString(c.Handle) > maxHandle || strings.ContainsFunc(c.Handle, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
		return fault.Invalid(member(field, "handle"), "The deck file has a column whose account has no proper name; export the deck again.")
	}
	return nil
}

// maxListTitle is the longest title of a list, in code points.
const maxListTitle = 200

// listTitle brings the title of a list to the form of a line.
func listTitle(s, field string) (string, error) {
	if utf8.RuneCountInString(s) > maxListTitle {
		return "", fault.Invalid(field, "The deck file has a list whose title has more than %d characters; shorten it.", maxListTitle)
	}
	return plainLine(s), nil
}

// plainLine leaves out what is no part of a line.
func plainLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, s))
}

// cutListTitle is a list's title as a file has it.
func cutListTitle(s string) string {
	if r := []rune(s); len(r) > maxListTitle {
		s = string(r[:maxListTitle])
	}
	return plainLine(s)
}

// Name is what the column is called: by the person, else by its source.
func (c FileColumn) Name() string { return cmp.Or(c.Title, c.SourceName()) }

// SourceName is what the source is called; a list has its own title.
func (c FileColumn) SourceName() string {
	if c.Connection == nil {
		return cmp.Or(c.ListTitle, c.Source.Label())
	}
	return cmp.Or(c.ListTitle, c.Source.LabelOn(c.Connection.Kind))
}

// Key identifies the connection in a mapping.
func (c *FileConnection) Key() string {
	if c == nil {
		return "unknown"
	}
	return strings.ToLower(fmt.Sprintf("%s %s %s", c.Kind, c.Host, c.Handle))
}

// fileConnection names a connection of this workspace for any other.
func fileConnection(c sns.Connection) *FileConnection {
	f := &FileConnection{Kind: c.Network, Host: "x.com"}
	if c.Network == sns.Mastodon {
		_, f.Host, _ = strings.Cut(c.Origin, "://")
	}
	if c.Login {
		f.Handle = c.Account
	}
	return f
}
