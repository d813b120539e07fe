import type { SecondAnswer } from '#contracts';
import { keyed, type Person } from './people.js';

/** Has another admin approve what waits for them, where it waits; answers with where in the log it is so. */
export async function seconded(
  { api }: Pick<Person, 'api'>,
  { changeId, position }: Pick<SecondAnswer, 'changeId' | 'position'>,
): Promise<string> {
  if (changeId === undefined) return position;
  const done = await api.get('approveChange', { params: { changeId }, headers: keyed() });
  return done.position;
}
