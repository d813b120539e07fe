import {
  openEngines,
  type EngineSettings,
  type ExclusiveEngines,
  type Inspection,
  type LogReader,
} from '#engines';
import { isLodeError, LodeError } from '#kernel';
import type { Call } from './command.js';

/** Refuses with `unavailable` a folder without a log; throws what the operating system says of one that is closed. */
export async function requireLog(settings: EngineSettings): Promise<void> {
  await withInspection(settings, () => Promise.resolve());
}

/** Looks at the engines of a folder that has a log, beside whoever has them. Refuses as `requireLog`. */
export async function withInspection<T>(
  settings: EngineSettings,
  work: (engines: Inspection) => Promise<T>,
): Promise<T> {
  const engines = await openEngines(settings, 'inspect');
  if (await engines.maintenance.hasLog()) return work(engines);
  throw new LodeError(
    'unavailable',
    `There is no log in ${settings.dataFolder}: name the data folder with --data.`,
  );
}

/** Does some work while nobody else can have the folder. Refuses, saying what to do instead, while Lode runs on it. */
export async function withExclusiveEngines<T>(
  call: Call,
  work: (engines: ExclusiveEngines) => Promise<T>,
): Promise<T> {
  const engines = await openAlone(call);
  try {
    return await work(engines);
  } finally {
    await engines.close();
  }
}

async function openAlone({ command: { whileRunning }, settings }: Call): Promise<ExclusiveEngines> {
  try {
    return await openEngines(settings, 'alone', (sentence) => console.error(sentence));
  } catch (error) {
    if (!isLodeError(error) || error.code !== 'unavailable' || whileRunning === 'works') throw error;
    throw new LodeError(
      'unavailable',
      `Lode is running on ${settings.dataFolder}: stop it first. ${whileRunning.instead}`,
      {},
      { cause: error },
    );
  }
}

/** Reads the log beside whoever writes it. */
export async function readingLog<T>(
  engines: Pick<Inspection, 'openLog'>,
  work: (log: LogReader) => Promise<T>,
): Promise<T> {
  const log = await engines.openLog();
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}
