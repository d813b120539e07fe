import { LodeError } from '#kernel';
import type { Sealing } from './key-ring.js';
import type { Passwords } from './passwords.js';
import type { IdentityStore } from './port.js';
import { createTurns } from './turns.js';

/** Wrong tries after which a pin is locked until it is set anew. */
export const PIN_TRIES_MAX = 5;
const PIN = /^\d{4}$/;

export type TransferPins = {
  /** Gives a person a pin of four digits. Whoever calls has made sure of the person's password. Refuses with `pin_invalid`. */
  readonly set: (userId: string, pin: string) => Promise<void>;
  /**
   * Refuses with `pin_missing` (none was set), `pin_wrong` (details: `triesLeft`), `pin_locked`, `overloaded`. The try is
   * counted before the pin is looked at, so that many at once are no more than `PIN_TRIES_MAX`, and not before there is
   * room to look at it; those of one person are looked at one at a time, so that right ones at once don't count against
   * each other.
   */
  readonly verify: (userId: string, pin: string) => Promise<void>;
  readonly stateOf: (userId: string) => Promise<'missing' | 'set' | 'locked'>;
};

export type TransferPinsParts = {
  readonly store: IdentityStore;
  readonly passwords: Passwords;
  readonly sealing: Pick<Sealing, 'sealHash' | 'openHash'>;
};

/** The four digits by which a customer says that a transfer is theirs. */
export function createTransferPins({ store, passwords, sealing }: TransferPinsParts): TransferPins {
  const inTurn = createTurns('Too many transfers at once. Please try again.');
  const verify = async (userId: string, pin: string, matches: Passwords['matches']): Promise<void> => {
    const attempt = await store.takePinTry(userId, PIN_TRIES_MAX);
    if (attempt.kind === 'missing')
      throw new LodeError('pin_missing', 'Please set a transfer pin in your settings first.');
    if (attempt.kind === 'locked') throw locked();
    const hash = sealing.openHash('transfer pin', userId, attempt.hash);
    if (await matches(hash, pin)) await store.restorePinTries(userId, attempt.hash);
    else if (attempt.triesLeft === 0) throw locked();
    else
      throw new LodeError('pin_wrong', `Wrong transfer pin. Tries left: ${attempt.triesLeft}.`, {
        triesLeft: attempt.triesLeft,
      });
  };
  return {
    set: async (userId, pin) => {
      if (!PIN.test(pin)) throw new LodeError('pin_invalid', 'A transfer pin has 4 digits.');
      await store.putPin(userId, sealing.sealHash('transfer pin', userId, await passwords.hash(pin)));
    },
    verify: (userId, pin) =>
      inTurn(userId, () => passwords.inTurn((matches) => verify(userId, pin, matches))),
    stateOf: async (userId) => {
      const tries = await store.pinTriesOf(userId);
      if (tries === undefined) return 'missing';
      return tries >= PIN_TRIES_MAX ? 'locked' : 'set';
    },
  };
}

function locked(): LodeError {
  const message = 'Your transfer pin is locked. Please set a new one in your settings.';
  return new LodeError('pin_locked', message, { triesLeft: 0 });
}
