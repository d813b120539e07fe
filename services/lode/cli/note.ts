import type { Inspection } from '#engines';
import type { Call, Command } from './command.js';
import {
  isLodeError,
  LodeError,
  pause,
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
 * be written any more must still come out. False where it could not be left either, which people are told.
 */
export async function noteGiven(
  { leftNotes, maintenance }: Pick<Inspection, 'leftNotes' | 'maintenance'>,
  { command: { name }, isForPeople }: Pick<Call, 'isForPeople'> & { readonly command: Pick<Command, 'name'> },
): Promise<boolean> {
  const id = uuidV4(systemRandom);
  const isRunning = () => isProgramThere(maintenance);
  try {
    await leftNotes.leave({ id, at: new Date(systemClock()).toISOString(), command: name });
  } catch (error) {
    if (isRunning() || !isLodeError(error)) throw error;
    if (isForPeople) console.error(`The log will not say that there was this ${name}: ${error.message}`);
    return false;
  }
  const end = systemMonotonic() + ANSWER_MS;
  while (isRunning() && leftNotes.stateOf(id) !== 'written') {
    if (leftNotes.stateOf(id) === 'refused' || systemMonotonic() > end) {
      leftNotes.remove(id);
      throw new LodeError(
        'unavailable',
        `This ${name} has to be noted, and the program that has the data folder did not: look at /health/ready, or wait for the command that has it.`,
      );
    }
    await pause(systemTimers, LOOK_MS);
  }
  return true;
}

/** A folder that this user may not write doesn't tell: then nobody is waited for. */
function isProgramThere({ isRunning }: Pick<Inspection['maintenance'], 'isRunning'>): boolean {
  try {
    return isRunning();
  } catch (error) {
    if (!isLodeError(error)) throw error;
    return false;
  }
}
