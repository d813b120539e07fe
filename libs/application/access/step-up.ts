import type { Identity, SecondFactorProof } from '#identity';
import { LodeError } from '#kernel';
import type { CallerContext } from './context.js';
import {
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
};

type Requirement = {
  /** Each of these proves it. */
  readonly oneOf: readonly ('pin' | 'password')[];
  /** What is taken as a code, which whoever has a second factor is asked for as well. */
  readonly codes?: readonly SecondFactorProof[];
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
} as const satisfies Readonly<Record<string, Requirement>>;
type Guarded = keyof typeof requirements;

/** What proofs are looked at with. */
export type ProofDependencies = GuessingDependencies & {
  readonly identity: { readonly secondFactors: Pick<Identity['secondFactors'], 'isOn'> };
};
type Check = (dependencies: ProofDependencies, caller: CallerContext, given: string) => Promise<void>;
const checks: Readonly<Record<Requirement['oneOf'][number], Check>> = {
  pin: confirmTransferPin,
  password: confirmPassword,
};

const words: Readonly<Record<Guarded, string>> = {
  transfer: 'Please enter your transfer pin.',
  withdrawal: 'Please enter your transfer pin or your password.',
  security: 'Please enter your password.',
  'second factor': 'Please enter your password and a code.',
};
const CODE_MISSING = 'Please enter a code of your authenticator app.';

/**
 * Asks the caller to prove again that it is they who ask; all that is given must be right. Refuses with `proof_missing`
 * what comes without; wrong passwords count as at a sign-in (`invalid_credentials`, `too_many_attempts`), wrong pins as
 * tries of the pin (`pin_missing`, `pin_wrong`, `pin_locked`), wrong codes as at the second step of a sign-in
 * (`second_factor_wrong`, `second_factor_missing`, `too_many_attempts`). A code is looked at last, once the rest is right.
 */
export async function requireProof(
  dependencies: ProofDependencies,
  caller: CallerContext,
  guarded: Guarded,
  proof: Proof = {},
): Promise<void> {
  const { oneOf, codes }: Requirement = requirements[guarded];
  const { code } = proof;
  const given = oneOf.filter((kind) => proof[kind] !== undefined);
  if (given.length === 0) throw new LodeError('proof_missing', words[guarded]);
  const { secondFactors } = dependencies.identity;
  if (codes !== undefined && code === undefined && (await secondFactors.isOn(caller.actor.id)))
    throw new LodeError('proof_missing', CODE_MISSING);
  for (const kind of given) await checks[kind](dependencies, caller, proof[kind] ?? '');
  if (codes !== undefined && code !== undefined)
    await confirmSecondFactor(dependencies, caller.actor, caller.client, code, codes);
}
