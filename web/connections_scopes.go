package web

import (
	"slices"
	"strings"
)

// writingScopes are the groups of permissions that reading does not need.
var writingScopes = []string{"write", "follow", "push", "admin"}

// readingScopes are what the columns need, with what people call them.
var readingScopes = []struct{ scope, what string }{
	{"read:statuses", "posts"},
	{"read:lists", "lists"},
	{"read:notifications", "notifications"},
	{"read:search", "search"},
	{"read:bookmarks", "bookmarks"},
	{"read:favourites", "favourites"},
	{"read:follows", "followed hashtags"},
}

// scopeWords says what a credential may do.
func scopeWords(login bool, scopes []string) string {
	if !login {
		return "Can read what is public; has no account"
	}
	if len(scopes) == 0 {
		return "The server does not say; the workspace only reads"
	}
	words := "Can read"
	if missing := missingScopes(scopes); len(missing) > 0 {
		words += ", but not " + enumerate(missing)
	}
	var more []string
	for _, group := range writingScopes {
		if hasScope(scopes, group) {
			more = append(more, group)
		}
	}
	if len(more) == 0 {
		return words + "; cannot post"
	}
	return words + "; could also " + enumerate(more) + ", which the workspace never does"
}

func missingScopes(scopes []string) (missing []string) {
	if slices.Contains(scopes, "read") {
		return nil
	}
	for _, s := range readingScopes {
		if !slices.Contains(scopes, s.scope) {
			missing = append(missing, s.what)
		}
	}
	return missing
}

// hasScope reports whether one of the scopes is of the group.
func hasScope(scopes []string, group string) bool {
	return slices.ContainsFunc(scopes, func(s string) bool { return s == group || strings.HasPrefix(s, group+":") })
}

// enumerate writes a list as people do.
func enumerate(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
