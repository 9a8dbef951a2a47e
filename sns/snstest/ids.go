package snstest

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// IDStyle is how a server's ids look.
type IDStyle int

// The styles of ids.
const (
	// Snowflake is Mastodon's: decimal, milliseconds shifted by 16 bits.
	Snowflake IDStyle = iota
	// ULID is GoToSocial's: 26 characters.
	ULID
	// Flake is Pleroma's and Akkoma's: base62 of 128 bits.
	Flake
)

const (
	crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	base62    = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newID returns the id of something made at a time; seq keeps ids of the same
// millisecond apart and in order.
func (s IDStyle) newID(at time.Time, seq int64) string {
	ms := max(at.UnixMilli(), 0)
	switch s {
	case ULID:
		return encodeULID(ms, seq)
	case Flake:
		n := new(big.Int).Lsh(big.NewInt(ms), 64)
		n.Or(n, big.NewInt(seq))
		return encodeBase(n, base62)
	default:
		return strconv.FormatInt(ms<<16|seq&0xffff, 10)
	}
}

func encodeULID(ms, seq int64) string {
	n := new(big.Int).Lsh(big.NewInt(ms), 80)
	n.Or(n, big.NewInt(seq))
	s := encodeBase(n, crockford)
	return strings.Repeat("0", max(26-len(s), 0)) + s
}

func encodeBase(n *big.Int, alphabet string) string {
	base, digit := big.NewInt(int64(len(alphabet))), new(big.Int)
	var out []byte
	for n.Sign() > 0 {
		n.DivMod(n, base, digit)
		out = append(out, alphabet[digit.Int64()])
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	if len(out) == 0 {
		return alphabet[:1]
	}
	return string(out)
}

var idShapes = map[IDStyle]*regexp.Regexp{
	Snowflake: regexp.MustCompile(`^[0-9]{1,20}$`),
	ULID:      regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`),
	Flake:     regexp.MustCompile(`^[0-9A-Za-z]{16,22}$`),
}

// plausible reports whether an id could be one of this server.
func (s IDStyle) plausible(id string) bool { return idShapes[s].MatchString(id) }

// compareIDs orders ids of one server: by length, then bytewise.
func compareIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// numberIfDecimal sends a decimal id as a JSON number, as Mastodon does in
// grouped notifications.
func numberIfDecimal(id string) any {
	if _, err := strconv.ParseInt(id, 10, 64); err == nil {
		return json.Number(id)
	}
	return id
}
