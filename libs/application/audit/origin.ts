import type { EventStore } from '#event-store';
import type { EventMeta } from '#kernel';
import { accessStream } from '#ledger';
import { clientIn, type ClientKeys, type KnownClient } from '../access/client.js';

/** Events of a person's access that are read at a time, and looked at in all: whoever signed in before those is not found. */
const PAGE = 200;
const LOOKED_AT_MAX = 2_000;

type Parts = {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly identity: { readonly personKeys: ClientKeys };
};

/** Where somebody was in the session in which they did something: as it was when it began. */
export type Origin = KnownClient & { readonly signedInAt: string };

/** Null of what nobody did in a session, and where its beginning is not found. */
export async function originOf(
  { eventStore, identity }: Parts,
  { actor, session }: Pick<EventMeta, 'actor' | 'session'>,
): Promise<Origin | null> {
  if (actor.kind !== 'person' || session === undefined) return null;
  const stream = accessStream(actor.id);
  let from: number | undefined;
  for (let looked = 0; looked < LOOKED_AT_MAX; looked += PAGE) {
    const page = await eventStore.readStream(stream, {
      direction: 'backwards',
      limit: PAGE,
      ...(from === undefined ? {} : { from }),
    });
    const began = page.find(({ type, data }) => type === 'SignedIn' && data['sessionId'] === session);
    if (began !== undefined)
      return {
        ...(await clientIn(identity.personKeys, actor.id, began.data['client'])),
        signedInAt: began.at,
      };
    from = (page.at(-1)?.revision ?? 0) - 1;
    if (from < 0) break;
  }
  return null;
}
