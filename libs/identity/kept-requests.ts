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
  readonly sealing: Pick<Sealing, 'mix'>;
  readonly clock: Clock;
  readonly random: Random;
};

/**
 * Requests whose content must not be in the log, not even as a hash. What is kept of one are digests under a key of the
 * store, mixed with the one from outside where there is one, and its answer; a password goes into them as slowly as into
 * the hash that it is kept as.
 */
export function createKeptRequests({
  store,
  hashing,
  sealing,
  clock,
  random,
}: KeptRequestsParts): KeptRequests {
  const inTurn = createTurns('Too many requests with this key at once. Please try again.');
  let key: Uint8Array | undefined;

  const digestUnder = async (): Promise<(...parts: readonly string[]) => Buffer> => {
    const known = (key ??= sealing.mix(await store.secret('requests', random(KEY_BYTES))));
    return (...parts) => createHmac('sha256', known).update(canonicalJson(parts)).digest();
  };

  return {
    once: async (request, work) => {
      const digest = await digestUnder();
      const { name, content, secret } = request;
      const id = digest('id', ...name).toString('hex');
      const fingerprint = async () => {
        const salt = digest('salt', id).subarray(0, SALT_BYTES);
        const slow = secret && (await hashing[secret.share].stretch(secret.text, salt));
        return digest('content', id, canonicalJson(content), slow ?? '').toString('hex');
      };
      const begin = async (): Promise<{ readonly kept: KeptRequest; readonly isAgain: boolean }> => {
        const found = await store.keptRequest(id, clock());
        if (found === undefined) await request.refuse?.();
        const asked = await fingerprint();
        const begunAt = clock();
        const fresh = {
          fingerprint: asked,
          seed: Buffer.from(random(SEED_BYTES)).toString('hex'),
          begunAt,
          expiresAt: begunAt + REQUEST_KEPT_MS,
        };
        const before = found ?? (await store.beginRequest(id, fresh));
        if (before !== undefined && before.fingerprint !== asked) throw reused();
        return { kept: before ?? fresh, isAgain: before !== undefined };
      };
      return inTurn(id, async () => {
        const { kept, isAgain } = await begin();
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
