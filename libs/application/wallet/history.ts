import { LRUCache } from 'lru-cache';
import type { EventStore } from '#event-store';
import {
  comparePositions,
  isLodeError,
  LodeError,
  logStart,
  type Position,
  type StreamEvent,
  type Timers,
} from '#kernel';
import { accountStream } from '#ledger';
import {
  accounts,
  openPersonalData,
  withEveryBalance,
  withoutParticulars,
  type AccountDocument,
} from '#projections';
import type { ReadStoreReader } from '#read-store';

/** Events between two remembered states of an account: the most that an answer folds once they are remembered. */
const EVERY = 256;
/** Events that are read at a time where the moment may be near: what lies beyond it is read for nothing. */
const NEAR = 16;
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

/** Accounts as of any moment. */
export type AccountHistory = {
  /**
   * The account as it was at a moment: what its events up to the first one that is later add up to, by the same function
   * as the read model. Undefined when it was not there yet. `validation_failed` for a position where the engine does not
   * tell those of a stream.
   */
  readonly asOf: (userId: string, moment: Moment) => Promise<AccountAt | undefined>;
};

/** What the history reads: the log, and the read model where that has folded the same already. */
type Engines = {
  readonly eventStore: EventStore;
  readonly readStore: Pick<ReadStoreReader, 'get'>;
  readonly timers: Pick<Timers, 'yieldNow'>;
};

/**
 * Nothing is folded when no event of the account is later than the moment. Else every `EVERY`th state of a long stream is
 * remembered, so that only the first question about it costs the whole stream; while that is folded everything else has
 * its turns.
 */
export function createAccountHistory({ eventStore, readStore, timers }: Engines): AccountHistory {
  const memory = new LRUCache<string, readonly Remembered[]>({
    maxSize: REMEMBERED_MAX,
    sizeCalculation: (states) => states.length,
  });

  async function folded(userId: string, moment: Moment): Promise<AccountAt | undefined> {
    const known = memory.get(userId) ?? [];
    const start = known.findLast(({ state, latest }) => !isLater(state, latest, moment));
    const remembered = [...known];
    let last = start;
    for (let read = 0; ;) {
      const from = (last?.state.revision ?? -1) + 1;
      const limit = read < EVERY ? NEAR : EVERY;
      const page = await eventStore.readStream(accountStream(userId), { from, limit });
      const { isDone, ...after } = foldPage(userId, last, page, moment, (state) => {
        if (state.state.revision === (remembered.length + 1) * EVERY - 1) remembered.push(state);
      });
      last = after.last;
      read += page.length;
      if (isDone || page.length < limit) break;
      if (read % EVERY === 0) await timers.yieldNow();
    }
    if (remembered.length > (memory.get(userId)?.length ?? 0)) memory.set(userId, remembered);
    return last?.state;
  }

  return {
    asOf: async (userId, moment) =>
      (await asItIs(eventStore, readStore, userId, moment)) ?? folded(userId, moment),
  };
}

/**
 * The read model's account when that is what folding would give: no event of the account is later than the moment, and
 * the read model has the last of them. It may be behind, or hold that event back.
 */
async function asItIs(
  eventStore: EventStore,
  readStore: Engines['readStore'],
  userId: string,
  moment: Moment,
): Promise<AccountAt | undefined> {
  const account = await documentOf(readStore, userId);
  if (account === undefined || isLater(account, Date.parse(account.latest), moment)) return undefined;
  const [last] = await eventStore.readStream(accountStream(userId), { direction: 'backwards', limit: 1 });
  // A document of a version that tells no revision has none that is the same.
  if (last?.revision !== account.revision || isLater(last, Date.parse(account.latest), moment))
    return undefined;
  const { at, position, revision } = last;
  return {
    account: withoutParticulars(account),
    at,
    revision,
    ...(position === undefined ? {} : { position }),
  };
}

/** Undefined as well while the read models can't tell: the log can. */
async function documentOf(
  readStore: Engines['readStore'],
  userId: string,
): Promise<AccountDocument | undefined> {
  try {
    const document = await readStore.get<AccountDocument>(accounts.name, userId);
    return document === undefined ? undefined : withEveryBalance(document);
  } catch (error) {
    if (isLodeError(error)) return undefined;
    throw error;
  }
}

function foldPage(
  userId: string,
  before: Remembered | undefined,
  page: readonly StreamEvent[],
  moment: Moment,
  remember: (state: Remembered) => void,
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
    remember(last);
  }
  return { last, isDone: false };
}

/** The account right after each of its events that follow one another, from what it was before the first of them. */
export function accountAlong(
  userId: string,
  before: AccountDocument | undefined,
  events: readonly StreamEvent[],
): readonly (AccountDocument | undefined)[] {
  let account = before;
  return events.map((event) => (account = foldOne(userId, account, event)));
}

const open = openPersonalData(() => 'forgotten');

function foldOne(
  userId: string,
  account: AccountDocument | undefined,
  event: StreamEvent,
): AccountDocument | undefined {
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
