// Package sns owns connections to social networks and the posts read through
// them: who is connected, what a source is, what was fetched and what is stored.
//
// It has no network code of its own: a Provider per network reads, the Service
// keeps budgets, cursors and the store, and is the one way in for decks, mcp and
// web. Nothing here can write to a network.
package sns
