import type { LogReader } from '#engines';
import { comparePositions } from '#kernel';
import { checkpointStart, type Checkpoint } from '#read-store';
import { counted } from './output.js';

/** Where a log ends, as far as it has been counted. */
export type LogEnd = Checkpoint & {
  /** False when there are more events than `ordinal` says. */
  readonly isCounted: boolean;
};

/** Events that wait for somebody. */
export type Lag = {
  readonly behind: number;
  /** True when there may be more of them. */
  readonly isAtLeast: boolean;
};

/** Events that are counted past what anybody has seen, and how many are read at a time. */
const COUNTED_MAX = 50_000;
const PAGE = 5_000;

/** Counts on to the end of the log from the furthest of some places that are in it. */
export async function endOf(
  log: Pick<LogReader, 'head' | 'readAll'>,
  seen: readonly Checkpoint[],
): Promise<LogEnd> {
  const position = await log.head();
  let { position: at, ordinal } = seen
    .filter((one) => comparePositions(one.position, position) <= 0)
    .reduce((a, b) => (comparePositions(a.position, b.position) < 0 ? b : a), checkpointStart);
  for (let read = 0; comparePositions(at, position) < 0; read += PAGE) {
    const page = read < COUNTED_MAX ? await log.readAll(at, PAGE) : [];
    if (page.length === 0) return { position, ordinal, isCounted: false };
    ordinal += page.filter((event) => comparePositions(event.position, position) <= 0).length;
    at = page.at(-1)?.position ?? at;
  }
  return { position, ordinal, isCounted: true };
}

/** How many events wait for whoever stands there; none for one who is past the end, or while that is not known. */
export function lagOf({ position, ordinal }: Checkpoint, end: LogEnd | undefined): Lag {
  if (end === undefined || comparePositions(position, end.position) >= 0)
    return { behind: 0, isAtLeast: false };
  return { behind: Math.max(0, end.ordinal - ordinal), isAtLeast: !end.isCounted };
}

/** As people read it: "12 events behind". */
export function describeLag({ behind, isAtLeast }: Lag): string {
  return `${isAtLeast ? '≥ ' : ''}${counted(behind, 'event')} behind`;
}
