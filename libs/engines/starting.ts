import { pause, systemTimers, type Timers } from '#kernel';
import type { Leases } from '#leases';
import { opening, type Closing } from './closing.js';
import type { EngineSettings, Tell } from './engines.js';
import { isAllOnServers, mongoAt } from './servers.js';
import { takeTurn } from './turns.js';

/** The lease of whoever opens the stores. */
const STARTING = 'starting';
/** Between two looks whether it is free, in milliseconds, and after how many of them it is said what is waited for. */
const LOOK_MS = 100;
const TOLD_AFTER = 100;

type Waiting = {
  readonly leases: Pick<Leases, 'acquire'>;
  /** Hears when that takes long. */
  readonly tell: Tell;
  readonly timers: Pick<Timers, 'after'>;
};

/**
 * Opens the stores while no other program does that shares the servers: of the first ones on empty servers one makes what
 * belongs together, and the others find all of it. Where a folder has a part of it, its lock keeps others away. What is opened
 * is closed with `closing`.
 *
 * Throws what `open` throws, and `unavailable` when MongoDB can't be reached.
 */
export async function openInTurn<Opened>(
  settings: EngineSettings,
  { holder, closing, tell }: { readonly holder: string; readonly closing: Closing; readonly tell: Tell },
  open: (closing: Closing) => Promise<Opened>,
): Promise<Opened> {
  const { mongodbUrl } = settings;
  if (mongodbUrl === undefined || !isAllOnServers(settings)) return open(closing);
  const { openMongoLeases } = await import('#leases/mongodb');
  const leases = await openMongoLeases({ ...mongoAt(mongodbUrl, settings), holder });
  try {
    return await inTurn({ leases, tell, timers: systemTimers }, () =>
      opening(async (own) => {
        const opened = await open(own);
        closing.add(own.run);
        return opened;
      }),
    );
  } finally {
    await leases.close();
  }
}

/**
 * Waits for its turn, for as long as others have it, as who is dead has it for seconds at most; then opens. What fails after
 * another program took the turn away, from one that stood still, is opened again in the next one: it met stores half made.
 */
export async function inTurn<Opened>(
  { leases, tell, timers }: Waiting,
  open: () => Promise<Opened>,
): Promise<Opened> {
  for (let looks = 1; ; looks++) {
    const turn = await takeTurn(leases, STARTING);
    if (turn !== undefined) {
      try {
        return await open();
      } catch (error) {
        if (await turn.lease.renew().catch(() => true)) throw error;
      } finally {
        await turn.release();
      }
    }
    if (looks === TOLD_AFTER) tell('Another program opens the same servers: this one waits for it.');
    await pause(timers, LOOK_MS);
  }
}
