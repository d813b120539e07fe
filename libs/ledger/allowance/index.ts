import type { Decider } from '#kernel';
import { allowanceCodecs } from './codecs.js';
import { decide, type AllowanceCommand } from './decide.js';
import type { AllowanceEvent } from './events.js';
import { allowanceBytes, evolve, unusedAllowance, type Allowance } from './state.js';

/** What one admin takes part in moving: how many approvals the next movement takes. */
export const allowanceDecider: Decider<AllowanceCommand, AllowanceEvent, Allowance> = {
  initial: unusedAllowance,
  decide,
  evolve,
  sizeOf: allowanceBytes,
  codecs: allowanceCodecs,
};

/** The stream of what an admin moves. */
export function allowanceStream(userId: string): string {
  return `allowance-${userId}`;
}

export { approvalsFor, movedLately, type AllowanceCommand } from './decide.js';
export type { AllowanceEvent, Use } from './events.js';
export type { Allowance } from './state.js';
