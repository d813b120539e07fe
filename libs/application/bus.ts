import { createOpenOutcomes, unknownOutcome, type OpenOutcomes } from '#commands';
import { invariant, serializeError, type ErrorCode } from '#kernel';
import { ApplicationCommand, senderOf } from './command.js';
import { Query, type Dispatch, type Message } from './message.js';

/** A command or query, by the name of its class. */
export type Measured = { readonly name: string; readonly isCommand: boolean };

/** Hears of every command and query what became of it. */
export type BusMeter = {
  /** Seconds on a clock that never goes back. */
  readonly now: () => number;
  readonly record: (message: Measured, outcome: 'done' | ErrorCode, seconds: number) => void;
};

/** Resolves when it may be said that something was done, or gives nothing to wait for: see `StillHere` in `#engines`. */
export type MayAnswer = () => Promise<void> | undefined;

/** What a bus is made with. */
export type BusParts = {
  readonly meter: BusMeter;
  readonly mayAnswer: MayAnswer;
  /** What remembers the commands whose outcome is not known: that of the handlers' own executors. */
  readonly outcomes?: OpenOutcomes | undefined;
};

/** Hears nothing: for a program that shows no metrics. */
export const noMeter: BusMeter = { now: () => 0, record: () => undefined };

/**
 * The one way to the application's handlers, for HTTP, reactors, jobs and the command line alike. It counts and times
 * every message, and stops a command whose class does not say that its actor may send it.
 */
export class Bus {
  private readonly meter: BusMeter;
  private readonly mayAnswer: MayAnswer;
  private readonly outcomes: OpenOutcomes;

  constructor(
    private readonly handlers: Dispatch,
    { meter, mayAnswer, outcomes = createOpenOutcomes() }: BusParts,
  ) {
    this.meter = meter;
    this.mayAnswer = mayAnswer;
    this.outcomes = outcomes;
  }

  /**
   * Has a command carried out. Rejects with what its handler refuses it with, and with `unknown_outcome` as long as nobody
   * knows what became of it before, whatever it was that its handler met now. Where nothing may be done any more, it rejects
   * with `unavailable`, and with `unknown_outcome` when that became so meanwhile.
   */
  execute<Result>(command: ApplicationCommand<Result>): Promise<Result> {
    return this.measured(command, () => this.answerable(command));
  }

  /** Has a query answered. Rejects with what its handler refuses it with. */
  query<Result>(query: Query<Result>): Promise<Result> {
    return this.measured(query, () => {
      invariant(query instanceof Query, `${query.constructor.name} is a query`);
      return this.handlers.execute(query);
    });
  }

  /** Commands are carried out where they may be, and answered where that may be said. */
  private async answerable<Result>(command: ApplicationCommand<Result>): Promise<Result> {
    const before = this.mayAnswer();
    if (before !== undefined) await before;
    const result = await this.handlers.execute(command);
    const after = this.mayAnswer();
    if (after !== undefined)
      await after.catch((error: unknown) => {
        throw unknownOutcome(error);
      });
    return result;
  }

  private async measured<Result>(message: Message<Result>, handle: () => Promise<Result>): Promise<Result> {
    const { name } = message.constructor;
    const measured = { name, isCommand: message instanceof ApplicationCommand };
    const began = this.meter.now();
    try {
      if (message instanceof ApplicationCommand) {
        const sender = senderOf(message.context.actor);
        invariant(message.senders.has(sender), `${name} is nothing that a ${sender} sends`);
      }
      const result = await handle();
      this.meter.record(measured, 'done', this.meter.now() - began);
      return result;
    } catch (thrown) {
      const error = message instanceof ApplicationCommand ? this.told(message, thrown) : thrown;
      this.meter.record(measured, serializeError(error).code, this.meter.now() - began);
      throw error;
    }
  }

  private told({ context }: ApplicationCommand<unknown>, error: unknown): unknown {
    const isOpen = 'commandId' in context && this.outcomes.isOpen(String(context.commandId));
    return isOpen ? unknownOutcome(error) : error;
  }
}
