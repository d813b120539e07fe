import { hasCode, invariant, PARTITIONS, uuidV4, type Clock, type Random } from '#kernel';
import {
  changeOf,
  kindsBeyond,
  type EventKinds,
  type EventStore,
  type HeaderChange,
  type LogHeader,
} from '../port.js';
import { headerChanged, headerEvent } from './records.js';
import type { Reads, StoredHeader } from './reads.js';

/** How often a change of the header is tried while others are made: each that is refused is another that was made. */
const TRIES = 16;

/** What is kept in the header of the kinds of events. */
type Told = { readonly kinds: EventKinds };

/** Keeps kinds of events beside the log; gives all that it has then. */
export type KindsKeeper = { readonly keepKinds: (kinds: EventKinds) => Promise<EventKinds> };

/** The header of a log, in a stream of its own. */
export function createHeader(options: {
  readonly reads: Pick<Reads, 'header'>;
  readonly append: EventStore['append'];
  readonly random: Random;
  readonly clock: Clock;
}): Pick<EventStore, 'header' | 'ensureHeader' | 'changeHeader' | 'kinds'> & KindsKeeper {
  const { reads, append, random, clock } = options;
  const now = () => new Date(clock()).toISOString();

  async function ensureHeader(): Promise<LogHeader> {
    const found = await reads.header();
    if (found !== undefined) return found.header;
    // Several programs can share the folding of a log that is on a server.
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

  /** Appends what `make` gives of the header as it is, or nothing; what others write at the same time goes before. */
  async function add(make: (stored: StoredHeader) => HeaderChange | Told | undefined): Promise<StoredHeader> {
    await ensureHeader();
    // The server would take the same change of two at once for one that was sent twice.
    const changeId = uuidV4(random);
    for (let tries = 1; ; tries++) {
      const found = await reads.header();
      invariant(found !== undefined, 'the header was made');
      const { header, revision } = found;
      const change = make(found);
      if (change === undefined) return found;
      const place = { revision: revision + 1, changeId, at: now() };
      const event = headerChanged(header, change, place);
      try {
        await append({ stream: event.stream, expected: revision, events: [event] });
        return found;
      } catch (error) {
        // Another change was made at the same time: this one is made after it.
        if (!hasCode(error, 'conflict') || tries >= TRIES) throw error;
      }
    }
  }

  return {
    header: async () => (await reads.header())?.header,
    ensureHeader,
    changeHeader: async (change) => {
      await add(({ header }) => changeOf(change, header));
    },
    kinds: async () => (await reads.header())?.kinds ?? {},
    keepKinds: async (wanted) => {
      const { kinds } = await add(({ kinds }) => {
        const beyond = kindsBeyond(wanted, kinds);
        return Object.keys(beyond).length === 0 ? undefined : { kinds: beyond };
      });
      return { ...kinds, ...kindsBeyond(wanted, kinds) };
    },
  };
}
