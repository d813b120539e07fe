import type { Logger } from 'pino';
import type { SecurityLog } from '#application';
import type { LeftNotes, UnreadableNote } from '#engines';
import { createRunLoop, systemClock, systemMonotonic, systemRandom, type Timers } from '#kernel';

/** Between two looks at what commands have left, in milliseconds: they wait for it. */
const LOOK_MS = 300;
const RETRY = { firstMs: LOOK_MS, lastMs: 10_000, jitter: 0 };

/** Older than this nobody waits for what a command left half done, in milliseconds. */
const HALF_DONE_MS = 60_000;

/**
 * Writes to the log what commands beside this program, or before its start, have left to be noted. A note is taken away once
 * it is in the log; after a death in between it is written again, and is there once. While one can't be written, whoever waits for
 * it is told so.
 */
export function writeLeftNotes(parts: {
  readonly notes: LeftNotes;
  readonly security: Pick<SecurityLog, 'givenByCommand'>;
  readonly logger: Logger;
  readonly timers: Timers;
}): { readonly stop: () => Promise<void> } {
  const { notes, security, logger, timers } = parts;
  const told = new Set<string>();
  const refuse = (id: string) => {
    try {
      notes.refuse(id);
    } catch (error) {
      if (!told.has(id)) logger.warn({ err: error, id }, 'what a command has left can not be refused');
      told.add(id);
    }
  };
  const turnAway = ({ id, error }: UnreadableNote) => {
    if (!told.has(id)) logger.warn({ err: error, id }, 'what a command has left to be noted can not be read');
    told.add(id);
    if (notes.stateOf(id) === 'left') refuse(id);
  };
  try {
    notes.sweep(systemClock() - HALF_DONE_MS);
  } catch (error) {
    logger.warn({ err: error }, 'what killed commands have left half done can not be removed');
  }
  const loop = createRunLoop({
    turn: async () => {
      let failed: { readonly error: unknown } | undefined;
      const some = notes.some();
      some.unreadable.forEach(turnAway);
      for (const note of some.notes) {
        try {
          await security.givenByCommand(note);
          notes.remove(note.id);
        } catch (error) {
          refuse(note.id);
          failed = { error };
        }
      }
      if (failed !== undefined) throw failed.error;
      return { until: 'stopped', ms: LOOK_MS };
    },
    onFailing: (failing) => {
      if (failing.attempts === 1)
        logger.warn(failing, 'what commands have left to be noted can not be written');
    },
    onRecovered: () => undefined,
    onStopped: async () => undefined,
    retry: RETRY,
    clock: systemMonotonic,
    random: systemRandom,
    timers,
  });
  loop.start();
  return { stop: loop.stop };
}
