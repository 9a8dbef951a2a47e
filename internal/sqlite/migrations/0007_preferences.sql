-- What the person prefers, in one row; without it everything is as by default.
-- time_zone is a name of the IANA database, '' for the server's own.
CREATE TABLE preferences (
  id             INTEGER PRIMARY KEY CHECK (id = 1),
  time_zone      TEXT    NOT NULL CHECK (length(time_zone) <= 64),
  warnings_open  INTEGER NOT NULL CHECK (warnings_open IN (0, 1)),
  media_at_once  INTEGER NOT NULL CHECK (media_at_once IN (0, 1)),
  counts_hidden  INTEGER NOT NULL CHECK (counts_hidden IN (0, 1)),
  keys_off       INTEGER NOT NULL CHECK (keys_off IN (0, 1))
) STRICT;

-- The browser and the system of a session in words, such as "Firefox on
-- Linux", '' for one that began before this was stored.
ALTER TABLE sessions ADD COLUMN label TEXT NOT NULL DEFAULT '';
