import type { AuditPage, Causation, EventDetails, StreamPage, TrialBalance, TrialPostings } from '#contracts';
import type { ClientKeys } from '../access/client.js';
import { causationOf } from './causation.js';
import { eventOf, type Log } from './find.js';
import { originOf } from './origin.js';
import { searchEvents, type EventsAsked } from './search.js';
import { readSlice, type SliceAsked } from './stream.js';
import { trialBalanceAt, type Books, type LogMoment } from './trial-balance.js';
import { trialPostingsAt, type CellAsked } from './trial-postings.js';
import { viewOf, viewsOf } from './view.js';
import { Query } from '../message.js';

/** One page of the events that fit a filter, by time. It may hold fewer than were asked for though there are more. */
export class SearchEvents extends Query<AuditPage> {
  constructor(readonly asked: EventsAsked) {
    super();
  }
}

export class SearchEventsHandler {
  constructor(private readonly log: Log) {}

  async execute({ asked }: SearchEvents): Promise<AuditPage> {
    const found = await searchEvents(this.log, asked);
    return { ...found, items: await viewsOf(this.log.readStore, found.items) };
  }
}

/** An event by its id. Refuses with `event_not_found`. */
export class GetEvent extends Query<EventDetails> {
  constructor(readonly eventId: string) {
    super();
  }
}

export class GetEventHandler {
  constructor(private readonly parts: Log & { readonly identity: { readonly personKeys: ClientKeys } }) {}

  async execute({ eventId }: GetEvent): Promise<EventDetails> {
    const { event } = await eventOf(this.parts, eventId);
    const view = await viewOf(this.parts.readStore, event);
    return { ...view, from: await originOf(this.parts, event.meta) };
  }
}

/** What led to an event and what followed from it, as a tree. Refuses with `event_not_found`. */
export class GetCausation extends Query<Causation> {
  constructor(readonly eventId: string) {
    super();
  }
}

export class GetCausationHandler {
  constructor(private readonly log: Log) {}

  async execute({ eventId }: GetCausation): Promise<Causation> {
    const { correlationId, events, truncated } = await causationOf(this.log, eventId);
    const views = await viewsOf(
      this.log.readStore,
      events.map(({ event }) => event),
    );
    return {
      eventId,
      correlationId,
      events: views.map((view, n) => ({
        ...view,
        parent: events[n]?.parent ?? null,
        depth: events[n]?.depth ?? 0,
      })),
      truncated,
    };
  }
}

/** A page of a stream, and whether each of its events follows from the one before it. */
export class ReadStream extends Query<StreamPage> {
  constructor(
    readonly stream: string,
    readonly asked: SliceAsked,
  ) {
    super();
  }
}

export class ReadStreamHandler {
  constructor(private readonly log: Log) {}

  async execute({ stream, asked }: ReadStream): Promise<StreamPage> {
    const slice = await readSlice(this.log.eventStore, stream, asked);
    return { ...slice, stream, events: await viewsOf(this.log.readStore, slice.events) };
  }
}

/** All accounts by kind, as of a moment, or as of now: whether the books balance. */
export class GetTrialBalance extends Query<TrialBalance> {
  constructor(readonly moment: LogMoment | undefined) {
    super();
  }
}

export class GetTrialBalanceHandler {
  constructor(private readonly books: Books) {}

  execute({ moment }: GetTrialBalance): Promise<TrialBalance> {
    return trialBalanceAt(this.books, moment);
  }
}

/** One page of the events behind a cell of the trial balance. It may hold fewer than were asked for though there are more. */
export class ListTrialPostings extends Query<TrialPostings> {
  constructor(readonly asked: CellAsked) {
    super();
  }
}

export class ListTrialPostingsHandler {
  constructor(private readonly books: Books) {}

  async execute({ asked }: ListTrialPostings): Promise<TrialPostings> {
    const { account, currency } = asked;
    const { items, ...page } = await trialPostingsAt(this.books, asked);
    const views = await viewsOf(
      this.books.readStore,
      items.map(({ event }) => event),
    );
    return {
      account,
      currency,
      ...page,
      items: views.map((event, n) => ({
        event,
        amount: items[n]?.amount ?? '',
        postings: [...(items[n]?.postings ?? [])],
      })),
    };
  }
}
