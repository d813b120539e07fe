import type { Inspection } from '#engines';
import { comparePositions, isLodeError, type Position } from '#kernel';
import { reactorLimits } from '#reactors';
import type { Finding } from './finding.js';
import { counted } from './output.js';

type ReactorLag = {
  readonly name: string;
  readonly behind: number;
  /** Events that it failed on so often that somebody must look. */
  readonly parked: number;
};

type LastRun = {
  readonly kind: string;
  readonly slot: string;
  readonly state: string;
  readonly error: string | null;
};

/** What the program does by itself, as its file remembers it. */
export type ProcessesState = {
  readonly reactors: readonly ReactorLag[];
  readonly jobs: readonly LastRun[];
  /** Transfers whose money has been in transit for too long. */
  readonly stalled: number;
  /** Why the file can't be read; null when it can, or is not there. */
  readonly unreadable: string | null;
};

/** What the file itself tells. */
type Remembered = Omit<ProcessesState, 'stalled'>;

/** Behind by more than this while a program runs is worth a look: what a person waits for comes late. */
const BEHIND_MOST = 10_000;

/**
 * Looks at what the processes of a folder remember, beside whoever writes it. When it is not known where the log ends,
 * nothing is behind. Throws `storage_failed` for a file that the program refuses.
 */
export function processesOf(
  { remembered }: Pick<Inspection, 'remembered'>,
  head: Position | undefined,
): Remembered {
  try {
    const kept = remembered();
    if (kept === undefined) return { reactors: [], jobs: [], unreadable: null };
    const reactors = kept.reactors.map(({ name, position, parked }) => ({
      name,
      behind:
        head === undefined || comparePositions(position, head) > 0 ? 0 : Number(head) - Number(position),
      parked: parked.filter(({ attempts }) => attempts >= reactorLimits.tries).length,
    }));
    const jobs = kept.lastRuns.map(({ kind, slot, state, error }) => ({ kind, slot, state, error }));
    return { reactors, jobs, unreadable: null };
  } catch (error) {
    if (isLodeError(error)) throw error;
    const unreadable = error instanceof Error ? error.message : String(error);
    return { reactors: [], jobs: [], unreadable };
  }
}

/** What looks wrong with them. While no program runs, only what its next start would not mend. */
export function aboutProcesses(state: Remembered, running: boolean): readonly Finding[] {
  const { reactors, jobs, unreadable } = state;
  const findings: Finding[] = [];
  if (unreadable !== null) {
    findings.push({
      what: `What the processes remember can't be read: ${unreadable}.`,
      todo: 'Restart Lode: it moves the file aside and begins it anew; nothing is done twice.',
    });
  }
  for (const { name, behind, parked } of reactors) {
    if (parked > 0) {
      findings.push({
        what: `The reactor ${name} fails on ${counted(parked, 'event')}.`,
        todo: 'Read why with GET /api/reactors, mend that, and have them tried again with POST /api/reactors/retry.',
      });
    }
    if (running && behind > BEHIND_MOST) {
      findings.push({
        what: `The reactor ${name} is ${counted(behind, 'event')} behind.`,
        todo: 'See whether it catches up (GET /api/reactors); if not, look at the log of the program.',
      });
    }
  }
  for (const { kind, slot, state: ended, error } of jobs) {
    if (ended !== 'failed') continue;
    findings.push({
      what: `The last run of the job ${kind}, for ${slot}, failed: ${error ?? 'nobody knows why'}.`,
      todo: 'Mend what it failed with; its next run does what this one left.',
    });
  }
  return findings;
}
