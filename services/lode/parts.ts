import { LodeError } from '#kernel';
import type { Settings } from './settings.js';

/** The parts of Lode. One program has all of them, or several programs on the same servers have one each. */
export const everyPart = ['api', 'projector', 'worker'] as const;
export type Part = (typeof everyPart)[number];

/** Which parts a program is. */
export type Parts = readonly Part[];

type Addresses = Pick<Settings, 'eventStoreUrl' | 'mongodbUrl' | 'redisUrl' | 's3Url'>;

/** The settings that name the servers on which programs of one part each meet. */
const shared: readonly (readonly [setting: string, member: keyof Addresses])[] = [
  ['EVENTSTORE_URL', 'eventStoreUrl'],
  ['MONGODB_URL', 'mongodbUrl'],
  ['S3_URL', 's3Url'],
];
/** Where programs take runs of jobs from. */
const ofJobs = ['REDIS_URL', 'redisUrl'] as const;

/** Refuses, with `validation_failed` and in one sentence, a program of one part without a server that it shares with others. */
export function refuseLackingServers(part: Part, addresses: Addresses): void {
  const needed = part === 'worker' ? [...shared, ofJobs] : shared;
  const lacking = needed.filter(([, member]) => addresses[member] === undefined).map(([setting]) => setting);
  if (lacking.length === 0) return;
  throw new LodeError(
    'validation_failed',
    `The ${part} stands on servers that it shares with others. Not set: ${lacking.join(', ')}. See docs/how-to/scale-out.md; npm start needs none of them.`,
  );
}

/** What a program calls itself. */
export function nameOf(parts: Parts): string {
  return parts.length === everyPart.length ? 'Lode' : `Lode (${parts.join(', ')})`;
}
