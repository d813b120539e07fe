import type { EventStore } from '#event-store';
import type { FileStore } from '#files';
import { damagedRowIn, type IdentityStore, type PersonRecord } from '#identity';
import { LodeError } from '#kernel';
import { accountStream } from '#ledger';

/** People of a store that is nobody's yet that are looked for in the log, at most. */
const LOOKED_FOR = 100;
/** Records read at a time, and pages of them at most: a record can also be of a message. */
const PAGE = 500;
const PAGES_MAX = 20;

type Claimed = { readonly identity: IdentityStore; readonly files: FileStore };

/**
 * Makes sure that the stores are of this platform, before anything is written to them. Refuses, with `storage_failed`,
 * identities or files of another one, and such as are nobody's yet but of people whom the log doesn't know. A log whose
 * platform is not founded yet says nothing of them: the next start does.
 */
export async function claimStores(
  { identity, files }: Claimed,
  log: Pick<EventStore, 'readStreams'>,
  platformId: string | undefined,
): Promise<void> {
  if (platformId === undefined) return;
  if ((await identity.platform()) === undefined)
    await refuseStrangers('The identity store', await somePeople(identity), log);
  if ((await files.platform()) === undefined)
    await refuseStrangers('The store of uploaded files', await someOwners(files), log);
  await identity.claim(platformId);
  await files.claim(platformId);
}

/** One person whom the log knows is enough: a store may be newer than the log, after a restore. */
async function refuseStrangers(
  store: string,
  userIds: readonly string[],
  log: Pick<EventStore, 'readStreams'>,
): Promise<void> {
  if (userIds.length === 0) return;
  const streams = await log.readStreams(userIds.map(accountStream), 1);
  if (streams.some((events) => events.length > 0)) return;
  throw new LodeError(
    'storage_failed',
    `${store} is of no platform yet, and the log knows none of the people in it (${userIds[0]} and others): they are of different platforms. Give Lode the two that belong together, by LODE_DATA, EVENTSTORE_URL, MONGODB_URL and S3_URL.`,
  );
}

/** People who have had an account: it is written to the log before they can sign in. */
async function somePeople(identity: IdentityStore): Promise<readonly string[]> {
  const found: string[] = [];
  let after = '';
  for (let pages = 0; pages < PAGES_MAX && found.length < LOOKED_FOR; pages++) {
    const { people, next } = await pageBehind(identity, after, PAGE);
    for (const { userId, credential } of people)
      if (credential !== undefined && credential.state !== 'reserved') found.push(userId);
    if (next === undefined) break;
    after = next;
  }
  return found.slice(0, LOOKED_FOR);
}

type Page = { readonly people: readonly PersonRecord[]; readonly next: string | undefined };

/** A page of records, and where it goes on; where one of them is damaged, which is told elsewhere, that of one or none. */
async function pageBehind(identity: IdentityStore, after: string, limit: number): Promise<Page> {
  try {
    const people = await identity.people(after, limit);
    return { people, next: people.length < limit ? undefined : people.at(-1)?.userId };
  } catch (error) {
    const damaged = damagedRowIn(error);
    if (damaged === undefined) throw error;
    return limit > 1 ? pageBehind(identity, after, 1) : { people: [], next: damaged.id };
  }
}

async function someOwners(files: FileStore): Promise<readonly string[]> {
  const page = await files.list({ limit: LOOKED_FOR });
  return [...new Set(page.map(({ ownerId }) => ownerId))];
}
