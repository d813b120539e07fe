import { atMost, hasCode, isLodeError, LodeError, repeatEvery, type Timers } from '#kernel';
import type { IdentityStore } from './port.js';

/** A program, or a command, on a store that several share. */
export type KeyHolder = {
  readonly name: string;
  /** Where it is, for people. */
  readonly where: string;
  /** The ids of the keys outside the store that it has; it seals with the first. */
  readonly keys: readonly string[];
  /** It seals everything that is there with its first key. */
  readonly rewraps: boolean;
};

/** Who is at work on a store that several share, with which keys. */
export interface KeyHolders {
  /** Says so of oneself, until `letGo` or for `KEYS_HELD_MS` by the store's own clock. */
  hold(holder: KeyHolder): Promise<void>;
  /** Says it once more. False, and nothing is said, for one whose time is over: others may have come since. */
  prolong(name: string): Promise<boolean>;
  /** All that said so, but for the one of this name. */
  others(name: string): Promise<readonly KeyHolder[]>;
  letGo(name: string): Promise<void>;
}

/** Whoever has said nothing for so long has ended; milliseconds. */
export const KEYS_HELD_MS = 30_000;
/** How often it is said again, in milliseconds. */
const SAID_MS = 5_000;
/** How long whoever ends waits to have said that, in milliseconds: a server may say nothing. */
const LEAVING_MS = 1_000;

/** A place among those who are at work on a store. */
export type KeysHeld = {
  /**
   * Makes sure that whoever is asked for still is at work, by the store's own clock: to be asked before anything is sealed.
   * One that was paused or cut off for so long that others took it for ended joins them again. Rejects with `unavailable`,
   * from then on, where it does not fit any more.
   */
  readonly confirm: () => Promise<void>;
  /** The same, and looks at the others again. */
  readonly confirmAmongOthers: () => Promise<void>;
  readonly leave: () => Promise<void>;
};

/**
 * Joins those who are at work on a store, until it is left. Refuses with `not_permitted` where one of them could not read
 * what another one seals, or seals with another key than a rewrap: each says what it has before it looks at the others, so
 * that of two who don't fit one at least is refused. `requireKeys` refuses where the store is sealed with other keys by the
 * time that one joins it again.
 */
export async function joinKeyHolders(
  holders: KeyHolders,
  me: KeyHolder,
  { requireKeys, timers }: { readonly requireKeys: () => Promise<void>; readonly timers: Timers },
): Promise<KeysHeld> {
  const look = async () => {
    for (const other of await holders.others(me.name)) refuseMisfit(me, other);
  };
  const letGo = () => atMost(timers, LEAVING_MS, holders.letGo(me.name));
  let refused: LodeError | undefined;
  let isIn = true;
  const stay = async () => {
    if (refused !== undefined) throw refused;
    isIn &&= await holders.prolong(me.name);
    if (isIn) return;
    try {
      // What it has sealed since would be missed by a rewrap that others have seen to their end.
      if (me.rewraps)
        throw new LodeError('not_permitted', 'Give the command again: others may have come and gone.');
      await holders.hold(me);
      await look();
      await requireKeys();
      isIn = true;
    } catch (error) {
      // The next time tries again where the store was away.
      if (!isLodeError(error) || error.code !== 'not_permitted') throw error;
      refused = noMore(error);
      await letGo();
      throw refused;
    }
  };
  const { ask: confirm, isUnderWay, ended } = onceForAll(stay);
  // While the store is away nobody works on it; the next time says it again.
  const cancel = repeatEvery(timers, SAID_MS, () => isUnderWay() || void confirm().catch(() => undefined));
  const leave = async () => {
    cancel();
    // Whoever can't say that it ends is forgotten by and by.
    await atMost(timers, LEAVING_MS, ended().then(letGo));
  };
  try {
    await holders.hold(me);
    await look();
  } catch (error) {
    await leave();
    throw error;
  }
  return { confirm, confirmAmongOthers: () => confirm().then(look), leave };
}

/** Does some work for whoever asks: once for all who ask before it begins, and never twice at a time. */
function onceForAll(work: () => Promise<void>) {
  let next: Promise<void> | undefined;
  let underWay: Promise<void> | undefined;
  const begin = async () => {
    await underWay?.catch(() => undefined);
    next = undefined;
    underWay = work().finally(() => (underWay = undefined));
    await underWay;
  };
  return {
    ask: () => (next ??= begin()),
    isUnderWay: () => underWay !== undefined,
    ended: () => Promise.allSettled([next ?? underWay]),
  };
}

/**
 * The store of somebody who seals: each write that takes something sealed is made only once `held` confirms it. Of a pause
 * that falls between the two nobody knows.
 */
export function sealingWhileHeld(store: IdentityStore, held: KeysHeld): IdentityStore {
  const confirmed = async <T>(write: () => Promise<T>, confirm = held.confirm): Promise<T> => {
    await confirm().catch((error: unknown) => {
      // Whatever became of that, nothing of the write was sent.
      throw hasCode(error, 'unknown_outcome') ? notConfirmed(error) : error;
    });
    return write();
  };
  return {
    ...store,
    reserve: (...given) => confirmed(() => store.reserve(...given)),
    takeOver: (...given) => confirmed(() => store.takeOver(...given)),
    setPassword: (...given) => confirmed(() => store.setPassword(...given)),
    changePassword: (...given) => confirmed(() => store.changePassword(...given)),
    putPin: (...given) => confirmed(() => store.putPin(...given)),
    createPersonKey: (...given) => confirmed(() => store.createPersonKey(...given)),
    putPerson: (...given) => confirmed(() => store.putPerson(...given)),
    renewSecrets: (...given) => confirmed(() => store.renewSecrets(...given)),
    keepSealKeys: (...given) => confirmed(() => store.keepSealKeys(...given), held.confirmAmongOthers),
    tryChange: () => confirmed(store.tryChange),
  };
}

function notConfirmed(cause: unknown): LodeError {
  const message = 'The identity store did not say whether others are at work on it with other keys.';
  return new LodeError('unavailable', message, {}, { cause });
}

function noMore(why: LodeError): LodeError {
  const seconds = KEYS_HELD_MS / 1_000;
  const message = `Lode said nothing to the identity store for ${seconds} seconds and was taken for ended, so it wraps nothing any more until it is started again. ${why.message}`;
  return new LodeError('unavailable', message, {}, { cause: why });
}

function refuseMisfit(me: KeyHolder, other: KeyHolder): void {
  const [mine, theirs] = [me.keys[0], other.keys[0]];
  const seen = `Lode at work on the same identities, ${other.where},`;
  const todo = `If it has ended without a word, that is known in ${KEYS_HELD_MS / 1_000} seconds. See docs/how-to/keys.md.`;
  const refuse = (what: string) => new LodeError('not_permitted', `${seen} ${what} ${todo}`);
  if (mine !== undefined && !other.keys.includes(mine))
    throw refuse(
      `does not have the key ${mine}, and could not read what is wrapped with it: put that into its file below the first, and start it again.`,
    );
  if (theirs !== undefined && !me.keys.includes(theirs))
    throw refuse(`wraps with the key ${theirs}, which LODE_KEY_FILE does not have here.`);
  if (me.rewraps && mine !== theirs)
    throw refuse(`wraps with another key: start it again with ${String(mine)} first in its file.`);
  if (other.rewraps && mine !== theirs)
    throw refuse(
      `wraps everything with the key ${String(theirs)}: put that first in LODE_KEY_FILE, or wait.`,
    );
}
