package twitter

import (
	"bytes"
	"errors"
	"iter"
	"math"
	"strconv"
)

// maxNodes bounds the values of an answer besides its size. A real tweet has about
// 600; an answer of short values in long lists would grow thirtyfold in memory.
// How deep they stand in each other costs nothing: nothing here calls itself.
const maxNodes = 600_000

// Reasons why an answer is no JSON that can be read.
var (
	errBroken = errors.New("not whole JSON")
	errParts  = errors.New("too many parts")
)

// kind is what a JSON value is.
type kind uint8

const (
	absent  kind = iota
	literal      // a number, true, false, null, or what is none of them
	text
	array
	object
)

// node is one JSON value of an answer.
type node struct {
	// key and end of a member's name, start and stop of the value in the answer;
	// both without their quotes.
	key, keyEnd, start, stop uint32
	// next is the index behind the value and everything in it.
	next uint32
	kind kind
}

// tree is an answer with an index of its values in the order of the text. It is
// made in one pass and holds no copy; a value that nobody asks for costs its 24
// bytes.
type tree struct {
	text  []byte
	nodes []node
}

// parse indexes an answer. It minds brackets and quotes only: odd numbers, control
// characters in texts and bytes that are no UTF-8 are their readers' affair.
func parse(body []byte) (value, error) {
	if uint64(len(body)) > math.MaxUint32 {
		return value{}, errParts
	}
	t := &tree{text: body}
	b := builder{tree: t, limit: countNodes(body)}
	if b.limit > maxNodes {
		return value{}, errParts
	}
	t.nodes = make([]node, 0, b.limit)
	if err := b.build(); err != nil {
		return value{}, err
	}
	return value{t, 0}, nil
}

// countNodes is at least how many values body has: each but the first stands
// behind a comma or begins what an opening bracket holds.
func countNodes(body []byte) int {
	return 1 + bytes.Count(body, []byte{','}) + bytes.Count(body, []byte{'{'}) + bytes.Count(body, []byte{'['})
}

// builder makes a tree.
type builder struct {
	*tree
	limit int
	at    int
	// open are the containers around the place.
	open []uint32
}

func (b *builder) build() error {
	for {
		inside, err := b.value()
		if err != nil {
			return err
		}
		if inside {
			continue
		}
		done, err := b.separate()
		if done || err != nil {
			return err
		}
	}
}

// space moves to the next sign and returns it, 0 at the end.
func (b *builder) space() byte {
	for b.at < len(b.text) {
		switch c := b.text[b.at]; c {
		case ' ', '\t', '\r', '\n':
			b.at++
		default:
			return c
		}
	}
	return 0
}

// value reads a value, or the beginning of a container: inside is true when that
// has values of its own, which are next.
func (b *builder) value() (inside bool, err error) {
	n := node{}
	c := b.space()
	if b.inObject() {
		if c != '"' {
			return false, errBroken
		}
		start, end, err := b.quoted()
		if err != nil || b.space() != ':' {
			return false, errBroken
		}
		b.at++
		n.key, n.keyEnd = start, end
		c = b.space()
	}
	n.start = uint32(b.at)
	switch c {
	case '{', '[':
		return b.enter(n, c)
	case '"':
		start, end, err := b.quoted()
		if err != nil {
			return false, err
		}
		n.start, n.stop, n.kind = start, end, text
	default:
		for b.at < len(b.text) && !isDelimiter[b.text[b.at]] {
			b.at++
		}
		if n.stop, n.kind = uint32(b.at), literal; n.start == n.stop {
			return false, errBroken
		}
	}
	return false, b.add(n)
}

// enter begins a container; of an empty one separate finds the end.
func (b *builder) enter(n node, c byte) (inside bool, err error) {
	if n.kind = array; c == '{' {
		n.kind = object
	}
	b.open = append(b.open, uint32(len(b.nodes)))
	if err := b.add(n); err != nil {
		return false, err
	}
	b.at++
	return !closes(b.space(), n.kind), nil
}

func closes(c byte, k kind) bool { return c == '}' && k == object || c == ']' && k == array }

