import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Identity } from '#identity';
import { invariant, randomAlphanumeric } from '#kernel';
import { accountStream, formatDecimal, PAYOUT_SCALE, type Minor, type PaymentCurrency } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import type { PersonalContext } from '../context.js';
import type { Ports } from '../ports.js';
import { withSettingsRevision, type SettingsInForce } from '../settings/in-force.js';
import { REQUEST_ID_LENGTH } from './ids.js';

/** A withdrawal that was asked for. */
export type RequestedWithdrawal = Receipt & {
  readonly requestId: string;
  /** In the payout currency, as a decimal text. */
  readonly convertedAmount: string;
};

/** Asks for a withdrawal. Refuses with `account_not_found`, and as the account does. */
export class RequestWithdrawal extends sentBy('user')<RequestedWithdrawal> {
  constructor(
    override readonly context: PersonalContext,
    readonly request: {
      readonly userId: string;
      /** US dollars. */
      readonly amount: Minor;
      readonly currency: PaymentCurrency;
      /** Where it is paid to; left out, the address that the account has. */
      readonly walletAddress: string | undefined;
    },
  ) {
    super();
  }
}

type Parts = Pick<Ports, 'random'> & {
  readonly identity: Pick<Identity, 'personKeys'>;
  readonly aggregates: Pick<Aggregates, 'accounts'>;
  readonly settings: SettingsInForce;
};

@CommandHandler(RequestWithdrawal)
export class RequestWithdrawalHandler implements ICommandHandler<RequestWithdrawal> {
  constructor(private readonly parts: Parts) {}

  async execute({ context, request }: RequestWithdrawal): Promise<RequestedWithdrawal> {
    const { aggregates, identity, random, settings } = this.parts;
    const { userId, amount, currency, walletAddress } = request;
    const { personKeys } = identity;
    const address =
      walletAddress === undefined ? null : await personKeys.encryptFor(userId, { walletAddress });
    const inForce = await settings.current();
    const { prices, rate = null } = inForce;
    const requestId = randomAlphanumeric(random, REQUEST_ID_LENGTH);
    const command = {
      type: 'RequestWithdrawal',
      requestId,
      amount,
      currency,
      prices,
      rate,
      address,
    } as const;
    const { events, position, replayed } = await aggregates.accounts.execute(
      accountStream(userId),
      command,
      withSettingsRevision(inForce, await context.digested((text) => personKeys.digestFor(userId, text))),
    );
    const [event] = events;
    invariant(event?.type === 'WithdrawalRequested', 'a new request gives its event');
    const convertedAmount = formatDecimal(event.data.convertedAmount, PAYOUT_SCALE);
    return { position, replayed, requestId: event.data.requestId, convertedAmount };
  }
}
