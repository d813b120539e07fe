/** The facts of one person's notes, `notes-{userId}`. The names are storage. */
export type NotesEvent = {
  readonly type: 'NoteAdded';
  readonly data: {
    readonly userId: string;
    readonly noteId: string;
    /** What the note says, encrypted with the person's key. */
    readonly sealed: string;
  };
};
