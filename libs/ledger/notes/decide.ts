import type { NotesEvent } from './events.js';
import type { Notes } from './state.js';

export type NotesCommand = {
  readonly type: 'AddNote';
  readonly userId: string;
  readonly noteId: string;
  readonly sealed: string;
};

/** What the notes answer to a command: a note is only ever added. */
export function decide({ userId, noteId, sealed }: NotesCommand, state: Notes): readonly NotesEvent[] {
  return state.last === noteId ? [] : [{ type: 'NoteAdded', data: { userId, noteId, sealed } }];
}
