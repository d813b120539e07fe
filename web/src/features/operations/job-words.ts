import type { JobRunView } from '#contracts';
import { formatSeconds } from './duration';

const names: Readonly<Record<string, string>> = {
  'bonus-tick': 'Bonus tick',
  'file-sweep': 'Sweep of files',
  mail: 'Mail outbox',
};

/** What a job is called by people. */
export function jobName(kind: string): string {
  return names[kind] ?? kind;
}

const MS_PER_SECOND = 1_000;

/** What became of a run: its own numbers in words, or what it failed with. */
export function whatItDid({ state, report, error }: JobRunView): string {
  if (state === 'waiting') return 'waits for its turn';
  if (state === 'running') return 'runs';
  if (state === 'failed') return error ?? 'failed';
  const told = Object.entries(report ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' ? [`${value} ${wordsOf(name)}`] : [],
  );
  return told.join(', ') || 'done';
}

/** A member of a report as words: `tooOld` is "too old". */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** How long a run took; empty for one that has not ended. */
export function lengthOf({ startedAt, endedAt }: JobRunView): string {
  if (startedAt === null || endedAt === null) return '';
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / MS_PER_SECOND;
  return seconds < 1 ? `${seconds.toFixed(1)} s` : formatSeconds(seconds);
}
