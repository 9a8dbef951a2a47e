// Package twitter reads X through a relay: a program that drives a page of x.com
// which is signed in, and passes the page's own questions on.
//
// The relay knows no timelines and hides every error, and whoever reaches it can
// post. So all knowledge is here: the catalogue of operations, which holds
// nothing that writes; one exchange that sends only what is in the catalogue,
// always names the profile and never follows a redirect; the pace, one request
// of a profile at a time, apart from each other, within budgets and with a rest
// after each error, because reading fast gets accounts locked.
//
// Answers are indexed once (tree.go) and read by path. Every member may be
// missing or of another type: what cannot be read costs itself, at most its
// entry, never the page.
//
// The relay decides how many posts an answer has, often more than a page; the
// service above hands them out in parts.
package twitter
