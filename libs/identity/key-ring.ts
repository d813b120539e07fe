import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { isLodeError, LodeError, type Random } from '#kernel';
import { damagedRow, damagedRowIn } from './damage.js';
import type { IdentityStore, SealKey, Secrets } from './port.js';

/** A key that is kept outside the store, by the name that it is known by. */
export type RingKey = { readonly id: string; readonly bytes: Uint8Array };

/** The first one seals; with the others it is still opened. None: nothing is sealed. */
export type KeyRing = readonly RingKey[];

/** AES-256 takes as much. */
const KEY_BYTES = 32;
/** Keys that a ring has at most: today's, and those that a rotation or an old backup still needs. */
const RING_MAX = 16;
const LINE = /^([A-Za-z0-9_-]{1,32})\s+([A-Za-z0-9+/]{43}=)$/;

/**
 * The keys that a text has: on each line an id, a blank and 32 bytes in base64; lines that are empty or begin with # count
 * for nothing. Refuses with `validation_failed` and a sentence that begins with `name` and has no key in it.
 */
export function readKeyRing(text: string, name: string): KeyRing {
  const ring: RingKey[] = [];
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, id, base64] = LINE.exec(line) ?? [];
    if (id === undefined || base64 === undefined)
      throw bad(`${name}, line ${at + 1}, is not an id, a blank and 32 bytes in base64.`);
    if (ring.some((key) => key.id === id)) throw bad(`${name} has two keys by the id ${id}.`);
    ring.push({ id, bytes: Uint8Array.from(Buffer.from(base64, 'base64')) });
  }
  if (ring.length === 0) throw bad(`${name} has no key.`);
  if (ring.length > RING_MAX) throw bad(`${name} has more than ${RING_MAX} keys.`);
  return ring;
}

function bad(message: string): LodeError {
  return new LodeError('validation_failed', message);
}

/** What is sealed: a text of one kind never opens as one of another. */
type Kind = 'person key' | 'password' | 'transfer pin' | 'proof';

/** Seals what the store keeps of people's secrets, and opens it. What was never sealed is taken as it is. */
export type Sealing = {
  readonly sealKey: (userId: string, key: Uint8Array) => Uint8Array;
  /** Throws `storage_failed` when the key that it was sealed with is not at hand, or when it was changed. */
  readonly openKey: (userId: string, stored: Uint8Array) => Uint8Array;
  readonly sealHash: (kind: 'password' | 'transfer pin', userId: string, hash: string) => string;
  /**
   * A secret of the store's own, of no use without the key that seals: the first is today's. The others are what it was
   * before that key, with each other one at hand, and with none.
   */
  readonly mixes: (secret: Uint8Array) => readonly [Uint8Array, ...Uint8Array[]];
  /** Throws as `openKey`. */
  readonly openHash: (kind: 'password' | 'transfer pin', userId: string, stored: string) => string;
};

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** `k1.<id of the key>.<iv>.<ciphertext and tag>`. No hash begins so, and no bare key is as long. */
const SEALED = /^k1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/;

/** Seals with the first key of a ring, bound to the person and to what it is. */
export function createSealing(ring: KeyRing, random: Random): Sealing {
  const [first] = ring;
  const seal = (kind: Kind, userId: string, bytes: Uint8Array) =>
    first === undefined ? undefined : sealed(first, aadOf(kind, userId), bytes, random);
  const open = (kind: Kind, userId: string, text: string) => {
    const id = keyIdOf(text);
    const key = ring.find((one) => one.id === id);
    if (key === undefined) throw keyMissing(ring, id);
    const bytes = opened(key, aadOf(kind, userId), text);
    if (bytes === undefined) {
      const message = `The ${kind} of person ${userId} was changed or belongs to somebody else.`;
      throw new LodeError('storage_failed', message);
    }
    return bytes;
  };
  return {
    sealKey: (userId, key) => {
      const text = seal('person key', userId, key);
      return text === undefined ? key : Uint8Array.from(Buffer.from(text, 'latin1'));
    },
    openKey: (userId, stored) =>
      stored.length === KEY_BYTES
        ? stored
        : Uint8Array.from(open('person key', userId, Buffer.from(stored).toString('latin1'))),
    mixes: (secret) => {
      const [todays, ...before] = ring.map(
        ({ bytes }) => new Uint8Array(hkdfSync('sha256', bytes, secret, 'mix', KEY_BYTES)),
      );
      return todays === undefined ? [secret] : [todays, ...before, secret];
    },
    sealHash: (kind, userId, hash) => seal(kind, userId, Buffer.from(hash)) ?? hash,
    openHash: (kind, userId, stored) =>
      keyIdOf(stored) === '' ? stored : open(kind, userId, stored).toString('utf8'),
  };
}

