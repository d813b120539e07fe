import type { AccountEvents, AccountView, OwnEvent, Why, Withdrawable } from '#contracts';
import { accountNotFound } from '#kernel';
import { accountStream, formatMoney, MINIMUM_REMAINING } from '#ledger';
import type { AccountDocument } from '#projections';
import type { Verification } from '../access/verify-email.js';
import type { Aggregates } from '../aggregates.js';
import type { SliceAsked } from '../audit/stream.js';
import { accountsOf, actorName } from '../people/names.js';
import type { Ports } from '../ports.js';
import type { SettingsInForce } from '../settings/in-force.js';
import type { Networks } from './networks.js';
import { accountView, withdrawableOf } from './account-view.js';
import type { AccountAt, AccountHistory, Moment } from './history.js';
import { openedEvents, ownEvents } from './own-events.js';
import { statementOf, type StatementAsked, type StatementPage } from './statement.js';
import { whyThisBalance, type WhyAsked } from './why.js';
import { Query } from '../message.js';

/** How long the account of somebody who registered just now is waited for, in milliseconds. */
const OPENED_MS = 2_000;

/** A person's account as they see it now. Refuses with `account_not_found`. */
export class GetAccount extends Query<AccountView> {
  constructor(readonly userId: string) {
    super();
  }
}

export class GetAccountHandler {
  constructor(
    private readonly parts: Pick<Ports, 'eventStore' | 'projections' | 'readStore' | 'identity' | 'clock'> & {
      readonly settings: SettingsInForce;
      readonly verification: Verification;
      readonly networks: Networks;
      readonly changeWaitMs: number;
    },
  ) {}

  async execute({ userId }: GetAccount): Promise<AccountView> {
    const { changeWaitMs, clock, identity, networks, settings, verification } = this.parts;
    const document = (await this.found(userId)) ?? (await this.foundLate(userId));
    if (document === undefined) throw accountNotFound();
    const inForce = { ...(await settings.current()), verification };
    return accountView(document, identity.personKeys, inForce, { now: clock(), networks, changeWaitMs });
  }

  private found(userId: string): Promise<AccountDocument | undefined> {
    return this.parts.readStore.get<AccountDocument>('accounts', userId);
  }

  /** The account of somebody who registered a moment ago, and asks before the read model has it. */
  private async foundLate(userId: string): Promise<AccountDocument | undefined> {
    const { eventStore, projections } = this.parts;
    const [opened] = await eventStore.readStream(accountStream(userId), { limit: 1 });
    if (opened === undefined) return undefined;
    await projections.waitFor(await eventStore.head(), OPENED_MS);
    return this.found(userId);
  }
}

/** A person's account as it was at a moment. Refuses with `account_not_found`, and as the history does. */
export class GetAccountAsOf extends Query<AccountAt> {
  constructor(
    readonly userId: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

export class GetAccountAsOfHandler {
  constructor(private readonly history: AccountHistory) {}

  async execute({ userId, moment }: GetAccountAsOf): Promise<AccountAt> {
    const found = await this.history.asOf(userId, moment);
    if (found === undefined) throw accountNotFound();
    return found;
  }
}

/** Why a balance is what it is, event by event, newest first. Refuses with `account_not_found`. */
export class ExplainBalance extends Query<Why> {
  constructor(readonly asked: WhyAsked) {
    super();
  }
}

export class ExplainBalanceHandler {
  constructor(
    private readonly parts: Pick<Ports, 'eventStore' | 'readStore'> & {
      readonly aggregates: Pick<Aggregates, 'accounts'>;
    },
    private readonly history: AccountHistory,
  ) {}

  execute({ asked }: ExplainBalance): Promise<Why> {
    const { aggregates, eventStore, readStore } = this.parts;
    return whyThisBalance({ aggregates, eventStore, history: this.history }, asked, async (ids) => {
      const people = await accountsOf(readStore, ids);
      return (actor) => actorName(people.get(actor.id), actor);
    });
  }
}

/** A page of what happened to an account, with what it was after each. Refuses with `account_not_found`. */
export class ListAccountEvents extends Query<AccountEvents> {
  constructor(
    readonly userId: string,
    readonly asked: SliceAsked,
  ) {
    super();
  }
}

export class ListAccountEventsHandler {
  constructor(
    private readonly parts: Pick<Ports, 'eventStore' | 'readStore'>,
    private readonly history: AccountHistory,
  ) {}

  execute({ userId, asked }: ListAccountEvents): Promise<AccountEvents> {
    const { eventStore, readStore } = this.parts;
    return ownEvents({ eventStore, readStore, history: this.history }, userId, asked);
  }
}

/** A page of what happened to an account, with what its owner alone may read of it. Refuses with `account_not_found`. */
export class ListOwnEvents extends Query<{
  readonly events: readonly OwnEvent[];
  readonly next: number | null;
}> {
  constructor(
    readonly userId: string,
    readonly asked: SliceAsked,
  ) {
    super();
  }
}

export class ListOwnEventsHandler {
  constructor(
    private readonly parts: Pick<Ports, 'eventStore' | 'readStore' | 'identity'>,
    private readonly history: AccountHistory,
  ) {}

  execute({ userId, asked }: ListOwnEvents) {
    const { eventStore, readStore, identity } = this.parts;
    const { personKeys } = identity;
    return openedEvents({ eventStore, readStore, personKeys, history: this.history }, userId, asked);
  }
}

/** One balance of a person over a period of days, and a page of what moved it. Refuses with `account_not_found`. */
export class GetStatement extends Query<StatementPage> {
  constructor(readonly asked: StatementAsked) {
    super();
  }
}

export class GetStatementHandler {
  constructor(
    private readonly parts: Pick<Ports, 'eventStore'>,
    private readonly history: AccountHistory,
  ) {}

  execute({ asked }: GetStatement): Promise<StatementPage> {
    return statementOf({ eventStore: this.parts.eventStore, history: this.history }, asked);
  }
}

/** What a customer can have paid out now, as the log has it. Refuses with `account_not_found`. */
export class GetWithdrawable extends Query<Withdrawable> {
  constructor(readonly userId: string) {
    super();
  }
}

export class GetWithdrawableHandler {
  constructor(
    private readonly aggregates: Pick<Aggregates, 'accounts'>,
    private readonly settings: SettingsInForce,
  ) {}

  async execute({ userId }: GetWithdrawable): Promise<Withdrawable> {
    const { state, position } = await this.aggregates.accounts.load(accountStream(userId));
    if (state.kind === 'none') throw accountNotFound();
    const settings = await this.settings.current();
    return {
      withdrawable: withdrawableOf(state.available, settings.prices),
      minimumRemaining: formatMoney(MINIMUM_REMAINING, 'USD'),
      position,
    };
  }
}
