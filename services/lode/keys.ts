import { statSync, type Stats } from 'node:fs';
import type { Settings } from './settings.js';

/** What it means that keys are not kept apart from what they encrypt. */
export const NO_KEY_FILE =
  'LODE_KEY_FILE is not set: whoever has a copy of the data folder, or a backup, has the keys of all personal data with it. See docs/how-to/keys.md.';

/** What is told of a store that a key was given to, or another one. */
export const NOT_WRAPPED = 'Not everything is wrapped with the first key of LODE_KEY_FILE.';

const OTHERS = 0o077;
const OTHERS_BUT_READERS_OF_GROUP = 0o037;

/** Who a process is, by its user's and its groups' numbers. */
export type Reader = { readonly user: number; readonly groups: readonly number[] };

/** This process. Windows has no such numbers: nobody's there. */
const here = (): Reader => ({ user: process.getuid?.() ?? -1, groups: process.getgroups?.() ?? [] });

/**
 * Whether a file is kept from others: it is for its owner alone, or it is root's and for a group of the reader, who isn't root, to
 * read. That is how Kubernetes mounts a Secret for a pod's `fsGroup`, and there its rights can't be narrower.
 */
export function isKept({ mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>, reader: Reader): boolean {
  if ((mode & OTHERS) === 0) return true;
  const isMounted = uid === 0 && reader.user !== 0 && reader.groups.includes(gid);
  return isMounted && (mode & OTHERS_BUT_READERS_OF_GROUP) === 0;
}

/** What is to be said of the file of the keys; undefined when it is kept from others than this process and root. */
export function openKeyFile({ keyFile }: Pick<Settings, 'keyFile'>): string | undefined {
  if (keyFile === undefined || isKept(statSync(keyFile), here())) return undefined;
  return `${keyFile}, which LODE_KEY_FILE names, can be read by others than its owner.`;
}
