import { join } from 'node:path';
import { openEngines, type Inspection } from '#engines';
import type { IdentityStore } from '#identity';
import { openIdentityStore } from '#identity/sqlite';
import type { LogReport } from '#verify';
import { checkLog, withEngines, type Engines } from '../cli/index.js';
import { readSettings } from '../settings.js';
import { OF_LONG_AGO } from './clock.js';
import { serverSettingsOf } from './mix.js';
import { DATABASE } from './servers.js';

/** Does some work on a folder that no program runs on. */
export async function between<T>(dataFolder: string, work: (engines: Engines) => Promise<T>): Promise<T> {
  const settings = { ...readSettings(OF_LONG_AGO), dataFolder, ...(await serverSettingsOf(dataFolder)) };
  const engines = await openEngines(settings, 'alone');
  try {
    return await withEngines({ settings }, engines, work);
  } finally {
    await engines.close();
  }
}

/** The engines of a folder to be looked at, beside a program that runs or without one. */
export async function inspect(dataFolder: string): Promise<Inspection> {
  return openEngines({ dataFolder, ...(await serverSettingsOf(dataFolder)) }, 'inspect');
}

/** Walks the log of a folder, beside a program that runs or without one. */
export async function checkLogIn(dataFolder: string): Promise<LogReport> {
  return checkLog(await inspect(dataFolder), () => undefined);
}

/** The identity store of a folder, beside a program that runs or without one. */
export async function openIdentityOf(dataFolder: string): Promise<IdentityStore> {
  const { mongodbUrl: url } = await serverSettingsOf(dataFolder);
  if (url === undefined) return openIdentityStore({ file: join(dataFolder, 'identity.sqlite') });
  const { openMongoIdentityStore } = await import('#identity/mongodb');
  return openMongoIdentityStore({ url, database: DATABASE });
}
