import { Controller, Inject, StreamableFile } from '@nestjs/common';
import { Bus, ExplainBalance, GetAccount, GetStatement, type AdminGate, type Session } from '#application';
import { ADMIN_GATE } from '../http/route.guard.js';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { statementColumns, statementLines } from './columns.js';

/** A person's balances, and why they are what they are. */
@Controller()
export class WalletController {
  constructor(
    private readonly bus: Bus,
    private readonly lists: Lists,
    @Inject(ADMIN_GATE) private readonly gate: AdminGate,
  ) {}

  @Route('me')
  async me(@Caller() { userId, role }: Session): Promise<AnswerOf<'me'>> {
    const view = await this.bus.query(new GetAccount(userId));
    return role === 'admin' ? { ...view, duty: this.gate.dutyOf(userId) } : view;
  }

  @Route('account')
  account(@ParamsOf('account') { userId }: ParamsOf<'account'>): Promise<AnswerOf<'account'>> {
    return this.bus.query(new GetAccount(userId));
  }

  @Route('why')
  why(
    @ParamsOf('why') { userId, currency }: ParamsOf<'why'>,
    @QueryOf('why') { before, limit }: QueryOf<'why'>,
  ): Promise<AnswerOf<'why'>> {
    return this.bus.query(new ExplainBalance({ userId, currency, before, limit }));
  }

  @Route('statement')
  async statement(
    @ParamsOf('statement') { userId }: ParamsOf<'statement'>,
    @QueryOf('statement') query: QueryOf<'statement'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'statement'> | StreamableFile> {
    const answer = await this.lists.answer(list, query, statementColumns, async (page) => {
      const { items, ...statement } = await this.bus.query(new GetStatement({ ...query, ...page, userId }));
      return { ...statement, entries: [...items], items: statementLines(statement, items) };
    });
    if (answer instanceof StreamableFile) return answer;
    const { items: _lines, ...statement } = answer;
    return statement;
  }
}
