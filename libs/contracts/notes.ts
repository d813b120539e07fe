import { z } from 'zod';
import { streamQuery } from './audit.js';
import { accepted, instant, position } from './common.js';
import { filledText } from './typed.js';

export const noteBody = z.object({
  text: filledText(2_000, 'Please write a note.').meta({
    description: 'For admins alone; encrypted with the person’s key, so that it is gone with them',
  }),
});
export const noteAnswer = accepted.extend({ noteId: z.string() });

/** A note about a person; it reads `forgotten` once the person was erased. */
export const note = z.object({
  id: z.string(),
  at: instant,
  by: z.object({ userId: z.string(), name: z.string() }),
  text: z.string(),
  position: position.optional(),
});
export type NoteView = z.infer<typeof note>;
export const notesPage = z.object({
  items: z.array(note),
  next: z.int().nullable().meta({ description: 'Ask with this `from` for the next page' }),
  previous: z.int().nullable().meta({ description: 'The same for the page before' }),
});
export type NotesPage = z.infer<typeof notesPage>;
export const notesQuery = streamQuery;
