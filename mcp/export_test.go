package mcp

import (
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"personal-workspace/sns"
)

// The limits that tests hold answers to.
const (
	MaxAnswer    = maxAnswer
	PackTo       = packTo
	Instructions = instructions
	ThirdParty   = thirdParty
)

// Catalogue returns the descriptors of the workspace's tools.
func Catalogue(c Config) ([]*sdk.Tool, error) {
	list, err := catalogue(c)
	out := make([]*sdk.Tool, len(list))
	for i, t := range list {
		out[i] = t.descriptor
	}
	return out, err
}

// NewFixture is New with another server behind the same wrappers and
// middlewares: it declares what options say and has what register adds.
func NewFixture(c Config, options *sdk.ServerOptions, register func(*sdk.Server)) (*Handler, error) {
	h, err := New(c)
	if err != nil {
		return nil, err
	}
	h.workspace = h.server(nil, options)
	register(h.workspace)
	return h, nil
}

// Server returns the workspace's server.
func (h *Handler) Server() *sdk.Server { return h.workspace }

// PackedPage is the JSON of a page as fetch_posts answers it, and how many posts
// are in it.
func PackedPage(p sns.Page, hidden []bool) (json.RawMessage, int, error) {
	d := definition[fetchInput, postPage]{fit: postPage.fit}
	text, err := d.encode(pageOf(p, hidden))
	var out struct{ Posts []any }
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	return text, len(out.Posts), err
}
