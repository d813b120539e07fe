import type { CasePage } from '#contracts';
import {
  canonicalJson,
  comparePositions,
  LodeError,
  parsePosition,
  type Position,
  type RecordedEvent,
  type StreamEvent,
} from '#kernel';
import { accessStream, accountStream, allowanceStream, notesStream } from '#ledger';
import { notOfThisList } from '../paging.js';
import { findEvent, type Log } from './find.js';
import { Query } from '../message.js';

/** The streams of one person: their account, how they came in, what admins noted, and, of an admin, what they moved. */
const streamsOf = [accountStream, accessStream, notesStream, allowanceStream] as const;
/** How many events of each of them were given, how many there are up to the end, and the end's place in the log. */
const CURSOR = /^\d{1,15}(?:_\d{1,15}){7}_\d{1,20}$/;
/** How often an end is looked for while the person's streams grow. */
const LOOKS_MAX = 8;

/** Up to where a case file has everything: how many events of each stream, and the place in the log that this is true of. */
type End = { readonly counts: readonly number[]; readonly position: Position };

/**
 * A page of all that the log has in a person's own streams, in its order and word for word, so that hashes and chains can be
 * checked. All pages go up to the end that the first one told. Refuses with `account_not_found`, and with `unavailable` while
 * the place of one of the events can't be known.
 */
export class ReadCase extends Query<CasePage> {
  constructor(
    readonly userId: string,
    readonly asked: { readonly cursor: string | undefined; readonly limit: number },
  ) {
    super();
  }
}

export class ReadCaseHandler {
  constructor(private readonly log: Log) {}

  async execute({ userId, asked: { cursor, limit } }: ReadCase): Promise<CasePage> {
    const streams = streamsOf.map((stream) => stream(userId));
    const { from, end } = cursor === undefined ? await this.begin(streams) : goOn(cursor);
    if (end.counts[0] === 0) throw new LodeError('account_not_found', 'There is no account of this person.');
    const read = await Promise.all(
      streams.map((stream, n) => this.stretch(stream, from[n] ?? 0, end.counts[n] ?? 0, limit + 1)),
    );
    const there = (await Promise.all(read.flat().map((event) => this.placed(event)))).sort((a, b) =>
      comparePositions(a.position, b.position),
    );
    const items = there.slice(0, limit);
    const next = streams.map((stream, n) => {
      const last = items.findLast((event) => event.stream === stream);
      return last === undefined ? (from[n] ?? 0) : last.revision + 1;
    });
    return {
      end: {
        position: end.position,
        streams: Object.fromEntries(
          streams.flatMap((stream, n) => {
            const count = end.counts[n] ?? 0;
            return count === 0 ? [] : [[stream, count - 1]];
          }),
        ),
      },
      items: items.map(inOrder),
      first: from.reduce((sum, revision) => sum + revision, 1),
      next: there.length > limit ? [...next, ...end.counts, end.position].join('_') : null,
      previous: null,
    };
  }

  /** From the first events on, to the end of the log as it is now: no stream grew between the two looks around that place. */
  private async begin(streams: readonly string[]): Promise<{ from: readonly number[]; end: End }> {
    let counts = await this.counted(streams);
    for (let look = 0; look < LOOKS_MAX; look++) {
      const position = await this.log.eventStore.head();
      const now = await this.counted(streams);
      if (now.every((count, n) => count === counts[n]))
        return { from: streams.map(() => 0), end: { counts, position } };
      counts = now;
    }
    throw new LodeError('unavailable', 'This person’s streams are being written to. Try again.');
  }

  private counted(streams: readonly string[]): Promise<readonly number[]> {
    return Promise.all(
      streams.map(async (stream) => {
        const [last] = await this.log.eventStore.readStream(stream, { direction: 'backwards', limit: 1 });
        return last === undefined ? 0 : last.revision + 1;
      }),
    );
  }

  private async stretch(stream: string, from: number, count: number, atMost: number) {
    const limit = Math.min(atMost, count - from);
    return limit > 0 ? this.log.eventStore.readStream(stream, { from, limit }) : [];
  }

  /** An event with its position, which not every engine tells of a stream: then the read model of the events has it. */
  private async placed(event: StreamEvent): Promise<RecordedEvent> {
    if (isPlaced(event)) return event;
    const found = await findEvent(this.log, event.id);
    if (found !== undefined && isPlaced(found.event)) return found.event;
    throw new LodeError('unavailable', 'The place of some of the events is not known yet. Try again.');
  }
}

function isPlaced(event: StreamEvent): event is StreamEvent & { readonly position: Position } {
  return event.position !== undefined;
}

function goOn(cursor: string): { readonly from: readonly number[]; readonly end: End } {
  const parts = cursor.split('_');
  const position = parsePosition(parts.at(-1) ?? '');
  if (!CURSOR.test(cursor) || position === undefined) throw notOfThisList();
  const numbers = parts.slice(0, -1).map(Number);
  const { length } = streamsOf;
  return { from: numbers.slice(0, length), end: { counts: numbers.slice(length), position } };
}

/** An event with its members in canonical order, as an export has it. */
function inOrder(event: RecordedEvent): CasePage['items'][number] {
  return JSON.parse(canonicalJson(event)) as CasePage['items'][number];
}
