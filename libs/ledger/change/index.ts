import type { Decider } from '#kernel';
import { changeCodecs } from './codecs.js';
import { decide, type ChangeCommand } from './decide.js';
import type { ChangeEvent } from './events.js';
import { evolve, noChange, type Change } from './state.js';

/** A change of what holds for all, or of a duty or a bonus, that one admin asks for and another one decides. */
export const changeDecider: Decider<ChangeCommand, ChangeEvent, Change> = {
  initial: noChange,
  decide,
  evolve,
  codecs: changeCodecs,
};

/** The stream of a change. */
export function changeStream(changeId: string): string {
  return `change-${changeId}`;
}

export type { ChangeCommand } from './decide.js';
export type { ChangeEvent, PlatformChange } from './events.js';
export type { Change } from './state.js';
