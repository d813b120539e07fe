import type { Identity, PasskeyAssertion, PasskeyPurpose, SecondFactorProof } from '#identity';
import { LodeError } from '#kernel';
import type { CallerContext } from './context.js';
import {
  confirmPasskey,
  confirmPassword,
  confirmSecondFactor,
  confirmTransferPin,
  type GuessingDependencies,
} from './guessing.js';

/** What whoever is signed in proves with that it is they who ask: whoever stole an access token has none of it. */
export type Proof = {
  readonly pin?: string | undefined;
  readonly password?: string | undefined;
  /** Of the second factor. */
  readonly code?: string | undefined;
  /** What a passkey signed for it, which proves it alone: the person was verified where it was signed. */
  readonly passkey?: PasskeyAssertion | undefined;
};

type Requirement = {
  /** Each of these proves it, as a passkey does. */
  readonly oneOf: readonly ('pin' | 'password')[];
  /** What is taken as a code, which whoever has a second factor and shows no passkey is asked for as well. */
  readonly codes?: readonly SecondFactorProof[];
  /** Whether a code proves it alone. */
  readonly isCodeEnough?: boolean;
};

/**
 * What is asked for again, and what proves it. What guards the account is never changed by the pin alone. A recovery code
 * stands for a telephone that is gone: it takes the second factor off, which makes money wait, and changes nothing else.
 */
const requirements = {
  transfer: { oneOf: ['pin'] },
  withdrawal: { oneOf: ['pin', 'password'] },
  security: { oneOf: ['password'], codes: ['code'] },
  'second factor': { oneOf: ['password'], codes: ['code', 'recovery code'] },
  'step-up': { oneOf: ['password'], codes: ['code'], isCodeEnough: true },
} as const satisfies Readonly<Record<PasskeyPurpose, Requirement>>;
type Guarded = PasskeyPurpose;

/** What proofs are looked at with. */
export type ProofDependencies = GuessingDependencies & {
  readonly identity: {
    readonly secondFactors: Pick<Identity['secondFactors'], 'isOn'>;
    readonly passkeys: Pick<Identity['passkeys'], 'verify'>;
  };
};
type Check = (dependencies: ProofDependencies, caller: CallerContext, given: string) => Promise<void>;
const checks: Readonly<Record<Requirement['oneOf'][number], Check>> = {
  pin: confirmTransferPin,
  password: confirmPassword,
};

const words: Readonly<Record<Guarded, string>> = {
  transfer: 'Please enter your transfer pin or use your passkey.',
  withdrawal: 'Please enter your transfer pin or your password, or use your passkey.',
  security: 'Please enter your password or use your passkey.',
  'second factor': 'Please use your passkey, or enter your password and a code.',
  'step-up':
    'Please use your passkey or a code of your authenticator app, or your password if you have neither.',
};
const CODE_MISSING = 'Please use your passkey or a code of your authenticator app.';

/**
 * Asks the caller to prove again that it is they who ask; all that is given must be right. Refuses with `proof_missing`
 * what comes without; wrong passwords count as at a sign-in (`invalid_credentials`, `too_many_attempts`), wrong pins as
 * tries of the pin (`pin_missing`, `pin_wrong`, `pin_locked`), wrong codes as at the second step of a sign-in
 * (`second_factor_wrong`, `second_factor_missing`, `too_many_attempts`). What works once is looked at last, when the rest is right:
 * a code, and what a passkey signed, which counts as no attempt (`passkey_refused`, `passkey_missing`, `challenge_invalid`,
 * `passkeys_unavailable`).
 */
export async function requireProof(
  dependencies: ProofDependencies,
  caller: CallerContext,
  guarded: Guarded,
  proof: Proof = {},
): Promise<void> {
  const { oneOf, codes, isCodeEnough = false }: Requirement = requirements[guarded];
  const { code, passkey } = proof;
  const given = oneOf.filter((kind) => proof[kind] !== undefined);
  const isProvedByCode = isCodeEnough && code !== undefined;
  if (given.length === 0 && passkey === undefined && !isProvedByCode)
    throw new LodeError('proof_missing', words[guarded]);
  const { secondFactors, passkeys } = dependencies.identity;
  const { actor, client } = caller;
  const isCodeAsked = codes !== undefined && code === undefined && passkey === undefined;
  if (isCodeAsked && (await secondFactors.isOn(actor.id))) throw new LodeError('proof_missing', CODE_MISSING);
  for (const kind of given) await checks[kind](dependencies, caller, proof[kind] ?? '');
  if (codes !== undefined && code !== undefined)
    await confirmSecondFactor(dependencies, actor, client, code, codes);
  if (passkey !== undefined)
    await confirmPasskey(dependencies, actor.id, client, () => passkeys.verify(actor.id, guarded, passkey));
}
