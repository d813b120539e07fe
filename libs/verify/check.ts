import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import {
  comparePositions,
  logStart,
  parsePosition,
  type Position,
  type RecordedEvent,
  type StoredFact,
} from '#kernel';
import {
  addAmounts,
  availableOf,
  formatMoney,
  heldOf,
  noAmounts,
  perCurrency,
  sumOf,
  type Amounts,
  type Balances,
} from '#ledger';
import type { EventStore } from '#event-store';
import { beforeFirst, checkEnvelope, headAfter, type StreamHead } from './envelope.js';
import { faultOf, type Fault } from './faults.js';
import type { StreamKind } from './kinds.js';
import { book, emptyPurse, isSame, checkPostings, type Purse } from './money.js';
import { createSeen } from './seen.js';
import { createTransit } from './transit.js';

/** Streams that are folded in memory; one that fell out is folded again from its beginning. */
const STREAMS_MAX = 50_000;
/** Events read from a stream at a time. */
const PAGE = 1_000;
/** Faults that are kept; a log with more of them is looked at no further. */
export const FAULTS_MAX = 100;
/** Ids that may be there twice. With so many the log is larger than this program counts on. */
const SUSPECTS_MAX = 200_000;

/** A sum for each kind of account, as decimal texts. */
export type TrialBalance = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What was found in the part of the log that was looked at. */
export type LogReport = {
  readonly events: number;
  readonly streams: number;
  /** Events of each type. */
  readonly types: Readonly<Record<string, number>>;
  /** Position and hash of the last event. */
  readonly head: { readonly position: Position; readonly chain: string };
  /** SHA-256 over the hashes of all events in log order: it stands for the whole history. */
  readonly digest: string;
  readonly trialBalance: TrialBalance;
  readonly transfersUnderWay: number;
  /** In the order in which they were found; at most `FAULTS_MAX`. */
  readonly faults: readonly Fault[];
};

export type LogCheck = {
  /** Looks at the next event of the log; undefined when nothing is wrong with it. */
  readonly next: (event: RecordedEvent) => Promise<Fault | undefined>;
  /** An event that can't be read. What follows it in its stream is not looked at: it can't be known whether it fits. */
  readonly pass: (fault: Fault) => void;
  /** A fault that was found without an event. */
  readonly add: (fault: Fault) => void;
  /** Ids that may stand for two events: whoever can read the log again counts them. */
  readonly suspects: () => ReadonlySet<string>;
  readonly report: () => LogReport;
};

export type LogCheckOptions = {
  readonly kinds: readonly StreamKind[];
  /** Reads a stream again that fell out of memory. */
  readonly readStream: EventStore['readStream'];
  /** The position that follows another in the log, as its engine says; undefined where the engine leaves some out. */
  readonly nextPosition: ((position: Position) => Position) | undefined;
  readonly streamsMax?: number;
};

/** One stream, folded twice: by its aggregate, and by its postings alone. */
type Walk = { readonly head: StreamHead; readonly state: unknown; readonly purse: Purse };

type Step =
  { readonly walk: Walk; readonly fault?: undefined } | { readonly fault: Fault; readonly walk?: undefined };

