package mcp

import "fmt"

// pack returns the first entries of a list, as many as have at most limit bytes
// together, and how many it left out. fixed is what the answer has beside them.
func pack[T any](entries []T, fixed, limit int) (kept []T, left int, err error) {
	size := fixed
	for i, e := range entries {
		text, err := compact(e)
		if err != nil {
			return nil, 0, err
		}
		size += len(text) + len(",")
		if size > limit {
			return entries[:i], len(entries) - i, nil
		}
	}
	return entries, 0, nil
}

// maxHint is more than a packed list has beside its entries, in bytes.
const maxHint = 500

// leftOut tells of the entries that pack left out.
func leftOut(left int, what, instead string) string {
	return fmt.Sprintf("%d more %s did not fit into the answer; %s.", left, what, instead)
}
