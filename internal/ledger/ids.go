package ledger

import (
	"encoding/base32"
	"strings"

	"github.com/google/uuid"
)

// idEncoding keeps the order of the bytes, unlike the standard alphabet.
var idEncoding = base32.HexEncoding.WithPadding(base32.NoPadding)

// NewID returns prefix_ and a UUIDv7 in lower-case base32: unique, and in order
// of creation within one process.
func NewID(prefix string) string {
	id := uuid.Must(uuid.NewV7())
	return prefix + "_" + strings.ToLower(idEncoding.EncodeToString(id[:]))
}
