-- What the person does to a column while reading. It is no part of the deck's
-- definition: a change of the deck leaves it, and a column that comes back under
-- its id has it again. A column without a row has the default state.
CREATE TABLE column_state (
  deck_id   TEXT    NOT NULL REFERENCES decks (id) ON DELETE CASCADE,
  column_id TEXT    NOT NULL,
  -- 1: the column asks its network for nothing until the person resumes it.
  paused    INTEGER NOT NULL CHECK (paused IN (0, 1)),
  PRIMARY KEY (deck_id, column_id)
) STRICT, WITHOUT ROWID;
