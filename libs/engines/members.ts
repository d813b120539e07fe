import type { EventKinds, ReadByAll } from '#event-store';
import { systemMonotonic } from '#kernel';
import { memberLimits, type Member, type Membership } from '#membership';
import type { Build } from '#read-store';
import type { EngineSettings, JoinedEngines } from './engines.js';
import { mongoAt } from './servers.js';

/** For how long it is remembered who was there, in milliseconds: about as long as it takes others to see that one has gone. */
const REMEMBERED_MS = memberLimits.ttlMs / 3;

/** How long an answer may take, in milliseconds: the first event of a kind waits for it. */
const ANSWER_MS = 5_000;

type Shared = Pick<EngineSettings, 'eventStoreUrl' | 'mongodbUrl' | 'selectMs'>;

/** The way to ask what the programs that are there read, on one connection. */
export type ReadersOfKinds = { readonly readByAll: ReadByAll; readonly close: () => Promise<void> };

/** What the programs that are there read of some kinds of events; undefined where there can be no other program. */
export function readersOn(settings: Shared): ReadersOfKinds | undefined {
  const others = membersOn(settings);
  return (
    others && { readByAll: async (kinds) => lowered(kinds, await others.members()), close: others.close }
  );
}

/** Of each kind the newest version that all of these read, if any. */
export function lowered(kinds: EventKinds, members: readonly Pick<Member, 'kinds'>[]): EventKinds {
  const told = members.map((member) => member.kinds).filter((one) => one !== undefined);
  const readBy = (type: string) => told.map((one) => one[type] ?? 0);
  return Object.fromEntries(
    Object.entries(kinds)
      .map(([type, version]) => [type, Math.min(version, ...readBy(type))] as const)
      .filter(([, version]) => version > 0),
  );
}

/** Whether all programs that are there make a version of a read model. It is asked seldom: the connection is closed after each time. */
export function mayActivateOf(settings: Shared): JoinedEngines['mayActivate'] {
  const others = membersOn(settings);
  return others === undefined
    ? async () => true
    : mayActivateBy(() => others.members().finally(others.close));
}

/**
 * Whether all programs that are there make this version of a read model: queries of another one would misread it. Asked again and
 * again while one is there that does not, which is remembered for a moment; that all do is asked anew each time.
 */
export function mayActivateBy(
  members: () => Promise<readonly Pick<Member, 'models'>[]>,
  monotonic = systemMonotonic,
): JoinedEngines['mayActivate'] {
  let last: { readonly at: number; readonly members: readonly Pick<Member, 'models'>[] } | undefined;
  return async (build) => {
    const isRecent = last !== undefined && monotonic() - last.at <= REMEMBERED_MS;
    if (isRecent && !allMake(build, last?.members ?? [])) return false;
    last = { members: await members(), at: monotonic() };
    return allMake(build, last.members);
  };
}

/** Whether all of these that know a read model make it in the version of a build. */
export function allMake({ collection, version }: Build, members: readonly Pick<Member, 'models'>[]): boolean {
  return members.every(({ models }) => (models[collection] ?? version) === version);
}

/** The way to ask who is there, by any thread: it is connected by the first question, and after `close` by the next. */
function membersOn(
  settings: Shared,
): { readonly members: Membership['members']; readonly close: () => Promise<void> } | undefined {
  const { eventStoreUrl, mongodbUrl } = settings;
  if (eventStoreUrl === undefined || mongodbUrl === undefined) return undefined;
  let opened: ReturnType<typeof openMembership> | undefined;
  const close = async () => {
    const last = opened;
    opened = undefined;
    await last?.then((membership) => membership.close());
  };
  return {
    members: async () => {
      opened ??= openMembership(mongodbUrl, settings);
      try {
        return await (await opened).members();
      } catch (error) {
        await close().catch(() => undefined);
        throw error;
      }
    },
    close,
  };
}

async function openMembership(mongodbUrl: string, settings: Shared) {
  const { openMongoMembership } = await import('#membership/mongodb');
  return openMongoMembership({ ...mongoAt(mongodbUrl, settings), answerMs: ANSWER_MS });
}
