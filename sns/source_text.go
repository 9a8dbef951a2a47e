package sns

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// DecodeSource reads a source from JSON. Unknown members, members of another
// type and anything after the object are an invalid_source fault at field; the
// values are not looked at.
func DecodeSource(data []byte, field string) (Source, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var s Source
	if err := d.Decode(&s); err != nil {
		if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && t.Field != "" {
			field += "." + t.Field
		}
		return Source{}, invalidSource(field, "%s is not a source; give an object with kind and the members of that kind.", field).Wrap(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Source{}, invalidSource(field, "%s has more after its end; give one object.", field)
	}
	return s, nil
}

// Canonical returns the text that equal sources in normal form share: the
// source's JSON with lists sorted and without repeats, defaults left out, and
// lower case where the networks do not tell cases apart.
func (s Source) Canonical() string {
	s.trim()
	s.Tag = canonicalTag(s.Tag)
	for _, list := range []*[]string{&s.Any, &s.All, &s.None} {
		for i, v := range *list {
			(*list)[i] = canonicalTag(v)
		}
		*list = sortTags(*list)
	}
	slices.Sort(s.Types)
	s.Types = slices.Compact(s.Types)
	if strings.HasPrefix(s.Account, "@") {
		s.Account = strings.ToLower(s.Account)
	}
	if s.Product == "latest" {
		s.Product = ""
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a struct of strings and booleans always encodes
	}
	return string(text)
}

// canonicalTag is the form in which names of hashtags are compared.
func canonicalTag(t string) string { return norm.NFC.String(strings.ToLower(t)) }

// Hash returns a short key of Canonical, 24 hexadecimal digits.
func (s Source) Hash() string {
	sum := sha256.Sum256([]byte(s.Canonical()))
	return hex.EncodeToString(sum[:12])
}

// Label returns what a person calls the source: "Home", "#tag", "List 12".
func (s Source) Label() string {
	switch s.Kind {
	case KindHashtag:
		return s.hashtagLabel()
	case KindList:
		return "List " + s.ListID
	case KindUser:
		return s.Account
	case KindSearch:
		return "Search: " + s.Query
	case KindSeen:
		return "Seen: " + s.Query
	}
	if name, ok := kindNames[s.Kind]; ok {
		return name
	}
	return "Unknown"
}

// LabelOn is Label as people on the network say it.
func (s Source) LabelOn(n Network) string {
	if name, ok := xNames[s.Kind]; ok && n == Twitter {
		return name
	}
	return s.Label()
}

// xNames are the kinds that are called otherwise on X.
var xNames = map[Kind]string{KindHome: "Following", KindFavourites: "Likes"}

var kindNames = map[Kind]string{
	KindHome:          "Home",
	KindForYou:        "For you",
	KindLocal:         "Local",
	KindFederated:     "Federated",
	KindNotifications: "Notifications",
	KindBookmarks:     "Bookmarks",
	KindFavourites:    "Favourites",
	KindConversations: "Conversations",
	KindThread:        "Thread",
	KindPost:          "Post",
}

func (s Source) hashtagLabel() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#%s", s.Tag)
	for _, part := range []struct {
		word  string
		names []string
	}{{"or", s.Any}, {"and", s.All}, {"not", s.None}} {
		for _, n := range part.names {
			fmt.Fprintf(&b, " %s #%s", part.word, n)
		}
	}
	return b.String()
}
