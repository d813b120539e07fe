import type { TransferBody } from '#contracts';
import type { Execution } from '#commands';
import { invariant, randomAlphanumeric, type Random } from '#kernel';
import { accountStream, type AccountEvent, type Minor } from '#ledger';
import type { CallerContext } from '../access/context.js';
import type { AccessDependencies } from '../access/dependencies.js';
import { answeredBefore } from '../access/answered-before.js';
import { requireProof, type Proof } from '../access/step-up.js';
import type { Verification } from '../access/verify-email.js';
import { sentBy, type Receipt } from '../command.js';
import type { PersonalContext } from '../context.js';
import { InvalidInput } from '../invalid-input.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { REQUEST_ID_LENGTH } from '../requests/ids.js';
import { withSettingsRevision, type RevisedSettings, type SettingsInForce } from '../settings/in-force.js';
import { unusable, type AccountNumbers, type Holder } from './account-numbers.js';

/** A transfer as its sender asks for it. */
type TransferInput = Omit<TransferBody, 'pin' | 'proof' | 'amount'>;

/**
 * Asks for a transfer to a customer or a bank, by whoever proves again that it is they; a repeat is answered without proof. Refuses first
 * as `requireProof` does; then with `rate_limited` (account numbers that were tried out), `account_number_unusable`,
 * `validation_failed`, and as the account does.
 */
export class RequestTransfer extends sentBy('user')<Receipt & { readonly requestId: string }> {
  constructor(
    override readonly context: PersonalContext,
    readonly caller: CallerContext,
    readonly proof: Proof | undefined,
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
  readonly verification: Verification;
};

export class RequestTransferHandler {
  constructor(
    private readonly parts: Parts,
    private readonly accountNumbers: AccountNumbers,
  ) {}

  async execute({ context, caller, proof, amount, asked }: RequestTransfer) {
    const { aggregates, identity, settings } = this.parts;
    const userId = caller.actor.id;
    const stream = accountStream(userId);
    const digested = await context.digested((text) => identity.personKeys.digestFor(userId, text));
    const before = await answeredBefore(aggregates.accounts, stream, digested);
    if (before !== undefined) return answerOf(before);
    await requireProof(this.parts, caller, 'transfer', proof);
    const inForce = await settings.current();
    const command = await commandOrRefusal(() => this.commandOf(userId, amount, asked, inForce));
    return answerOf(
      await aggregates.accounts.execute(stream, command, withSettingsRevision(inForce, digested)),
    );
  }

  private async commandOf(
    userId: string,
    amount: Minor,
    asked: TransferInput,
    { prices, bonusPolicy }: RevisedSettings,
  ) {
    const { identity, random, verification } = this.parts;
    const holder = await this.accountNumbers.holderOf(asked.accountNumber, userId);
    // It is no bank's either: whatever name was typed, nobody would get it.
    if (holder === 'an admin') throw unusable();
    return {
      type: 'RequestTransfer' as const,
      onlyVerified: verification.mayNot.includes('transfer'),
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

function answerOf({ events, position, replayed }: Execution<AccountEvent>) {
  const [event] = events;
  invariant(event?.type === 'TransferRequested', 'a new transfer gives its event');
  return { position, replayed, requestId: event.data.requestId };
}

const INCOMPLETE = 'Incomplete information';

/**
 * What is kept, encrypted. Of a customer nothing but the number: the money stays on the platform, so that there is no bank,
 * and the name is the receiver's own, and goes when that person is erased.
 */
function detailsOf(asked: TransferInput, holder: Holder | undefined) {
  const { accountNumber, narration } = asked;
  if (holder !== undefined) return { ...NO_BANK, accountNumber, narration };
  const { transferType, bankName, bankAddress, routingNumber, swiftBicIban, accountName, holderAddress } =
    asked;
  const needed = { bankName, accountName, ...(transferType === 'international' && { swiftBicIban }) };
  const missing = Object.entries(needed).filter(([_name, text]) => text === '');
  if (missing.length > 0) {
    throw new InvalidInput(missing.map(([path]) => ({ path, message: INCOMPLETE })));
  }
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

const NO_BANK = {
  bankName: '',
  bankAddress: '',
  routingNumber: '',
  swiftBicIban: '',
  accountName: '',
  holderAddress: '',
} as const;
