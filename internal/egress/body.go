package egress

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// ErrTooLarge is the error of an answer that is longer than it may be.
var ErrTooLarge = errors.New("the answer is too large")

// ReadJSON reads an answer that must be JSON as far as its header says, of at
// most limit bytes after decompression. The error is ErrTooLarge or a *Failure.
func ReadJSON(res *http.Response, limit int64) ([]byte, error) {
	if res.ContentLength > limit {
		return nil, ErrTooLarge
	}
	var body bytes.Buffer
	body.Grow(int(max(res.ContentLength, 0)) + bytes.MinRead)
	if _, err := body.ReadFrom(io.LimitReader(res.Body, limit+1)); err != nil {
		return nil, Failed(err)
	}
	switch {
	case int64(body.Len()) > limit:
		return nil, ErrTooLarge
	case len(bytes.TrimSpace(body.Bytes())) == 0:
		return nil, &Failure{Reason: ReasonEmpty}
	case !isJSON(res.Header.Get("Content-Type")):
		return nil, &Failure{Reason: ReasonNotJSON}
	}
	return body.Bytes(), nil
}

// isJSON accepts application/json, anything ending in +json, and servers that
// name no type at all.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	t, _, err := mime.ParseMediaType(contentType)
	return err == nil && (t == "application/json" || strings.HasSuffix(t, "+json"))
}
