import { eventCodecs, plainCodec, type EventCodecs } from '#kernel';
import type { NotesEvent } from './events.js';

/** How the events are stored: just as they are. */
export const notesCodecs: EventCodecs<NotesEvent> = eventCodecs<NotesEvent>({ NoteAdded: plainCodec() });
