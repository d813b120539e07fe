import { codeAt, STEP_MS } from '#identity';
import type { Client } from './client.js';
import { join, type Person } from './people.js';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app shows for a secret, so many steps from now. */
export function totpOf(secret: string, stepsFromNow = 0): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return codeAt(Uint8Array.from(bytes), Math.floor(Date.now() / STEP_MS) + stepsFromNow);
}

/** Somebody with a second factor. The code of the step before this one was taken: this one's is good, and the next one's. */
export type Enrolled = Person & { readonly secret: string; readonly recoveryCodes: readonly string[] };

/** Gives somebody a second factor. */
export async function enrol(person: Person): Promise<Enrolled> {
  const { secret } = await person.api.get('beginSecondFactor', { body: { password: person.password } });
  const body = { code: totpOf(secret, -1) };
  const { recoveryCodes } = await person.api.get('confirmSecondFactor', { body });
  return { ...person, secret, recoveryCodes };
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
