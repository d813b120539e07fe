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

export class SaveWalletAddressHandler {
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
    const known = await this.knownOf(userId, await openAccount(aggregates, userId));
    const unfit = known.filter(({ opened }) => !isOneOf(networks, opened, currency)).map(({ text }) => text);
    // The text that the account has of it already, if it does.
    const kept = known.find(({ opened }) => opened === walletAddress && opened !== FORGOTTEN);
    const address = kept?.text ?? (await personKeys.encryptFor(userId, { walletAddress }));
    return { type: 'SaveWalletAddress' as const, address, currency, unfit, waitMs };
  }

  /** The addresses that the account has and had, as it keeps them and opened. */
  private knownOf(userId: string, { addresses, addressesLeft }: OpenAccount) {
    const { personKeys } = this.parts.identity;
    const texts = new Set([
      ...Object.values(addresses).flatMap(textsOf),
      ...Object.values(addressesLeft).flatMap((left) => left.map(({ address }) => address)),
    ]);
    const open = async (text: string) => ({ text, opened: await walletAddressOf(personKeys, userId, text) });
    return Promise.all([...texts].map(open));
  }
}

/** What a slot has, encrypted: the address that is in force last, and the one before it. */
function textsOf({ address, next }: NonNullable<OpenAccount['addresses']['any']>): readonly string[] {
  return next === null ? [address] : [next.address, address];
}

/** Whether an address can be of the currency's network, or of one of all currencies'. */
function isOneOf(networks: Networks, address: string, currency: PaymentCurrency | undefined): boolean {
  return currenciesFor(currency).some((one) => canBeOf(networks[one], address));
}

function currenciesFor(currency: PaymentCurrency | undefined): readonly PaymentCurrency[] {
  return currency === undefined ? paymentCurrencies : [currency];
}

/** Refuses what is no address of the currency's network, or of none of all currencies'. */
function refuseOthers(networks: Networks, address: string, currency: PaymentCurrency | undefined): void {
  if (isOneOf(networks, address, currency)) return;
  const names = [...new Set(currenciesFor(currency).map((one) => networkNames[networks[one]]))].join(' or ');
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

export class CancelWalletAddressHandler {
  constructor(private readonly parts: Pick<Parts, 'aggregates'>) {}

  execute({ context, userId, currency }: CancelWalletAddress): Promise<Receipt> {
    const command = { type: 'CancelWalletAddress', currency } as const;
    return this.parts.aggregates.accounts.execute(accountStream(userId), command, context);
  }
}
