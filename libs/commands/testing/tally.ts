import {
  commandIdOf,
  eventCodecs,
  invariant,
  LodeError,
  plainCodec,
  type Decider,
  type Hold,
  type Random,
  type Timers,
} from '#kernel';
import type { EventStore } from '#event-store';
import { createExecutor, createStateCache, type CommandContext } from '#commands';
import type { Executor } from '../command.js';

/** A sum that may not be negative: the smallest aggregate with everything that the executor has to deal with. */
export type Tally = { readonly sum: number };

export type TallyEvent = {
  readonly type: 'Added';
  readonly data: { readonly amount: number; readonly note?: string };
};

export type TallyCommand =
  /** Adds in as many events as asked for, one when left out. */
  | { readonly do: 'add'; readonly amount: number; readonly events?: number; readonly note?: string }
  /** Refused with `insufficient_balance` when the sum is less. */
  | { readonly do: 'take'; readonly amount: number }
  /** Adds what lacks; asked for what is already so, gives no events. */
  | { readonly do: 'raise'; readonly to: number }
  /** A decision with a fault in it: it takes what is not there. */
  | { readonly do: 'overdraw' };

export const tallyDecider: Decider<TallyCommand, TallyEvent, Tally> = {
  initial: { sum: 0 },
  decide(command, { sum }) {
    switch (command.do) {
      case 'add': {
        const { amount, events = 1, note } = command;
        const data = { amount, ...(note === undefined ? {} : { note }) };
        return Array.from({ length: events }, () => ({ type: 'Added', data }));
      }
      case 'take':
        if (command.amount > sum) throw new LodeError('insufficient_balance', 'not enough');
        return [{ type: 'Added', data: { amount: -command.amount } }];
      case 'raise':
        return command.to <= sum ? [] : [{ type: 'Added', data: { amount: command.to - sum } }];
      case 'overdraw':
        return [{ type: 'Added', data: { amount: -1 - sum } }];
    }
  },
  evolve(state, event) {
    const sum = state.sum + event.data.amount;
    invariant(sum >= 0, 'a tally is not negative');
    return { sum };
  },
  codecs: eventCodecs<TallyEvent>({ Added: plainCodec() }),
};

/** An executor of tallies; its clock ticks a second a call, beginning in the given year. */
export function startTally(
  store: EventStore,
  options: {
    /** Of states in memory; a budget of 1 is that of a program that forgets every stream but the last one. */
    readonly cacheBytes?: number;
    readonly year?: number;
    readonly timers?: Timers;
    readonly random?: Random;
    readonly hold?: Hold | undefined;
  } = {},
): Executor<TallyCommand, TallyEvent, Tally> {
  const { year = 2026, cacheBytes, ...rest } = options;
  const cache = createStateCache({ bytes: cacheBytes });
  let now = Date.UTC(year, 0, 1);
  return createExecutor({ store, decider: tallyDecider, clock: () => (now += 1_000), cache, ...rest });
}

/** The context of the command that a person sends under an idempotency key; another `body` is another request. */
export function contextOf(key: string, body = 'body'): CommandContext {
  const commandId = commandIdOf('u1', 'tally', key);
  return {
    actor: { kind: 'person', id: 'u1', role: 'user' },
    commandId,
    requestHash: body,
    correlationId: commandId,
    causationId: commandId,
  };
}
