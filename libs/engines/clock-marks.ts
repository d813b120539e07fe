import { existsSync } from 'node:fs';
import type { ClockMark, ClockMarks, ClockRequests } from '#clock';
import { createSqliteClockMarks, createSqliteClockRequests } from '#clock/sqlite';
import type { Closable } from './closing.js';
import type { EngineSettings, Tell } from './engines.js';
import { logIdOf, type LogEngine } from './log.js';
import { placesIn } from './places.js';
import { openProcessesFile, readMarkIn } from './processes-file.js';
import { atServer, mongoAt } from './servers.js';

/** How far the time of a log has come, for a tool that looks; undefined where that was never kept. */
export async function readClockMark(
  settings: EngineSettings,
  log: LogEngine,
): Promise<ClockMark | undefined> {
  const { mongodbUrl, dataFolder } = settings;
  const logId = await logIdOf(log);
  if (logId === undefined) return undefined;
  if (mongodbUrl === undefined) return readMarkIn(placesIn(dataFolder).processes, logId);
  const marks = await marksOnServer(mongodbUrl, settings, logId);
  return marks.load().finally(marks.close);
}

/** The marks of a log, for a command. */
export async function openClockMarks(
  settings: EngineSettings,
  logId: string,
  tell: Tell,
): Promise<Closable<ClockMarks>> {
  const { mongodbUrl, dataFolder } = settings;
  if (mongodbUrl !== undefined) return marksOnServer(mongodbUrl, settings, logId);
  const database = openProcessesFile(placesIn(dataFolder).processes, tell, logId);
  return { ...createSqliteClockMarks(database), close: async () => database.close() };
}

async function marksOnServer(
  mongodbUrl: string,
  settings: EngineSettings,
  logId: string,
): Promise<Closable<ClockMarks>> {
  const { openMongoClockMarks } = await import('#clock/mongodb');
  const at = { ...mongoAt(mongodbUrl, settings), logId };
  return atServer('MONGODB_URL', mongodbUrl, () => openMongoClockMarks(at));
}

/** The way to ask the program that has the folder; undefined where there was none yet. */
export function openClockRequests({
  dataFolder,
}: Pick<EngineSettings, 'dataFolder'>): Closable<ClockRequests> | undefined {
  const file = placesIn(dataFolder).processes;
  if (!existsSync(file)) return undefined;
  const database = openProcessesFile(file, () => undefined);
  return { ...createSqliteClockRequests(database), close: async () => database.close() };
}
