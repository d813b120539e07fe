import type { Attempt, Client, Identity, SecondFactorProof } from '#identity';
import { accountNotFound, hasCode, isLodeError, type Actor } from '#kernel';
import { VISITOR } from '../actors.js';
import type { AccessContext, CallerContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';

/** What attempts at a person's account are counted with. */
type Counting = {
  readonly identity: Pick<Identity, 'attempts'> & {
    readonly ownNetworks: Pick<Identity['ownNetworks'], 'has'>;
  };
};
type Noting = Pick<AccessDependencies, 'accessAudit'>;
type Known = { readonly identity: { readonly credentials: Pick<Identity['credentials'], 'known'> } };

/** What codes of a second factor are looked at with. */
type CodeDependencies = Noting & {
  readonly identity: Pick<Identity, 'codeAttempts'> &
    Pick<Counting['identity'], 'ownNetworks'> & {
      readonly secondFactors: Pick<Identity['secondFactors'], 'verify'>;
    };
};

/** What whoever is signed in is asked again with. */
export type GuessingDependencies = Counting &
  Noting &
  Known &
  CodeDependencies & {
    readonly identity: {
      readonly credentials: Pick<Identity['credentials'], 'confirmPassword'>;
      readonly transferPins: Pick<Identity['transferPins'], 'verify'>;
    };
  };

/** Asks whoever is signed in for the password again, within the same limits as a sign-in. */
export function confirmPassword(
  dependencies: GuessingDependencies,
  caller: CallerContext,
  password: string,
): Promise<void> {
  const { credentials } = dependencies.identity;
  return withinLimits(dependencies, caller, () => credentials.confirmPassword(caller.actor.id, password));
}

/** Asks the caller for the transfer pin. Refuses with `pin_missing`, `pin_wrong`, `pin_locked`. */
export async function confirmTransferPin(
  { identity, accessAudit }: GuessingDependencies,
  caller: CallerContext,
  pin: string,
): Promise<void> {
  const userId = caller.actor.id;
  try {
    await identity.transferPins.verify(userId, pin);
  } catch (error) {
    const triesLeft = isLodeError(error) ? error.details['triesLeft'] : undefined;
    if (typeof triesLeft === 'number')
      await accessAudit.note(userId, { type: 'RecordTransferPinRefusal', triesLeft }, caller);
    throw error;
  }
}

/**
 * Asks somebody who has shown the password for a code, within the limits of guessing one. Refuses with
 * `second_factor_wrong`, `second_factor_missing`, `too_many_attempts`.
 */
export async function confirmSecondFactor(
  dependencies: CodeDependencies,
  actor: Actor,
  client: Client,
  code: string,
  taken?: readonly SecondFactorProof[],
): Promise<SecondFactorProof> {
  const { identity, accessAudit } = dependencies;
  const proof = await withinCodeLimits(dependencies, actor.id, client, () =>
    identity.secondFactors.verify(actor.id, code, taken),
  );
  if (proof === 'recovery code') {
    const used = { type: 'RecordSecondFactorChange', change: 'recovery code used' } as const;
    await accessAudit.note(actor.id, used, { actor, client });
  }
  return proof;
}

/**
 * Takes what a passkey of a person signed, by `verify`, and notes a wrong one. Nobody guesses a signature: a wrong one uses up
 * no attempt, of passkeys or of codes, or whoever stole an access token could keep its owner out by wrong ones.
 */
export async function confirmPasskey(
  { accessAudit }: Noting,
  userId: string,
  client: Client,
  verify: () => Promise<void>,
): Promise<void> {
  try {
    await verify();
  } catch (error) {
    if (hasCode(error, 'passkey_refused'))
      await accessAudit.note(userId, { type: 'RecordRefusal', why: 'passkey' }, { actor: VISITOR, client });
    throw error;
  }
}

/**
 * Codes are counted apart from passwords: whoever knows the password takes back no count of wrong ones by showing it.
 */
export async function withinCodeLimits<T>(
  dependencies: Noting & {
    readonly identity: Pick<CodeDependencies['identity'], 'codeAttempts' | 'ownNetworks'>;
  },
  userId: string,
  client: Client,
  work: () => Promise<T>,
): Promise<T> {
  const { identity, accessAudit } = dependencies;
  const { codeAttempts: attempts, ownNetworks } = identity;
  const attempt = { account: userId, address: client.address };
  await beginAttempt({ identity: { attempts, ownNetworks } }, attempt, async () => ({ userId }));
  try {
    const result = await work();
    await attempts.succeeded(attempt);
    return result;
  } catch (error) {
    const refusal = { type: 'RecordRefusal', why: 'second factor' } as const;
    if (!hasCode(error, 'second_factor_wrong')) await attempts.notLookedAt(attempt);
    else await accessAudit.note(userId, refusal, { actor: VISITOR, client });
    throw error;
  }
}

/** Counts an attempt at a person's account; what strangers try there is nothing to a network of the person's own. */
export async function beginAttempt(
  { identity: { attempts, ownNetworks } }: Counting,
  attempt: Attempt,
  whose: () => Promise<{ readonly userId: string } | undefined>,
): Promise<void> {
  await attempts.begin(attempt, async () => {
    const person = await whose();
    return person !== undefined && ownNetworks.has(person.userId, attempt.address);
  });
}

/** Does what asks for the caller's password within the limits of guessing it. */
export async function withinLimits(
  dependencies: Counting & Noting & Known,
  caller: CallerContext,
  work: () => Promise<void>,
): Promise<void> {
  const { attempts, credentials } = dependencies.identity;
  const { actor, client } = caller;
  const known = await credentials.known(actor.id);
  if (known === undefined) throw accountNotFound();
  const attempt = { account: known.email, address: client.address };
  await beginAttempt(dependencies, attempt, async () => known);
  try {
    await work();
  } catch (error) {
    if (hasCode(error, 'overloaded')) await attempts.notLookedAt(attempt);
    await noteRefusal(dependencies, actor.id, caller, error);
    throw error;
  }
  await attempts.succeeded(attempt);
}

/** Notes that somebody who is not signed in was refused a sign-in as this person: nobody knows who tries. */
export function noteRefusedSignIn(
  dependencies: Noting,
  userId: string,
  client: Client,
  error: unknown,
): Promise<void> {
  return noteRefusal(dependencies, userId, { actor: VISITOR, client }, error);
}

/** Notes a refusal that says something about the person; nobody else's failure does. */
async function noteRefusal(
  { accessAudit }: Noting,
  userId: string,
  context: AccessContext,
  error: unknown,
): Promise<void> {
  const code = isLodeError(error) ? error.code : undefined;
  if (code !== 'invalid_credentials' && code !== 'account_suspended') return;
  const why = code === 'account_suspended' ? 'suspended' : 'password';
  await accessAudit.note(userId, { type: 'RecordRefusal', why }, context);
}
