import { Controller, type StreamableFile } from '@nestjs/common';
import { Bus, ListNotifications, ListOpenRequests, ListTransactions, ReadNotifications } from '#application';
import { logStart, parsePosition } from '#kernel';
import { accountStream } from '#ledger';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { BodyOf, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { notificationColumns, transactionColumns } from './columns.js';

/** Statements, notifications, and what waits for a decision. */
@Controller()
export class TransactionsController {
  constructor(
    private readonly bus: Bus,
    private readonly lists: Lists,
  ) {}

  @Route('transactions')
  all(
    @QueryOf('transactions') query: QueryOf<'transactions'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'transactions'> | StreamableFile> {
    return this.lists.answer(list, query, transactionColumns, (page) =>
      this.bus.query(new ListTransactions({ ...query, ...page })),
    );
  }

  @Route('ownTransactions')
  own(
    @ParamsOf('ownTransactions') { userId }: ParamsOf<'ownTransactions'>,
    @QueryOf('ownTransactions') query: QueryOf<'ownTransactions'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'ownTransactions'> | StreamableFile> {
    return this.lists.answer(list, query, transactionColumns, (page) =>
      this.bus.query(new ListTransactions({ ...query, ...page, userId })),
    );
  }

  @Route('notifications')
  notifications(
    @ParamsOf('notifications') { userId }: ParamsOf<'notifications'>,
    @QueryOf('notifications') query: QueryOf<'notifications'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'notifications'> | StreamableFile> {
    return this.lists.answer(list, query, notificationColumns, (page) =>
      this.bus.query(new ListNotifications({ ...query, ...page, userId })),
    );
  }

  @Route('readNotifications')
  async read(
    @ParamsOf('readNotifications') { userId }: ParamsOf<'readNotifications'>,
    @BodyOf('readNotifications') body: BodyOf<'readNotifications'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'readNotifications'>> {
    const context = request.personalContextFor(accountStream(userId), body);
    const command = new ReadNotifications(context, userId, parsePosition(body.position) ?? logStart);
    const { position } = await request.answered(this.bus.execute(command));
    return { position, message: 'Notifications marked as read.' };
  }

  @Route('openRequests')
  open(@ParamsOf('openRequests') { userId }: ParamsOf<'openRequests'>): Promise<AnswerOf<'openRequests'>> {
    return this.bus.query(new ListOpenRequests(userId));
  }
}
