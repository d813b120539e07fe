import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '#commands';
import { invariant, LodeError, randomAlphanumeric } from '#kernel';
import { accountStream, type Evidence, type Minor, type PaymentCurrency } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import { ownFileFor, type Files } from '../files/named.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import type { Ports } from '../ports.js';
import { REQUEST_ID_LENGTH } from './ids.js';

/** Asks for a wallet to be funded. Refuses with `evidence_missing`, and as the account does. */
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
    },
  ) {
    super();
  }
}

type Parts = Files & Pick<Ports, 'random'> & { readonly aggregates: Pick<Aggregates, 'accounts'> };

@CommandHandler(RequestFunding)
export class RequestFundingHandler implements ICommandHandler<RequestFunding> {
  constructor(private readonly parts: Parts) {}

  async execute({ context, request }: RequestFunding) {
    const { aggregates, random } = this.parts;
    const { userId, amount, currency, evidenceId } = request;
    const command = await commandOrRefusal(async () => ({
      type: 'RequestFunding' as const,
      requestId: randomAlphanumeric(random, REQUEST_ID_LENGTH),
      amount,
      currency,
      evidence: await this.evidenceOf(evidenceId, userId),
    }));
    const stream = accountStream(userId);
    const { events, position, replayed } = await aggregates.accounts.execute(stream, command, context);
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
