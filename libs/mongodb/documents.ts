import { crc32 } from 'node:zlib';
import { hasCode, invariant, isEngineError, LodeError, refuseAnothers, systemRandom, uuidV4 } from '#kernel';
import { listOf, membersOf, type Answer } from './answers.js';
import type { MongoConnection } from './connection.js';
import { byCode, codes, unknownOutcome } from './errors.js';

/** How often a change is decided anew because others changed the document meanwhile: each time one of them got through. */
const CHANGE_TRIES_MAX = 100;

/** Documents of one kind, and what they are in the program. */
export type Documents<Value> = {
  readonly connection: MongoConnection;
  readonly collection: string;
  /** The value of a document as it is stored; it has no member `_id`, `write` or `sum`. */
  readonly from: (stored: Answer) => Value;
  /** The refusal of a document that is not what was written; where it is given, each is written with a checksum. */
  readonly damaged?: (id: string) => LodeError;
};

/** What a document becomes; it stays as it was where `next` is left out. */
export type Decision<Value, Result> = { readonly next?: Value; readonly result: Result };

/** What one write came to. `taken`: another document has the same value of a unique member. */
type Outcome = 'done' | 'missed' | { readonly taken: string };

export async function read<Value>(documents: Documents<Value>, id: string): Promise<Value | undefined> {
  return (await readStored(documents, id))?.value;
}

/**
 * Decides on a document as it is and writes that, in one write that happens only while it is still so: each write leaves
 * a token of its own, and names the one that was read. When its answer is lost, the token says whether it happened. It is
 * never sent twice, so one that comes late finds another token, or makes a document that nobody was told of.
 */
export async function change<Value extends object, Result>(
  documents: Documents<Value>,
  id: string,
  decide: (before: Value | undefined) => Decision<Value, Result> | Promise<Decision<Value, Result>>,
  taken?: (member: string) => Result,
): Promise<Result> {
  for (let tries = 0; tries < CHANGE_TRIES_MAX; tries++) {
    const before = await readStored(documents, id);
    const { next, result } = await decide(before?.value);
    if (next === undefined) return result;
    const outcome = await put(documents, id, before?.write, next);
    if (outcome === 'done') return result;
    if (outcome === 'missed') continue;
    if (taken === undefined) throw byCode(codes.duplicateKey, outcome);
    return taken(outcome.taken);
  }
  throw new LodeError('unavailable', 'Too many changes of the same at once. Please try again.');
}

/**
 * Refuses documents that a newer Lode wrote: those of one kind say by one document of their own how they are laid out,
 * which is made where there is none.
 */
export async function requireFormat(place: Place, kind: string, format: number, what: string): Promise<void> {
  const documents = { ...place, from: (stored: Answer) => ({ format: stored['format'] }) };
  const found = await change(documents, kind, (there) =>
    there === undefined ? { next: { format }, result: format } : { result: there.format },
  );
  if (found !== format)
    throw new LodeError('storage_failed', `The ${what} in MongoDB was written by a newer Lode.`);
}

/** Whose platform documents are; undefined for those that are nobody's yet. */
export async function ownerOf(place: Place): Promise<string | undefined> {
  return (await read(owners(place), 'platform'))?.platformId;
}

function owners(place: Place): Documents<{ readonly platformId: string }> {
  return { ...place, from: (stored) => ({ platformId: text(stored, 'platformId') }) };
}

/** Takes documents that are nobody's yet for a platform, by one beside that of `requireFormat`. Refuses those of another one. */
export async function claimFor(platformId: string, place: Place, what: string): Promise<void> {
  const owner = await change(owners(place), 'platform', (there) =>
    there === undefined ? { next: { platformId }, result: platformId } : { result: there.platformId },
  );
  refuseAnothers(`The ${what} in MongoDB`, owner, platformId);
}

/** Deletes documents that stay deleted, so that it may be sent again; says how many it found. */
export async function removeAll({ connection, collection }: Place, filter: Answer): Promise<number> {
  const answer = await connection.write({ delete: collection, deletes: [{ q: filter, limit: 0 }] });
  outcomeOf(answer);
  return Number(answer['n']);
}

/**
 * Makes a write once more whose answer was lost, which therefore must say the same whether it comes once or twice; where that
 * one's is lost too it is `unavailable`. `what` is what it is about, in words.
 */
