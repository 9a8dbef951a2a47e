// Package richtext turns the HTML of other servers into plain text with links,
// and plain text into pieces a page can render.
//
// HTML from outside never reaches a page or a model. Parse reads it with a
// tokenizer, keeps text, line structure, links, mentions and hashtags as a flat
// run of nodes, and drops everything else; there is no nesting, so neither depth
// nor an unclosed element can hurt. Segments goes the other way for rendering:
// it cuts stored plain text into text, links, mentions, hashtags and custom
// emoji, and every address in it is http or https.
//
// The package knows nothing of networks or posts.
package richtext
