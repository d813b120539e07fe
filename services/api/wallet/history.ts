import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { EventStore } from '#event-store';
import { comparePositions, LodeError, logStart, type Position, type StreamEvent } from '#kernel';
import { accountStream } from '#ledger';
import { accounts, openPersonalData, type AccountDocument } from '#projections';

/** Events between two remembered states of an account: the most that an answer folds once they are remembered. */
const EVERY = 256;
/** States that are remembered in all, about a kilobyte each. */
const REMEMBERED_MAX = 16_384;

/** Up to where an account is folded, inclusive; to its last event when nothing is said. */
export type Moment =
  | { readonly revision: number }
  | { readonly position: Position }
  /** An instant, in milliseconds since the epoch. */
  | { readonly time: number }
  | undefined;

/** An account as it was right after one of its events. Personal data is not opened: it reads `forgotten`. */
export type AccountAt = {
  readonly account: AccountDocument;
  readonly revision: number;
  /** Left out by an engine that does not tell it of a stream. */
  readonly position?: Position;
  readonly at: string;
};

/** A state to go on from. No event up to it is later than `latest`, in milliseconds. */
type Remembered = { readonly state: AccountAt; readonly latest: number };

/** Where Nest keeps the history. */
export const ACCOUNT_HISTORY = Symbol('account history');

/** Accounts as of any moment. */
export type AccountHistory = {
  /**
   * The account as it was at a moment: folded, by the same function as the read model, from its events up to the first
   * one that is later. Undefined when it was not there yet. `validation_failed` for a position where the engine does not
   * tell those of a stream.
   */
  readonly asOf: (userId: string, moment: Moment) => Promise<AccountAt | undefined>;
};

/**
 * Every `EVERY`th state of a long stream is remembered, so that only the first question about it costs the whole stream;
 * while that is folded everything else has its turns.
 */
export function createAccountHistory(store: EventStore): AccountHistory {
  const memory = new LRUCache<string, readonly Remembered[]>({
    maxSize: REMEMBERED_MAX,
    sizeCalculation: (states) => states.length,
  });

  return {
    async asOf(userId, moment) {
      const known = memory.get(userId) ?? [];
      const start = known.findLast(({ state, latest }) => !isLater(state, latest, moment));
      const learned = [...known];
      let last = start;
      for (;;) {
        const from = (last?.state.revision ?? -1) + 1;
        const page = await store.readStream(accountStream(userId), { from, limit: EVERY });
        const folded = foldPage(userId, last, page, moment, (state) => {
          if (state.state.revision === (learned.length + 1) * EVERY - 1) learned.push(state);
        });
        last = folded.last;
        if (folded.isDone || page.length < EVERY) break;
        await setImmediate();
      }
      if (learned.length > (memory.get(userId)?.length ?? 0)) memory.set(userId, learned);
      return last?.state;
    },
  };
}

function foldPage(
  userId: string,
  before: Remembered | undefined,
  page: readonly StreamEvent[],
  moment: Moment,
  learn: (state: Remembered) => void,
): { readonly last: Remembered | undefined; readonly isDone: boolean } {
  let last = before;
  for (const event of page) {
    const time = Date.parse(event.at);
    if (isLater(event, time, moment)) return { last, isDone: true };
    const account = foldOne(userId, last?.state.account, event);
    if (account === undefined) continue;
    const { at, position, revision } = event;
    const state = { account, at, revision, ...(position === undefined ? {} : { position }) };
    last = { state, latest: Math.max(time, last?.latest ?? 0) };
    learn(last);
  }
  return { last, isDone: false };
}

const open = openPersonalData(() => 'forgotten');
const handled: ReadonlySet<string> | undefined =
  accounts.handles === 'all' ? undefined : new Set(accounts.handles);

function foldOne(
  userId: string,
  account: AccountDocument | undefined,
  event: StreamEvent,
): AccountDocument | undefined {
  if (handled?.has(event.type) === false) return account;
  const opened = open({ ...event, position: event.position ?? logStart });
  if (opened instanceof Promise) throw new Error('what is forgotten needs no waiting');
  const change = accounts.on(opened).find(({ id }) => id === userId);
  return change === undefined ? account : (change.change(account) as AccountDocument | undefined);
}

/** True when an event, or a state whose last one it is, lies beyond the moment. */
function isLater(
  { revision, position }: Pick<AccountAt, 'revision' | 'position'>,
  time: number,
  moment: Moment,
): boolean {
  if (moment === undefined) return false;
  if ('revision' in moment) return revision > moment.revision;
  if ('time' in moment) return time > moment.time;
  if (position === undefined)
    throw new LodeError('validation_failed', 'This log tells no positions of a stream: ask for an instant.');
  return comparePositions(position, moment.position) > 0;
}
