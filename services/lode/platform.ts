import { foundPlatform, type Aggregates } from '#application';
import type { FileStore } from '#files';
import type { IdentityStore } from '#identity';
import type { Random } from '#kernel';

/**
 * Makes sure that the stores are of one platform, which is founded when it isn't yet. To be done before anything else is
 * written. Refuses, with `storage_failed`, identities or files of another platform.
 */
export async function claimStores(
  { identity, files }: { readonly identity: IdentityStore; readonly files: FileStore },
  aggregates: Pick<Aggregates, 'platform'>,
  random: Random,
): Promise<void> {
  const platformId = await foundPlatform(aggregates, random);
  await identity.claim(platformId);
  await files.claim(platformId);
}
