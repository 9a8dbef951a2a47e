package web

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"personal-workspace/web/view"
)

// mostCompared bounds the work of a comparison, in pairs of words.
const mostCompared = 1_000_000

// sides are two texts, each with what is in it alone. Little that both have amid
// what they have not is no help to a reader, and counts as different.
func sides(mine, theirs string) (a, b []view.DiffWords) {
	runs := compare(mine, theirs)
	for i, run := range runs {
		amid := i > 0 && i < len(runs)-1 && run.In == "" && utf8.RuneCountInString(strings.TrimSpace(run.Text)) <= 1
		if amid && !strings.Contains(run.Text, "\n") {
			a, b = addWords(a, "mine", run.Text), addWords(b, "theirs", run.Text)
			continue
		}
		if run.In != "theirs" {
			a = addWords(a, run.In, run.Text)
		}
		if run.In != "mine" {
			b = addWords(b, run.In, run.Text)
		}
	}
	return a, b
}

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
	out := addWords(nil, "", a[:head]...)
	out = middle(out, a[head:len(a)-tail], b[head:len(b)-tail])
	return addWords(out, "", a[len(a)-tail:]...)
}

// gap adds two parts that stand between what two texts have in common.
type gap func(out []view.DiffWords, a, b []string) []view.DiffWords

// apart is the gap of parts that have nothing in common.
func apart(out []view.DiffWords, a, b []string) []view.DiffWords {
	return addWords(addWords(out, "theirs", b...), "mine", a...)
}

// middle compares what is between the common beginning and end. Too much of it is
// compared by sentences, and by words between those.
func middle(out []view.DiffWords, a, b []string) []view.DiffWords {
	if len(a)*len(b) <= mostCompared {
		return align(out, a, b, apart)
	}
	return align(out, sentencesOf(a), sentencesOf(b), func(out []view.DiffWords, a, b []string) []view.DiffWords {
		return align(out, wordsOf(strings.Join(a, "")), wordsOf(strings.Join(b, "")), apart)
	})
}

// align adds what two lists have in common, and the gaps between that.
func align(out []view.DiffWords, a, b []string, between gap) []view.DiffWords {
	if len(a)*len(b) > mostCompared {
		return apart(out, a, b)
	}
	same := longest(a, b)
	i, j, fromA, fromB := 0, 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			if i > fromA || j > fromB {
				out = between(out, a[fromA:i], b[fromB:j])
			}
			out = addWords(out, "", a[i])
			i, j = i+1, j+1
			fromA, fromB = i, j
		case same[i][j+1] >= same[i+1][j]:
			j++
		default:
			i++
		}
	}
	if fromA == len(a) && fromB == len(b) {
		return out
	}
	return between(out, a[fromA:], b[fromB:])
}

// sentencesOf puts words together to what ends a sentence or a line.
func sentencesOf(words []string) (list []string) {
	begin := 0
	for i, word := range words {
		if strings.ContainsAny(word, ".!?。！？؟।\n") {
			list = append(list, strings.Join(words[begin:i+1], ""))
			begin = i + 1
		}
	}
	if begin < len(words) {
		list = append(list, strings.Join(words[begin:], ""))
	}
	return list
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