// separate goes to the next value: it closes the containers that end here.
func (b *builder) separate() (done bool, err error) {
	for {
		c := b.space()
		if len(b.open) == 0 {
			if c != 0 || b.at < len(b.text) {
				return false, errBroken
			}
			return true, nil
		}
		n := &b.nodes[b.open[len(b.open)-1]]
		switch {
		case c == ',':
			b.at++
			return false, nil
		case closes(c, n.kind):
			b.at++
			n.stop, n.next = uint32(b.at), uint32(len(b.nodes))
			b.open = b.open[:len(b.open)-1]
		default:
			return false, errBroken
		}
	}
}

func (b *builder) inObject() bool {
	return len(b.open) > 0 && b.nodes[b.open[len(b.open)-1]].kind == object
}

func (b *builder) add(n node) error {
	if len(b.nodes) == b.limit {
		return errBroken
	}
	n.next = uint32(len(b.nodes) + 1)
	b.nodes = append(b.nodes, n)
	return nil
}

// quoted reads a string and returns its place without the quotes.
func (b *builder) quoted() (start, end uint32, err error) {
	b.at++
	from := b.at
	for {
		i := bytes.IndexByte(b.text[b.at:], '"')
		if i < 0 {
			return 0, 0, errBroken
		}
		b.at += i + 1
		slashes := 0
		for p := b.at - 2; p >= from && b.text[p] == '\\'; p-- {
			slashes++
		}
		if slashes%2 == 0 {
			return uint32(from), uint32(b.at - 1), nil
		}
	}
}

var isDelimiter = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ':': true, '"': true, '{': true, '}': true, '[': true, ']': true}

// value is a place in a tree. The zero value is one that is not there; reading
// from it gives nothing.
type value struct {
	t *tree
	i uint32
}

// node is that of a value which is there.
func (v value) node() *node { return &v.t.nodes[v.i] }

// exists reports whether there is a value, null included.
func (v value) exists() bool { return v.t != nil }

func (v value) kind() kind {
	if v.t == nil {
		return absent
	}
	return v.node().kind
}

// get follows member names.
func (v value) get(path ...string) value {
	for _, name := range path {
		v = v.member(name)
	}
	return v
}

func (v value) member(name string) value {
	if v.kind() != object {
		return value{}
	}
	for i, end := v.i+1, v.node().next; i < end; i = v.t.nodes[i].next {
		if v.t.named(i, name) {
			return value{v.t, i}
		}
	}
	return value{}
}

func (t *tree) named(i uint32, name string) bool {
	key := t.text[t.nodes[i].key:t.nodes[i].keyEnd]
	return string(key) == name || bytes.IndexByte(key, '\\') >= 0 && unquote(key) == name
}

// name is the name of a member of an object.
func (v value) name() string {
	if v.t == nil {
		return ""
	}
	return unquote(v.t.text[v.node().key:v.node().keyEnd])
}

// each goes through the elements of an array, or the values of an object.
func (v value) each() iter.Seq[value] {
	return func(yield func(value) bool) {
		if k := v.kind(); k != array && k != object {
			return
		}
		for i, end := v.i+1, v.node().next; i < end; i = v.t.nodes[i].next {
			if !yield(value{v.t, i}) {
				return
			}
		}
	}
}

// elements goes through an array, and nothing else.
func (v value) elements() iter.Seq[value] {
	if v.kind() != array {
		return func(func(value) bool) {}
	}
	return v.each()
}

// raw is the text of the value, without the quotes of a string.
func (v value) raw() []byte {
	if v.t == nil {
		return nil
	}
	return v.t.text[v.node().start:v.node().stop]
}

// str is the text of a string. A number gives its digits, whatever its size:
// that is how ids come through whole.
func (v value) str() string {
	switch v.kind() {
	case text:
		return unquote(v.raw())
	case literal:
		if raw := v.raw(); raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' {
			return string(raw)
		}
	}
	return ""
}

// yes reports whether the value is true, or the text "true".
func (v value) yes() bool { return string(v.raw()) == "true" }

// isBool reports whether the value is true or false.
func (v value) isBool() bool {
	return v.kind() == literal && (string(v.raw()) == "true" || string(v.raw()) == "false")
}

// integer reads a number, or one in a text; a fraction is dropped. It is false
// for what an int64 cannot hold.
func (v value) integer() (int64, bool) {
	s := v.str()
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}
