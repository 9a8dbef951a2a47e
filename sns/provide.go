package sns

import (
	"fmt"
	"slices"
	"strings"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/richtext"
)

// SkippedWarning is what a provider says of n entries, at least one, that it could
// not read.
func SkippedWarning(n int) string {
	if n == 1 {
		return "1 entry could not be read and is left out."
	}
	return fmt.Sprintf("%d entries could not be read and are left out.", n)
}

// CleanHashtags returns names of hashtags as a Post has them: without their sign,
// each once whatever its case.
func CleanHashtags(names []string) []string {
	var out []string
	for _, name := range names {
		name = richtext.Line(strings.TrimPrefix(strings.TrimPrefix(name, "#"), "＃"))
		known := slices.ContainsFunc(out, func(o string) bool { return strings.EqualFold(o, name) })
		if name == "" || len(name) > MaxTagName || known || len(out) == MaxHashtags {
			continue
		}
		out = append(out, name)
	}
	return out
}

// MalformedContinuation is the fault of a provider that cannot read what it is
// given as an UpstreamPage's Next.
func MalformedContinuation() *fault.Error {
	return fault.New(fault.InvalidCursor, "The cursor is not one of this source; start again without a cursor.").
		With(fault.DetailReason, ReasonMalformed)
}

// InvalidMember is the fault of a provider that does not send a source for one of
// its members. The service has validated it: this keeps a mistake there harmless.
func InvalidMember(member, message string) *fault.Error {
	return fault.New(fault.InvalidSource, "%s", message).With(fault.DetailField, "source."+member)
}

// What InvalidMember says of members that more than one network has.
const (
	NoHashtag = "A hashtag has letters, digits and underscores, at least one letter and no spaces."
	NoQuery   = "A search needs words to search for."
)
