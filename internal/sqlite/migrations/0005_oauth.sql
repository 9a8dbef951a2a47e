-- The workspace as a program that a server knows, for one way back to it. The
-- secret is sealed by the key whose name is key_id and bound to the row.
CREATE TABLE oauth_apps (
  id            TEXT    PRIMARY KEY,
  network       TEXT    NOT NULL CHECK (network IN ('mastodon', 'twitter')),
  origin        TEXT    NOT NULL,
  -- Where the server sends the browser back to, or the name of "show a code".
  redirect_uri  TEXT    NOT NULL,
  client_id     TEXT    NOT NULL,
  key_id        TEXT    NOT NULL,
  sealed        BLOB    NOT NULL,
  -- What the program may ask for, apart by spaces.
  scopes        TEXT    NOT NULL,
  -- The server's own addresses, all of the origin.
  authorize_url TEXT    NOT NULL,
  token_url     TEXT    NOT NULL,
  revoke_url    TEXT    NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX oauth_apps_origin ON oauth_apps (network, origin, redirect_uri, created_at);
CREATE INDEX oauth_apps_created ON oauth_apps (created_at);

-- Sign-ins under way, and those that ended until their time is over. Only the
-- SHA-256 of the state and of the browser's secret; the verifier is sealed.
CREATE TABLE oauth_logins (
  state_hash    BLOB    PRIMARY KEY CHECK (length(state_hash) = 32),
  browser_hash  BLOB    NOT NULL CHECK (length(browser_hash) = 32),
  app_id        TEXT    NOT NULL REFERENCES oauth_apps (id) ON DELETE CASCADE,
  -- The connection that is signed in to again; NULL adds one.
  connection_id TEXT    REFERENCES connections (id) ON DELETE CASCADE,
  label         TEXT    NOT NULL,
  challenge     TEXT    NOT NULL,
  key_id        TEXT    NOT NULL,
  sealed        BLOB    NOT NULL,
  -- 1: the server is asked to let the person choose another account.
  choose        INTEGER NOT NULL CHECK (choose IN (0, 1)),
  -- 1: somebody came back with the state; it serves nobody else.
  used          INTEGER NOT NULL DEFAULT 0 CHECK (used IN (0, 1)),
  created_at    INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX oauth_logins_app ON oauth_logins (app_id);
CREATE INDEX oauth_logins_connection ON oauth_logins (connection_id);
CREATE INDEX oauth_logins_expires ON oauth_logins (expires_at);

-- What is known of a connection's credential besides the credential.
CREATE TABLE connection_grants (
  connection_id TEXT    PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
  -- The program it was given to; NULL for a token that was pasted.
  app_id        TEXT    REFERENCES oauth_apps (id) ON DELETE SET NULL,
  -- Apart by spaces; NULL where the server does not tell.
  scopes        TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX connection_grants_app ON connection_grants (app_id);

-- How a connection does: when it was last proved to work, and what failed last.
CREATE TABLE connection_health (
  connection_id   TEXT    PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
  succeeded_at    INTEGER,
  failure_code    TEXT,
  failure_message TEXT,
  failed_at       INTEGER,
  failing_since   INTEGER,
  retry_at        INTEGER
) STRICT, WITHOUT ROWID;
