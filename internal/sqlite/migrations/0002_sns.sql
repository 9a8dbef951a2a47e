-- One row for each account on a network, or server read without login.
CREATE TABLE connections (
  id         TEXT    PRIMARY KEY,
  network    TEXT    NOT NULL CHECK (network IN ('mastodon', 'twitter')),
  -- The shared definition this is an account of.
  app        TEXT    NOT NULL,
  origin     TEXT    NOT NULL,
  -- 1: the origin was named at the host's shell and is reached as it is.
  operator   INTEGER NOT NULL CHECK (operator IN (0, 1)),
  account    TEXT    NOT NULL,
  -- '' without login.
  account_id TEXT    NOT NULL,
  label      TEXT    NOT NULL,
  state      TEXT    NOT NULL CHECK (state IN ('ready', 'reauth_required', 'disabled', 'error')),
  state_code TEXT    NOT NULL DEFAULT '',
  policy     TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(policy)),
  -- Grows with each change of the row, so that a late answer about an old
  -- credential does not mark a new one.
  revision   INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX connections_account ON connections (network, origin, account_id);
CREATE INDEX connections_created ON connections (created_at, id);

-- Credentials, sealed by the key whose name is key_id and bound to their row.
CREATE TABLE connection_secrets (
  connection_id TEXT    NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
  field         TEXT    NOT NULL,
  key_id        TEXT    NOT NULL,
  sealed        BLOB    NOT NULL,
  updated_at    INTEGER NOT NULL,
  PRIMARY KEY (connection_id, field)
) STRICT, WITHOUT ROWID;

-- Posts as a connection saw them, each once. doc is the post without what
-- belongs to a timeline's entry; hash is of doc, so that a page that brings the
-- same text again rewrites nothing. id starts with '!' for what is no post: a
-- notification about an account.
CREATE TABLE posts (
  seq           INTEGER PRIMARY KEY,
  connection_id TEXT    NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
  id            TEXT    NOT NULL,
  doc           TEXT    NOT NULL CHECK (json_valid(doc)),
  hash          INTEGER NOT NULL,
  -- When doc was last written, or last seen unchanged after a month.
  stored_at     INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX posts_id ON posts (connection_id, id);
CREATE INDEX posts_stored ON posts (stored_at);

-- One row for each source of a connection that was ever fetched.
CREATE TABLE timelines (
  id              INTEGER PRIMARY KEY,
  connection_id   TEXT    NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
  source_hash     TEXT    NOT NULL,
  source          TEXT    NOT NULL CHECK (json_valid(source)),
  created_at      INTEGER NOT NULL,
  -- When the newest page was last read; NULL until then.
  fetched_at      INTEGER,
  -- Why the last attempt at the newest page failed; NULL when it did not.
  failure_code    TEXT,
  failure_message TEXT,
  failed_at       INTEGER,
  retry_at        INTEGER,
  -- Attempts that failed in a row, and when the first of them did.
  failures        INTEGER NOT NULL DEFAULT 0,
  failing_since   INTEGER,
  -- The network's continuation after a newest page of which nothing is shown;
  -- NULL when nothing is missing above the entries.
  head            TEXT,
  -- The newest entry the network ever sent, shown or not.
  top_id          TEXT,
  -- 1: the network has nothing that is older than the oldest entry.
  complete        INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),
  -- What the network calls the list of a list source, '' until that is known,
  -- and when to ask again.
  title           TEXT    NOT NULL DEFAULT '',
  title_due       INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX timelines_source ON timelines (connection_id, source_hash);
CREATE INDEX timelines_created ON timelines (created_at);

-- The entries of a timeline. A greater position is newer. Positions are sparse,
-- so that an entry finds room between its neighbours; an entry keeps its
-- position for as long as the network keeps its order.
CREATE TABLE timeline_entries (
  timeline_id INTEGER NOT NULL REFERENCES timelines (id) ON DELETE CASCADE,
  position    INTEGER NOT NULL,
  entry_id    TEXT    NOT NULL,
  post_seq    INTEGER NOT NULL REFERENCES posts (seq) ON DELETE CASCADE,
  -- What belongs to the entry and not to the post: who boosted it, which
  -- notification it is, which filter matched.
  wrap        TEXT    NOT NULL CHECK (json_valid(wrap)),
  -- The network's continuation after this entry where the workspace does not
  -- know what follows; NULL where the next entry is known to follow.
  gap         TEXT,
  -- 1: the network no longer shows the entry. It keeps its place, so that a
  -- reader who stands on it does not lose theirs.
  gone        INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1)),
  PRIMARY KEY (timeline_id, position)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX timeline_entries_entry ON timeline_entries (timeline_id, entry_id);
CREATE INDEX timeline_entries_post ON timeline_entries (post_seq);
