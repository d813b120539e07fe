import { readSettings, type Settings } from '../settings.js';
import { serverNames, startServers, type ServerName, type Servers } from './servers.js';

/** The servers that programs of tests stand on, by `LODE_TEST_ON`: some of their names, parted by commas. */
export const testedOn: readonly ServerName[] = (process.env['LODE_TEST_ON'] ?? '')
  .split(',')
  .filter((name) => name !== '')
  .map((name) => {
    const known = serverNames.find((one) => one === name);
    if (known === undefined) throw new Error(`LODE_TEST_ON names ${name}, not ${serverNames.join(', ')}`);
    return known;
  });

/** False where the log tells no positions of a stream's events, as EventStoreDB doesn't before its release 22.6. */
export const tellsPositions = !testedOn.includes('eventstore');

/**
 * The text of a command's answer as it is given again under its key. Where the log tells no positions of a stream, that
 * has a later position once the stream has gone on.
 */
export function repeatable({ text }: { readonly text: string }): string {
  return tellsPositions ? text : text.replace(/"position":"[^"]*"/, '"position":"a later one"');
}

const ofFolders = new Map<string, Promise<Servers>>();

/** Has the programs of a data folder stand on servers, which stop with it. */
export function standOn(folder: string, servers: Servers): void {
  ofFolders.set(folder, Promise.resolve(servers));
}

/** `tellsPositions` of the log of a data folder. */
export async function tellsPositionsIn(folder: string): Promise<boolean> {
  return (await serversOf(folder))['EVENTSTORE_URL'] === undefined;
}

/** The servers that belong to a data folder, as what a program is told of them; they are started with its first program. */
export async function serversOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const given = ofFolders.get(folder);
  if (given === undefined && testedOn.length === 0) return {};
  const found = given ?? startServers(testedOn);
  ofFolders.set(folder, found);
  return (await found).env;
}

/** The same as settings. */
export async function serverSettingsOf(
  folder: string,
): Promise<Pick<Settings, 'eventStoreUrl' | 'mongodbUrl' | 'redisUrl' | 's3Url'>> {
  const { eventStoreUrl, mongodbUrl, redisUrl, s3Url } = readSettings(await serversOf(folder));
  return { eventStoreUrl, mongodbUrl, redisUrl, s3Url };
}

/** Where what a program keeps may be: its data folder, and that of the doubles that it stands on. */
export async function placesOf(folder: string): Promise<readonly string[]> {
  const servers = await ofFolders.get(folder);
  return servers === undefined ? [folder] : [folder, servers.folder];
}

/** Stops the servers of a data folder, if it has any. */
export async function stopServersOf(folder: string): Promise<void> {
  const found = ofFolders.get(folder);
  ofFolders.delete(folder);
  await (await found)?.stop();
}

/** True where tests run on one of these servers: those that `what` names are to be skipped then, and the run says so. */
export function notOn(servers: readonly ServerName[], what: string): boolean {
  const inTheWay = servers.find((name) => testedOn.includes(name));
  if (inTheWay !== undefined) process.stderr.write(`not run on ${inTheWay}: ${what}\n`);
  return inTheWay !== undefined;
}
