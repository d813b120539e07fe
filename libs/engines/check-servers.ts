import { isLodeError } from '#kernel';
import type { EngineSettings, Mismatch } from './engines.js';
import { atServer } from './servers.js';

/** What looks wrong with the servers in use that looking at the parts of Lode on them does not tell. Writes nothing. */
export async function checkServers({ eventStoreUrl, s3Url }: EngineSettings): Promise<readonly Mismatch[]> {
  return [...(await checkLog(eventStoreUrl)), ...(await checkFiles(s3Url))];
}

async function checkLog(url: string | undefined): Promise<readonly Mismatch[]> {
  if (url === undefined) return [];
  const { checkEventStoreDb } = await import('#event-store/eventstoredb');
  return checkEventStoreDb(url);
}

async function checkFiles(url: string | undefined): Promise<readonly Mismatch[]> {
  if (url === undefined) return [];
  const { checkS3 } = await import('#files/s3');
  try {
    await atServer('S3_URL', url, () => checkS3(url));
    return [];
  } catch (error) {
    if (!isLodeError(error)) throw error;
    return [{ what: error.message, todo: 'Mend that first: without it Lode does not start.' }];
  }
}
