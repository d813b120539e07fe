import type { CommandContext } from '#commands';
import { invariant, LodeError, randomAlphanumeric } from '#kernel';
import { accountStream, depositFieldOf, type Evidence, type Minor, type PaymentCurrency } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import type { Verification } from '../access/verify-email.js';
import { sentBy, type Receipt } from '../command.js';
import { ownFileFor, type Files } from '../files/named.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import type { Ports } from '../ports.js';
import { withSettingsRevision, type SettingsInForce } from '../settings/in-force.js';
import { REQUEST_ID_LENGTH } from './ids.js';

/** Asks for a wallet to be funded. Refuses with `evidence_missing`, `deposit_address_changed`, and as the account does. */
export class RequestFunding extends sentBy('user')<Receipt & { readonly requestId: string }> {
  constructor(
    override readonly context: CommandContext,
    readonly request: {
      readonly userId: string;
      /** US dollars. */
      readonly amount: Minor;
      /** What was paid in. */
      readonly currency: PaymentCurrency;
      /** The uploaded payment evidence. */
      readonly evidenceId: string;
      /** The deposit address that was shown. */
      readonly depositAddress?: string | undefined;
    },
  ) {
    super();
  }
}

type Parts = Files &
  Pick<Ports, 'random'> & {
    readonly aggregates: Pick<Aggregates, 'accounts'>;
    readonly settings: SettingsInForce;
    readonly verification: Verification;
  };

export class RequestFundingHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, request }: RequestFunding) {
    const { aggregates, random, settings, verification } = this.parts;
    const { userId, amount, currency, evidenceId, depositAddress: shown } = request;
    const inForce = await settings.current();
    const depositAddress = inForce.deposit[depositFieldOf[currency]] ?? null;
    const command = await commandOrRefusal(async () => ({
      type: 'RequestFunding' as const,
      onlyVerified: verification.mayNot.includes('fund'),
      requestId: randomAlphanumeric(random, REQUEST_ID_LENGTH),
      amount,
      currency,
      evidence: await this.evidenceOf(evidenceId, userId),
      // The operator's own, and what was shown is compared with it: nobody can claim to have paid to another one.
      depositAddress: stillInForce(depositAddress, shown, currency),
    }));
    const { events, position, replayed } = await aggregates.accounts.execute(
      accountStream(userId),
      command,
      withSettingsRevision(inForce, context),
    );
    const [event] = events;
    invariant(event?.type === 'FundingRequested', 'a new request gives its event');
    return { position, replayed, requestId: event.data.requestId };
  }

  private async evidenceOf(fileId: string, userId: string): Promise<Evidence> {
    const evidence = await ownFileFor(this.parts, fileId, userId, 'evidence');
    if (evidence === undefined)
      throw new LodeError('evidence_missing', 'Please enter a valid upload payment evidence.');
    return evidence;
  }
}

/** The deposit address in force; refused where another one was shown. */
function stillInForce(
  depositAddress: string | null,
  shown: string | undefined,
  currency: PaymentCurrency,
): string | null {
  if (shown === undefined || shown === depositAddress) return depositAddress;
  const message =
    `The deposit address for ${currency} has changed. Look at it again before you send anything. ` +
    'If you have paid to the old one already, write to support.';
  throw new LodeError('deposit_address_changed', message);
}
