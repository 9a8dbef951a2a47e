// Package decks owns saved decks and their columns: creating, replacing and
// deleting them under a revision, and reading a column's posts.
//
// What a person does to a column while reading (width, pause, read line) is not
// part of a deck's definition and never moves its revision.
package decks
