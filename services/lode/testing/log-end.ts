import type { Given } from './client.js';
import type { Person } from './people.js';

type Listed = Given<'events'>['items'][number];

/**
 * The log's events as an admin sees them, the last one first, but for what is noted of access: that is written at a
 * minute's end for what was refused or read before, whatever happens meanwhile.
 */
async function* eventsFromEnd({ api }: Person): AsyncGenerator<Listed> {
  const headers = { 'Lode-Position': (await api.get('projections')).head };
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: '10', ...(cursor === undefined ? {} : { cursor }) };
    const page = await api.get('events', { query, headers });
    yield* page.items.filter(({ stream }) => !stream.startsWith('security-'));
    cursor = page.next;
  }
}

/** The id of the log's last event but for what is noted of access: the same as before where nothing was written since. */
export async function lastEvent(admin: Person): Promise<string> {
  for await (const { id } of eventsFromEnd(admin)) return id;
  throw new Error('the log has no event');
}

/** How many events the log has after one that `lastEvent` gave, but for what is noted of access. */
export async function writtenSince(admin: Person, last: string): Promise<number> {
  let written = 0;
  for await (const { id } of eventsFromEnd(admin)) {
    if (id === last) return written;
    written += 1;
  }
  throw new Error(`the log has no event ${last}`);
}
