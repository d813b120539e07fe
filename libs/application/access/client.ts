import { FORGOTTEN, type Identity } from '#identity';
import type { StreamEvent } from '#kernel';

/** What can open what is kept of whoever asked. */
export type ClientKeys = Pick<Identity['personKeys'], 'decryptFor'>;

/** Where something came from: its address, and what its program calls itself. */
export type KnownClient = { readonly address?: string; readonly agent?: string };

/** Where what a person asked for came from, where that was kept (`client` of the event) and can still be opened; else nothing of it. */
export async function clientIn(
  keys: ClientKeys,
  userId: string,
  client: StreamEvent['data'][string] | undefined,
): Promise<KnownClient> {
  if (typeof client !== 'string') return {};
  const opened = await keys.decryptFor(userId, client);
  if (opened === FORGOTTEN) return {};
  const { address, agent } = opened;
  return {
    ...(typeof address === 'string' ? { address } : {}),
    ...(typeof agent === 'string' ? { agent } : {}),
  };
}