export async function heard<Done>(write: () => Promise<Done>, what: string): Promise<Done> {
  try {
    return await write();
  } catch (error) {
    if (!hasCode(error, 'unknown_outcome')) throw error;
  }
  try {
    return await write();
  } catch (error) {
    throw hasCode(error, 'unknown_outcome') ? unheard(what, error) : error;
  }
}

/** The refusal of what may or may not have become of something, where it is to be tried again in any case. */
export function unheard(what: string, cause: unknown): LodeError {
  return new LodeError('unavailable', `MongoDB did not say what it did with ${what}.`, {}, { cause });
}

/** What goes on after a change was written: that it fails doesn't say that nothing was. */
export async function afterWrite<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw hasCode(error, 'unavailable') ? unknownOutcome(error) : error;
  }
}

/** Cleans up what nobody sees any more: what is left because the engine fails is cleaned up another time. */
export async function tidy(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isEngineError(error)) throw error;
  }
}

type Place = Pick<Documents<unknown>, 'connection' | 'collection'>;

/** What a stored document is in the program. Refuses one that is not what was written; one of before has no checksum. */
export function valueOf<Value>({ from, damaged }: Documents<Value>, stored: Answer): Value {
  if (damaged !== undefined && !isWhole(stored)) throw damaged(String(stored['_id']));
  return from(stored);
}

/** Whether a document has the checksum of what it is, or none. */
export function isWhole({ sum, ...summed }: Answer): boolean {
  return sum === undefined || sum === checksumOf(summed);
}

/** CRC-32 over a document with its id and the token of its write. It finds accidents. Signed, to be kept in four bytes. */
function checksumOf(summed: Answer): number {
  return crc32(canonicalText(summed)) | 0;
}

/** JSON with the members in one order, whatever order they are stored in; those without a value are not stored. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== 'object' || value === null) return `${typeof value} ${JSON.stringify(value)}`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join()}}`;
}

async function readStored<Value>(documents: Documents<Value>, id: string) {
  const { connection, collection } = documents;
  const [stored] = await connection.find(collection, { _id: id }, { limit: 1 });
  return stored && { value: valueOf(documents, stored), write: String(stored['write']) };
}

async function put<Value extends object>(
  place: Documents<Value>,
  id: string,
  expected: string | undefined,
  value: Value,
): Promise<Outcome> {
  const { connection, collection, damaged } = place;
  const write = uuidV4(systemRandom);
  const next = {
    ...value,
    ...(damaged === undefined ? {} : { sum: checksumOf({ ...value, _id: id, write }) }),
  };
  const command =
    expected === undefined
      ? { insert: collection, documents: [{ ...next, _id: id, write }] }
      : { update: collection, updates: [{ q: { _id: id, write: expected }, u: { ...next, write } }] };
  try {
    return outcomeOf(await connection.write(command));
  } catch (error) {
    if (hasCode(error, 'unknown_outcome') && (await isThere(place, id, write))) return 'done';
    throw error;
  }
}

/** Whether the write of a token happened, and still stands. It is a write itself, to wait until that one is durable. */
async function isThere({ connection, collection }: Place, id: string, write: string): Promise<boolean> {
  return afterWrite(async () => {
    const same = { q: { _id: id, write }, u: { $set: { write } } };
    return outcomeOf(await connection.write({ update: collection, updates: [same] })) === 'done';
  });
}

/** What the one statement of a write came to. */
export function outcomeOf({ n, writeErrors }: Answer): Outcome {
  const [error] = listOf(writeErrors);
  if (error === undefined) return n === 0 ? 'missed' : 'done';
  if (error['code'] !== codes.duplicateKey) throw byCode(Number(error['code']), error);
  const member = Object.keys(membersOf(error['keyPattern'])).join();
  return member === '_id' ? 'missed' : { taken: member };
}

/** A member of a stored document that holds text. */
export function text(stored: Answer, member: string): string {
  const value = stored[member];
  invariant(typeof value === 'string', `member ${member} holds text`);
  return value;
}

/** A member of a stored document that holds a whole number. */
export function integer(stored: Answer, member: string): number {
  const value = stored[member];
  invariant(typeof value === 'number', `member ${member} holds a whole number`);
  return value;
}
