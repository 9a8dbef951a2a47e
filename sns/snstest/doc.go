// Package snstest has fake social networks, for tests and for demo mode.
//
// Mastodon is a server with an in-memory store that answers the read part of the
// Mastodon API as its documentation describes it, with the differences real
// servers show as switches (Quirks), failures that can be injected (Fault), a
// counting rate limit, tokens with scopes and a record of every request. A
// request that writes is refused and remembered: Violations lists it.
//
// Relay is the program that reads X through a signed-in page, with the part of X
// behind it that a reader sees: profiles with accounts of their own, timelines
// with every kind of entry and cursors of both directions, pages of a size that
// nobody asked for, errors that say nothing. An operation that is not one of the
// reads, and a request that names no profile, is a violation.
//
// Nothing here imports testing, because demo mode links it into the program;
// Serve takes the few methods of testing.TB that it needs.
package snstest
