import { LodeError } from '#kernel';
import type { CallerContext } from './context.js';
import { confirmPassword, confirmTransferPin, type GuessingDependencies } from './guessing.js';

/** What whoever is signed in proves with that it is they who ask: whoever stole an access token has none of it. */
export type Proof = { readonly pin?: string | undefined; readonly password?: string | undefined };

/** What is asked for again, and what proves it. What guards the account is never changed by the pin alone. */
const accepted = {
  transfer: ['pin'],
  withdrawal: ['pin', 'password'],
  security: ['password'],
} as const satisfies Readonly<Record<string, readonly (keyof Proof)[]>>;
type Guarded = keyof typeof accepted;

/** What proofs are looked at with. */
export type ProofDependencies = GuessingDependencies;
type Check = (dependencies: ProofDependencies, caller: CallerContext, given: string) => Promise<void>;
const checks: Readonly<Record<keyof Proof, Check>> = { pin: confirmTransferPin, password: confirmPassword };

const words: Readonly<Record<Guarded, string>> = {
  transfer: 'Please enter your transfer pin.',
  withdrawal: 'Please enter your transfer pin or your password.',
  security: 'Please enter your password.',
};

/**
 * Asks the caller to prove again that it is they who ask; all that is given must be right. Refuses with `proof_missing`
 * what comes without; wrong passwords count as at a sign-in (`invalid_credentials`, `too_many_attempts`), wrong pins as
 * tries of the pin (`pin_missing`, `pin_wrong`, `pin_locked`).
 */
export async function requireProof(
  dependencies: ProofDependencies,
  caller: CallerContext,
  guarded: Guarded,
  proof: Proof = {},
): Promise<void> {
  let isProven = false;
  for (const kind of accepted[guarded]) {
    const given = proof[kind];
    if (given === undefined) continue;
    await checks[kind](dependencies, caller, given);
    isProven = true;
  }
  if (!isProven) throw new LodeError('proof_missing', words[guarded]);
}
