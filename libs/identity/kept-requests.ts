import { createHmac } from 'node:crypto';
import {
  canonicalJson,
  invariant,
  isEngineError,
  isLodeError,
  LodeError,
  type Clock,
  type Json,
  type Random,
} from '#kernel';
import type { Sealing } from './key-ring.js';
import type { Hashing } from './passwords.js';
import type { IdentityStore, KeptRequest } from './port.js';
import { createTurns } from './turns.js';

/** How long a request is kept for the case that it is repeated. Milliseconds. */
export const REQUEST_KEPT_MS = 24 * 60 * 60_000;
const KEY_BYTES = 32;
const SEED_BYTES = 16;
const SALT_BYTES = 16;

/** A request that may be repeated. */
export type RepeatableRequest = {
  /** What tells it from all others: what it asks for, who sends it, and the key that they gave it. Never kept as it is. */
  readonly name: readonly string[];
  /** What it asks for, but for its password or pin. */
  readonly content: Json;
  /** Its password or pin, and the share of hashes that it is looked at in. */
  readonly secret?: { readonly text: string; readonly share: keyof Hashing };
  /** Refuses at once what would be refused anyway; asked when the request is a new one. */
  readonly refuse?: () => Promise<void>;
};

/** How a request is carried out. */
export type Carried = {
  /**
   * Randomness that is the same for each repeat, for one draw each: what is drawn for a purpose nobody can compute who
   * does not know the request's name.
   */
  readonly draw: (purpose: string) => Random;
  /** When it came first; milliseconds since the epoch. */
  readonly begunAt: number;
  /** True when it was begun before and cut off: some of it may have been done. */
  readonly isAgain: boolean;
};

/** What became of a request: an answer that may be kept as it is, and whom it is about. */
type Outcome = { readonly answer: Readonly<Record<string, string>>; readonly about: string };

/** The answer to a request, member by member, and whether it was given before. */
export type Answered = Pick<Carried, 'draw'> & {
  readonly answer: (member: string) => string;
  readonly replayed: boolean;
};

export type KeptRequests = {
  /**
   * Carries a request out once: a repeat is given the answer again. Refuses with `idempotency_key_reused` another
   * request of the same name, and with `overloaded`.
   */
  readonly once: (
    request: RepeatableRequest,
    work: (carried: Carried) => Promise<Outcome>,
  ) => Promise<Answered>;
};

export type KeptRequestsParts = {
  readonly store: IdentityStore;
  readonly hashing: Hashing;
  readonly sealing: Pick<Sealing, 'mixes'>;
  readonly clock: Clock;
  readonly random: Random;
};

/**
 * Requests whose content must not be in the log, not even as a hash. What is kept of one are digests under a key of the
 * store, mixed with the one from outside where there is one, and its answer; a password goes into them as slowly as into
 * the hash that it is kept as. One that was begun before today's key from outside is known by the key of then.
 */
export function createKeptRequests({
  store,
  hashing,
  sealing,
  clock,
  random,
}: KeptRequestsParts): KeptRequests {
  const inTurn = createTurns('Too many requests with this key at once. Please try again.');
  let digests: readonly [Digest, ...Digest[]] | undefined;

  const digestsByAge = async () => {
    if (digests !== undefined) return digests;
    const [todays, ...before] = sealing.mixes(await store.secret('requests', random(KEY_BYTES)));
    return (digests = [digestUnder(todays), ...before.map(digestUnder)]);
  };
  /** The request of a name that is kept, under whichever key, and the digest that it was begun with; else today's. */
  const find = async (name: readonly string[]) => {
    const [todays, ...before] = await digestsByAge();
    for (const digest of [todays, ...before]) {
      const found = await store.keptRequest(idOf(digest, name), clock());
      if (found !== undefined) return { digest, found };
    }
    return { digest: todays, found: undefined };
  };
  const begin = async (request: RepeatableRequest) => {
    const { digest, found } = await find(request.name);
    if (found === undefined) await request.refuse?.();
    const id = idOf(digest, request.name);
    const asked = await fingerprintOf(request, { digest, id, hashing });
    const begunAt = clock();
    const fresh: KeptRequest = {
      fingerprint: asked,
      seed: Buffer.from(random(SEED_BYTES)).toString('hex'),
      begunAt,
      expiresAt: begunAt + REQUEST_KEPT_MS,
    };
    const before = found ?? (await store.beginRequest(id, fresh));
    if (before !== undefined && before.fingerprint !== asked) throw reused();
    return { digest, id, kept: before ?? fresh, isAgain: before !== undefined };
  };

  return {
    once: async (request, work) => {
      const { name } = request;
      const [todays] = await digestsByAge();
      return inTurn(idOf(todays, name), async () => {
        const { digest, id, kept, isAgain } = await begin(request);
        const draw = (purpose: string): Random => {
          const drawn = digest('draw', kept.seed, purpose, ...name);
          return (bytes) => drawn.subarray(0, bytes);
        };
        const carried = { draw, begunAt: kept.begunAt, isAgain };
        if (kept.answer !== undefined) {
          const told: unknown = JSON.parse(kept.answer);
          return { draw, answer: membersOf(told), replayed: true };
        }
        try {
          const { answer, about } = await work(carried);
          await store.answerRequest(id, kept.seed, { about, answer: canonicalJson(answer) });
          return { draw, answer: membersOf(answer), replayed: false };
        } catch (error) {
          if (isRefusal(error)) await store.forgetRequest(id, kept.seed);
          throw error;
        }
      });
    },
  };
}

/** A keyed digest of some texts. */
type Digest = (...parts: readonly string[]) => Buffer;

function digestUnder(key: Uint8Array): Digest {
  return (...parts) => createHmac('sha256', key).update(canonicalJson(parts)).digest();
}

/** What a request is kept by. */
function idOf(digest: Digest, name: readonly string[]): string {
  return digest('id', ...name).toString('hex');
}

/** What tells the content of a request from any other's, its password or pin included. */
async function fingerprintOf(
  { content, secret }: RepeatableRequest,
  { digest, id, hashing }: { readonly digest: Digest; readonly id: string; readonly hashing: Hashing },
): Promise<string> {
  const salt = digest('salt', id).subarray(0, SALT_BYTES);
  const slow = secret && (await hashing[secret.share].stretch(secret.text, salt));
  return digest('content', id, canonicalJson(content), slow ?? '').toString('hex');
}

/** The members of an answer, all of which are texts. */
function membersOf(answer: unknown): Answered['answer'] {
  const members = new Map(typeof answer === 'object' && answer !== null ? Object.entries(answer) : []);
  return (member) => {
    const value: unknown = members.get(member);
    invariant(typeof value === 'string', `the answer to a request has its ${member}`);
    return value;
  };
}

/** Whether nothing was done, and nothing will be. */
function isRefusal(error: unknown): boolean {
  return isLodeError(error) && !isEngineError(error);
}

function reused(): LodeError {
  return new LodeError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Take a new one.',
  );
}
