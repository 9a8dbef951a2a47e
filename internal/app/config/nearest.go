package config

// Nearest returns the candidate that needs the fewest typing mistakes to become
// word; "" when there are no candidates. The first of several equal ones wins.
func Nearest(word string, candidates []string) string {
	best, _ := nearest(word, candidates)
	return best
}

// Near returns the candidate that word is most likely a mistyping of, and ""
// when more than a third of its letters would be wrong: that is another word.
func Near(word string, candidates []string) string {
	best, mistakes := nearest(word, candidates)
	if mistakes*3 > len(best) {
		return ""
	}
	return best
}

func nearest(word string, candidates []string) (best string, bestDistance int) {
	for _, c := range candidates {
		if d := distance(word, c); best == "" || d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best, bestDistance
}

// distance counts the insertions, deletions, replacements and swaps of
// neighbours between a and b.
func distance(a, b string) int {
	var before []int
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		cur := make([]int, len(b)+1)
		cur[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			cur[j+1] = min(prev[j+1]+1, cur[j]+1, prev[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				cur[j+1] = min(cur[j+1], before[j-1]+1)
			}
		}
		before, prev = prev, cur
	}
	return prev[len(b)]
}
