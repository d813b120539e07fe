import { serveFolder } from './embedded.js';
import type { Engines, EngineSettings, Tell } from './engines.js';

/**
 * Opens what the program stands on; the one place that chooses engines. `serve` is for the program that nobody else may
 * run beside.
 */
export function openEngines(settings: EngineSettings, mode: 'serve', tell?: Tell): Promise<Engines>;
export function openEngines(
  settings: EngineSettings,
  _mode: 'serve',
  tell: Tell = () => undefined,
): Promise<Engines> {
  return serveFolder(settings, tell);
}
