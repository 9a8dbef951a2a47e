// Package activities owns what assistants propose and what the person decides
// about it: tasks and replies, on Home, in Messages and for assistants.
//
// An activity has two halves. The proposal is the assistant's and may be
// published again and again; the decision, the edits included, is the person's
// and no publication changes it. What the person sees is the proposal with the
// edits on top.
//
// One revision counts all committed changes: a publication, a decision, a wake-up.
// Each is one transaction with one entry in the ledger. A draft, what the person
// is still typing, is neither.
//
// A closed activity, one that is done or dismissed, answers for its key
// (connection, canonical address of the source, kind): what is published under
// the key is refused with kept_decision, unless its newest excerpt is newer than
// the decision. Then a new activity is made and the closed one stays as it is.
package activities
