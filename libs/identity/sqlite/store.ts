import type { IdentityStore, KeptHead, SealKey } from '#identity';
import { refuseAnothers } from '#kernel';
import { checkRows } from './check-rows.js';
import { credentialsPart } from './credentials.js';
import { isThere, openForReading, openForWriting, openInMemory, type Database } from './database.js';
import { keysPart } from './keys.js';
import { linksPart, mailsPart } from './mail.js';
import { networksPart } from './networks.js';
import { pinsPart } from './pins.js';
import { recordsPart } from './records.js';
import { text, integer } from './rows.js';
import { readSealKeys, sealKeysPart } from './seal-keys.js';
import { secondFactorsPart } from './second-factors.js';
import { requestsPart } from './requests.js';
import { sessionsPart } from './sessions.js';
import { standingPart } from './standing.js';

/**
 * Opens the identity store in one SQLite file, which is made when it isn't there. Throws `storage_failed` when the file
 * is damaged, is another program's or a newer Lode's; `unavailable` when another program holds it.
 */
export async function openIdentityStore(options: { readonly file: string }): Promise<IdentityStore> {
  return storeOn(openForWriting(options.file), options.file);
}

/** An empty store in memory, for simulations; its head is kept as long. */
export function openIdentityStoreInMemory(): IdentityStore {
  let kept: KeptHead = { kind: 'none' };
  return {
    ...storeOn(openInMemory(), 'in memory'),
    head: async () => kept,
    keepHead: async (head) => {
      kept = { kind: 'head', head };
    },
  };
}

function storeOn(db: Database, file: string): IdentityStore {
  return {
    ...credentialsPart(db),
    ...keysPart(db),
    ...mailsPart(db),
    ...linksPart(db),
    ...networksPart(db),
    ...pinsPart(db),
    ...secondFactorsPart(db),
    ...recordsPart(db),
    ...sealKeysPart(db),
    ...requestsPart(db),
    ...sessionsPart(db),
    ...invitationsPart(db),
    ...standingPart(db, file),
    platform: async () => {
      const found = db.read(() => db.sql('SELECT platform_id FROM platform').get());
      return found && text(found, 'platform_id');
    },
    claim: async (platformId) => {
      const found = await db.write(() => {
        db.sql('INSERT OR IGNORE INTO platform (row, platform_id) VALUES (1, ?)').run(platformId);
        return db.sql('SELECT platform_id FROM platform').get();
      });
      refuseAnothers(`The identity file ${file}`, found && text(found, 'platform_id'), platformId);
    },
    tryChange: async () => {
      await db.touch(() => {
        const version = db.sql('PRAGMA user_version').get()?.['user_version'];
        // Written, though it is what it was.
        db.sql(`PRAGMA user_version = ${Number(version)}`).run();
      });
    },
    watchDamage: db.checksums.watch,
    checkRows: async (after, limit) => db.read(() => checkRows(db, after, limit)),
    close: async () => {
      await db.scrubbed();
      db.close();
    },
  };
}

/** The rows alone, to be looked at beside whoever writes them. */
export function openIdentityRows({
  file,
}: {
  readonly file: string;
}): Pick<IdentityStore, 'checkRows' | 'close'> {
  const db = openForReading(file);
  return {
    checkRows: async (after, limit) => db.read(() => checkRows(db, after, limit)),
    close: async () => db.close(),
  };
}

/**
 * What a file has of identities, without making it: `missing` when it is not there, is empty or has lost its tables,
 * `people` when somebody can sign in. Throws as `openIdentityStore`.
 */
export function identitiesIn({ file }: { readonly file: string }): 'missing' | 'nobody' | 'people' {
  if (!isThere(file)) return 'missing';
  const { read, sql, close } = openForReading(file);
  try {
    const somebody = read(() => sql("SELECT 1 FROM credential WHERE state = 'active' LIMIT 1").get());
    return somebody === undefined ? 'nobody' : 'people';
  } finally {
    close();
  }
}

/** The keys that secrets of a file may be sealed with, without making it. Throws as `openIdentityStore`. */
export function sealKeysIn({ file }: { readonly file: string }): readonly SealKey[] {
  if (!isThere(file)) return [];
  const db = openForReading(file);
  try {
    return readSealKeys(db);
  } finally {
    db.close();
  }
}

function invitationsPart({
  sql,
  one,
  read,
  write,
}: Database): Pick<IdentityStore, 'putInvitationToken' | 'invitationByToken'> {
  return {
    putInvitationToken: async (invitationId, { hash, expiresAt }) => {
      await write(() =>
        sql(`INSERT INTO invitation_token (invitation_id, hash, expires_at) VALUES (?, ?, ?)
             ON CONFLICT (invitation_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at`).run(
          invitationId,
          hash,
          expiresAt,
        ),
      );
    },
    invitationByToken: async (hash) =>
      read(() => {
        const row = one('invitation_token', 'hash = ?', hash);
        return row === undefined
          ? undefined
          : { invitationId: text(row, 'invitation_id'), expiresAt: integer(row, 'expires_at') };
      }),
  };
}
