import { Controller, type StreamableFile } from '@nestjs/common';
import {
  Bus,
  GetAccountAsOf,
  GetCausation,
  GetEvent,
  GetTrialBalance,
  ReadStream,
  SearchEvents,
  type LogMoment,
} from '#application';
import { accountAsOf } from '#contracts';
import { parsePosition } from '#kernel';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { eventColumns } from './columns.js';

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
  ): Promise<AnswerOf<'events'> | StreamableFile> {
    return this.lists.answer(list, query, eventColumns, (page) =>
      this.bus.query(new SearchEvents({ ...query, ...page })),
    );
  }

  @Route('event')
  event(@ParamsOf('event') { eventId }: ParamsOf<'event'>): Promise<AnswerOf<'event'>> {
    return this.bus.query(new GetEvent(eventId));
  }

  @Route('causation')
  causation(@ParamsOf('causation') { eventId }: ParamsOf<'causation'>): Promise<AnswerOf<'causation'>> {
    return this.bus.query(new GetCausation(eventId));
  }

  @Route('stream')
  stream(
    @ParamsOf('stream') { stream }: ParamsOf<'stream'>,
    @QueryOf('stream') query: QueryOf<'stream'>,
  ): Promise<AnswerOf<'stream'>> {
    return this.bus.query(new ReadStream(stream, query));
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
    return this.bus.query(new GetTrialBalance(momentOf(query)));
  }
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
