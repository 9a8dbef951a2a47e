package mastodon

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	api "github.com/mattn/go-mastodon"

	"personal-workspace/internal/richtext"
	"personal-workspace/sns"
)

const (
	// maxItems is how many entries of one answer are read. A server that
	// ignores the limit sends more than were asked for, but not endlessly.
	maxItems = 100
	// maxThread is the same for either side of a thread.
	maxThread = 500
	// maxLists is the same for lists.
	maxLists = 500
	// maxParts and maxItemParts bound the values in an answer and in one entry.
	// Short values in a long list grow two hundredfold in memory when decoded,
	// so the size of an answer alone protects nothing. Ordinary entries have
	// about 150.
	maxParts     = 600_000
	maxItemParts = 20_000
)

// eachItem calls f with each element of the JSON array in body, up to limit. A
// body of null is an empty array. It only finds where elements begin and end,
// which costs a fifth of what a json.Decoder takes for it: f decodes them and so
// sees whether they are JSON.
func eachItem(body []byte, limit int, f func(raw []byte)) error {
	rest := bytes.TrimSpace(body)
	if bytes.HasPrefix(rest, []byte("null")) {
		return nil
	}
	if len(rest) == 0 || rest[0] != '[' {
		return errors.New("not a list")
	}
	rest = bytes.TrimSpace(rest[1:])
	for n := 0; n < limit && len(rest) > 0 && rest[0] != ']'; n++ {
		end := valueEnd(rest)
		if end <= 0 {
			return errCutOff
		}
		f(rest[:end])
		rest = bytes.TrimLeft(rest[end:], " \t\r\n")
		rest = bytes.TrimLeft(bytes.TrimPrefix(rest, []byte(",")), " \t\r\n")
	}
	if len(rest) == 0 {
		return errCutOff
	}
	return nil
}

var errCutOff = errors.New("the list is not whole")

// valueEnd returns where the JSON value at the beginning of s ends, or -1.
func valueEnd(s []byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			n := stringEnd(s[i:])
			if n < 0 {
				return -1
			}
			i += n
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			if depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// stringEnd returns the place of the quote that ends the string s begins with.
func stringEnd(s []byte) int {
	for i := 1; ; i++ {
		n := bytes.IndexByte(s[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		slashes := 0
		for s[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
}

// decodeObject decodes a body that is one JSON object.
func decodeObject(body []byte, v any) error {
	if bytes.Count(body, []byte(",")) > maxParts {
		return errors.New("too many parts")
	}
	err := json.NewDecoder(bytes.NewReader(body)).Decode(v)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// decodeItem decodes one entry, loosely when it is not quite what it should be.
// It is nil when nothing can be made of it.
func decodeItem[T any](raw []byte) *T {
	if bytes.Count(raw, []byte(",")) > maxItemParts {
		return nil
	}
	var v *T
	if err := json.Unmarshal(raw, &v); err == nil {
		return v
	}
	v = new(T)
	if loosely(raw, v) != nil {
		return nil
	}
	return v
}

// decodeLists reads GET /api/v1/lists.
func decodeLists(body []byte) ([]sns.List, error) {
	lists := []sns.List{}
	err := eachItem(body, maxLists, func(raw []byte) {
		l := decodeItem[struct {
			ID    api.ID `json:"id"`
			Title string `json:"title"`
		}](raw)
		if l != nil && sns.ValidID(string(l.ID)) {
			title, _ := richtext.Cut(richtext.Line(l.Title), sns.MaxName)
			lists = append(lists, sns.List{ID: string(l.ID), Title: title})
		}
	})
	if err != nil {
		return nil, changed("lists").Wrap(err)
	}
	return lists, nil
}
