import { createHash } from 'node:crypto';
import { comparePositions, logStart, parsePosition, type Position } from '#kernel';
import { platformStream } from '#ledger';
import type { LogToCheck } from './log.js';

/** Where every stream of a log stood once: who keeps it elsewhere can tell whether what was there then still is. */
export type LogHeads = {
  /** Undefined in a log from before platforms had ids. */
  readonly platformId: string | undefined;
  /** Of the last event. It differs once a log was moved to another engine; nothing else does. */
  readonly position: Position;
  readonly events: number;
  readonly streams: number;
  /** SHA-256 over a line for each stream, `{stream} {revision} {chain}`, in the order of the lines' bytes; hex. */
  readonly digest: string;
};

export type HeadsOptions = {
  readonly log: Pick<LogToCheck, 'readAll'>;
  /** Where to end: what is appended meanwhile is left for the next time. */
  readonly upTo: Position;
  /** After so many events to end, if the log has more. */
  readonly events?: number;
  /** Told how many events were looked at, now and then. */
  readonly progress?: (events: number) => void;
};

/** Events read at a time. */
const PAGE = 2_000;

/** Where the streams of a log stand. Its memory grows by one line a stream. Throws what the log can't be read with. */
export async function headsOf({
  log,
  upTo,
  events: most = Infinity,
  progress = () => {},
}: HeadsOptions): Promise<LogHeads> {
  const lines = new Map<string, string>();
  let platformId: string | undefined;
  let position = logStart;
  let events = 0;
  while (comparePositions(position, upTo) < 0 && events < most) {
    const page = await log.readAll(position, Math.min(PAGE, most - events));
    for (const event of page) {
      if (comparePositions(event.position, upTo) > 0) break;
      const { stream, revision, data, meta } = event;
      lines.set(stream, `${stream} ${revision} ${meta.chain}\n`);
      if (stream === platformStream && typeof data['platformId'] === 'string')
        platformId = data['platformId'];
      position = event.position;
      events += 1;
    }
    if (page.length === 0) break;
    progress(events);
  }
  return { platformId, position, events, streams: lines.size, digest: digestOf([...lines.values()]) };
}

function digestOf(lines: readonly string[]): string {
  const hash = createHash('sha256');
  const bytes = lines.map((line) => Buffer.from(line)).sort((a, b) => Buffer.compare(a, b));
  for (const line of bytes) hash.update(line);
  return hash.digest('hex');
}

const FORM =
  /^lode-heads-1:(?<platform>-|[0-9a-f-]{36}):(?<position>\d+):(?<events>\d{1,15}):(?<streams>\d{1,15}):(?<digest>[0-9a-f]{64})$/;

/** The heads of a log in one line without spaces. */
export function formatHeads({ platformId, position, events, streams, digest }: LogHeads): string {
  return `lode-heads-1:${platformId ?? '-'}:${position}:${events}:${streams}:${digest}`;
}

/** The heads that a line tells; undefined when it tells none. */
export function parseHeads(line: string): LogHeads | undefined {
  const { platform, position = '', events, streams, digest = '' } = FORM.exec(line.trim())?.groups ?? {};
  const place = parsePosition(position);
  if (place === undefined) return undefined;
  return {
    platformId: platform === '-' ? undefined : platform,
    position: place,
    events: Number(events),
    streams: Number(streams),
    digest,
  };
}

/** What differs between the heads that were kept and those of the same number of events now; undefined when nothing does. */
export function describeMismatch(kept: LogHeads, found: LogHeads): string | undefined {
  if (found.events < kept.events) {
    return `the log ends after ${found.events} of the ${kept.events} events that it had when its heads were kept`;
  }
  if (found.platformId !== kept.platformId) {
    const name = (id: string | undefined) => id ?? 'none';
    return `the log is of the platform ${name(found.platformId)}, and the heads are of ${name(kept.platformId)}`;
  }
  if (found.digest === kept.digest && found.streams === kept.streams) return undefined;
  return `the first ${kept.events} events are not those that the log had when its heads were kept`;
}
