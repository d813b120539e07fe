import { Controller, Inject } from '@nestjs/common';
import { accountsOf, actorName, settingsInForce } from '#application';
import type { AccountView } from '#contracts';
import type { Session } from '#identity';
import { LodeError } from '#kernel';
import type { AccountDocument } from '#projections';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { ENGINES, type Engines } from '../engines.js';
import { Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { accountView } from './account-view.js';
import { ACCOUNT_HISTORY, type AccountHistory } from './history.js';
import { whyThisBalance } from './why.js';

/** A person's balances, and why they are what they are. */
@Controller()
export class WalletController {
  constructor(
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(ACCOUNT_HISTORY) private readonly history: AccountHistory,
  ) {}

  @Route('me')
  me(@Caller() caller: Session): Promise<AnswerOf<'me'>> {
    return this.accountOf(caller.userId);
  }

  @Route('account')
  account(@ParamsOf('account') { userId }: ParamsOf<'account'>): Promise<AnswerOf<'account'>> {
    return this.accountOf(userId);
  }

  @Route('why')
  why(
    @ParamsOf('why') { userId, currency }: ParamsOf<'why'>,
    @QueryOf('why') { before, limit }: QueryOf<'why'>,
  ): Promise<AnswerOf<'why'>> {
    const { eventStore, readStore } = this.engines;
    return whyThisBalance(
      { ledger: this.ledger, eventStore, history: this.history },
      { userId, currency, before, limit },
      async (ids) => {
        const people = await accountsOf(readStore, ids);
        return (actor) => actorName(people.get(actor.id), actor);
      },
    );
  }

  private async accountOf(userId: string): Promise<AccountView> {
    const document = await this.engines.readStore.get<AccountDocument>('accounts', userId);
    if (document === undefined) throw new LodeError('account_not_found', 'User not found');
    const { prices } = await settingsInForce(this.ledger);
    return accountView(document, this.engines.identity.personKeys, prices);
  }
}
