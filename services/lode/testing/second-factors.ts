import { STEP_MS } from '#identity';
import { totpAt } from '#identity/testing';
import type { Client } from './client.js';
import { join, type Person } from './people.js';

/** What an authenticator app shows for a secret, so many steps from now. */
export function totpOf(secret: string, stepsFromNow = 0): string {
  return totpAt(secret, Date.now() + stepsFromNow * STEP_MS);
}

/** Somebody with a second factor. The code of the step before this one was taken: this one's is good, and the next one's. */
export type Enrolled = Person & {
  readonly secret: string;
  readonly taken: string;
  readonly recoveryCodes: readonly string[];
};

/** Gives somebody a second factor. */
export async function enrol(person: Person): Promise<Enrolled> {
  const { secret } = await person.api.get('beginSecondFactor', { body: { password: person.password } });
  let taken = '';
  const confirm = () => {
    taken = totpOf(secret, -1);
    return person.api.get('confirmSecondFactor', { body: { code: taken } });
  };
  // The half-minute may turn on the way, which makes that code too old: the same of the next is good.
  const { recoveryCodes } = await confirm().catch(confirm);
  return { ...person, secret, taken, recoveryCodes };
}

/** Registers a customer with a second factor. */
export async function joinEnrolled(visitor: Client, firstname: string): Promise<Enrolled> {
  return enrol(await join(visitor, firstname));
}

/** Shows the password, and gives what the second step is asked with. */
export async function challengeFor(
  visitor: Client,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<string> {
  const answer = await visitor.get('signIn', { body: { email, password } });
  if ('challenge' in answer) return answer.challenge;
  throw new Error(`${email} has no second factor`);
}
