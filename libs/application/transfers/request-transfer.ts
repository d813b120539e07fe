import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TransferBody } from '#contracts';
import { invariant, randomAlphanumeric, type Random } from '#kernel';
import { accountStream, type Minor } from '#ledger';
import type { CallerContext } from '../access/context.js';
import type { AccessDependencies } from '../access/dependencies.js';
import { confirmTransferPin } from '../access/transfer-pins.js';
import { sentBy, type Receipt } from '../command.js';
import type { PersonalContext } from '../context.js';
import { InvalidInput } from '../invalid-input.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { REQUEST_ID_LENGTH } from '../requests/ids.js';
import { withSettingsRevision, type RevisedSettings, type SettingsInForce } from '../settings/in-force.js';
import { unusable, type AccountNumbers, type Holder } from './account-numbers.js';

/** A transfer as its sender asks for it. */
type TransferInput = Omit<TransferBody, 'pin' | 'amount'>;

/**
 * Asks for a transfer to a customer or a bank, by whoever knows the pin: a repeat is asked for it too. Refuses first as
 * `confirmTransferPin` does; then with `rate_limited` (account numbers that were tried out), `account_number_unusable`,
 * `validation_failed`, and as the account does.
 */
export class RequestTransfer extends sentBy('user')<Receipt & { readonly requestId: string }> {
  constructor(
    override readonly context: PersonalContext,
    readonly caller: CallerContext,
    readonly pin: string,
    /** US dollars. */
    readonly amount: Minor,
    readonly asked: TransferInput,
  ) {
    super();
  }
}

type Parts = AccessDependencies & {
  readonly random: Random;
  readonly settings: SettingsInForce;
};

@CommandHandler(RequestTransfer)
export class RequestTransferHandler implements ICommandHandler<RequestTransfer> {
  constructor(
    private readonly parts: Parts,
    private readonly accountNumbers: AccountNumbers,
  ) {}

  async execute({ context, caller, pin, amount, asked }: RequestTransfer) {
    const { aggregates, identity, settings } = this.parts;
    const userId = caller.actor.id;
    await confirmTransferPin(this.parts, caller, pin);
    const inForce = await settings.current();
    const command = await commandOrRefusal(() => this.commandOf(userId, amount, asked, inForce));
    const { events, position, replayed } = await aggregates.accounts.execute(
      accountStream(userId),
      command,
      withSettingsRevision(
        inForce,
        await context.digested((text) => identity.personKeys.digestFor(userId, text)),
      ),
    );
    const [event] = events;
    invariant(event?.type === 'TransferRequested', 'a new transfer gives its event');
    return { position, replayed, requestId: event.data.requestId };
  }

  private async commandOf(
    userId: string,
    amount: Minor,
    asked: TransferInput,
    { prices, bonusPolicy }: RevisedSettings,
  ) {
    const { identity, random } = this.parts;
    const holder = await this.accountNumbers.holderOf(asked.accountNumber, userId);
    // It is no bank's either: whatever name was typed, nobody would get it.
    if (holder === 'an admin') throw unusable();
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
function detailsOf(asked: TransferInput, holder: Holder | undefined) {
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
