import { existsSync } from 'node:fs';
import { LodeError } from '#kernel';
import type { EngineSettings } from './engines.js';
import { placesIn } from './places.js';

/**
 * Refuses, with `storage_failed`, a folder that has what a server is to have: somebody named a server for a program that
 * ran without one. It would begin with nothing there, and nobody would see what the folder has.
 */
export function refuseLeftBehind({ dataFolder, eventStoreUrl, mongodbUrl, s3Url }: EngineSettings): void {
  const { log, identity, files } = placesIn(dataFolder);
  const found = [
    { url: eventStoreUrl, place: log, what: 'a log', setting: 'EVENTSTORE_URL' },
    { url: mongodbUrl, place: identity, what: 'an identity store', setting: 'MONGODB_URL' },
    { url: s3Url, place: files, what: 'uploaded files', setting: 'S3_URL' },
  ].find(({ url, place }) => url !== undefined && existsSync(place));
  if (found === undefined) return;
  const { place, what, setting } = found;
  throw new LodeError(
    'storage_failed',
    `${place} has ${what}, but ${setting} names a server for that, where it is not: move it there with \`npx lode migrate\`, or name another folder with LODE_DATA.`,
  );
}
