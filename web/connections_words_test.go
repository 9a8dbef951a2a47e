package web

import (
	"net/url"
	"strings"
	"testing"
)

func TestScopeWords(t *testing.T) {
	reading := []string{
		"profile", "read:statuses", "read:lists", "read:accounts", "read:notifications",
		"read:search", "read:bookmarks", "read:favourites", "read:follows",
	}
	cases := map[string]struct {
		login  bool
		scopes []string
		want   string
	}{
		"no account":          {false, nil, "Can read what is public; has no account"},
		"the server is quiet": {true, nil, "The server does not say; the workspace only reads"},
		"read":                {true, []string{"read"}, "Can read; cannot post"},
		"what we ask for":     {true, reading, "Can read; cannot post"},
		"less": {
			true,
			[]string{"profile", "read:statuses", "read:lists", "read:search", "read:bookmarks", "read:favourites"},
			"Can read, but not notifications and followed hashtags; cannot post",
		},
		"more": {true, []string{"read", "write:statuses", "follow", "push"}, "Can read; could also write, follow and push, which the workspace never does"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := scopeWords(c.login, c.scopes); got != c.want {
				t.Errorf("scopeWords = %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzServerAddress(f *testing.F) {
	for _, s := range []string{"social.example", "@ann@social.example", " https://social.example/ ", "ann@social.example:3000", "", "@", "://", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		got := withScheme(typed)
		if got != strings.TrimSpace(got) && !strings.HasPrefix(got, "https://") {
			t.Errorf("withScheme(%q) = %q has space around it", typed, got)
		}
		u, err := url.Parse(got)
		if err == nil && got != "" && u.Scheme == "" && strings.Contains(typed, "://") == false {
			t.Errorf("withScheme(%q) = %q has no scheme", typed, got)
		}
	})
}