/** The id of the key that a stored secret is sealed with; empty when it isn't sealed. */
function keyIdOf(text: string): string {
  return SEALED.exec(text)?.[1] ?? '';
}

function aadOf(kind: Kind, userId: string): Uint8Array {
  return Buffer.from(`${kind} ${userId}`);
}

function sealed({ id, bytes: key }: RingKey, aad: Uint8Array, bytes: Uint8Array, random: Random): string {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(aad);
  const text = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  return `k1.${id}.${Buffer.from(iv).toString('base64url')}.${text.toString('base64url')}`;
}

/** Undefined for what was sealed with other bytes, for something else, or was changed. */
function opened({ bytes: key }: RingKey, aad: Uint8Array, text: string): Buffer | undefined {
  const [, , iv = '', body = ''] = SEALED.exec(text) ?? [];
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64url'), { authTagLength: TAG_BYTES })
    .setAAD(aad)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Stands among the keys of a store for what is not sealed. */
const NONE: SealKey = { id: '', proof: '' };
const PROVEN = Buffer.from('lode');

/**
 * Refuses, with `storage_failed` and the id of the key, a store with secrets that are sealed with a key that the ring
 * doesn't have, or that has other bytes there.
 */
export function checkSealKeys(used: readonly SealKey[], ring: KeyRing): void {
  for (const { id, proof } of used) {
    if (id === NONE.id) continue;
    const key = ring.find((one) => one.id === id);
    if (key === undefined) throw keyMissing(ring, id);
    if (opened(key, aadOf('proof', id), proof) === undefined) {
      const message = `The key ${id} in the file that LODE_KEY_FILE names is another one than that by which the identity store is wrapped.`;
      throw new LodeError('storage_failed', message);
    }
  }
}

/**
 * Refuses, with `not_permitted`, whoever was admitted and then not seen for a while, where everything has been sealed with
 * another key than its first meanwhile, or with one that it doesn't have.
 */
export function checkStillAdmitted(used: readonly SealKey[], ring: KeyRing): void {
  const [first] = ring;
  const isUsed = (id: string) => used.some((key) => key.id === id);
  if (first !== undefined && !isUsed(first.id)) {
    const message = `Everything was wrapped with another key than ${first.id} meanwhile: put that first in the file that LODE_KEY_FILE names. See docs/how-to/keys.md.`;
    throw new LodeError('not_permitted', message);
  }
  const missing = used.find(({ id }) => id !== NONE.id && !ring.some((key) => key.id === id));
  if (missing !== undefined) throw new LodeError('not_permitted', keyMissing(ring, missing.id).message);
}

function keyMissing(ring: KeyRing, id: string): LodeError {
  const has = ring.map((key) => key.id).join(', ');
  const where =
    has === '' ? 'LODE_KEY_FILE is not set' : `the file that LODE_KEY_FILE names has ${has} alone`;
  const message = `The identity store is wrapped with the key ${id}, and ${where}. See docs/how-to/keys.md.`;
  return new LodeError('storage_failed', message);
}

/** Makes sure that a store can be used with a ring, as `checkSealKeys`, and says in it what is sealed from now on. */
export async function admitKeyRing(store: IdentityStore, ring: KeyRing, random: Random): Promise<void> {
  const used = await store.sealKeys();
  checkSealKeys(used, ring);
  const [first] = ring;
  if (first === undefined || used.some(({ id }) => id === first.id)) return;
  // Whoever is there already is not sealed.
  if (used.length === 0 && (await hasPeople(store))) await store.putSealKey(NONE);
  const proof = sealed(first, aadOf('proof', first.id), PROVEN, random);
  await store.putSealKey({ id: first.id, proof });
}

/** Somebody of whom something is damaged is there as well. */
async function hasPeople(store: IdentityStore): Promise<boolean> {
  try {
    return (await store.people('', 1)).length > 0;
  } catch (error) {
    if (damagedRowIn(error) === undefined) throw error;
    return true;
  }
}

/** Whether a store that has keys still has secrets that are sealed with none, or with another than the first of a ring. */
export function isRewrapDue(used: readonly SealKey[], ring: KeyRing): boolean {
  return ring[0] !== undefined && used.some(({ id }) => id !== ring[0]?.id);
}

/** People whose secrets are sealed anew in one step. */
const PAGE = 500;

/** What was left as it was is named so often, one by one. */
const NAMED_MAX = 100;

/** What sealing everything anew came to. */
export type Rewrapped = {
  /** How many people, and what else has a key, were changed. */
  readonly changed: number;
  /** How many were left as they were, because what is kept of them is damaged or can't be opened. */
  readonly left: number;
  /** Why, a sentence each, for the first of those. */
  readonly why: readonly string[];
};

/**
 * Seals everything in an admitted store with the first key of a ring. May be cut off and repeated: what is sealed with that
 * key already stays as it is. What can't be sealed anew is left, and the keys that it may be sealed with stay known.
 */
export async function rewrapStore(
  store: IdentityStore,
  ring: KeyRing,
  { random, progress }: { readonly random: Random; readonly progress: (done: number) => void },
): Promise<Rewrapped> {
  const [first] = ring;
  if (first === undefined) throw bad('LODE_KEY_FILE is not set: there is nothing to wrap with.');
  const renewed = renewing(createSealing(ring, random), first.id);
  const why: string[] = [];
  let [seen, changed, left, lastLeft] = [0, 0, 0, ''];
  const leave = (id: string, sentence: string) => {
    // Asked twice of one that somebody else changed meanwhile.
    if (id === lastLeft) return;
    lastLeft = id;
    left += 1;
    if (why.length < NAMED_MAX) why.push(sentence);
  };
  const renew = (userId: string, secrets: Secrets): Secrets => {
    try {
      return renewed(userId, secrets);
    } catch (error) {
      if (!isLodeError(error) || error.code !== 'storage_failed') throw error;
      leave(userId, error.message);
      return {};
    }
  };
  for (let after = ''; ;) {
    const page = await store.renewSecrets(after, PAGE, renew);
    for (const row of page.damaged) leave(row.id, damagedRow(row).message);
    changed += page.changed;
    progress((seen += page.seen));
    if (page.last === undefined) break;
    after = page.last;
  }
  const used = left === 0 ? [first] : await store.sealKeys();
  await store.keepSealKeys(used.map(({ id }) => id));
  return { changed, left, why };
}

/** Those secrets of somebody that another key than this seals, sealed with it. */
function renewing({ sealKey, openKey, sealHash, openHash }: Sealing, keyId: string) {
  const isDue = (text: string) => keyIdOf(text) !== keyId;
  return (userId: string, { key, passwordHash, pinHash }: Secrets): Secrets => ({
    ...(key !== undefined && isDue(Buffer.from(key).toString('latin1'))
      ? { key: sealKey(userId, openKey(userId, key)) }
      : {}),
    ...(passwordHash !== undefined && isDue(passwordHash)
      ? { passwordHash: sealHash('password', userId, openHash('password', userId, passwordHash)) }
      : {}),
    ...(pinHash !== undefined && isDue(pinHash)
      ? { pinHash: sealHash('transfer pin', userId, openHash('transfer pin', userId, pinHash)) }
      : {}),
  });
}
