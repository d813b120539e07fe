import { invariant } from '#kernel';
import type { NotesEvent } from './events.js';

/** The note that was added last: what it says is nothing to any rule. */
export type Notes = { readonly last: string | undefined };

/** No note yet. */
export const noNotes: Notes = { last: undefined };

/** Folds one event into the notes. */
export function evolve(state: Notes, { data }: NotesEvent): Notes {
  invariant(state.last !== data.noteId, 'a note is added once');
  return { last: data.noteId };
}
