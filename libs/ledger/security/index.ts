import type { Decider } from '#kernel';
import { securityCodecs } from './codecs.js';
import type { SecurityEvent, SecurityNote, SecurityType } from './events.js';

/** To note something that has happened. */
export type SecurityCommand = {
  readonly type: 'Note';
  readonly what: SecurityType;
  readonly note: SecurityNote;
};

/** What a stream knows: how much was noted in it. Nothing is decided by it. */
export type Security = { readonly noted: number };

/** What is noted of access to the platform. It refuses nothing: what it is told has happened. */
export const securityDecider: Decider<SecurityCommand, SecurityEvent, Security> = {
  initial: { noted: 0 },
  decide: ({ what, note }) => [{ type: what, data: note }],
  evolve: ({ noted }) => ({ noted: noted + 1 }),
  codecs: securityCodecs,
};

/** Characters of an ISO instant that say its hour. */
const HOUR_LENGTH = 13;

/** The stream of an hour, so that none grows for ever; `at` is an ISO instant in it. */
export function securityStream(at: string): string {
  return `security-${at.slice(0, HOUR_LENGTH)}`;
}

export { securityTypes, type SecurityEvent, type SecurityNote, type SecurityType } from './events.js';
