import { openEngines } from '#engines';
import type { LogReport } from '#verify';
import { checkLog, withEngines, type Engines } from '../cli/index.js';

/** Does some work on a folder that no program runs on. */
export async function between<T>(dataFolder: string, work: (engines: Engines) => Promise<T>): Promise<T> {
  const engines = await openEngines({ dataFolder }, 'alone');
  try {
    return await withEngines(engines, work);
  } finally {
    await engines.close();
  }
}

/** Walks the log of a folder, beside a program that runs or without one. */
export async function checkLogIn(dataFolder: string): Promise<LogReport> {
  return checkLog(await openEngines({ dataFolder }, 'inspect'), () => undefined);
}
