import { join } from 'node:path';
import { filesNamedIn, FILE_NAMING_EVENTS } from '#files';
import type { Engines } from '#engines';
import type { EventStore } from '#event-store';
import { comparePositions, logStart } from '#kernel';

/** Events read at a time. */
const PAGE = 1_000;

/** Says so where there was no folder of uploaded files, though the log names some. */
export async function tellLostUploads(
  { hasNewUploads, events }: Pick<Engines, 'hasNewUploads' | 'events'>,
  dataFolder: string,
  tell: (sentence: string) => void,
): Promise<void> {
  if (!hasNewUploads || !(await namesUploads(events))) return;
  tell(
    `There was no folder ${join(dataFolder, 'files')}, but the log names uploaded files: put it back from a backup; lode verify names each that is missing.`,
  );
}

/** Whether an event of the log names an uploaded file. It reads until it finds one. */
async function namesUploads(log: Pick<EventStore, 'head' | 'readTypes'>): Promise<boolean> {
  const upTo = await log.head();
  for (let after = logStart; comparePositions(after, upTo) < 0;) {
    const { events, scanned } = await log.readTypes(FILE_NAMING_EVENTS, after, PAGE);
    if (events.some(({ type, data }) => filesNamedIn({ type, data }).size > 0)) return true;
    after = scanned;
  }
  return false;
}
