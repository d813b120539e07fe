import type { Executor } from '#commands';
import type { BucketsOf } from '#identity';
import { hasCode, LodeError, type Actor, type Decider, type DomainEvent } from '#kernel';
import type { Account, AccountCommand, AccountRequest } from '#ledger';

/** What one customer may ask of everybody who decides, and of the log. */
export type Budget = {
  /** Requests of one kind that may wait for a decision. */
  readonly openRequests: number;
  /** Commands that change something, at once; one more is given each hour divided by as many. */
  readonly commandsPerHour: number;
};

const HOUR_MS = 60 * 60 * 1_000;
/** When to ask again whether some of one's requests were decided, in seconds: nobody can say when they will be. */
const DECIDED_SECONDS = 600;

const kindOf: Readonly<Partial<Record<AccountCommand['type'], AccountRequest['kind']>>> = {
  RequestFunding: 'funding',
  RequestWithdrawal: 'withdrawal',
  RequestTransfer: 'transfer',
};
const words = { funding: 'fund requests', withdrawal: 'withdrawals', transfer: 'transfers' } as const;

/** The decisions of an account, where a customer has no more than so many requests of a kind open. */
export function withOpenMax<Event extends DomainEvent>(
  decider: Decider<AccountCommand, Event, Account>,
  openMax: number,
): Decider<AccountCommand, Event, Account> {
  return {
    ...decider,
    decide: (command, state, now) => {
      const events = decider.decide(command, state, now);
      const kind = kindOf[command.type];
      if (kind !== undefined && events.length > 0 && state.kind === 'open' && state.open[kind] >= openMax)
        throw tooMany(
          `You have ${openMax} open ${words[kind]}. Wait until some of them are decided.`,
          DECIDED_SECONDS,
        );
      return events;
    },
  };
}

/** What customers ask for themselves; what follows from it by itself, and who signs in, is not theirs. */
const counted: ReadonlySet<string> = new Set([
  ...Object.keys(kindOf),
  'ChangeProfile',
  'ChangeProfileImage',
  'SaveWalletAddress',
  'CancelWalletAddress',
  'SendMessage',
]);

/** A budget of its own have the marks that a page sets while somebody reads: they take nothing from what is asked for. */
function isMark(command: object): boolean {
  return 'isMark' in command && command.isMark === true;
}

/**
 * Counts what customers change, for all aggregates together, and marks of what they have read by themselves. A command beyond it
 * is refused with `rate_limited`; a repeat is given its first answer, and neither that nor a refusal nor what changes nothing
 * counts. What nobody knows the outcome of may have changed something, and counts each time that
 * it is tried.
 */
export function createHourlyBudget(bucketsOf: BucketsOf, commandsPerHour: number) {
  const allowance = { burst: commandsPerHour, everyMs: HOUR_MS / commandsPerHour };
  const changes = bucketsOf('changes', allowance);
  const marks = bucketsOf('marks', allowance);

  return <Command extends { readonly type: string }, Event extends DomainEvent, State>(
    executor: Executor<Command, Event, State>,
  ): Executor<Command, Event, State> => {
    type Execute = Executor<Command, Event, State>['execute'];
    const execute: Execute = (stream, command, context) =>
      command instanceof LodeError || !counted.has(command.type) || !isCustomer(context.actor)
        ? executor.execute(stream, command, context)
        : counting(stream, command, context);
    const counting = async (...[stream, command, context]: Parameters<Execute>) => {
      const { actor } = context;
      const buckets = isMark(command) ? marks : changes;
      const waitMs = await buckets.take(actor.id);
      if (waitMs > 0)
        return executor.execute(
          stream,
          tooMany('Too many changes. Wait a little and try again.', waitMs / 1_000),
          context,
        );
      let changed = false;
      try {
        const done = await executor.execute(stream, command, context);
        changed = !done.replayed && done.events.length > 0;
        return done;
      } catch (error) {
        changed = hasCode(error, 'unknown_outcome');
        throw error;
      } finally {
        // Nobody waits for it: it is late by what one write takes.
        if (!changed) void buckets.giveBack(actor.id);
      }
    };
    return { ...executor, execute };
  };
}

function isCustomer({ kind, role }: Actor): boolean {
  return kind === 'person' && role === 'user';
}

function tooMany(message: string, retryAfterSeconds: number): LodeError {
  return new LodeError('rate_limited', message, { retryAfterSeconds });
}
