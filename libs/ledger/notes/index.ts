import type { Decider } from '#kernel';
import { notesCodecs } from './codecs.js';
import { decide, type NotesCommand } from './decide.js';
import type { NotesEvent } from './events.js';
import { evolve, noNotes, type Notes } from './state.js';

/** What admins note about a person, for admins. */
export const notesDecider: Decider<NotesCommand, NotesEvent, Notes> = {
  initial: noNotes,
  decide,
  evolve,
  codecs: notesCodecs,
};

/** The stream of the notes about a person. */
export function notesStream(userId: string): string {
  return `notes-${userId}`;
}

export type { NotesCommand } from './decide.js';
export type { NotesEvent } from './events.js';
export type { Notes } from './state.js';
