import { isLodeError } from '#kernel';
import type { EngineSettings, Mismatch } from './engines.js';

/** What looks wrong with the servers in use that using them does not tell. Writes nothing. */
export async function checkServers({ eventStoreUrl }: EngineSettings): Promise<readonly Mismatch[]> {
  if (eventStoreUrl === undefined) return [];
  const { findOpenAccess } = await import('#event-store/eventstoredb');
  try {
    const open = await findOpenAccess(eventStoreUrl);
    return open === undefined ? [] : [{ what: open.message, todo: 'See docs/how-to/run-on-servers.md.' }];
  } catch (error) {
    if (isLodeError(error))
      return [{ what: error.message, todo: 'Mend that first: without it Lode does not start.' }];
    throw error;
  }
}
