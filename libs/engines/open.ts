import { serveEngines } from './serve.js';
import type { Engines, EngineSettings, Tell } from './engines.js';
import { lockForMaintenance } from './exclusive.js';
import { inspectEngines } from './inspect.js';
import type { ExclusiveEngines, Inspection } from './inspection.js';

type Opened = {
  readonly serve: Engines;
  readonly alone: ExclusiveEngines;
  readonly inspect: Inspection;
};

/**
 * Opens the engines; the one place that chooses them.
 *
 * - `serve`: everything, for the program that answers requests. Nobody else has the engines until it closes them.
 * - `alone`: for a command that changes something while no program runs. Each part is opened when it is asked for.
 * - `inspect`: for a command that looks, also beside a program that runs. Nothing is made or written.
 *
 * Throws `unavailable` when another program has them, `storage_failed` or `storage_full` when they can't be used.
 */
export async function openEngines<Mode extends keyof Opened>(
  settings: EngineSettings,
  mode: Mode,
  tell: Tell = () => undefined,
): Promise<Opened[Mode]> {
  const open: { readonly [One in keyof Opened]: () => Opened[One] | Promise<Opened[One]> } = {
    serve: () => serveEngines(settings, tell),
    alone: () => lockForMaintenance(settings, tell),
    inspect: () => inspectEngines(settings),
  };
  return open[mode]();
}
