package web_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// document parses a page or a fragment of one.
func document(t *testing.T, body string) *html.Node {
	t.Helper()
	n, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatalf("parse the page: %v", err)
	}
	return n
}

// match says which elements are meant.
type match func(*html.Node) bool

func tag(name string) match { return func(n *html.Node) bool { return n.Data == name } }

func class(name string) match {
	return func(n *html.Node) bool { return slices.Contains(strings.Fields(attr(n, "class")), name) }
}

func with(name, value string) match { return func(n *html.Node) bool { return attr(n, name) == value } }

// all returns the elements below n that fit every match, in document order.
func all(n *html.Node, matches ...match) []*html.Node {
	var out []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && fits(d, matches) {
			out = append(out, d)
		}
	}
	return out
}

func fits(n *html.Node, matches []match) bool {
	for _, m := range matches {
		if !m(n) {
			return false
		}
	}
	return true
}

// one returns the only such element.
func one(t *testing.T, n *html.Node, matches ...match) *html.Node {
	t.Helper()
	found := all(n, matches...)
	if len(found) != 1 {
		t.Fatalf("%d elements match, want 1", len(found))
	}
	return found[0]
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// text is what the element says, in single spaces.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
			b.WriteByte(' ')
		}
	}
	return fieldsOf(b.String())
}

// texts are those of several elements.
func texts(nodes []*html.Node) []string {
	out := []string{}
	for _, n := range nodes {
		out = append(out, text(n))
	}
	return out
}
