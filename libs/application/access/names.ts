import { FORGOTTEN } from '#identity';
import { accountOf } from './admission.js';
import type { AccessDependencies } from './dependencies.js';

/** What a person is called, which no password of theirs may be. Refuses with `account_not_found`. */
export async function namesOf(
  dependencies: Pick<AccessDependencies, 'aggregates' | 'identity'>,
  userId: string,
): Promise<readonly string[]> {
  const { profile } = await accountOf(dependencies, userId);
  const person = await dependencies.identity.personKeys.decryptFor(userId, profile);
  if (person === FORGOTTEN) return [];
  return [person['firstname'], person['lastname']].filter((name) => typeof name === 'string');
}
