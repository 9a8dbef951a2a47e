// Package e2e drives the whole workspace in a real browser: the program's own
// wiring in this process, Debian's Chromium outside. It has tests only.
//
// Nothing is downloaded: Node.js, the npm package playwright-core and Chromium
// have to be there, and the run fails with the line that installs what is
// missing. With -short the browser tests do not run.
package e2e
