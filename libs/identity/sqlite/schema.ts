/** Says to `file` and to us whose database this is: "LODI". */
export const APPLICATION_ID = 0x4c4f4449;
/** The schema that this program writes. A file with a later one is not opened. */
export const SCHEMA_VERSION = 6;

/** Whose identities these are. No row: nobody's yet. */
const PLATFORM = `
  CREATE TABLE platform (
    row         INTEGER PRIMARY KEY CHECK (row = 1),
    platform_id TEXT NOT NULL
  ) STRICT;
`;

/** Digests of the networks that people have signed in from; nth orders those of one. */
const OWN_NETWORKS = `
  CREATE TABLE own_network (
    user_id TEXT NOT NULL,
    digest  TEXT NOT NULL,
    nth     INTEGER NOT NULL,
    PRIMARY KEY (user_id, digest)
  ) STRICT, WITHOUT ROWID;
`;

/** Keys outside the file that secrets in it are sealed with. An empty id: some are not sealed. No row: none is. */
const SEAL_KEYS = `
  CREATE TABLE seal_key (
    key_id TEXT PRIMARY KEY,
    proof  TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Requests in case they are repeated, and the key of their digests. */
const REQUESTS = `
  CREATE TABLE kept_request (
    id          TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    seed        TEXT NOT NULL,
    begun_at    INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    about       TEXT,
    answer      TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kept_request_expiry ON kept_request (expires_at);
  CREATE INDEX kept_request_about ON kept_request (about) WHERE about IS NOT NULL;

  CREATE TABLE own_key (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Mails that wait to be sent and those of late, and what the tokens of one-time links stand for. */
const MAIL = `
  CREATE TABLE mail (
    mail_id    TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    recipient  TEXT NOT NULL,
    body       TEXT,
    state      TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'given up')),
    queued_at  INTEGER NOT NULL,
    give_up_at INTEGER NOT NULL,
    due_at     INTEGER NOT NULL,
    attempts   INTEGER NOT NULL,
    failure    TEXT,
    CHECK ((state = 'queued') = (body IS NOT NULL))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mail_due ON mail (due_at) WHERE state = 'queued';
  CREATE INDEX mail_queued ON mail (queued_at, mail_id);
  CREATE INDEX mail_of_user ON mail (user_id);

  CREATE TABLE link (
    hash       TEXT PRIMARY KEY,
    purpose    TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    epoch      INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    sealed     TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX link_expiry ON link (expires_at);
  CREATE INDEX link_of_user ON link (user_id);
`;

/** Second factors: all that one is, is in `sealed`. */
const SECOND_FACTORS = `
  CREATE TABLE second_factor (
    user_id TEXT PRIMARY KEY,
    is_on   INTEGER NOT NULL CHECK (is_on IN (0, 1)),
    sealed  TEXT NOT NULL,
    stamp   TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** A row: something was erased, and what it was may still stand in the file. */
const TO_OVERWRITE = `
  CREATE TABLE to_overwrite (
    row INTEGER PRIMARY KEY CHECK (row = 1)
  ) STRICT;
`;

/**
 * How often what must not be lost was changed, and whether a head is kept beside the file; and the keys that were given up
 * as lost, which have a destroyed key's row as well.
 */
const STANDING = `
  CREATE TABLE IF NOT EXISTS change_count (
    row      INTEGER PRIMARY KEY CHECK (row = 1),
    count    INTEGER NOT NULL,
    has_head INTEGER NOT NULL CHECK (has_head IN (0, 1))
  ) STRICT;
  INSERT OR IGNORE INTO change_count VALUES (1, 0, 0);
  CREATE TABLE IF NOT EXISTS lost_key (user_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

/**
 * Everything in one file, so that what belongs together is one transaction. Times are milliseconds since the epoch,
 * hashes of tokens are SHA-256 in hex. The tables that `SUMMED` names have one more column, `checksum`, which is added by it.
 */
export const schema = `
  CREATE TABLE credential (
    user_id        TEXT PRIMARY KEY,
    email          TEXT UNIQUE,
    account_number TEXT NOT NULL UNIQUE,
    password_hash  TEXT,
    role           TEXT NOT NULL CHECK (role IN ('user', 'admin')),
    state          TEXT NOT NULL CHECK (state IN ('reserved', 'active', 'erased')),
    reserved_at    INTEGER NOT NULL,
    owner          TEXT NOT NULL DEFAULT '',
    suspended      INTEGER NOT NULL DEFAULT 0 CHECK (suspended IN (0, 1)),
    epoch          INTEGER NOT NULL DEFAULT 0,
    CHECK ((state = 'erased') = (email IS NULL)),
    CHECK ((state = 'erased') = (password_hash IS NULL))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX credential_reserved ON credential (reserved_at) WHERE state = 'reserved';
  CREATE INDEX credential_admin ON credential (role) WHERE role = 'admin' AND state = 'active';

  -- destroyed numbers the destructions: whoever remembers the last one knows whether the keys it holds are still good.
  CREATE TABLE person_key (
    user_id      TEXT PRIMARY KEY,
    key          BLOB,
    destroyed    INTEGER UNIQUE,
    destroyed_at INTEGER,
    CHECK ((key IS NULL) = (destroyed IS NOT NULL))
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE transfer_pin (
    user_id TEXT PRIMARY KEY,
    hash    TEXT NOT NULL,
    tries   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE session (
    session_id      TEXT PRIMARY KEY,
    user_id         TEXT NOT NULL,
    role            TEXT NOT NULL CHECK (role IN ('user', 'admin')),
    created_at      INTEGER NOT NULL,
    last_used_at    INTEGER NOT NULL,
    address         TEXT NOT NULL,
    agent           TEXT NOT NULL,
    idle_ends_at    INTEGER NOT NULL,
    ends_at         INTEGER NOT NULL,
    generation      INTEGER NOT NULL,
    rotated_at      INTEGER NOT NULL,
    door_sign_in_at INTEGER,
    proved_at       INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX session_of_user ON session (user_id, last_used_at);
  CREATE INDEX session_idle ON session (idle_ends_at);

  CREATE TABLE access_token (
    hash       TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX access_token_of_session ON access_token (session_id, expires_at);
  CREATE INDEX access_token_expiry ON access_token (expires_at);

  CREATE TABLE refresh_token (
    hash       TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    generation INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX refresh_token_of_session ON refresh_token (session_id, generation);

  CREATE TABLE invitation_token (
    invitation_id TEXT PRIMARY KEY,
    hash          TEXT NOT NULL UNIQUE,
    expires_at    INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX invitation_token_expiry ON invitation_token (expires_at);
  ${PLATFORM}
  ${OWN_NETWORKS}
  ${SEAL_KEYS}
  ${REQUESTS}
  ${STANDING}
  ${TO_OVERWRITE}
  ${MAIL}
  ${SECOND_FACTORS}
`;

/** What makes a file of schema `version` one of the next schema. */
export const migrations: { readonly [version: number]: string } = {
  1: `
    ALTER TABLE credential ADD COLUMN suspended INTEGER NOT NULL DEFAULT 0 CHECK (suspended IN (0, 1));
    ALTER TABLE credential ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE transfer_pin (
      user_id TEXT PRIMARY KEY,
      hash    TEXT NOT NULL,
      tries   INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  2: `ALTER TABLE credential ADD COLUMN owner TEXT NOT NULL DEFAULT '';`,
  3: PLATFORM,
  // And the checksums, which `addChecksums` gives every schema.
  4: `
    ALTER TABLE session ADD COLUMN door_sign_in_at INTEGER;
    ${OWN_NETWORKS}
    ${SEAL_KEYS}
    ${REQUESTS}
    ${STANDING}
    ${TO_OVERWRITE}
    ${MAIL}
    ${SECOND_FACTORS}
  `,
  5: 'ALTER TABLE session ADD COLUMN proved_at INTEGER;',
};