/** Looks at a log one event after another, in a memory that does not grow with it but by what is wrong. */
export function createLogCheck(options: LogCheckOptions): LogCheck {
  const { kinds, readStream, nextPosition } = options;
  const walks = new LRUCache<string, Walk>({ max: options.streamsMax ?? STREAMS_MAX });
  const broken = new Set<string>();
  const faults: Fault[] = [];
  const seen = createSeen();
  const suspects = new Set<string>();
  const books = createBooks();
  const types = new Map<string, number>();
  const history = createHash('sha256');
  let last: { readonly position: Position; readonly chain: string } = { position: logStart, chain: '' };
  let events = 0;
  let streams = 0;

  const add = (fault: Fault) => {
    if (faults.length < FAULTS_MAX) faults.push(fault);
  };

  async function checkFact(event: RecordedEvent): Promise<Fault | undefined> {
    const { stream } = event;
    if (typeof stream !== 'string') return faultOf(event, 'unreadable', 'it is of no stream');
    if (broken.has(stream)) return undefined;
    const kind = kinds.find(({ prefix }) => stream.startsWith(prefix));
    if (kind === undefined) return faultOf(event, 'unknown', 'there is no such kind of stream');
    const before = walks.get(stream) ?? (await walkBefore(readStream, kind, event));
    const step = advance(kind, before, event);
    if (step.fault !== undefined) {
      broken.add(stream);
      return step.fault;
    }
    walks.set(stream, step.walk);
    if (before.head.revision === -1) streams += 1;
    if (event.meta.commandId !== before.head.commandId && seen.add(event.id)) suspects.add(event.id);
    if (suspects.size > SUSPECTS_MAX) return faultOf(event, 'id', 'too many ids may be there twice');
    return books.add(event, stream.slice(kind.prefix.length));
  }

  return {
    add,
    pass: (fault) => {
      add(fault);
      if (fault.stream !== undefined) broken.add(fault.stream);
      const position = parsePosition(fault.position);
      if (position !== undefined) last = { position, chain: '' };
    },
    suspects: () => suspects,
    next: async (event) => {
      events += 1;
      types.set(event.type, (types.get(event.type) ?? 0) + 1);
      const misplaced = checkPosition(event, last.position, nextPosition?.(last.position));
      const wrong = await checkFact(event);
      // A gap is what is wrong with the log there; what follows from it in the stream is told as well.
      for (const fault of [misplaced, wrong]) if (fault !== undefined) add(fault);
      const chain = chainIn(event);
      history.update(chain);
      last = { position: event.position, chain };
      return misplaced ?? wrong;
    },
    report: () => ({
      events,
      streams,
      types: Object.fromEntries([...types].sort()),
      head: last,
      digest: history.copy().digest('hex'),
      trialBalance: books.trialBalance(),
      transfersUnderWay: books.transfersUnderWay(),
      faults: faults.length > 0 ? faults : books.unexplained(last.position),
    }),
  };
}

/** The hash in an event: what was read from a disk may have none, and no meta either. */
function chainIn(event: RecordedEvent): string {
  const read: unknown = event.meta?.chain;
  return typeof read === 'string' ? read : '';
}

/** What is wrong with where an event stands: after the position `last`, and at `expected` where that is known. */
function checkPosition(
  event: RecordedEvent,
  last: Position,
  expected: Position | undefined,
): Fault | undefined {
  const { position } = event;
  if (comparePositions(position, last) <= 0) {
    return faultOf(event, 'position', `it does not stand after position ${last}`);
  }
  if (expected === undefined || position === expected) return undefined;
  return faultOf(event, 'position', `an event is missing: position ${expected} should stand before it`);
}

/** A stream as it was before an event, folded from the log. */
async function walkBefore(
  readStream: LogCheckOptions['readStream'],
  kind: StreamKind,
  event: RecordedEvent,
): Promise<Walk> {
  let walk: Walk = { head: beforeFirst, state: kind.initial, purse: emptyPurse };
  while (walk.head.revision < event.revision - 1) {
    const from = walk.head.revision + 1;
    const page = await readStream(event.stream, { from, limit: Math.min(PAGE, event.revision - from) });
    for (const one of page) {
      const isBefore = one.position === undefined || comparePositions(one.position, event.position) < 0;
      const step = isBefore ? advance(kind, walk, one as RecordedEvent) : undefined;
      if (step?.walk === undefined) return walk;
      walk = step.walk;
    }
    if (page.length === 0) return walk;
  }
  return walk;
}

