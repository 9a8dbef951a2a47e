package snstest

import (
	"crypto/sha256"
	"encoding/base32"
	"regexp"
	"strings"
	"unicode/utf8"
)

// noteLength is what fits into a post that is no note, in code points.
const noteLength = 280

var tweetMarks = regexp.MustCompile(`https?://[^\s<>"]+[^\s<>".,;:!?)»]|[#＃][\p{L}\p{M}\p{Nd}\p{Pc}]+|@[A-Za-z0-9_]{1,15}`)

// tweetText is a text as X stores it: links are shortened, and entities say
// what stands where, counted in code points.
type tweetText struct {
	text                     string
	urls, mentions, hashtags []any
}

// compose shortens the links of a text. escaped is the form of full_text, whose
// &, < and > are HTML; notes are not escaped.
func (q *question) compose(text string, escaped bool) tweetText {
	write := func(s string) string { return s }
	if escaped {
		write = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
	}
	var out tweetText
	var b strings.Builder
	runes, end := 0, 0
	add := func(s string) [2]int {
		b.WriteString(s)
		from := runes
		runes += utf8.RuneCountInString(s)
		return [2]int{from, runes}
	}
	for _, at := range tweetMarks.FindAllStringIndex(text, -1) {
		add(write(text[end:at[0]]))
		mark := text[at[0]:at[1]]
		end = at[1]
		switch {
		case strings.HasPrefix(mark, "http"):
			short := shortened(mark)
			out.urls = append(out.urls, object{"url": short, "expanded_url": mark, "display_url": displayed(mark), "indices": add(short)})
		case strings.HasPrefix(mark, "@"):
			span := add(mark)
			if who := q.people[strings.ToLower(mark[1:])]; who != nil {
				out.mentions = append(out.mentions, object{"id_str": who.id, "name": who.Name, "screen_name": who.Handle, "indices": span})
			}
		default:
			_, sign := utf8.DecodeRuneInString(mark)
			out.hashtags = append(out.hashtags, object{"text": mark[sign:], "indices": add(mark)})
		}
	}
	add(write(text[end:]))
	out.text = b.String()
	return out
}

// shortened is the t.co link of an address.
func shortened(address string) string {
	sum := sha256.Sum256([]byte(address))
	return "https://t.co/" + base32.StdEncoding.EncodeToString(sum[:])[:10]
}

// displayed is what X shows of an address.
func displayed(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	if r := []rune(rest); len(r) > 27 {
		return string(r[:26]) + "…"
	}
	return rest
}

// shortNote is how a note begins in full_text.
func shortNote(text string) string {
	r := []rune(text)
	if len(r) <= noteLength {
		return text
	}
	head := string(r[:noteLength-5])
	if i := strings.LastIndexAny(head, " \n"); i > len(head)/2 {
		head = head[:i]
	}
	return head + "…"
}
