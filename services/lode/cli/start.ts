import { systemMonotonic } from '#kernel';
import { start, welcome } from '../start.js';
import type { Call, Outcome } from './command.js';

/** `lode start`: ready when this answers, and alive until it is told to stop. */
export async function runStart({ settings, isForPeople }: Call): Promise<Outcome> {
  const started = systemMonotonic();
  const running = await start(settings, (step) => {
    if (isForPeople) console.log(step);
  });
  const seconds = (systemMonotonic() - started) / 1_000;
  const { address, publicAddress, firstAdminPath } = running;
  const link = firstAdminPath === undefined ? null : publicAddress + firstAdminPath;
  return { ok: true, facts: { address, firstAdminLink: link }, lines: welcome(running, seconds) };
}
