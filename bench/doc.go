// Package bench measures the figures that the workspace promises, each beside a
// baseline from the same run, and prints them as one table:
//
//	make bench
//
// Times are printed and never asserted, because a busy machine would fail them;
// bytes are asserted by ordinary tests of this package. The server under
// measurement is the real program in a process of its own wherever a process is
// what counts (calls, pages, start, memory); the floor is another process, see
// the floor package.
package bench
