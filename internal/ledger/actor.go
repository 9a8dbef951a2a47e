package ledger

import "context"

// ActorKind says who acts.
type ActorKind string

// The kinds of actors.
const (
	// Person is the owner in a browser session or at the host's shell.
	Person ActorKind = "person"
	// Caller is a client of /mcp.
	Caller ActorKind = "caller"
	// Research is one run of a research turn.
	Research ActorKind = "research"
	// System is the workspace itself, driven by its clock.
	System ActorKind = "system"
)

// Actor is who a service call is made for.
type Actor struct {
	Kind ActorKind
	// ID names the actor within its kind; never a secret.
	ID string
	// RunID is the research run, "" outside one.
	RunID string
}

type actorKey struct{}

// WithActor returns a context whose service calls are made for a.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorFrom returns who acts in ctx; without one it is the system.
func ActorFrom(ctx context.Context) Actor {
	if a, ok := ctx.Value(actorKey{}).(Actor); ok {
		return a
	}
	return Actor{Kind: System, ID: "system"}
}
