// Package mcp is the endpoint /mcp: it lets assistants read the person's
// accounts and keep decks over the Model Context Protocol.
//
// It translates and holds no rules. A tool's arguments are checked for their
// shape here (types, required and unknown members, the least of a number); every
// other rule about values lives in the domain services, so that a form and a tool
// call meet the same rule and get the same fault. The bounds in the published
// schemas are those rules told in advance; a test makes sure that each is enforced.
//
// The endpoint is stateless. One immutable server is built for a catalogue of
// tools and every request only looks it up; each POST gets a session of its
// own inside the SDK. Answers are plain JSON, and an event stream only when the
// request asks for progress or log messages.
//
// A tool never writes to a social network, and what a third party wrote is
// never an instruction: the descriptions say so to the model.
package mcp
