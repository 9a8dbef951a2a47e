-- The person's way in: at most one password, in the PHC form of argon2id.
CREATE TABLE owner_password (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  hash       TEXT    NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- The one-time set-up link that is valid now; only the SHA-256 of its token.
CREATE TABLE setup_link (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  token_hash BLOB    NOT NULL CHECK (length(token_hash) = 32),
  created_at INTEGER NOT NULL
) STRICT;

-- One row for each signed-in browser; only the SHA-256 of its cookie. A session
-- ends at idle_until, which moves with use, and at ends_at, which does not.
CREATE TABLE sessions (
  token_hash BLOB    NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
  id         TEXT    NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL,
  idle_until INTEGER NOT NULL,
  ends_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_idle_until ON sessions (idle_until);
