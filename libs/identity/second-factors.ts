import { LodeError, sha256, type Random } from '#kernel';
import {
  appInUse,
  areOn,
  changeFactors,
  dropFactors,
  epochOf,
  NO_FACTORS,
  readFactors,
  type Factors,
  type FactorsParts,
} from './factors.js';
import { base32, stepOf } from './totp.js';

/** Recovery codes that a person is given together. */
export const RECOVERY_CODES = 10;
/** As long as what HMAC-SHA-1 gives (RFC 4226, section 4). */
const SECRET_BYTES = 20;
/** 80 bits, in sixteen letters. */
const RECOVERY_BYTES = 10;
/** How long a new secret can be confirmed, in milliseconds: whoever saw it has no use of it later. */
export const SECOND_FACTOR_SETUP_MS = 10 * 60_000;
const CODE = /^\d{6}$/;

/** What somebody showed: the code of the app, or one of the recovery codes, which is then used up. */
export type SecondFactorProof = 'code' | 'recovery code';

export type SecondFactorState = {
  /** There is an app that was confirmed, or a passkey. */
  readonly isOn: boolean;
  /** There is an app that was confirmed. */
  readonly hasApp: boolean;
  /** Recovery codes that were not used yet. */
  readonly recoveryCodesLeft: number;
};

/** What a person shows at sign-in beside the password: codes of an authenticator app, recovery codes, or a passkey. */
export type SecondFactors = {
  readonly stateOf: (userId: string) => Promise<SecondFactorState>;
  /** Whether a session needs one. It is on as well where it can't be read: then nobody gets in by the password alone. */
  readonly isOn: (userId: string) => Promise<boolean>;
  /** Tells one that is on from those of before and after; undefined where none is. */
  readonly stampOf: (userId: string) => Promise<string | undefined>;
  /**
   * A new secret for the person's app, in the place of one that was not confirmed. It can be confirmed for
   * `SECOND_FACTOR_SETUP_MS`, with the password of now. Whoever calls has made sure of the person. Refuses with `second_factor_on`, `account_not_found`.
   */
  readonly begin: (userId: string) => Promise<string>;
  /**
   * Puts the app in use by a first code, and gives the recovery codes, of which only the hashes are kept; none to whoever has
   * some by a passkey. All sessions end by the same write, but for `except`. Refuses with `second_factor_wrong`, `second_factor_on`,
   * `second_factor_missing`.
   */
  readonly confirm: (userId: string, code: string, except?: string) => Promise<readonly string[]>;
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
  /** Takes the app away, and the recovery codes where nothing else is left. True when one was in use. */
  readonly removeApp: (userId: string) => Promise<boolean>;
  /** Takes all away; true when there was one that was on. Needs no key: it can be taken off whatever became of what it was. */
  readonly remove: (userId: string) => Promise<boolean>;
};

/** The second factors of people, over the store. */
export function createSecondFactors(parts: FactorsParts): SecondFactors {
  const { store, clock } = parts;

  return {
    stateOf: async (userId) => {
      const { factors } = await readFactors(parts, userId);
      const hasApp = appInUse(factors) !== undefined;
      return { isOn: areOn(factors), hasApp, recoveryCodesLeft: factors.recovery.length };
    },
    isOn: async (userId) => (await store.secondFactorOf(userId))?.isOn === true,
    stampOf: async (userId) => {
      const row = await store.secondFactorOf(userId);
      return row?.isOn === true ? row.stamp : undefined;
    },
    ...setupPart(parts),
    verify: (userId, given, taken = ['code', 'recovery code']) =>
      changeFactors<SecondFactorProof>(parts, userId, (factors) => {
        if (!areOn(factors)) throw missing();
        const code = plainCode(given);
        if (!CODE.test(code)) {
          if (!taken.includes('recovery code')) throw notOfTheApp();
          const recovery = factors.recovery.filter((one) => one !== sha256(code));
          if (recovery.length === factors.recovery.length) throw wrong();
          return { next: { ...factors, recovery }, result: 'recovery code' };
        }
        const app = appInUse(factors);
        const step = app && stepOf(app.secret, code, clock(), app.lastStep);
        if (app === undefined || step === undefined) throw wrong();
        return { next: { ...factors, app: { ...app, lastStep: step } }, result: 'code' };
      }),
    renewCodes: (userId) =>
      changeFactors(parts, userId, (factors) => {
        if (!areOn(factors)) throw missing();
        const { codes, recovery } = drawCodes(parts.random);
        return { next: { ...factors, recovery }, result: codes };
      }),
    removeApp: (userId) =>
      changeFactors(parts, userId, ({ app, ...others }) => ({
        next: areOn(others) ? others : undefined,
        result: appInUse({ ...NO_FACTORS, ...(app && { app }) }) !== undefined,
      })),
    remove: (userId) => dropFactors(parts, userId),
  };
}

/** What puts an app in use: a secret, and the first code that confirms it. */
function setupPart(parts: FactorsParts): Pick<SecondFactors, 'begin' | 'confirm'> {
  const { clock, random } = parts;
  return {
    begin: async (userId) => {
      const epoch = await epochOf(parts, userId);
      return changeFactors(parts, userId, (factors) => {
        if (appInUse(factors) !== undefined) throw alreadyOn();
        const secret = random(SECRET_BYTES);
        const app = { secret, lastStep: 0, setup: { begunAt: clock(), epoch } };
        return { next: { ...factors, app }, result: base32(secret) };
      });
    },
    confirm: async (userId, code, except) => {
      const epoch = await epochOf(parts, userId);
      return changeFactors(parts, userId, (factors) => {
        const { app } = factors;
        if (app === undefined) throw missing();
        const { secret, setup } = app;
        if (setup === undefined) throw alreadyOn();
        if (setup.epoch !== epoch || clock() - setup.begunAt >= SECOND_FACTOR_SETUP_MS) throw setupOver();
        const step = stepOf(secret, plainCode(code), clock(), app.lastStep);
        if (step === undefined) throw wrong();
        const { codes, recovery } = firstCodes(factors, random);
        // A passkey that was begun without a factor is not to be ended where there is one: anybody may have begun it.
        const challenges = areOn(factors) ? factors.challenges : [];
        const inUse = { secret, lastStep: step };
        return { next: { ...factors, app: inUse, recovery, challenges }, ends: { except }, result: codes };
      });
    },
  };
}

/** New recovery codes, and what is kept of them. */
function drawCodes(random: Random): {
  readonly codes: readonly string[];
  readonly recovery: readonly string[];
} {
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(random));
  return { codes, recovery: codes.map((code) => sha256(plainCode(code))) };
}

/** The recovery codes that come with a first factor; whoever has one already keeps theirs. */
export function firstCodes(factors: Factors, random: Random): ReturnType<typeof drawCodes> {
  return areOn(factors) ? { codes: [], recovery: factors.recovery } : drawCodes(random);
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
  return new LodeError('second_factor_on', 'An authenticator app is in use already.');
}
