package ledger

import (
	"context"
	"sync/atomic"

	"personal-workspace/internal/sqlite"
)

// Call carries the tool run of the MCP call that a context belongs to, so that
// a change and the record of the call that made it are one commit.
type Call struct {
	run      ToolRun
	runs     *Runs
	recorded atomic.Bool
}

type callKey struct{}

// BeginCall returns a context in which Append also writes run, as a success.
// The caller finishes the Call with End.
func (r *Runs) BeginCall(ctx context.Context, run ToolRun) (context.Context, *Call) {
	r.complete(&run)
	c := &Call{run: run, runs: r}
	return context.WithValue(ctx, callKey{}, c), c
}

// ClientFrom returns what the client of the context's call says of itself, "" for
// no call.
func ClientFrom(ctx context.Context) (name, version string) {
	c, ok := ctx.Value(callKey{}).(*Call)
	if !ok {
		return "", ""
	}
	return c.run.ClientName, c.run.ClientVersion
}

// End records how the call ended, unless a committed change already did.
func (c *Call) End(outcome Outcome, code, connectionID string) {
	if c.recorded.Load() {
		return
	}
	run := c.run
	run.Outcome, run.Code, run.ConnectionID = outcome, code, connectionID
	run.Duration = c.runs.now().Sub(run.At)
	c.runs.Record(run)
}

// recordCall writes the context's call, if any, in the transaction tx.
func recordCall(tx *sqlite.Tx) error {
	c, ok := tx.Context().Value(callKey{}).(*Call)
	if !ok {
		return nil
	}
	run := c.run
	run.Outcome = OutcomeOK
	run.Duration = c.runs.now().Sub(run.At)
	tx.AfterCommit(func() { c.recorded.Store(true) })
	return insertRuns(tx, insertOneSQL, []ToolRun{run})
}
