import type { Identity } from '#identity';
import { logStart, parsePosition, sha256, type Position } from '#kernel';
import type { Receipt } from '../command.js';

/** What a link came to: whose it was, and where in the log it is so. */
export type DoneByLink = { readonly userId: string; readonly position: Position };

/**
 * Does once what a link of a mail is good for, also for a repeat of the request under its key, and uses the link up after
 * it: what was cut off before can be done again by it.
 */
export async function onceByLink(
  { requests, links }: Pick<Identity, 'requests' | 'links'>,
  what: string,
  { token, key }: { readonly token: string; readonly key?: string | undefined },
  work: () => Promise<DoneByLink>,
): Promise<Receipt> {
  if (key === undefined) {
    const { position } = await work();
    await links.spend(token);
    return { position, replayed: false };
  }
  const name = [what, sha256(token), key];
  const { answer, replayed } = await requests.once({ name, content: {} }, async () => {
    const { userId, position } = await work();
    return { answer: { position }, about: userId };
  });
  await links.spend(token);
  return { position: parsePosition(answer('position')) ?? logStart, replayed };
}
