package snstest

import "personal-workspace/sns"

// EntryIDs are the ids of posts in their order, for a test to compare.
func EntryIDs(posts []sns.Post) []string {
	out := []string{}
	for _, p := range posts {
		out = append(out, p.EntryID)
	}
	return out
}
