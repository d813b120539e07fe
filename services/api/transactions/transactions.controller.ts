import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { ENGINES, type Engines } from '../engines.js';
import { Lists, Wanted, type WantedList } from '../http/lists.js';
import { ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { openRequestsOf } from '../requests/open.js';
import { listNotifications, listTransactions, notificationColumns, transactionColumns } from './list.js';

/** Statements, notifications, and what waits for a decision. */
@Controller()
export class TransactionsController {
  constructor(
    @Inject(ENGINES) private readonly engines: Engines,
    private readonly lists: Lists,
  ) {}

  @Route('transactions')
  all(
    @QueryOf('transactions') query: QueryOf<'transactions'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'transactions'> | StreamableFile> {
    return this.lists.answer(wanted, query, transactionColumns, (page) =>
      listTransactions(this.engines.readStore, { ...query, ...page }),
    );
  }

  @Route('ownTransactions')
  own(
    @ParamsOf('ownTransactions') { userId }: ParamsOf<'ownTransactions'>,
    @QueryOf('ownTransactions') query: QueryOf<'ownTransactions'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'ownTransactions'> | StreamableFile> {
    return this.lists.answer(wanted, query, transactionColumns, (page) =>
      listTransactions(this.engines.readStore, { ...query, ...page, userId }),
    );
  }

  @Route('notifications')
  notifications(
    @ParamsOf('notifications') { userId }: ParamsOf<'notifications'>,
    @QueryOf('notifications') query: QueryOf<'notifications'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'notifications'> | StreamableFile> {
    return this.lists.answer(wanted, query, notificationColumns, (page) =>
      listNotifications(this.engines.readStore, { ...query, ...page, userId }),
    );
  }

  @Route('openRequests')
  open(@ParamsOf('openRequests') { userId }: ParamsOf<'openRequests'>): Promise<AnswerOf<'openRequests'>> {
    return openRequestsOf(this.engines.readStore, userId);
  }
}
