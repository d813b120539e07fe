import { refuseSmallProcess } from './machine.js';
import { nameOf, type Parts } from './parts.js';
import { run, type Running } from './run.js';
import type { Settings } from './settings.js';
import { stopWhenTold } from './stop.js';
import { endAtUncaught } from './uncaught.js';

/** Runs the program, or parts of it, until it is told to stop; answers when it is ready. `say` hears each step on the way. */
export async function start(
  settings: Settings,
  say: (step: string) => void,
  parts?: Parts,
): Promise<Running> {
  refuseSmallProcess();
  endAtUncaught();
  const running = await run(settings, say, { parts });
  // Before anybody says that it is ready: whoever waits for that may stop it at once.
  stopWhenTold({ ...running, say });
  return running;
}

/** What the person who started it reads once it is ready. */
export function welcome(
  { parts, address, publicAddress, firstAdminPath }: Running,
  seconds: number,
): readonly string[] {
  const ready = `${nameOf(parts)} is ready at ${address} (${seconds.toFixed(1)} s).`;
  if (firstAdminPath === undefined) return [ready];
  return [
    ready,
    `There is no admin yet. This link makes the first one, once, within a day:\n  ${publicAddress}${firstAdminPath}`,
  ];
}
