import { hasCode, invariant, uuidV4, type Clock, type Random } from '#kernel';
import { changeOf, type EventStore, type HeaderChanging, type LogHeader } from '../port.js';
import { headerChanged, headerEvent } from './records.js';
import type { Reads } from './reads.js';

/** What a log on a server is made for: so many programs can share its reading. */
const PARTITIONS = 1_024;
/** How often a change of the header is tried while others are made: each that is refused is another that was made. */
const TRIES = 16;

/** The header of a log, in a stream of its own. */
export function createHeader(options: {
  readonly reads: Pick<Reads, 'header'>;
  readonly append: EventStore['append'];
  readonly random: Random;
  readonly clock: Clock;
}): Pick<EventStore, 'header' | 'ensureHeader' | 'changeHeader'> {
  const { reads, append, random, clock } = options;
  const now = () => new Date(clock()).toISOString();

  async function ensureHeader(): Promise<LogHeader> {
    const found = await reads.header();
    if (found !== undefined) return found.header;
    const header = { logId: uuidV4(random), partitions: PARTITIONS };
    const event = headerEvent(header, now());
    try {
      await append({ stream: event.stream, expected: 'no-stream', events: [event] });
      return header;
    } catch (error) {
      const another = hasCode(error, 'conflict') ? await reads.header() : undefined;
      if (another === undefined) throw error;
      return another.header;
    }
  }

  async function changeHeader(change: HeaderChanging): Promise<void> {
    await ensureHeader();
    // The server would take the same change of two at once for one that was sent twice.
    const changeId = uuidV4(random);
    for (let tries = 1; ; tries++) {
      const found = await reads.header();
      invariant(found !== undefined, 'the header was made');
      const { header, revision } = found;
      const place = { revision: revision + 1, changeId, at: now() };
      const event = headerChanged(header, changeOf(change, header), place);
      try {
        await append({ stream: event.stream, expected: revision, events: [event] });
        return;
      } catch (error) {
        // Another change was made at the same time: this one is made after it.
        if (!hasCode(error, 'conflict') || tries >= TRIES) throw error;
      }
    }
  }

  return { header: async () => (await reads.header())?.header, ensureHeader, changeHeader };
}
