-- A deck, or the tombstone of one: a deleted deck keeps its row so that a
-- reused id goes on counting revisions and the person can undo.
CREATE TABLE decks (
  id            TEXT    PRIMARY KEY,
  title         TEXT    NOT NULL,
  columns       TEXT    NOT NULL CHECK (json_valid(columns)),
  column_count  INTEGER NOT NULL CHECK (column_count BETWEEN 0 AND 6),
  revision      INTEGER NOT NULL,
  position      INTEGER NOT NULL,
  create_digest BLOB    NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  deleted_at    INTEGER
) STRICT;

CREATE INDEX decks_order ON decks (position, id) WHERE deleted_at IS NULL;

-- The last definitions of each deck, the present one included.
CREATE TABLE deck_revisions (
  deck_id    TEXT    NOT NULL REFERENCES decks (id) ON DELETE CASCADE,
  revision   INTEGER NOT NULL,
  op         TEXT    NOT NULL CHECK (op IN ('created', 'replaced', 'deleted')),
  title      TEXT    NOT NULL,
  columns    TEXT    NOT NULL CHECK (json_valid(columns)),
  at         INTEGER NOT NULL,
  actor_kind TEXT    NOT NULL CHECK (actor_kind IN ('person', 'caller', 'research', 'system')),
  actor_id   TEXT    NOT NULL,
  PRIMARY KEY (deck_id, revision)
) STRICT, WITHOUT ROWID;
