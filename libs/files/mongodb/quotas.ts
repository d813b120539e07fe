import { checkQuota, purposeRules, type FileMetadata, type FileOwner, type Quota } from '#files';
import { hasCode, LodeError } from '#kernel';
import { afterWrite, integer, outcomeOf, type MongoConnection } from '#mongodb';

export const QUOTAS = 'files.quotas';

/** How often taking is decided anew because others took or gave back meanwhile: each time one of them got through. */
const TAKES_MAX = 100;
const nothing: Quota = { files: 0, bytes: 0 };

/** What of a file its owner's quota is told. */
export type Counted = FileOwner & Pick<FileMetadata, 'fileId' | 'bytes'>;

/** What a person keeps for a purpose: one document, with the files that are counted in it, each with its bytes. */
export type Quotas = {
  readonly kept: (owner: FileOwner) => Promise<Quota>;
  /** Counts a file, in one write that happens only while there is room. Refuses with `quota_exceeded`. */
  readonly take: (file: Counted) => Promise<void>;
  /** Counts a file, whatever room there is. */
  readonly add: (file: Counted) => Promise<void>;
  /** Counts a file no more. Does nothing when it isn't counted, so that it may be repeated. */
  readonly giveBack: (file: Counted) => Promise<void>;
};

export function quotasIn(connection: MongoConnection): Quotas {
  const kept: Quotas['kept'] = async (owner) => {
    const some = { limit: 1, projection: { files: 1, bytes: 1 } };
    const [found] = await connection.find(QUOTAS, { _id: idOf(owner) }, some);
    return found === undefined ? nothing : { files: integer(found, 'files'), bytes: integer(found, 'bytes') };
  };
  const change = async (q: object, u: object, upsert = false) =>
    outcomeOf(await connection.write({ update: QUOTAS, updates: [{ q, u, upsert }] }));

  /** Whether a file is counted, durably: a write, to wait for the one that counted it. */
  const isCounted = (file: Counted) => {
    const member = memberOf(file);
    return afterWrite(async () => {
      const same = { [member]: file.bytes };
      return (await change({ _id: idOf(file), ...same }, { $set: same })) === 'done';
    });
  };

  /** Counts a file where the document is as `hasRoom` says; `check` says why it was not. */
  const counting = async (file: Counted, hasRoom: object, check: () => Promise<void>) => {
    const member = memberOf(file);
    const counted = { $inc: { files: 1, bytes: file.bytes }, $set: { [member]: file.bytes } };
    for (let tries = 0; tries < TAKES_MAX; tries++) {
      try {
        // Where there is no room it would make a second document of the same id, which fails.
        const q = { _id: idOf(file), ...hasRoom, [member]: { $exists: false } };
        if ((await change(q, counted, true)) === 'done') return;
      } catch (error) {
        if (hasCode(error, 'unknown_outcome') && (await isCounted(file))) return;
        throw error;
      }
      await check();
    }
    throw new LodeError('unavailable', 'Too many files of one person at once. Please try again.');
  };

  return {
    kept,

    take: async (file) => {
      const { quota } = purposeRules[file.purpose];
      checkQuota(nothing, file.bytes, quota);
      const hasRoom = { files: { $lt: quota.files }, bytes: { $lte: quota.bytes - file.bytes } };
      await counting(file, hasRoom, async () => checkQuota(await kept(file), file.bytes, quota));
    },

    add: (file) => counting(file, {}, async () => undefined),

    giveBack: async (file) => {
      const member = memberOf(file);
      await change(
        { _id: idOf(file), [member]: { $exists: true } },
        { $inc: { files: -1, bytes: -file.bytes }, $unset: { [member]: '' } },
      );
    },
  };
}

function idOf({ purpose, ownerId }: FileOwner): string {
  return `${purpose}/${ownerId}`;
}

/** A file's id is letters and digits. */
function memberOf({ fileId }: Counted): string {
  return `counted.${fileId}`;
}
