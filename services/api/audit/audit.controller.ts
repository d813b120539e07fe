import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { Bus, GetAccountAsOf } from '#application';
import { accountAsOf, type AuditEvent } from '#contracts';
import { parsePosition, type Position } from '#kernel';
import { ENGINES, type Engines } from '../engines.js';
import { Lists, Wanted, type WantedList } from '../http/lists.js';
import { ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { causationOf } from './causation.js';
import { eventOf } from './find.js';
import { searchEvents } from './search.js';
import { readSlice } from './stream.js';
import { trialBalanceAt } from './trial-balance.js';
import { eventColumns, viewsOf } from './view.js';

/** The log itself, what was so at any moment of it, and whether the books balance. */
@Controller()
export class AuditController {
  constructor(
    @Inject(ENGINES) private readonly engines: Engines,
    private readonly bus: Bus,
    private readonly lists: Lists,
  ) {}

  @Route('events')
  events(
    @QueryOf('events') query: QueryOf<'events'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'events'> | StreamableFile> {
    return this.lists.answer(wanted, query, eventColumns, async (page) => {
      const found = await searchEvents(this.engines, { ...query, ...page });
      return { ...found, items: [...(await viewsOf(this.engines.readStore, found.items))] };
    });
  }

  @Route('event')
  async event(@ParamsOf('event') { eventId }: ParamsOf<'event'>): Promise<AnswerOf<'event'>> {
    const { event } = await eventOf(this.engines, eventId);
    const [view] = await viewsOf(this.engines.readStore, [event]);
    return view as AuditEvent;
  }

  @Route('causation')
  async causation(@ParamsOf('causation') { eventId }: ParamsOf<'causation'>): Promise<AnswerOf<'causation'>> {
    const { correlationId, events, truncated } = await causationOf(this.engines, eventId);
    const views = await viewsOf(
      this.engines.readStore,
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

  @Route('stream')
  async stream(
    @ParamsOf('stream') { stream }: ParamsOf<'stream'>,
    @QueryOf('stream') query: QueryOf<'stream'>,
  ): Promise<AnswerOf<'stream'>> {
    const slice = await readSlice(this.engines.eventStore, stream, query);
    return { ...slice, stream, events: [...(await viewsOf(this.engines.readStore, slice.events))] };
  }

  @Route('accountAsOf')
  async accountAsOf(
    @ParamsOf('accountAsOf') { userId }: ParamsOf<'accountAsOf'>,
    @QueryOf('accountAsOf') query: QueryOf<'accountAsOf'>,
  ): Promise<AnswerOf<'accountAsOf'>> {
    const { account, ...when } = await this.bus.query(new GetAccountAsOf(userId, momentOf(query)));
    return accountAsOf.parse({ ...account, position: undefined, ...when });
  }

  @Route('trialBalance')
  trialBalance(@QueryOf('trialBalance') query: QueryOf<'trialBalance'>): Promise<AnswerOf<'trialBalance'>> {
    return trialBalanceAt(this.engines, momentOf(query));
  }
}

/** The moment that a query names; undefined for now. */
function momentOf({
  at,
  position,
}: {
  readonly at?: string | undefined;
  readonly position?: string | undefined;
}): { readonly position: Position } | { readonly time: number } | undefined {
  if (at !== undefined) return { time: Date.parse(at) };
  const place = position === undefined ? undefined : parsePosition(position);
  return place === undefined ? undefined : { position: place };
}
