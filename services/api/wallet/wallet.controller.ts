import { Controller } from '@nestjs/common';
import { Bus, ExplainBalance, GetAccount, type Session } from '#application';
import { Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';

/** A person's balances, and why they are what they are. */
@Controller()
export class WalletController {
  constructor(private readonly bus: Bus) {}

  @Route('me')
  me(@Caller() caller: Session): Promise<AnswerOf<'me'>> {
    return this.bus.query(new GetAccount(caller.userId));
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
}
