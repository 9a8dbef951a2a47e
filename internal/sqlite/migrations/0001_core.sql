-- One row: facts about this database that never change.
CREATE TABLE meta (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  epoch      TEXT    NOT NULL,
  cursor_key BLOB    NOT NULL CHECK (length(cursor_key) = 32),
  created_at INTEGER NOT NULL
) STRICT;

INSERT INTO meta (id, epoch, cursor_key, created_at)
VALUES (1, lower(hex(randomblob(16))), randomblob(32), CAST(unixepoch('subsec') * 1000 AS INTEGER));

-- One row for each committed change, in commit order. data holds ids, enums and
-- integers only, never text a person or an upstream wrote.
CREATE TABLE ledger (
  seq           INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT    NOT NULL UNIQUE,
  at            INTEGER NOT NULL,
  actor_kind    TEXT    NOT NULL CHECK (actor_kind IN ('person', 'caller', 'research', 'system')),
  actor_id      TEXT    NOT NULL,
  run_id        TEXT,
  name          TEXT    NOT NULL,
  resource_type TEXT    NOT NULL,
  resource_id   TEXT    NOT NULL,
  data          TEXT    NOT NULL CHECK (json_valid(data))
) STRICT;

CREATE INDEX ledger_at ON ledger (at);

CREATE TRIGGER ledger_is_append_only BEFORE UPDATE ON ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

-- One row for each MCP call, refused ones too; never arguments or text.
CREATE TABLE tool_runs (
  id             TEXT    PRIMARY KEY,
  at             INTEGER NOT NULL,
  caller         TEXT    NOT NULL,
  client_name    TEXT,
  client_version TEXT,
  tool           TEXT    NOT NULL,
  run_id         TEXT,
  connection_id  TEXT,
  outcome        TEXT    NOT NULL CHECK (outcome IN ('ok', 'error', 'refused', 'canceled')),
  code           TEXT,
  duration_us    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX tool_runs_at ON tool_runs (at);
