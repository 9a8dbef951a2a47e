-- What the person last had before them of a column: the place of its newest post
-- then, as the store of posts names it, and when that was.
ALTER TABLE column_state ADD COLUMN seen TEXT NOT NULL DEFAULT '';
ALTER TABLE column_state ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;

CREATE INDEX column_state_seen ON column_state (seen_at) WHERE seen_at > 0;

-- 1: the person has dismissed the sample of a proposal on Home.
ALTER TABLE preferences ADD COLUMN sample_closed INTEGER NOT NULL DEFAULT 0 CHECK (sample_closed IN (0, 1));
