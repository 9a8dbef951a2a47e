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
// change (RecordTx), the others in batches (Record).
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

// RecordTx writes run in the transaction of the change it made.
func (r *Runs) RecordTx(tx *sqlite.Tx, run ToolRun) error {
	r.complete(&run)
	return insertRuns(tx, insertOneSQL, []ToolRun{run})
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

// runsAtOnce is how many runs one statement writes: a row then costs a third of
// what it costs alone.
const runsAtOnce = 25

var (
	insertOneSQL  = insertSQL(1)
	insertManySQL = insertSQL(runsAtOnce)
)

func insertSQL(rows int) string {
	const row = "(?, ?, ?, nullif(?, ''), nullif(?, ''), ?, nullif(?, ''), nullif(?, ''), ?, nullif(?, ''), ?)"
	return `INSERT INTO tool_runs
		(id, at, caller, client_name, client_version, tool, run_id, connection_id, outcome, code, duration_us)
		VALUES ` + row + strings.Repeat(", "+row, rows-1) + ` ON CONFLICT (id) DO NOTHING`
}

// insertRuns writes runs with the statement made for their number.
func insertRuns(tx *sqlite.Tx, query string, runs []ToolRun) error {
	args := make([]any, 0, len(runs)*11)
	for _, r := range runs {
		args = append(args, r.ID, r.At.UnixMilli(), r.Caller, r.ClientName, r.ClientVersion, r.Tool, r.RunID,
			r.ConnectionID, string(r.Outcome), r.Code, r.Duration.Microseconds())
	}
	_, err := tx.Exec(query, args...)
	return err
}

// List returns the newest runs, at most limit.
func (r *Runs) List(ctx context.Context, limit int) (list []ToolRun, err error) {
	err = r.db.Read(ctx, func(tx *sqlite.Tx) error {
		list, err = sqlite.Query(tx, scanRun, `SELECT
			id, at, caller, coalesce(client_name, ''), coalesce(client_version, ''), tool,
			coalesce(run_id, ''), coalesce(connection_id, ''), outcome, coalesce(code, ''), duration_us
			FROM tool_runs ORDER BY at DESC LIMIT ?`, limit)
		return err
	})
	return list, err
}

func scanRun(row sqlite.Row) (run ToolRun, err error) {
	var at, us int64
	err = row.Scan(&run.ID, &at, &run.Caller, &run.ClientName, &run.ClientVersion, &run.Tool,
		&run.RunID, &run.ConnectionID, &run.Outcome, &run.Code, &us)
	run.At, run.Duration = time.UnixMilli(at).UTC(), time.Duration(us)*time.Microsecond
	return run, err
}
