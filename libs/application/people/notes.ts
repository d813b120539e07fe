import type { NotesPage } from '#contracts';
import type { EventStore } from '#event-store';
import { FORGOTTEN, type PersonKeys } from '#identity';
import { LodeError, type StreamEvent } from '#kernel';
import { notesStream } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { readSlice, type SliceAsked } from '../audit/stream.js';
import { sentBy, type Receipt } from '../command.js';
import type { PersonalContext } from '../context.js';
import type { Ports } from '../ports.js';
import { accountsOf, actorName } from './names.js';
import { openAccount } from './open-account.js';
import { digested } from './profile.js';
import { Query } from '../message.js';

type Keys = { readonly identity: { readonly personKeys: PersonKeys } };

/** Adds a note about a person, for admins. Refuses with `account_not_found` and `account_closed`. */
export class AddNote extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: PersonalContext,
    readonly userId: string,
    readonly noteId: string,
    readonly text: string,
  ) {
    super();
  }
}

export class AddNoteHandler {
  constructor(
    private readonly parts: Keys & { readonly aggregates: Pick<Aggregates, 'accounts' | 'notes'> },
  ) {}

  async execute({ context, userId, noteId, text }: AddNote): Promise<Receipt> {
    const { aggregates, identity } = this.parts;
    const { status } = await openAccount(aggregates, userId);
    if (status === 'closed') throw new LodeError('account_closed', 'This account was closed for ever.');
    const sealed = await identity.personKeys.encryptFor(userId, { text });
    const command = { type: 'AddNote', userId, noteId, sealed } as const;
    return aggregates.notes.execute(
      notesStream(userId),
      command,
      await digested(context, this.parts, userId),
    );
  }
}

/** A page of the notes about a person: what they say is opened as they are read. */
export class ListNotes extends Query<NotesPage> {
  constructor(
    readonly userId: string,
    readonly asked: SliceAsked,
  ) {
    super();
  }
}

type ListParts = Keys & Pick<Ports, 'readStore'> & { readonly eventStore: EventStore };

export class ListNotesHandler {
  constructor(private readonly parts: ListParts) {}

  async execute({ userId, asked }: ListNotes): Promise<NotesPage> {
    const { eventStore, readStore } = this.parts;
    const { events, next, previous } = await readSlice(eventStore, notesStream(userId), asked);
    const accounts = await accountsOf(
      readStore,
      events.map(({ meta }) => meta.actor.id),
    );
    const notes = events.map(async (event) => {
      const { at, meta, position } = event;
      const by = { userId: meta.actor.id, name: actorName(accounts.get(meta.actor.id), meta.actor) };
      return { id: event.data['noteId'] as string, at, by, text: await this.textOf(userId, event), position };
    });
    return { items: await Promise.all(notes), next, previous };
  }

  /** What a note says; `forgotten` once the person is. */
  private async textOf(userId: string, { data }: StreamEvent): Promise<string> {
    const opened = await this.parts.identity.personKeys.decryptFor(userId, data['sealed'] as string);
    return opened === FORGOTTEN ? opened : (opened['text'] as string);
  }
}
