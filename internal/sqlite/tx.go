package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Tx is one transaction. It is valid only inside the function it was given to,
// on the goroutine of that function.
type Tx struct {
	ctx   context.Context
	pool  *pool
	tx    *sql.Tx
	after []func()
	fresh []string
}

// Context returns the context of the transaction.
func (tx *Tx) Context() context.Context { return tx.ctx }

// Write runs fn in an immediate transaction and commits it with full
// durability. If fn returns an error or panics, or ctx ends before the commit,
// nothing changed. Functions given to tx.AfterCommit run, in order, once the
// commit is done. There is one writer: Write waits for others, and fn must
// neither call Write again nor wait for the network.
func (db *DB) Write(ctx context.Context, fn func(tx *Tx) error) error {
	tx, err := db.run(ctx, db.writer, nil, fn)
	if err != nil {
		return err
	}
	for _, f := range tx.after {
		f()
	}
	return nil
}

// Read runs fn over one consistent snapshot. Writes inside it fail.
func (db *DB) Read(ctx context.Context, fn func(tx *Tx) error) error {
	_, err := db.run(ctx, db.reader, &sql.TxOptions{ReadOnly: true}, fn)
	return err
}

func (db *DB) run(ctx context.Context, p *pool, opts *sql.TxOptions, fn func(tx *Tx) error) (*Tx, error) {
	begun, err := p.db.BeginTx(ctx, opts)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", ended(ctx, err))
	}
	defer begun.Rollback() //nolint:errcheck // a no-op after the commit
	started := time.Now()
	tx := &Tx{ctx: ctx, pool: p, tx: begun}
	if err := fn(tx); err != nil {
		return nil, err
	}
	if err := begun.Commit(); err != nil {
		return nil, fmt.Errorf("commit: %w", ended(ctx, err))
	}
	if d := time.Since(started); d > slowWrite && p == db.writer {
		db.log.WarnContext(ctx, "a write transaction was slow", "duration", d)
	}
	for _, q := range tx.fresh {
		p.remember(ctx, q) //nolint:errcheck // only a saving: the next transaction prepares it again
	}
	return tx, nil
}

// remember returns the pool's prepared form of a statement, and prepares it the
// first time. A transaction remembers its statements after its end: the writer
// pool has only that connection.
func (p *pool) remember(ctx context.Context, query string) (*sql.Stmt, error) {
	if cached, ok := p.stmts.Load(query); ok {
		return cached.(*sql.Stmt), nil
	}
	s, err := p.db.PrepareContext(context.WithoutCancel(ctx), query)
	if err != nil {
		return nil, err
	}
	kept, raced := p.stmts.LoadOrStore(query, s)
	if raced {
		s.Close()
	}
	return kept.(*sql.Stmt), nil
}

// ended returns the context's error where the driver hides it behind "the
// transaction is over".
func ended(ctx context.Context, err error) error {
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// AfterCommit runs f once the transaction is committed, and never if it is not.
func (tx *Tx) AfterCommit(f func()) { tx.after = append(tx.after, f) }

// stmt returns the prepared form of a constant statement.
func (tx *Tx) stmt(query string) (*sql.Stmt, error) {
	cached, ok := tx.pool.stmts.Load(query)
	if !ok {
		s, err := tx.tx.PrepareContext(tx.ctx, query)
		if err != nil {
			return nil, err
		}
		tx.fresh = append(tx.fresh, query)
		return s, nil
	}
	return tx.tx.StmtContext(tx.ctx, cached.(*sql.Stmt)), nil
}

// Exec runs a statement and returns how many rows it changed.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	s, err := tx.stmt(query)
	if err != nil {
		return 0, ended(tx.ctx, err)
	}
	res, err := s.ExecContext(tx.ctx, args...)
	if err != nil {
		return 0, ended(tx.ctx, err)
	}
	return res.RowsAffected()
}

// Row is the current row of a query.
type Row interface {
	// Scan copies the row's columns into the destinations, in order.
	Scan(dest ...any) error
}

// Query runs a query and returns all its rows, each made by scan. No rows is an
// empty, non-nil slice.
func Query[T any](tx *Tx, scan func(Row) (T, error), query string, args ...any) (list []T, err error) {
	s, err := tx.stmt(query)
	if err != nil {
		return nil, ended(tx.ctx, err)
	}
	rows, err := s.QueryContext(tx.ctx, args...)
	if err != nil {
		return nil, ended(tx.ctx, err)
	}
	return collect(rows, scan)
}

// ReadQuery runs a single query outside any transaction: one statement is a
// snapshot of its own. It is for small reads that happen on every call, where
// opening and closing a transaction costs more than the query. It looks at ctx
// before it begins and not during the query: the driver would watch it on a
// goroutine of its own, which doubles the cost.
func ReadQuery[T any](ctx context.Context, db *DB, scan func(Row) (T, error), query string, args ...any) ([]T, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, err := db.reader.remember(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(context.WithoutCancel(ctx), args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, scan)
}

// collect reads all rows. No rows is an empty, non-nil slice.
func collect[T any](rows *sql.Rows, scan func(Row) (T, error)) (list []T, err error) {
	defer rows.Close()
	list = []T{}
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

// One runs a query and returns its first row, or an error that IsNoRows knows.
func One[T any](tx *Tx, scan func(Row) (T, error), query string, args ...any) (T, error) {
	list, err := Query(tx, scan, query, args...)
	if err != nil {
		return *new(T), err
	}
	if len(list) == 0 {
		return *new(T), sql.ErrNoRows
	}
	return list[0], nil
}

// IsNoRows reports whether One found nothing.
func IsNoRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

func scanInt(r Row) (n int64, err error) { err = r.Scan(&n); return n, err }

// Int scans a row of one integer; String scans one text. Both are for Query and
// One.
func Int(r Row) (int64, error) { return scanInt(r) }

// String scans a row of one text.
func String(r Row) (s string, err error) { err = r.Scan(&s); return s, err }
