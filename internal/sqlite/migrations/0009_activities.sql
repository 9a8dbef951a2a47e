-- One row: the revision that counts every committed change of activities.
CREATE TABLE activity_state (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL
) STRICT;

INSERT INTO activity_state (id, revision) VALUES (1, 0);

-- Tasks and replies: the proposal is the assistant's, the decision the person's.
-- An erased one keeps its row without any text.
CREATE TABLE activities (
  seq               INTEGER PRIMARY KEY,
  id                TEXT    NOT NULL UNIQUE,
  -- 1: the person made it.
  own               INTEGER NOT NULL CHECK (own IN (0, 1)),
  kind              TEXT    NOT NULL CHECK (kind IN ('task', 'reply')),
  proposal          TEXT    NOT NULL CHECK (json_valid(proposal)),
  -- The person's decision with their edits, and what it was before a snooze.
  decision          TEXT    NOT NULL CHECK (json_valid(decision)),
  -- A hash of connection, canonical address and kind; '' without an address.
  source_key        TEXT    NOT NULL,
  -- The conversation of a reply, '' for a task.
  conversation      TEXT    NOT NULL,
  connection_id     TEXT    NOT NULL,
  -- The time of the newest excerpt, 0 for none.
  evidence_at       INTEGER NOT NULL,
  -- The first activity about the same thing, when that one was closed and newer
  -- evidence brought this one; '' for the first.
  root              TEXT    NOT NULL,
  -- When the person dismissed the one before; 0 for never.
  dismissed_before  INTEGER NOT NULL,
  actor_kind        TEXT    NOT NULL CHECK (actor_kind IN ('person', 'caller', 'research', 'system')),
  actor_id          TEXT    NOT NULL,
  run_id            TEXT    NOT NULL,
  client_name       TEXT    NOT NULL,
  client_version    TEXT    NOT NULL,
  created_at        INTEGER NOT NULL,
  proposed_at       INTEGER NOT NULL,
  confirmed_at      INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,
  -- Revisions: of the proposal, of the person's last change, of any.
  proposal_revision INTEGER NOT NULL,
  touched_revision  INTEGER NOT NULL,
  revision          INTEGER NOT NULL,
  -- What follows is made of the columns above, for the lists.
  place             TEXT    NOT NULL CHECK (place IN ('todo', 'snoozed', 'done', 'dismissed', 'erased')),
  -- 0 high, 1 normal, 2 low.
  urgency           INTEGER NOT NULL CHECK (urgency BETWEEN 0 AND 2),
  -- The date the person sees.
  due_at            INTEGER,
  -- When a snoozed one wakes, a far time when nothing but evidence wakes it; when
  -- a closed one was decided; else 0.
  place_at          INTEGER NOT NULL,
  -- 1: snoozed until somebody else answers.
  waiting           INTEGER NOT NULL CHECK (waiting IN (0, 1))
) STRICT;

CREATE INDEX activities_place ON activities (place, kind, urgency, seq, due_at);
CREATE INDEX activities_due ON activities (due_at, urgency, seq) WHERE place = 'todo' AND due_at IS NOT NULL;
CREATE INDEX activities_later ON activities (place, place_at, seq) WHERE place_at > 0;
CREATE INDEX activities_key ON activities (source_key, seq) WHERE source_key <> '';
CREATE INDEX activities_root ON activities (root, seq) WHERE root <> '';
CREATE INDEX activities_conversation ON activities (conversation, seq) WHERE conversation <> '';

-- One row for each change of an activity.
CREATE TABLE activity_changes (
  seq          INTEGER PRIMARY KEY,
  activity_seq INTEGER NOT NULL REFERENCES activities (seq) ON DELETE CASCADE,
  revision     INTEGER NOT NULL,
  at           INTEGER NOT NULL,
  actor_kind   TEXT    NOT NULL CHECK (actor_kind IN ('person', 'caller', 'research', 'system')),
  actor_id     TEXT    NOT NULL,
  client_name  TEXT    NOT NULL,
  what         TEXT    NOT NULL CHECK (what IN ('published', 'updated', 'created', 'accept', 'snooze', 'dismiss',
    'done', 'reopen', 'wait', 'edited', 'erased', 'woken', 'undone')),
  was          TEXT    NOT NULL,
  became       TEXT    NOT NULL,
  -- The decisions before and after, with their texts; NULL where it stayed, and
  -- once the activity is erased.
  before       TEXT    CHECK (json_valid(before)),
  after        TEXT    CHECK (json_valid(after)),
  -- 0: not to be taken back; 1: it can be; 2: it was.
  undo         INTEGER NOT NULL CHECK (undo IN (0, 1, 2))
) STRICT;

CREATE INDEX activity_changes_activity ON activity_changes (activity_seq, seq);
CREATE INDEX activity_changes_undo ON activity_changes (seq) WHERE undo = 1;

-- What a publication was answered with, so that its repetition is answered alike.
CREATE TABLE activity_receipts (
  request_id TEXT    PRIMARY KEY,
  digest     BLOB    NOT NULL,
  receipt    TEXT    NOT NULL CHECK (json_valid(receipt)),
  at         INTEGER NOT NULL
) STRICT;

CREATE INDEX activity_receipts_at ON activity_receipts (at);

-- What the person is typing and has not saved, as typed.
CREATE TABLE activity_drafts (
  activity_seq  INTEGER PRIMARY KEY REFERENCES activities (seq) ON DELETE CASCADE,
  title         TEXT,
  body          TEXT,
  due           TEXT,
  base_revision INTEGER NOT NULL,
  saved_at      INTEGER NOT NULL
) STRICT;

-- The hours at which snoozed activities come back; 0 and 0 until the person
-- chooses.
ALTER TABLE preferences ADD COLUMN snooze_morning INTEGER NOT NULL DEFAULT 0 CHECK (snooze_morning BETWEEN 0 AND 23);
ALTER TABLE preferences ADD COLUMN snooze_evening INTEGER NOT NULL DEFAULT 0 CHECK (snooze_evening BETWEEN 0 AND 23);
