import { existsSync } from 'node:fs';
import { refuse } from './consistency.js';
import type { EngineSettings, Mismatch } from './engines.js';
import { placesIn } from './places.js';

/** As `leftBehind`, thrown as `storage_failed`. */
export function refuseLeftBehind(settings: EngineSettings): void {
  refuse(leftBehind(settings));
}

/**
 * Whether the folder has what a server is to have: somebody named a server for a program that
 * ran without one. It would begin with nothing there, and nobody would see what the folder has.
 */
export function leftBehind({
  dataFolder,
  eventStoreUrl,
  mongodbUrl,
  s3Url,
}: EngineSettings): Mismatch | undefined {
  const { log, identity, files } = placesIn(dataFolder);
  const found = [
    { url: eventStoreUrl, place: log, what: 'a log', setting: 'EVENTSTORE_URL' },
    { url: mongodbUrl, place: identity, what: 'an identity store', setting: 'MONGODB_URL' },
    { url: s3Url, place: files, what: 'uploaded files', setting: 'S3_URL' },
  ].find(({ url, place }) => url !== undefined && existsSync(place));
  if (found === undefined) return undefined;
  const { place, what, setting } = found;
  return {
    what: `${place} has ${what}, but ${setting} names a server for that, where it is not.`,
    todo: 'Move it there with `lode migrate`, or name another folder with LODE_DATA.',
  };
}
