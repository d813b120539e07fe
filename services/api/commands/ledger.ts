import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject } from '@nestjs/common';
import { createExecutor, type CommandContext, type Execution, type Executor } from '#commands';
import {
  accountDecider,
  accountStream,
  invitationDecider,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type Invitation,
  type InvitationCommand,
  type InvitationEvent,
} from '#ledger';
import type { EventStore } from '#event-store';
import type { Clock } from '#kernel';

/** The write side: one executor an aggregate. */
export type Ledger = {
  readonly accounts: Executor<AccountCommand, AccountEvent, Account>;
  readonly invitations: Executor<InvitationCommand, InvitationEvent, Invitation>;
};

/** Where Nest keeps the ledger. */
export const LEDGER = Symbol('ledger');

/** The executors over an event store. */
export function createLedger(parts: { readonly eventStore: EventStore; readonly clock: Clock }): Ledger {
  const { eventStore: store, clock } = parts;
  return {
    accounts: createExecutor({ store, clock, decider: accountDecider }),
    invitations: createExecutor({ store, clock, decider: invitationDecider }),
  };
}

/** A command to one person's account. */
export class CommandAccount extends Command<Execution<AccountEvent>> {
  constructor(
    readonly userId: string,
    readonly command: AccountCommand,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CommandAccount)
export class CommandAccountHandler implements ICommandHandler<CommandAccount> {
  constructor(@Inject(LEDGER) private readonly ledger: Ledger) {}

  execute({ userId, command, context }: CommandAccount): Promise<Execution<AccountEvent>> {
    return this.ledger.accounts.execute(accountStream(userId), command, context);
  }
}
