import { Controller, type StreamableFile } from '@nestjs/common';
import {
  Bus,
  GetAccountAsOf,
  GetCausation,
  GetEvent,
  GetTrialBalance,
  ListAccountEvents,
  ListTrialPostings,
  peopleIn,
  ReadCase,
  ReadStream,
  SearchEvents,
  type LogMoment,
} from '#application';
import { accountAsOf, type AuditEvent } from '#contracts';
import { parsePosition } from '#kernel';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { noteShown } from '../http/notes.js';
import { ParamsOf, QueryOf, Req, Route, type AnswerOf, type LodeRequest } from '../http/route.js';
import { eventColumns, noColumns, postingColumns } from './columns.js';

/** The log itself, what was so at any moment of it, and whether the books balance. */
@Controller()
export class AuditController {
  constructor(
    private readonly bus: Bus,
    private readonly lists: Lists,
  ) {}

  @Route('events')
  events(
    @QueryOf('events') query: QueryOf<'events'>,
    @ListParam() list: ListRequest,
    @Req() request: LodeRequest,
  ): Promise<AnswerOf<'events'> | StreamableFile> {
    return this.lists.answer(list, query, eventColumns, async (page) => {
      const found = await this.bus.query(new SearchEvents({ ...query, ...page }));
      await noteShown(this.bus, request, peopleFound(query, found.items));
      return found;
    });
  }

  @Route('event')
  async event(
    @ParamsOf('event') { eventId }: ParamsOf<'event'>,
    @Req() request: LodeRequest,
  ): Promise<AnswerOf<'event'>> {
    const found = await this.bus.query(new GetEvent(eventId));
    const origin = found.from === null ? [] : [found.meta.actor.id];
    await noteShown(this.bus, request, new Set([...peopleIn(found), ...origin]));
    return found;
  }

  @Route('causation')
  async causation(
    @ParamsOf('causation') { eventId }: ParamsOf<'causation'>,
    @Req() request: LodeRequest,
  ): Promise<AnswerOf<'causation'>> {
    const found = await this.bus.query(new GetCausation(eventId));
    await noteShown(this.bus, request, found.events.flatMap(peopleIn));
    return found;
  }

  @Route('stream')
  stream(
    @ParamsOf('stream') { stream }: ParamsOf<'stream'>,
    @QueryOf('stream') query: QueryOf<'stream'>,
  ): Promise<AnswerOf<'stream'>> {
    return this.bus.query(new ReadStream(stream, query));
  }

  @Route('caseFile')
  caseFile(
    @ParamsOf('caseFile') { userId }: ParamsOf<'caseFile'>,
    @QueryOf('caseFile') query: QueryOf<'caseFile'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'caseFile'> | StreamableFile> {
    return this.lists.answer(list, query, noColumns, (page) => this.bus.query(new ReadCase(userId, page)));
  }

  @Route('accountAsOf')
  async accountAsOf(
    @ParamsOf('accountAsOf') { userId }: ParamsOf<'accountAsOf'>,
    @QueryOf('accountAsOf') query: QueryOf<'accountAsOf'>,
  ): Promise<AnswerOf<'accountAsOf'>> {
    const { account, ...when } = await this.bus.query(new GetAccountAsOf(userId, momentOf(query)));
    return accountAsOf.parse({ ...account, position: undefined, ...when });
  }

  @Route('accountEvents')
  accountEvents(
    @ParamsOf('accountEvents') { userId }: ParamsOf<'accountEvents'>,
    @QueryOf('accountEvents') query: QueryOf<'accountEvents'>,
  ): Promise<AnswerOf<'accountEvents'>> {
    return this.bus.query(new ListAccountEvents(userId, query));
  }

  @Route('trialBalance')
  trialBalance(@QueryOf('trialBalance') query: QueryOf<'trialBalance'>): Promise<AnswerOf<'trialBalance'>> {
    return this.bus.query(new GetTrialBalance(momentOf(query)));
  }

  @Route('trialPostings')
  trialPostings(
    @QueryOf('trialPostings') query: QueryOf<'trialPostings'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'trialPostings'> | StreamableFile> {
    return this.lists.answer(list, query, postingColumns, (page) =>
      this.bus.query(new ListTrialPostings({ ...query, ...page, moment: momentOf(query) })),
    );
  }
}

/**
 * Whom events are about that were asked for without saying whom: by who did it, or by what they all follow from. Of a
 * person or stream that was named it is noted before; all else is a list over everyone.
 */
function peopleFound(
  { actor, commandId, correlationId, requestId }: QueryOf<'events'>,
  events: readonly AuditEvent[],
): readonly string[] {
  const isOfOneRequest = [commandId, correlationId, requestId].some((id) => id !== undefined);
  return [
    ...(isOfOneRequest ? events.flatMap(peopleIn) : []),
    ...(actor === undefined ? [] : events.flatMap(personWhoDid)),
  ];
}

function personWhoDid({ meta: { actor } }: AuditEvent): readonly string[] {
  return actor.kind === 'person' && actor.role !== 'visitor' ? [actor.id] : [];
}

/** The moment that a query names; undefined for now. */
function momentOf({
  at,
  position,
}: {
  readonly at?: string | undefined;
  readonly position?: string | undefined;
}): LogMoment | undefined {
  if (at !== undefined) return { time: Date.parse(at) };
  const place = position === undefined ? undefined : parsePosition(position);
  return place === undefined ? undefined : { position: place };
}
