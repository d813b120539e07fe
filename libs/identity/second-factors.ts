import {
  accountNotFound,
  invariant,
  LodeError,
  randomSecret,
  sha256,
  type Clock,
  type Random,
} from '#kernel';
import type { PersonKeys } from './person-keys.js';
import { FORGOTTEN, type PersonalData } from './personal-data.js';
import type { IdentityStore, SecondFactorRow } from './port.js';
import { base32, stepOf } from './totp.js';

/** Recovery codes that a person is given together. */
export const RECOVERY_CODES = 10;
/** As long as what HMAC-SHA-1 gives (RFC 4226, section 4). */
const SECRET_BYTES = 20;
/** 80 bits, in sixteen letters. */
const RECOVERY_BYTES = 10;
/** How long a new secret can be confirmed, in milliseconds: whoever saw it has no use of it later. */
export const SECOND_FACTOR_SETUP_MS = 10 * 60_000;
/** How often a change is made again because another one came between. */
const TRIES_MAX = 8;
const CODE = /^\d{6}$/;

/** What somebody showed: the code of the app, or one of the recovery codes, which is then used up. */
export type SecondFactorProof = 'code' | 'recovery code';

export type SecondFactorState = {
  readonly isOn: boolean;
  /** Recovery codes that were not used yet. */
  readonly recoveryCodesLeft: number;
};

/** What a person shows at sign-in beside the password: the codes of an authenticator app, or recovery codes. */
export type SecondFactors = {
  readonly stateOf: (userId: string) => Promise<SecondFactorState>;
  /** Whether a session needs one. It is on as well where it can't be read: then nobody gets in by the password alone. */
  readonly isOn: (userId: string) => Promise<boolean>;
  /** Tells one that is on from those of before and after; undefined where none is. */
  readonly stampOf: (userId: string) => Promise<string | undefined>;
  /**
   * A new secret for the person's app, in the place of one that was not confirmed. It can be confirmed for
   * `SECOND_FACTOR_SETUP_MS`, with the password of now. Whoever calls has made sure of the password. Refuses with `second_factor_on`, `account_not_found`.
   */
  readonly begin: (userId: string) => Promise<string>;
  /**
   * Switches it on by a first code, and gives the recovery codes: only their hashes are kept. Refuses with
   * `second_factor_wrong`, `second_factor_on`, `second_factor_missing`.
   */
  readonly confirm: (userId: string, code: string) => Promise<readonly string[]>;
  /**
   * Refuses with `second_factor_wrong`, `second_factor_missing`. Each code is taken once, also of two at once. Of what is not
   * among `taken` none is used up; left out, both are taken.
   */
  readonly verify: (
    userId: string,
    code: string,
    taken?: readonly SecondFactorProof[],
  ) => Promise<SecondFactorProof>;
  /** New recovery codes; those of before are worth nothing. Refuses with `second_factor_missing`. */
  readonly renewCodes: (userId: string) => Promise<readonly string[]>;
  /** True when there was one that was on. Needs no key: it can be taken off whatever became of what it was. */
  readonly remove: (userId: string) => Promise<boolean>;
};

export type SecondFactorsParts = {
  readonly store: Pick<IdentityStore, 'secondFactorOf' | 'changeSecondFactor' | 'credentialOf'>;
  readonly personKeys: Pick<PersonKeys, 'encryptFor' | 'decryptFor'>;
  readonly clock: Clock;
  readonly random: Random;
};

/** As of when a secret was drawn that no code has confirmed. */
type Setup = {
  /** Milliseconds since the epoch. */
  readonly begunAt: number;
  /** That of the person's credential: a new password makes it another one. */
  readonly epoch: number;
};

/** What is encrypted of a second factor. */
type Factor = {
  readonly secret: Uint8Array;
  /** The step of the last code that was taken. */
  readonly lastStep: number;
  /** Hashes of the recovery codes that were not used. */
  readonly recovery: readonly string[];
  /** Until it is on. */
  readonly setup?: Setup;
};

type Kept = Factor & { readonly row: SecondFactorRow };

/** A next state, and what the caller is told of it. */
type Decision<T> = { readonly next: Factor & { readonly isOn: boolean }; readonly result: T };

/** The second factors of people, over the store. */
export function createSecondFactors(parts: SecondFactorsParts): SecondFactors {
  const { store, clock, random } = parts;

  const drawCodes = () => {
    const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(random));
    return { codes, recovery: codes.map((code) => sha256(plainCode(code))) };
  };

  return {
    stateOf: async (userId) => {
      const kept = await read(parts, userId);
      return kept?.row.isOn === true
        ? { isOn: true, recoveryCodesLeft: kept.recovery.length }
        : { isOn: false, recoveryCodesLeft: 0 };
    },
    isOn: async (userId) => (await store.secondFactorOf(userId))?.isOn === true,
    stampOf: async (userId) => {
      const row = await store.secondFactorOf(userId);
      return row?.isOn === true ? row.stamp : undefined;
    },
    ...setupPart(parts, drawCodes),
    verify: (userId, given, taken = ['code', 'recovery code']) =>
      change<SecondFactorProof>(parts, userId, (kept) => {
        if (kept?.row.isOn !== true) throw missing();
        const { secret, lastStep, recovery } = kept;
        const code = plainCode(given);
        if (!CODE.test(code)) {
          if (!taken.includes('recovery code')) throw notOfTheApp();
          const left = recovery.filter((one) => one !== sha256(code));
          if (left.length === recovery.length) throw wrong();
          return { next: { isOn: true, secret, lastStep, recovery: left }, result: 'recovery code' };
        }
        const step = stepOf(secret, code, clock(), lastStep);
        if (step === undefined) throw wrong();
        return { next: { isOn: true, secret, lastStep: step, recovery }, result: 'code' };
      }),
    renewCodes: (userId) =>
      change(parts, userId, (kept) => {
        if (kept?.row.isOn !== true) throw missing();
        const { codes, recovery } = drawCodes();
        const { secret, lastStep } = kept;
        return { next: { isOn: true, secret, lastStep, recovery }, result: codes };
      }),
    remove: async (userId) => {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const row = await store.secondFactorOf(userId);
        if (row === undefined) return false;
        if (await store.changeSecondFactor(userId, row.stamp, undefined)) return row.isOn;
      }
      throw busy();
    },
  };
}

