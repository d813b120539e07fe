import { Binary } from 'bson';
import { Refusal, unsupported } from './refusal.js';
import type { Doc } from './values.js';

/** Whom the double lets sign in, by the mechanism PLAIN alone. It lets others do everything all the same. */
export type User = { readonly name: string; readonly password: string };

/** Answers `saslStart`, which with PLAIN is all that there is to it. */
export function signIn(user: User | undefined, { mechanism, payload }: Doc): Doc {
  if (user === undefined || mechanism !== 'PLAIN') throw unsupported(`users with ${String(mechanism)}`);
  const given = payload instanceof Binary ? Buffer.from(payload.buffer).toString() : '';
  if (given !== `\0${user.name}\0${user.password}`) throw new Refusal(18, 'Authentication failed.');
  return { conversationId: 1, done: true, payload: new Binary() };
}
