import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '#commands';
import { FORGOTTEN, type PersonKeys } from '#identity';
import { accountStream, paymentCurrencies, type OpenAccount, type PaymentCurrency } from '#ledger';
import { answeredBefore } from '../access/answered-before.js';
import type { CallerContext } from '../access/context.js';
import type { MoneyOutDependencies } from '../access/money-out.js';
import { requireProof, type Proof, type ProofDependencies } from '../access/step-up.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { sentBy, type Receipt } from '../command.js';
import type { PersonalContext } from '../context.js';
import { InvalidInput } from '../invalid-input.js';
import { walletAddressOf } from '../wallet/account-view.js';
import { canBeOf, networkNames, type Networks } from '../wallet/networks.js';
import { openAccount } from './open-account.js';
import { digested } from './profile.js';

type Parts = ProofDependencies &
  MoneyOutDependencies & {
    readonly identity: { readonly personKeys: PersonKeys };
    readonly networks: Networks;
  };

/**
 * Keeps the address that the caller's withdrawals in a currency go to, or those in every currency without one of its own. The
 * first is in force at once, another one after the waiting time. A repeat is answered without proof. Refuses as
 * `requireProof` and the account do, and with `validation_failed` what is no address of the currency's network.
 */
export class SaveWalletAddress extends sentBy('user', 'admin')<Receipt> {
  constructor(
    override readonly context: PersonalContext,
    readonly caller: CallerContext,
    readonly proof: Proof | undefined,
    readonly walletAddress: string,
    readonly currency?: PaymentCurrency,
  ) {
    super();
  }
}

@CommandHandler(SaveWalletAddress)
export class SaveWalletAddressHandler implements ICommandHandler<SaveWalletAddress> {
  constructor(private readonly parts: Parts) {}

  async execute({ context, caller, proof, walletAddress, currency }: SaveWalletAddress): Promise<Receipt> {
    const { accounts } = this.parts.aggregates;
    const userId = caller.actor.id;
    const stream = accountStream(userId);
    const commandContext = await digested(context, this.parts, userId);
    const before = await answeredBefore(accounts, stream, commandContext);
    if (before !== undefined) return before;
    // First: a code of the second factor works once, and what is no address is to cost none.
    refuseOthers(this.parts.networks, walletAddress, currency);
    await requireProof(this.parts, caller, 'security', proof);
    const command = await commandOrRefusal(() => this.commandOf(userId, walletAddress, currency));
    return accounts.execute(stream, command, commandContext);
  }

  private async commandOf(userId: string, walletAddress: string, currency: PaymentCurrency | undefined) {
    const { aggregates, identity, networks, changeWaitMs: waitMs } = this.parts;
    const { personKeys } = identity;
    const { addresses } = await openAccount(aggregates, userId);
    // One that waits in it counts as well: else whoever saves one of another network there were past the wait here.
    const any = addresses.any === undefined ? [] : textsOf(addresses.any);
    const anys = await Promise.all(any.map((text) => walletAddressOf(personKeys, userId, text)));
    const isAnyIts = currency !== undefined && anys.some((one) => canBeOf(networks[currency], one));
    const address = await this.sealed(userId, walletAddress, addresses);
    return { type: 'SaveWalletAddress' as const, address, currency, isAnyIts, waitMs };
  }

  /** The address, encrypted: the text that the account has of it already, if it does. */
  private async sealed(
    userId: string,
    walletAddress: string,
    addresses: OpenAccount['addresses'],
  ): Promise<string> {
    const { personKeys } = this.parts.identity;
    for (const text of Object.values(addresses).flatMap(textsOf))
      if ((await walletAddressOf(personKeys, userId, text)) === walletAddress && walletAddress !== FORGOTTEN)
        return text;
    return personKeys.encryptFor(userId, { walletAddress });
  }
}

/** What a slot has, encrypted: the address that is in force last, and the one before it. */
function textsOf({ address, next }: NonNullable<OpenAccount['addresses']['any']>): readonly string[] {
  return next === null ? [address] : [next.address, address];
}

/** Refuses what is no address of the currency's network, or of none of all currencies'. */
function refuseOthers(networks: Networks, address: string, currency: PaymentCurrency | undefined): void {
  const asked = currency === undefined ? paymentCurrencies : [currency];
  if (asked.some((one) => canBeOf(networks[one], address))) return;
  const names = [...new Set(asked.map((one) => networkNames[networks[one]]))].join(' or ');
  throw new InvalidInput([
    { path: 'walletAddress', message: `This is no address of ${names}. Please check it.` },
  ]);
}

/** Keeps the address in force: the one that waits never is. Refuses as the account does. */
export class CancelWalletAddress extends sentBy('user', 'admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly userId: string,
    readonly currency?: PaymentCurrency,
  ) {
    super();
  }
}

@CommandHandler(CancelWalletAddress)
export class CancelWalletAddressHandler implements ICommandHandler<CancelWalletAddress> {
  constructor(private readonly parts: Pick<Parts, 'aggregates'>) {}

  execute({ context, userId, currency }: CancelWalletAddress): Promise<Receipt> {
    const command = { type: 'CancelWalletAddress', currency } as const;
    return this.parts.aggregates.accounts.execute(accountStream(userId), command, context);
  }
}
