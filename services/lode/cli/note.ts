import type { Inspection } from '#engines';
import {
  isLodeError,
  LodeError,
  systemClock,
  systemMonotonic,
  systemRandom,
  systemTimers,
  uuidV4,
} from '#kernel';

/** What the program that runs has to write it, in milliseconds: it looks a few times a second. */
const ANSWER_MS = 15_000;
/** Between two looks whether it has. */
const LOOK_MS = 100;

/**
 * Notes that a command is about to give people's data out. Beside a program it resolves once the log says so, and refuses
 * with `unavailable` where it doesn't. Without one it is left for the next start: what is read must not change, and what can't
 * be written any more must still come out.
 */
export async function noteGiven(
  { leftNotes, maintenance }: Pick<Inspection, 'leftNotes' | 'maintenance'>,
  command: 'backup' | 'export',
): Promise<void> {
  const id = uuidV4(systemRandom);
  const { isRunning } = maintenance;
  try {
    await leftNotes.leave({ id, at: new Date(systemClock()).toISOString(), command });
  } catch (error) {
    if (isRunning() || !isLodeError(error)) throw error;
    console.error(`The next start will not know of this ${command}: ${error.message}`);
    return;
  }
  const end = systemMonotonic() + ANSWER_MS;
  while (isRunning() && leftNotes.stateOf(id) !== 'written') {
    if (leftNotes.stateOf(id) === 'refused' || systemMonotonic() > end) {
      leftNotes.remove(id);
      throw new LodeError(
        'unavailable',
        `This ${command} has to be noted, and the program that has the data folder did not: look at /health/ready, or wait for the command that has it.`,
      );
    }
    await new Promise<void>((resolve) => {
      systemTimers.after(LOOK_MS, resolve);
    });
  }
}
