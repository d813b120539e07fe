import { statSync } from 'node:fs';
import type { Settings } from './settings.js';

/** What it means that keys are not kept apart from what they encrypt. */
export const NO_KEY_FILE =
  'LODE_KEY_FILE is not set: whoever has a copy of the data folder, or a backup, has the keys of all personal data with it. See docs/how-to/keys.md.';

/** What is told of a store that a key was given to, or another one. */
export const NOT_WRAPPED = 'Not everything is wrapped with the first key of LODE_KEY_FILE.';

const OTHERS = 0o077;

/** What is to be said of the file of the keys; undefined when it is for its owner alone. */
export function openKeyFile({ keyFile }: Pick<Settings, 'keyFile'>): string | undefined {
  if (keyFile === undefined || (statSync(keyFile).mode & OTHERS) === 0) return undefined;
  return `${keyFile}, which LODE_KEY_FILE names, can be read by others than its owner.`;
}
