import type { EngineSettings, Mismatch } from './engines.js';

/** What looks wrong with the servers in use that using them does not tell. Writes nothing. */
export async function checkServers({ eventStoreUrl }: EngineSettings): Promise<readonly Mismatch[]> {
  if (eventStoreUrl === undefined) return [];
  const { checkEventStoreDb } = await import('#event-store/eventstoredb');
  return checkEventStoreDb(eventStoreUrl);
}
