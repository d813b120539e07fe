import { hash, randomBytes } from 'node:crypto';
import type { LodeError } from './errors.js';

/** A source of randomness; comes in from outside so that tests can choose it. */
export type Random = (bytes: number) => Uint8Array;

/** Bytes asked of the operating system at a time: asking costs more than drawing. */
const POOL_BYTES = 8_192;
let pool = Buffer.alloc(0);

/** The operating system's randomness. No byte is given twice. */
export const systemRandom: Random = (bytes) => {
  if (bytes > POOL_BYTES) return randomBytes(bytes);
  if (pool.length < bytes) pool = randomBytes(POOL_BYTES);
  const drawn = Uint8Array.prototype.slice.call(pool, 0, bytes);
  pool.fill(0, 0, bytes);
  pool = pool.subarray(bytes);
  return drawn;
};

/** Milliseconds since the epoch; comes in from outside so that tests can choose it. */
export type Clock = () => number;

/** Why what needs a right clock has to wait just now; undefined while it needn't. */
export type Hold = () => LodeError | undefined;

/** For where the clock is right whatever it says. */
export const noHold: Hold = () => undefined;

/** The machine's clock. */
export const systemClock: Clock = () => Date.now();

/** Milliseconds since some moment, on a clock that never goes back: for how long something took, or how old it is. */
export const systemMonotonic: Clock = () => performance.now();

/** What a program has of the machine that it runs on, beside timers; comes in from outside so that tests can choose it. */
export type Machine = { readonly clock: Clock; readonly monotonic: Clock; readonly random: Random };

/** The machine itself. */
export const thisMachine: Machine = {
  clock: systemClock,
  monotonic: systemMonotonic,
  random: systemRandom,
};

/** A random id (RFC 9562, version 4) from the given randomness. */
export function uuidV4(random: Random): string {
  const bytes = Buffer.from(random(16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The RFC 9562 name-based id (version 5) of `name` in `namespace` (a UUID). */
export function uuidV5(namespace: string, name: string): string {
  if (lastSpace.namespace !== namespace) lastSpace = { namespace, space: spaceOf(namespace) };
  return idIn(lastSpace.space, name);
}

/** The namespace asked for last: whoever makes many ids makes them in one. */
let lastSpace: { readonly namespace: string; readonly space: Buffer } = {
  namespace: '',
  space: Buffer.alloc(0),
};

function spaceOf(namespace: string): Buffer {
  return Buffer.from(namespace.replaceAll('-', ''), 'hex');
}

/** Where what a name-based id is the hash of is written: nearly every name is short. */
const scratch = Buffer.alloc(1_024);
/** Bytes that a character of a text takes at most. */
const CHARACTER_BYTES = 3;

/** The bytes of a name in a namespace; good until the next ones are asked for. */
function named(space: Buffer, name: string): Buffer {
  if (space.length + name.length * CHARACTER_BYTES > scratch.length)
    return Buffer.concat([space, Buffer.from(name)]);
  space.copy(scratch);
  return scratch.subarray(0, space.length + scratch.write(name, space.length));
}

function idIn(space: Buffer, name: string): string {
  const digest = hash('sha1', named(space, name), 'hex');
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

const EVENT_NAMESPACE = spaceOf('6d1d8c4e-0a55-5b0e-9d6c-5f9f3f8f3a01');
const COMMAND_NAMESPACE = spaceOf('1f6c1f0e-7a5a-5d0b-8f1b-2b7f0c4c7e02');

/** The id of event number `index` (0-based) of a command: the same command always gives the same ids. */
export function eventId(commandId: string, index: number): string {
  return idIn(EVENT_NAMESPACE, `${commandId}/${index}`);
}

/** The id of the command that `actorId` sends to `stream` under an idempotency key. */
export function commandIdOf(actorId: string, stream: string, key: string): string {
  return idIn(COMMAND_NAMESPACE, `${actorId}\n${stream}\n${key}`);
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of 62 in a byte: bytes at or above it would favour the first letters and are drawn again. */
const ALPHANUMERIC_LIMIT = 248;

/** `length` random letters and digits, each equally likely. */
export function randomAlphanumeric(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < ALPHANUMERIC_LIMIT && text.length < length) text += ALPHANUMERIC.charAt(byte % 62);
    }
  }
  return text;
}

/** `length` random decimal digits, each equally likely. */
export function randomDigits(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) if (byte < 250 && text.length < length) text += String(byte % 10);
  }
  return text;
}

/** A random URL-safe secret of `bytes` bytes of entropy. */
export function randomSecret(random: Random, bytes = 32): string {
  return Buffer.from(random(bytes)).toString('base64url');
}
