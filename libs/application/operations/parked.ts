import type { ParkedList } from '#contracts';
import {
  canonicalJson,
  isLodeError,
  logStart,
  parsePosition,
  sha256,
  uuidV5,
  type RecordedEvent,
} from '#kernel';
import type { ParkedEvent, Replayed } from '#projections';
import type { CallerContext } from '../access/context.js';
import { viewOf } from '../audit/view.js';
import { sentBy } from '../command.js';
import type { ApplicationParts } from '../parts.js';
import { Query } from '../message.js';

/** A page of the events that a read model could not take, each with why. Refuses as `RebuildReadModel`. */
export class ListParkedEvents extends Query<ParkedList> {
  constructor(
    readonly model: string,
    readonly page: { readonly after?: string | undefined; readonly limit: number },
  ) {
    super();
  }
}

type ListParts = Pick<ApplicationParts, 'eventStore' | 'projections' | 'readStore'>;

export class ListParkedEventsHandler {
  constructor(private readonly parts: ListParts) {}

  async execute({ model, page }: ListParkedEvents): Promise<ParkedList> {
    const { limit } = page;
    const after = (page.after === undefined ? undefined : parsePosition(page.after)) ?? logStart;
    const parked = await this.parts.projections.parked(model, { after, limit: limit + 1 });
    const shown = parked.slice(0, limit);
    const items = await Promise.all(shown.map((one) => this.viewed(one)));
    return { model, items, next: parked.length > limit ? (shown.at(-1)?.position ?? null) : null };
  }

  private async viewed(parked: ParkedEvent): Promise<ParkedList['items'][number]> {
    const { eventId, position, stream, revision, type, state, attempts, error } = parked;
    const event = await this.inLog(parked);
    return {
      eventId,
      position,
      stream,
      revision,
      type,
      state,
      attempts,
      error,
      event: event === undefined ? null : await viewOf(this.parts.readStore, event),
    };
  }

  /** The event itself; undefined when the log can't read it, which may be why it is parked. */
  private async inLog({ after, eventId }: ParkedEvent): Promise<RecordedEvent | undefined> {
    try {
      const [event] = await this.parts.eventStore.readAll(after, 1);
      return event?.id === eventId ? event : undefined;
    } catch (error) {
      if (isLodeError(error) && error.code === 'storage_failed') return undefined;
      throw error;
    }
  }
}

/** The namespace of the ids of commands that record a discard. */
const DISCARDS = '4753c380-1219-5a23-95f5-2d6856a484d9';

export type Discarded = Replayed & { readonly discarded: boolean };

/**
 * Has a read model go on without an event that it could not take, until the model is built anew: its stream goes on. Asked
 * for one that is not parked it does nothing, and for one that is discarded it says so; asked again for the same reason, it is
 * recorded once. Refuses as `RebuildReadModel`, and an event that waits behind another.
 */
export class DiscardParkedEvent extends sentBy('admin')<Discarded> {
  constructor(
    override readonly context: Pick<CallerContext, 'actor' | 'session'>,
    readonly model: string,
    readonly eventId: string,
    readonly reason: string,
  ) {
    super();
  }
}

type DiscardParts = Pick<ApplicationParts, 'accessAudit' | 'projections'>;

export class DiscardParkedEventHandler {
  constructor(private readonly parts: DiscardParts) {}

  async execute({ context, model, eventId, reason }: DiscardParkedEvent): Promise<Discarded> {
    const { projections } = this.parts;
    const [parked] = await projections.parked(model, { eventId });
    if (parked === undefined) return notParked;
    // Written first: what is left out without a trace could not be explained.
    if (parked.state === 'parked') await this.record(context, parked, reason);
    const replayed = await projections.discard(model, eventId);
    return replayed === undefined ? notParked : { ...replayed, discarded: true };
  }

  private async record(
    { actor, session }: DiscardParkedEvent['context'],
    { model, build, eventId, stream, revision }: ParkedEvent,
    reason: string,
  ): Promise<void> {
    const command = { type: 'RecordParkedEventDiscard', model, eventId, stream, revision } as const;
    // The same decision about the same build: what was asked for again after half of it failed.
    const commandId = uuidV5(DISCARDS, canonicalJson([model, build, eventId, reason]));
    await this.parts.accessAudit.record(actor.id, command, {
      actor,
      session,
      reason,
      commandId,
      requestHash: sha256(canonicalJson(command)),
      correlationId: commandId,
      causationId: commandId,
    });
  }
}

const notParked: Discarded = { discarded: false, replayed: 0, left: 0 };
