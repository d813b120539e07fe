import type { Ask, Client, Credentials } from './client.js';
import type { RouteName } from '#contracts';

/** The API as a proxy shows it: each call goes to the next of those that there are now. */
export function spreadOver(now: () => readonly Client[], token?: string, credentials?: Credentials): Client {
  let calls = 0;
  const next = (): Client => {
    const clients = now();
    const client = clients[calls++ % clients.length];
    if (client === undefined) throw new Error('there is no API');
    return client.as(token, credentials);
  };
  return {
    get address() {
      return next().address;
    },
    token,
    call: async (name: RouteName, ask?: Ask) => next().call(name, ask),
    fresh: async (name, ask) => next().fresh(name, ask),
    get: async (name, ask) => next().get(name, ask),
    as: (other, theirs) => spreadOver(now, other, theirs),
  };
}
