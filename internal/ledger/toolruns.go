package ledger

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"personal-workspace/internal/sqlite"
)

// Outcome is how a tool call ended.
type Outcome string

// The outcomes of a tool call.
const (
	// OutcomeOK: the tool answered.
	OutcomeOK Outcome = "ok"
	// OutcomeError: the tool failed; Code says why.
	OutcomeError Outcome = "error"
	// OutcomeRefused: the call never reached the tool; Code says why.
	OutcomeRefused Outcome = "refused"
	// OutcomeCanceled: the caller went away.
	OutcomeCanceled Outcome = "canceled"
)

// ToolRun is one MCP call. It never holds arguments or text.
type ToolRun struct {
	// ID is run_…; made by Record when empty.
	ID string
	// At is when the call began; set by Record when zero.
	At time.Time
	// Caller is who called: "anonymous", a token's id, or a research run's.
	Caller string
	// ClientName and ClientVersion are what the client says of itself, cut to
	// 64 bytes; not an identity.
	ClientName, ClientVersion string
	// Tool is the name called, cut to 64 bytes.
	Tool string
	// RunID is the research run, "" outside one.
	RunID string
	// ConnectionID is the connection the call was about, "" for none.
	ConnectionID string
	Outcome      Outcome
	// Code is the fault's code, "" when there was none.
	Code string
	// Duration of the call.
	Duration time.Duration
}

// Runs writes tool runs: those of writing tools in the transaction of the
// change (BeginCall), the others in batches (Record).
type Runs struct {
	db    *sqlite.DB
	now   func() time.Time
	newID func(string) string
	log   *slog.Logger

	mu      sync.Mutex
	pending []ToolRun
	full    chan struct{}
}

// batchInterval and batchSize bound how long a run waits to be written and how
// many wait together.
const (
	batchInterval = 500 * time.Millisecond
	batchSize     = 200
	maxPending    = 10_000
)

// NewRuns returns the writer of tool runs; nil arguments mean the defaults of
// Config. Its Run must be running for Record to reach the file.
func NewRuns(c Config, log *slog.Logger) *Runs {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.NewID == nil {
		c.NewID = NewID
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Runs{db: c.DB, now: c.Now, newID: c.NewID, log: log, full: make(chan struct{}, 1)}
}

// Record queues r; it is on the file within a second. It never blocks: past
// 10,000 waiting runs the newest are dropped with a warning.
func (r *Runs) Record(run ToolRun) {
	r.complete(&run)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.pending) >= maxPending {
		r.log.Warn("a tool run was not recorded: too many wait", "tool", run.Tool)
		return
	}
	r.pending = append(r.pending, run)
	if len(r.pending) >= batchSize {
		select {
		case r.full <- struct{}{}:
		default:
		}
	}
}

func (r *Runs) complete(run *ToolRun) {
	if run.ID == "" {
		run.ID = r.newID("run")
	}
	if run.At.IsZero() {
		run.At = r.now()
	}
	for _, s := range []*string{&run.ClientName, &run.ClientVersion, &run.Tool} {
		*s = cut(*s, 64)
	}
}

// cut returns at most n bytes of s as valid UTF-8.
func cut(s string, n int) string {
	if len(s) > n {
		s = s[:n]
	}
	return strings.ToValidUTF8(s, "")
}

// Run writes queued runs until ctx ends, then writes the rest.
func (r *Runs) Run(ctx context.Context) error {
	tick := time.NewTicker(batchInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), r.Flush(context.WithoutCancel(ctx)))
		case <-tick.C:
		case <-r.full:
		}
		if err := r.Flush(ctx); err != nil && ctx.Err() == nil {
			r.log.ErrorContext(ctx, "tool runs were not written", "err", err)
		}
	}
}

// Flush writes the queued runs now. Runs that could not be written stay queued.
func (r *Runs) Flush(ctx context.Context) error {
	r.mu.Lock()
	batch := r.pending
	r.pending = nil
	r.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	err := r.db.Write(ctx, func(tx *sqlite.Tx) error {
		rest := batch
		for len(rest) >= runsAtOnce {
			if err := insertRuns(tx, insertManySQL, rest[:runsAtOnce]); err != nil {
				return err
			}
			rest = rest[runsAtOnce:]
		}
		for i := range rest {
			if err := insertRuns(tx, insertOneSQL, rest[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		r.mu.Lock()
		r.pending = append(batch, r.pending...)
		r.mu.Unlock()
	}
	return err
}

// List returns the newest runs, at most limit.
func (r *Runs) List(ctx context.Context, limit int) (list []ToolRun, err error) {
	err = r.db.Read(ctx, func(tx *sqlite.Tx) error {
		list, err = listRuns(tx, limit)
		return err
	})
	return list, err
}
