import { Inject, Injectable } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CommandTo, Execution, Executor, ManyOptions } from '#commands';
import type { DomainEvent } from '#kernel';
import { accountStream } from '#ledger';
import type { CommandRequest } from '../http/command-context.js';
import { LEDGER, type Aggregate, type CommandOf, type ExecutionOf, type Ledger } from './ledger.js';

/** What came of each of many commands. */
type Answers = readonly PromiseSettledResult<Execution<DomainEvent>>[];

/** A command to one stream of an aggregate. */
export class CarryOut extends Command<Execution<DomainEvent>> {
  constructor(
    readonly aggregate: Aggregate,
    readonly stream: string,
    readonly command: unknown,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** The one handler of all commands: the aggregate's executor decides. */
@CommandHandler(CarryOut)
export class CarryOutHandler implements ICommandHandler<CarryOut> {
  constructor(@Inject(LEDGER) private readonly ledger: Ledger) {}

  execute({ aggregate, stream, command, context }: CarryOut): Promise<Execution<DomainEvent>> {
    // `Commands` is the only one who makes a CarryOut, and it gives each aggregate commands of its own.
    const executor = this.ledger[aggregate] as Executor<unknown, DomainEvent, unknown>;
    return executor.execute(stream, command, context);
  }
}

/** Commands to streams of an aggregate, as many as one likes. */
export class CarryOutMany extends Command<Answers> {
  constructor(
    readonly aggregate: Aggregate,
    readonly commands: readonly CommandTo<unknown>[],
    readonly options: ManyOptions,
  ) {
    super();
  }
}

/** As `CarryOutHandler`, for many at once. */
@CommandHandler(CarryOutMany)
export class CarryOutManyHandler implements ICommandHandler<CarryOutMany> {
  constructor(@Inject(LEDGER) private readonly ledger: Ledger) {}

  execute({ aggregate, commands, options }: CarryOutMany): Promise<Answers> {
    const executor = this.ledger[aggregate] as Executor<unknown, DomainEvent, unknown>;
    return executor.executeMany(commands, options);
  }
}

/** Sends the commands that requests ask for over the command bus. */
@Injectable()
export class Commands {
  constructor(private readonly bus: CommandBus) {}

  /**
   * Carries out what a request asks of a stream. `body` is the validated body that the request's hash covers: leave out
   * of it what must not be kept, not even hashed (a pin). Its `reason`, if any, goes into the event.
   */
  async carryOut<Name extends Aggregate>(
    request: CommandRequest,
    aggregate: Name,
    stream: string,
    command: CommandOf<Name>,
    body: object & { readonly reason?: string | undefined },
  ): Promise<ExecutionOf<Name>> {
    const context = request.contextFor(stream, body);
    const done = await request.answered(this.bus.execute(new CarryOut(aggregate, stream, command, context)));
    return done as ExecutionOf<Name>;
  }

  /** Carries out many commands that one request asks for, each with a context of its own; what came of each, in order. */
  carryOutMany<Name extends Aggregate>(
    aggregate: Name,
    commands: readonly CommandTo<CommandOf<Name>>[],
    options: ManyOptions,
  ): Promise<Answers> {
    return this.bus.execute(new CarryOutMany(aggregate, commands, options));
  }

  /** Carries out what a request asks of a person's account; see `carryOut`. */
  onAccount(
    request: CommandRequest,
    userId: string,
    command: CommandOf<'accounts'>,
    body: object & { readonly reason?: string | undefined },
  ): Promise<ExecutionOf<'accounts'>> {
    return this.carryOut(request, 'accounts', accountStream(userId), command, body);
  }
}
