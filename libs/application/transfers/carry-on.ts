import type { CommandContext } from '#commands';
import type { TransferStep } from '#reactors';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';

/** The next step of a transfer that was confirmed, on the account that takes it. May be repeated. */
export class CarryTransferOn extends sentBy('system')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly stream: string,
    readonly step: TransferStep,
  ) {
    super();
  }
}

export class CarryTransferOnHandler {
  constructor(private readonly aggregates: Pick<Aggregates, 'accounts'>) {}

  execute({ context, stream, step }: CarryTransferOn): Promise<Receipt> {
    return this.aggregates.accounts.execute(stream, step, context);
  }
}
