import type { EventStore } from '#event-store';
import type { FileStore } from '#files';
import type { IdentityStore } from '#identity';
import { LodeError, pause, systemTimers, withoutUserInfo } from '#kernel';
import type { Lease, Leases } from '#leases';
import type { StoredReactor } from '#reactors';
import { opening, type Closing } from './closing.js';
import { refuseMismatch } from './consistency.js';
import type { Engines, EngineSettings } from './engines.js';
import { openFiles } from './files.js';
import { headKeeper } from './heads.js';
import { identityOf } from './identity.js';
import { refuseLeftBehind } from './left-behind.js';
import { logOf } from './log.js';
import { modelsOf } from './models.js';
import { keepProgram, refuseNewer } from './newer.js';
import { takeFolder } from './shown-settings.js';
import { SETTLE_MS } from './still-here.js';
import { openProcesses, readProcesses } from './processes.js';
import { projectorSeats, REACTORS, takeTurn } from './turns.js';

/** The engines of a deployment whose data is copied, or that gets the copy; no program runs on them. */
export type CopyEngines = {
  /** Where they are, as it may be shown. */
  readonly where: string;
  readonly logId: string;
  /** Programs that were not met may be at work here all the same: there is nothing that keeps them away but the log's header. */
  readonly isShared: boolean;
  /** Resolves when nothing is acknowledged any more by a program that has not seen the log's header as it was at the call. */
  readonly settle: () => Promise<void>;
  readonly events: EventStore;
  readonly identity: IdentityStore;
  /** Keeps how far log and identities have come, whatever was kept before. */
  readonly keepHead: () => Promise<void>;
  readonly files: FileStore;
  /** How far reactors are, and what they owe. */
  readonly reactors: () => Promise<readonly StoredReactor[]>;
  /** Where reactors will begin. */
  readonly checkpoints: ReturnType<Engines['openCheckpoints']>;
  readonly close: () => Promise<void>;
};

/**
 * Opens the engines of a deployment that is copied (`from`) or that gets the copy (`to`), and keeps programs from them.
 * Throws `unavailable` while one runs, and `storage_failed` for a source whose parts don't fit together, and for a target
 * whose folder has what a server is to have. On servers a program can begin meanwhile, or be one that was not met: `settle`.
 */
export function openForCopy(settings: EngineSettings, side: 'from' | 'to'): Promise<CopyEngines> {
  return opening(async (closing) => {
    const [log, identity] = [logOf(settings), identityOf(settings)];
    const { headTolerance } = settings;
    const engines = { log, identity, models: modelsOf(settings), headTolerance };
    // Before the lock, which makes the folder.
    if (side === 'from' && !(await log.isThere()))
      throw new LodeError(
        'unavailable',
        `There is no log in ${whereOf(settings)}: there is nothing to copy.`,
      );
    closing.add((await takeFolder(settings.dataFolder)).release);
    if (side === 'to') refuseLeftBehind(settings);
    const { events } = await log.open();
    closing.add(() => events.close());
    await refuseNewer(events, log);
    if (side === 'from') await refuseMismatch(engines, events);
    const people = await identity.open();
    closing.add(() => people.close());
    const files = await openFiles(settings, closing, () => undefined);
    const { logId } = await events.ensureHeader();
    await keepProgram(events, log);
    const processes = await openProcesses(settings, logId, { closing, tell: () => undefined });
    for (const seat of projectorSeats(engines.models.lanes)) await takeUntil(closing, processes.leases, seat);
    const lease = await takeUntil(closing, processes.leases, REACTORS);
    return {
      where: whereOf(settings),
      logId,
      isShared: log.isShared,
      settle: log.isShared ? () => pause(systemTimers, SETTLE_MS) : async () => undefined,
      events,
      identity: people,
      keepHead: () => headKeeper(events, people)(true),
      files,
      reactors: async () => (await readProcesses(settings, log))?.reactors ?? [],
      checkpoints: processes.openCheckpoints(lease),
      close: closing.run,
    };
  });
}

/** Takes a lease until `closing`. Refuses with `unavailable` while a program has it. */
async function takeUntil(closing: Closing, leases: Pick<Leases, 'acquire'>, name: string): Promise<Lease> {
  const turn = await takeTurn(leases, name);
  if (turn === undefined)
    throw new LodeError(
      'unavailable',
      'A program runs on these servers, or ended a moment ago: stop it first.',
    );
  closing.add(turn.release);
  return turn.lease;
}

/** Where the engines are, without names and passwords. */
function whereOf({ dataFolder, eventStoreUrl, mongodbUrl, s3Url }: EngineSettings): string {
  const servers = [eventStoreUrl, mongodbUrl, s3Url].filter((url) => url !== undefined).map(withoutUserInfo);
  return servers.length === 3 ? servers.join(', ') : [dataFolder, ...servers].join(', ');
}
