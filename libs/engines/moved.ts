import { LodeError } from '#kernel';
import type { LogReader, Mismatch } from './engines.js';
import { capitalized, refuse } from './consistency.js';
import type { LogEngine } from './log.js';
import { alwaysHere, lookingAtHeader, type StillHere } from './still-here.js';

const TOLD = 'Lode was moved to another place.';

type Named = Pick<LogEngine, 'name'>;

/** What says of an open log whether it is where it was. */
export function stillHereOf(
  events: Pick<LogReader, 'header'>,
  log: Named & Pick<LogEngine, 'isShared'>,
): StillHere {
  if (!log.isShared) return alwaysHere;
  return lookingAtHeader(async () => {
    const moved = await movedMismatch(events, log);
    if (moved !== undefined)
      throw new LodeError('unavailable', `${moved.what} ${moved.todo}`, {}, { told: TOLD });
  });
}

/** As `movedMismatch`, thrown as `storage_failed`. */
export async function refuseMoved(events: Pick<LogReader, 'header'>, log: Named): Promise<void> {
  refuse(await movedMismatch(events, log));
}

/** Whether a log is half a copy, or its events were moved elsewhere: written on, it would be another history. */
export async function movedMismatch(
  events: Pick<LogReader, 'header'>,
  { name }: Named,
): Promise<Mismatch | undefined> {
  const header = await events.header();
  if (header?.filling === true)
    return {
      what: `${capitalized(name)} is being filled by \`lode migrate\`, or that was not finished.`,
      todo: 'Give the same command again.',
    };
  if (header?.movedTo === undefined) return undefined;
  return {
    what: `${capitalized(name)} was moved to ${header.movedTo}, and is as it was at that moment.`,
    todo: 'Start Lode there.',
  };
}