/** The sums of all postings of the log, and the transfers that are under way in it. */
function createBooks() {
  const transit = createTransit();
  const sums = new Map<string, Amounts>();
  return {
    /** Adds an event's postings to the sums over all streams. */
    add: (event: RecordedEvent, owner: string): Fault | undefined => {
      const postings = checkPostings(event, owner);
      if ('kind' in postings || postings.length === 0) return undefined;
      for (const account of new Set(postings.map((posting) => posting.account))) {
        const group = account.replace(/^customer\/.+\//, 'customers/');
        sums.set(group, addAmounts(sums.get(group) ?? noAmounts, sumOf(postings, account)));
      }
      return transit.book(event, postings);
    },
    trialBalance: (): TrialBalance =>
      Object.fromEntries([...sums].sort().map(([group, sum]) => [group, texts(sum)])),
    transfersUnderWay: transit.underWay,
    unexplained: (position: Position) => unexplained(position, sums, transit.sum()),
  };
}

/** A stream after one more event of it, or what is wrong with that event. */
function advance(kind: StreamKind, walk: Walk, event: RecordedEvent): Step {
  const bad = checkEnvelope(walk.head, event) ?? checkKnown(kind, event);
  if (bad !== undefined) return { fault: bad };
  const owner = event.stream.slice(kind.prefix.length);
  const postings = checkPostings(event, owner);
  if ('kind' in postings) return { fault: postings };
  const purse = postings.length === 0 ? walk.purse : book(walk.purse, event, owner, postings);
  if ('kind' in purse) return { fault: purse };
  const state = evolve(kind, walk.state, event);
  if ('fault' in state) return { fault: faultOf(event, 'rule', state.fault) };
  const balances = kind.balances(state.after);
  if (
    balances !== undefined &&
    !(isSame(balances.available, purse.available) && isSame(balances.held, purse.held))
  ) {
    const booked = `${availableOf(owner)} or ${heldOf(owner)}`;
    return {
      fault: faultOf(event, 'balance', `${booked} is not what the postings booked to it add up to`),
    };
  }
  const told = checkToldBalances(event, purse);
  if (told !== undefined) return { fault: told };
  return { walk: { head: headAfter(walk.head, event), state: state.after, purse } };
}

/** The balances that an event says it left are what statements show: they must be those that the postings left. */
function checkToldBalances(event: RecordedEvent, { available, held }: Balances): Fault | undefined {
  const { after, currency } = event.data;
  if (after === undefined) return undefined;
  const { USD, ...others } = texts(addAmounts(available, held));
  const left = { wallet: USD, balance: typeof currency === 'string' ? others[currency] : undefined };
  if (isDeepStrictEqual(after, left)) return undefined;
  return faultOf(event, 'balance', 'the balances that the event tells are not those that it left');
}

function checkKnown({ versions }: StreamKind, event: RecordedEvent): Fault | undefined {
  const newest = Object.hasOwn(versions, event.type) ? versions[event.type] : undefined;
  if (newest === undefined) return faultOf(event, 'unknown', 'there is no such event type in this stream');
  if (event.version >= 1 && event.version <= newest) return undefined;
  return faultOf(event, 'unknown', `version ${event.version} is unknown; the newest is ${newest}`);
}

function evolve(
  kind: StreamKind,
  state: unknown,
  event: StoredFact,
): { readonly after: unknown } | { readonly fault: string } {
  try {
    return { after: kind.evolve(state, event) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** What only shows at the end: sums that are not zero, and a transit account that no transfer explains. */
function unexplained(
  position: Position,
  sums: ReadonlyMap<string, Amounts>,
  inTransit: Amounts,
): readonly Fault[] {
  const total = [...sums.values()].reduce(addAmounts, noAmounts);
  const found: Fault[] = [];
  if (!isSame(total, noAmounts)) {
    found.push({ kind: 'postings', position, what: 'all postings together do not add up to zero' });
  }
  if (!isSame(sums.get('transit') ?? noAmounts, inTransit)) {
    found.push({ kind: 'transit', position, what: 'transit is not the sum of the transfers under way' });
  }
  return found;
}

function texts(amounts: Amounts): Readonly<Record<string, string>> {
  return perCurrency((currency) => formatMoney(amounts[currency], currency));
}
