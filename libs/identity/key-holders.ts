import { LodeError, repeatEvery, type Timers } from '#kernel';

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

/**
 * Joins those who are at work on a store, until it is left. Refuses with `not_permitted` where one of them could not read
 * what another one seals, or seals with another key than a rewrap: each says what it has before it looks at the others, so
 * that of two who don't fit one at least is refused.
 */
export async function joinKeyHolders(
  holders: KeyHolders,
  me: KeyHolder,
  timers: Timers,
): Promise<{ readonly leave: () => Promise<void> }> {
  await holders.hold(me);
  let saying: Promise<void> | undefined;
  const cancel = repeatEvery(timers, SAID_MS, () => {
    // While the store is away nobody works on it; the next time says it again.
    saying ??= holders
      .hold(me)
      .catch(() => undefined)
      .finally(() => (saying = undefined));
  });
  const leave = async () => {
    cancel();
    const givenUp = Promise.withResolvers<void>();
    const cancelWait = timers.after(LEAVING_MS, givenUp.resolve);
    // Whoever can't say that it ends is forgotten by and by.
    const left = Promise.resolve(saying)
      .then(() => holders.letGo(me.name))
      .catch(() => undefined);
    await Promise.race([left, givenUp.promise]);
    cancelWait();
  };
  try {
    for (const other of await holders.others(me.name)) refuseMisfit(me, other);
  } catch (error) {
    await leave();
    throw error;
  }
  return { leave };
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
