import type { Inspection } from '#engines';
import { isLodeError } from '#kernel';
import { reactorLimits } from '#reactors';
import type { Finding } from './finding.js';
import { describeLag, lagOf, type Lag, type LogEnd } from './log-end.js';
import { counted } from './output.js';

type ReactorLag = Lag & {
  readonly name: string;
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
export type Remembered = NonNullable<Awaited<ReturnType<Inspection['remembered']>>> &
  Pick<ProcessesState, 'unreadable'>;

/** Behind by more than this while a program runs is worth a look: what a person waits for comes late. */
const BEHIND_MOST = 10_000;

/**
 * Looks at what the processes of a folder remember, beside whoever writes it. Throws `storage_failed` for a file that the
 * program refuses.
 */
export async function rememberedIn({ remembered }: Pick<Inspection, 'remembered'>): Promise<Remembered> {
  const nothing = { reactors: [], lastRuns: [] };
  try {
    return { ...((await remembered()) ?? nothing), unreadable: null };
  } catch (error) {
    if (isLodeError(error)) throw error;
    const unreadable = error instanceof Error ? error.message : String(error);
    return { ...nothing, unreadable };
  }
}

/** How far they have got in the log; when its end is not known, nothing is behind. */
export function processesOf(
  { reactors, lastRuns, unreadable }: Remembered,
  end: LogEnd | undefined,
): Omit<ProcessesState, 'stalled'> {
  return {
    reactors: reactors.map(({ name, position, ordinal, parked }) => ({
      name,
      ...lagOf({ position, ordinal }, end),
      parked: parked.filter(({ attempts }) => attempts >= reactorLimits.tries).length,
    })),
    jobs: lastRuns.map(({ kind, slot, state, error }) => ({ kind, slot, state, error })),
    unreadable,
  };
}

/** What looks wrong with them. While no program runs, only what its next start would not mend. */
export function aboutProcesses(state: Omit<ProcessesState, 'stalled'>, running: boolean): readonly Finding[] {
  const { reactors, jobs, unreadable } = state;
  const findings: Finding[] = [];
  if (unreadable !== null) {
    findings.push({
      what: `What the processes remember can't be read: ${unreadable}.`,
      todo: 'Restart Lode: it moves the file aside and begins it anew; nothing is done twice.',
    });
  }
  for (const { name, parked, ...lag } of reactors) {
    if (parked > 0) {
      findings.push({
        what: `The reactor ${name} fails on ${counted(parked, 'event')}.`,
        todo: 'Read why with GET /api/reactors, mend that, and have them tried again with POST /api/reactors/retry.',
      });
    }
    if (running && lag.behind > BEHIND_MOST) {
      findings.push({
        what: `The reactor ${name} is ${describeLag(lag)}.`,
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
