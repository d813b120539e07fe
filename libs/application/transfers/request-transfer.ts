import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TransferBody } from '#contracts';
import type { PersonKeys } from '#identity';
import { invariant, randomAlphanumeric, type Random } from '#kernel';
import { accountStream, type Minor } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import type { PersonalContext } from '../context.js';
import { InvalidInput } from '../invalid-input.js';
import { madeOrRefused } from '../made-or-refused.js';
import { REQUEST_ID_LENGTH } from '../requests/ids.js';
import type { SettingsInForce } from '../settings/in-force.js';
import type { AccountNumbers, Holder } from './account-numbers.js';

/** A transfer as its sender asks for it, without the pin that was asked for. */
type Asked = Omit<TransferBody, 'pin' | 'amount'>;

/**
 * Asks for a transfer to a customer or a bank, by somebody whose pin was asked for. Refuses with `rate_limited` (account
 * numbers that were tried out), `account_number_unusable`, `validation_failed`, and as the account does.
 */
export class RequestTransfer extends sentBy('user')<Receipt & { readonly requestId: string }> {
  constructor(
    override readonly context: PersonalContext,
    readonly userId: string,
    /** US dollars. */
    readonly amount: Minor,
    readonly asked: Asked,
  ) {
    super();
  }
}

type Parts = {
  readonly aggregates: Pick<Aggregates, 'accounts'>;
  readonly identity: { readonly personKeys: Pick<PersonKeys, 'encryptFor' | 'digestFor'> };
  readonly random: Random;
  readonly settings: SettingsInForce;
};

@CommandHandler(RequestTransfer)
export class RequestTransferHandler implements ICommandHandler<RequestTransfer> {
  constructor(
    private readonly parts: Parts,
    private readonly accountNumbers: AccountNumbers,
  ) {}

  async execute({ context, userId, amount, asked }: RequestTransfer) {
    const { aggregates, identity } = this.parts;
    const command = await madeOrRefused(() => this.commandOf(userId, amount, asked));
    const { events, position, replayed } = await aggregates.accounts.execute(
      accountStream(userId),
      command,
      await context.digested((text) => identity.personKeys.digestFor(userId, text)),
    );
    const [event] = events;
    invariant(event?.type === 'TransferRequested', 'a new transfer gives its event');
    return { position, replayed, requestId: event.data.requestId };
  }

  private async commandOf(userId: string, amount: Minor, asked: Asked) {
    const { identity, random, settings } = this.parts;
    const holder = await this.accountNumbers.holderOf(asked.accountNumber, userId);
    const { prices, bonusPolicy } = await settings.current();
    return {
      type: 'RequestTransfer' as const,
      requestId: randomAlphanumeric(random, REQUEST_ID_LENGTH),
      transferType: asked.transferType,
      receiver: holder === undefined ? null : { userId: holder.userId, accountNumber: holder.accountNumber },
      amount,
      currency: asked.currency ?? bonusPolicy.currency,
      prices,
      details: await identity.personKeys.encryptFor(userId, detailsOf(asked, holder)),
    };
  }
}

/** What is kept, encrypted. A customer's name is not: it is the receiver's own, and goes when that person is erased. */
function detailsOf(asked: Asked, holder: Holder | undefined) {
  const { bankName, bankAddress, accountNumber, routingNumber, swiftBicIban, holderAddress, narration } =
    asked;
  const accountName = holder === undefined ? asked.accountName : '';
  if (holder === undefined && accountName === '')
    throw new InvalidInput([{ path: 'accountName', message: 'Incomplete information' }]);
  return {
    bankName,
    bankAddress,
    accountNumber,
    routingNumber,
    swiftBicIban,
    accountName,
    holderAddress,
    narration,
  };
}
