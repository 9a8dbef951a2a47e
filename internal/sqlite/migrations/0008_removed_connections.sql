-- Which of a few colours tells the account apart, 0 to 9; it stays the account's.
ALTER TABLE connections ADD COLUMN colour INTEGER NOT NULL DEFAULT 0 CHECK (colour BETWEEN 0 AND 9);

UPDATE connections SET colour = (
  SELECT count(*) % 10 FROM connections AS c
  WHERE (c.created_at, c.id) < (connections.created_at, connections.id)
);

-- Accounts that were connected once: one that is connected again gets its id
-- back, so that the columns that read it do so again. Nothing else is kept of it.
CREATE TABLE removed_connections (
  network       TEXT    NOT NULL CHECK (network IN ('mastodon', 'twitter')),
  origin        TEXT    NOT NULL,
  -- '' without login.
  account_id    TEXT    NOT NULL,
  connection_id TEXT    NOT NULL,
  -- What it was called, @user@host or the host, for the columns that lack it.
  account       TEXT    NOT NULL,
  colour        INTEGER NOT NULL CHECK (colour BETWEEN 0 AND 9),
  -- Goes on growing, so that a late answer about the old credential says nothing
  -- about the new one.
  revision      INTEGER NOT NULL,
  removed_at    INTEGER NOT NULL,
  PRIMARY KEY (network, origin, account_id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX removed_connections_id ON removed_connections (connection_id);
CREATE INDEX removed_connections_age ON removed_connections (removed_at);
