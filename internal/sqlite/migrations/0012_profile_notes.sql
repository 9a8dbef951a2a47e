-- What a provider remembers of how a profile of a relay was read lately, so that a
-- restart forgets no limit. It outlives connections: to the network all that read
-- with one profile are the same reader.
CREATE TABLE profile_notes (
  network    TEXT    NOT NULL CHECK (network IN ('mastodon', 'twitter')),
  origin     TEXT    NOT NULL,
  profile    TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  note       TEXT    NOT NULL CHECK (json_valid(note)),
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (network, origin, profile, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX profile_notes_updated ON profile_notes (updated_at);