/** What sets one up: a secret, and the first code that confirms it. */
function setupPart(
  parts: SecondFactorsParts,
  drawCodes: () => { readonly codes: readonly string[]; readonly recovery: readonly string[] },
): Pick<SecondFactors, 'begin' | 'confirm'> {
  const { store, clock, random } = parts;
  const epochOf = async (userId: string) => {
    const row = await store.credentialOf(userId);
    if (row === undefined) throw accountNotFound();
    return row.epoch;
  };

  return {
    begin: async (userId) => {
      const epoch = await epochOf(userId);
      return change(parts, userId, (kept) => {
        if (kept?.row.isOn === true) throw alreadyOn();
        const secret = random(SECRET_BYTES);
        const setup = { begunAt: clock(), epoch };
        return { next: { isOn: false, secret, lastStep: 0, recovery: [], setup }, result: base32(secret) };
      });
    },
    confirm: async (userId, code) => {
      const epoch = await epochOf(userId);
      return change(parts, userId, (kept) => {
        if (kept === undefined) throw missing();
        if (kept.row.isOn) throw alreadyOn();
        const { setup } = kept;
        if (setup?.epoch !== epoch || clock() - setup.begunAt >= SECOND_FACTOR_SETUP_MS) throw setupOver();
        const step = stepOf(kept.secret, plainCode(code), clock(), kept.lastStep);
        if (step === undefined) throw wrong();
        const { codes, recovery } = drawCodes();
        return { next: { isOn: true, secret: kept.secret, lastStep: step, recovery }, result: codes };
      });
    },
  };
}

async function read({ store, personKeys }: SecondFactorsParts, userId: string): Promise<Kept | undefined> {
  const row = await store.secondFactorOf(userId);
  if (row === undefined) return undefined;
  const data = await personKeys.decryptFor(userId, row.sealed);
  if (data === FORGOTTEN) throw accountNotFound();
  return { ...factorFrom(data), row };
}

/** Decides on what is kept, and again when somebody changed it meanwhile: a code that both took is one's alone. */
async function change<T>(
  parts: SecondFactorsParts,
  userId: string,
  decide: (kept: Kept | undefined) => Decision<T>,
): Promise<T> {
  const { store, personKeys, random } = parts;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const kept = await read(parts, userId);
    const { next, result } = decide(kept);
    const { isOn, secret, lastStep, recovery, setup } = next;
    const data = { secret: Buffer.from(secret).toString('base64'), lastStep, recovery, ...setup };
    const sealed = await personKeys.encryptFor(userId, data);
    const row = { isOn, sealed, stamp: randomSecret(random) };
    if (await store.changeSecondFactor(userId, kept?.row.stamp, row)) return result;
  }
  throw busy();
}

function factorFrom({ secret, lastStep, recovery, begunAt, epoch }: PersonalData): Factor {
  invariant(
    typeof secret === 'string' && typeof lastStep === 'number' && Array.isArray(recovery),
    'a second factor has its members',
  );
  const setup = typeof begunAt === 'number' && typeof epoch === 'number' ? { setup: { begunAt, epoch } } : {};
  return { secret: Buffer.from(secret, 'base64'), lastStep, recovery: recovery.map(String), ...setup };
}

/** Sixteen letters and digits, in fours, of which none looks like another. */
function recoveryCode(random: Random): string {
  return (base32(random(RECOVERY_BYTES)).toLowerCase().match(/.{4}/g) ?? []).join('-');
}

/** A code as it is compared, however it was typed. */
function plainCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase();
}

function wrong(): LodeError {
  return new LodeError('second_factor_wrong', 'This code is wrong, too old or was used before.');
}

function notOfTheApp(): LodeError {
  return new LodeError(
    'second_factor_wrong',
    'Please enter the six digits that your authenticator app shows.',
  );
}

function missing(): LodeError {
  return new LodeError('second_factor_missing', 'No second factor is set up.');
}

function setupOver(): LodeError {
  return new LodeError('second_factor_missing', 'This set-up took too long. Please begin it again.');
}

function alreadyOn(): LodeError {
  return new LodeError('second_factor_on', 'The second factor is on already.');
}

function busy(): LodeError {
  return new LodeError('overloaded', 'Too many changes of the second factor at once. Please try again.');
}
