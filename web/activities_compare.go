package web

import (
	"slices"
	"strings"
	"unicode"

	"personal-workspace/web/view"
)

// mostCompared bounds the work of a comparison, in pairs of words.
const mostCompared = 4_000_000

// compare tells what of two texts is in both and what in one alone, by words; in
// scripts without spaces by letters.
func compare(mine, theirs string) []view.DiffWords {
	a, b := wordsOf(mine), wordsOf(theirs)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []view.DiffWords
	out = addWords(out, "", a[:head]...)
	out = middle(out, a[head:len(a)-tail], b[head:len(b)-tail])
	return addWords(out, "", a[len(a)-tail:]...)
}

// middle compares what is between the common beginning and end.
func middle(out []view.DiffWords, a, b []string) []view.DiffWords {
	if len(a)*len(b) > mostCompared {
		return addWords(addWords(out, "theirs", b...), "mine", a...)
	}
	same := longest(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = addWords(out, "", a[i])
			i, j = i+1, j+1
		case j < len(b) && (i == len(a) || same[i][j+1] >= same[i+1][j]):
			out = addWords(out, "theirs", b[j])
			j++
		default:
			out = addWords(out, "mine", a[i])
			i++
		}
	}
	return out
}

// longest is, for each pair of ends, how many words they have in common.
func longest(a, b []string) [][]int16 {
	same := make([][]int16, len(a)+1)
	for i := range same {
		same[i] = make([]int16, len(b)+1)
	}
	for i, word := range slices.Backward(a) {
		for j, other := range slices.Backward(b) {
			if word == other {
				same[i][j] = same[i+1][j+1] + 1
			} else {
				same[i][j] = max(same[i+1][j], same[i][j+1])
			}
		}
	}
	return same
}

// addWords adds words to the last run, or begins one.
func addWords(list []view.DiffWords, in string, words ...string) []view.DiffWords {
	text := strings.Join(words, "")
	if text == "" {
		return list
	}
	if n := len(list); n > 0 && list[n-1].In == in {
		list = slices.Clone(list)
		list[n-1].Text += text
		return list
	}
	return append(list, view.DiffWords{Text: text, In: in})
}

// wordsOf cuts a text into words, spaces and single letters of scripts that have
// no spaces. Joined they are the text.
func wordsOf(text string) (words []string) {
	begin, before := 0, ' '
	for i, c := range text {
		if i > begin && !joined(before, c) {
			words = append(words, text[begin:i])
			begin = i
		}
		before = c
	}
	if begin < len(text) {
		words = append(words, text[begin:])
	}
	return words
}

// joined reports whether two letters stand in one word.
func joined(a, b rune) bool {
	if unicode.Is(unicode.Mn, b) || b == '\u200d' || a == '\u200d' || unicode.Is(unicode.Variation_Selector, b) {
		return true
	}
	if unicode.In(a, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) || unicode.In(b, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
		return false
	}
	return unicode.IsSpace(a) == unicode.IsSpace(b) && unicode.IsPunct(a) == unicode.IsPunct(b)
}
