import type { FileStore } from '#files';
import type { IdentityStore } from '#identity';

/**
 * Makes sure that the stores are of this platform, before anything is written to them. Refuses, with `storage_failed`,
 * identities or files of another one. A log whose platform is not founded yet says nothing of them: the next start does.
 */
export async function claimStores(
  { identity, files }: { readonly identity: IdentityStore; readonly files: FileStore },
  platformId: string | undefined,
): Promise<void> {
  if (platformId === undefined) return;
  await identity.claim(platformId);
  await files.claim(platformId);
}
