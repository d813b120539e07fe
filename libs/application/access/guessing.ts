import type { Attempt, Client } from '#identity';
import { accountNotFound, hasCode, isLodeError } from '#kernel';
import { VISITOR } from '../actors.js';
import type { AccessContext, CallerContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';

/** Asks whoever is signed in for the password again, within the same limits as a sign-in. */
export function confirmPassword(
  dependencies: AccessDependencies,
  caller: CallerContext,
  password: string,
): Promise<void> {
  const { credentials } = dependencies.identity;
  return withinLimits(dependencies, caller, () => credentials.confirmPassword(caller.actor.id, password));
}

/** Counts an attempt at a person's account; what strangers try there is nothing to a network of the person's own. */
export async function beginAttempt(
  { identity: { attempts, ownNetworks } }: Pick<AccessDependencies, 'identity'>,
  attempt: Attempt,
  whose: () => Promise<{ readonly userId: string } | undefined>,
): Promise<void> {
  if (attempts.isBesieged(attempt)) {
    const person = await whose();
    if (person !== undefined && (await ownNetworks.has(person.userId, attempt.address)))
      attempts.knowOwn(attempt);
  }
  attempts.begin(attempt);
}

/** Does what asks for the caller's password within the limits of guessing it. */
export async function withinLimits(
  dependencies: AccessDependencies,
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
    if (hasCode(error, 'overloaded')) attempts.notLookedAt(attempt);
    await noteRefusal(dependencies, actor.id, caller, error);
    throw error;
  }
  attempts.succeeded(attempt);
}

/** Notes that somebody who is not signed in was refused a sign-in as this person: nobody knows who tries. */
export function noteRefusedSignIn(
  dependencies: AccessDependencies,
  userId: string,
  client: Client,
  error: unknown,
): Promise<void> {
  return noteRefusal(dependencies, userId, { actor: VISITOR, client }, error);
}

/** Notes a refusal that says something about the person; nobody else's failure does. */
async function noteRefusal(
  { accessAudit }: AccessDependencies,
  userId: string,
  context: AccessContext,
  error: unknown,
): Promise<void> {
  const code = isLodeError(error) ? error.code : undefined;
  if (code !== 'invalid_credentials' && code !== 'account_suspended') return;
  const why = code === 'account_suspended' ? 'suspended' : 'password';
  await accessAudit.note(userId, { type: 'RecordRefusal', why }, context);
}
