package decks

import (
	"errors"
	"regexp"
	"regexp/syntax"
)

// maxExpression bounds the regular expressions of a column together, in the
// nodes they have once repeats are written out. Go's engine takes time in
// proportion to that number times the length of the text, so a small term with
// large repeats could otherwise stall a page.
const maxExpression = 500

var errTooLarge = errors.New("the expression is too large")

// compileExpression compiles an expression in which letter case does not matter.
// It refuses a large one before it is compiled, which alone can take seconds.
func compileExpression(expr string) (*regexp.Regexp, error) {
	n, err := expressionSize(expr)
	if err != nil {
		return nil, err
	}
	if n > maxExpression {
		return nil, errTooLarge
	}
	return regexp.Compile("(?i)" + expr)
}

func expressionSize(expr string) (int, error) {
	re, err := syntax.Parse("(?i)"+expr, syntax.Perl)
	if err != nil {
		return 0, err
	}
	return nodes(re), nil
}

// nodes counts a tree with its repeats written out, up to a little over the
// limit.
func nodes(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n = min(n+nodes(sub), maxExpression+1)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, maxExpression+1)
}

// checkTerm reports what is wrong with a term that normalize keeps.
func checkTerm(t string) error {
	_, err := compileTerm(t)
	return err
}

// weight is the size of all expressions among the terms.
func weight(terms []string) (n int) {
	for _, t := range terms {
		if len(t) > 2 && t[0] == '/' && t[len(t)-1] == '/' {
			size, _ := expressionSize(t[1 : len(t)-1]) // checked before
			n += size
		}
	}
	return n
}
