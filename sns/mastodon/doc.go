// Package mastodon reads Mastodon and servers that speak its API.
//
// Requests are made by go-mastodon, and by a get of our own where the library
// has no method. Both go through one exchange, a transport that only sends GET to
// the account's own server, asks the connection's budget before each request,
// never follows a redirect, limits the answer's size and turns every refusal
// into an error before the library sees it: the library on its own sleeps
// through a 429, reads without limit and sends the token along a redirect.
//
// Answers are decoded here, once, with the library's types extended by what they
// lack (quotes, missing counts) and item by item: one odd post in a page, which
// the library would fail the whole page for, costs at most itself.
//
// What narrows a source is asked of the server and applied here again, because
// servers ignore what they do not know; a page of which little is left is filled
// up from the answers below it.
//
// Ids are opaque. Nothing a server sends becomes a request: of a Link header
// only ids are used, and every id is checked before it stands in a path.
package mastodon
