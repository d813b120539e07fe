import { isLodeError, withoutUserInfo } from '#kernel';
import type { EngineSettings, Mismatch } from './engines.js';
import type { ServerCheck } from './inspection.js';
import { atServer } from './servers.js';

/** Looks at the servers in use that tell what looking at the parts of Lode on them does not. They write nothing. */
export function serverChecks({ eventStoreUrl, s3Url }: EngineSettings): readonly ServerCheck[] {
  return [
    ...(eventStoreUrl === undefined ? [] : [logAt(eventStoreUrl)]),
    ...(s3Url === undefined ? [] : [filesAt(s3Url)]),
  ];
}

function logAt(url: string): ServerCheck {
  return {
    name: `EventStoreDB at ${withoutUserInfo(url)}`,
    check: async () => (await import('#event-store/eventstoredb')).checkEventStoreDb(url),
  };
}

function filesAt(url: string): ServerCheck {
  return {
    name: `The object store at ${withoutUserInfo(url)}`,
    check: async (): Promise<readonly Mismatch[]> => {
      const { checkS3 } = await import('#files/s3');
      try {
        await atServer('S3_URL', url, () => checkS3(url));
        return [];
      } catch (error) {
        if (!isLodeError(error)) throw error;
        return [{ what: error.message, todo: 'Mend that first: without it Lode does not start.' }];
      }
    },
  };
}
