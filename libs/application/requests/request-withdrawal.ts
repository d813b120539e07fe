import type { Execution } from '#commands';
import type { Identity } from '#identity';
import { invariant, LodeError, randomAlphanumeric } from '#kernel';
import {
  accountStream,
  addressDiffers,
  formatDecimal,
  payoutAddress,
  PAYOUT_SCALE,
  type AccountEvent,
  type Minor,
  type PaymentCurrency,
} from '#ledger';
import { answeredBefore } from '../access/answered-before.js';
import type { CallerContext } from '../access/context.js';
import { requireProof, type Proof, type ProofDependencies } from '../access/step-up.js';
import type { Verification } from '../access/verify-email.js';
import type { Aggregates } from '../aggregates.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { sentBy, type Receipt } from '../command.js';
import type { PersonalContext } from '../context.js';
import type { Ports } from '../ports.js';
import { withSettingsRevision, type SettingsInForce } from '../settings/in-force.js';
import { walletAddressOf } from '../wallet/account-view.js';
import { canBeOf, type Networks } from '../wallet/networks.js';
import { REQUEST_ID_LENGTH } from './ids.js';

/** A withdrawal that was asked for. */
export type RequestedWithdrawal = Receipt & {
  readonly requestId: string;
  /** In the payout currency, as a decimal text. */
  readonly convertedAmount: string;
};

/**
 * Asks for a withdrawal, by whoever proves again that it is they; a repeat is answered without proof. Refuses first as
 * `requireProof` does; then with `account_not_found`, and as the account does.
 */
export class RequestWithdrawal extends sentBy('user')<RequestedWithdrawal> {
  constructor(
    override readonly context: PersonalContext,
    readonly caller: CallerContext,
    readonly proof: Proof | undefined,
    readonly request: {
      /** US dollars. */
      readonly amount: Minor;
      readonly currency: PaymentCurrency;
      /** Where whoever asks takes it to go; left out, wherever the account says. */
      readonly walletAddress: string | undefined;
    },
  ) {
    super();
  }
}

type Parts = Pick<Ports, 'clock' | 'random'> &
  ProofDependencies & {
    readonly identity: Pick<Identity, 'personKeys'>;
    readonly aggregates: Pick<Aggregates, 'accounts'>;
    readonly networks: Networks;
    readonly settings: SettingsInForce;
    readonly verification: Verification;
  };

export class RequestWithdrawalHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, caller, proof, request }: RequestWithdrawal): Promise<RequestedWithdrawal> {
    const { aggregates, identity, random, settings } = this.parts;
    const { amount, currency, walletAddress } = request;
    const userId = caller.actor.id;
    const stream = accountStream(userId);
    const { personKeys } = identity;
    const digested = await context.digested((text) => personKeys.digestFor(userId, text));
    const before = await answeredBefore(aggregates.accounts, stream, digested);
    if (before !== undefined) return answerOf(before);
    await requireProof(this.parts, caller, 'withdrawal', proof);
    const inForce = await settings.current();
    const { prices, rate = null } = inForce;
    const command = await commandOrRefusal(async () => ({
      type: 'RequestWithdrawal' as const,
      onlyVerified: this.parts.verification.mayNot.includes('withdraw'),
      requestId: randomAlphanumeric(random, REQUEST_ID_LENGTH),
      amount,
      currency,
      prices,
      rate,
      address: await this.addressFor(userId, currency, walletAddress),
    }));
    return answerOf(
      await aggregates.accounts.execute(stream, command, withSettingsRevision(inForce, digested)),
    );
  }

  /**
   * Where it goes, encrypted; null where there is no account, which says so itself. An address that can't be one of the
   * currency's network, as one from before addresses were checked, is none.
   */
  private async addressFor(
    userId: string,
    currency: PaymentCurrency,
    asked: string | undefined,
  ): Promise<string | null> {
    const { aggregates, clock, identity, networks } = this.parts;
    const { state } = await aggregates.accounts.load(accountStream(userId));
    if (state.kind === 'none') return null;
    const saved = payoutAddress(state, currency, new Date(clock()).toISOString());
    // Decided here: one that is saved from now on was neither checked nor compared.
    const address = saved === null ? null : await walletAddressOf(identity.personKeys, userId, saved);
    if (address === null || !canBeOf(networks[currency], address))
      throw new LodeError('wallet_address_missing', 'Please save a wallet address first.');
    if (asked !== undefined && asked !== address) throw addressDiffers();
    return saved;
  }
}

function answerOf({ events, position, replayed }: Execution<AccountEvent>): RequestedWithdrawal {
  const [event] = events;
  invariant(event?.type === 'WithdrawalRequested', 'a new request gives its event');
  const convertedAmount = formatDecimal(event.data.convertedAmount, PAYOUT_SCALE);
  return { position, replayed, requestId: event.data.requestId, convertedAmount };
}
