import type { Bell } from '#bell';
import {
  canonicalJson,
  createRunLoop,
  createSignal,
  deserializeError,
  hasCode,
  isLodeError,
  plainFailure,
  serializeError,
  thisMachine,
  uuidV4,
  type ErrorCode,
  type Failing,
  type Json,
  type Machine,
  type Timers,
} from '#kernel';
import { tooManyOrders, type Order, type Orders, type Outcome } from '#orders';

/** Between two looks at what was ordered, and at what came of an order, where no bell is heard before; milliseconds. */
const LOOK_MS = 250;
const ANSWER_LOOK_MS = 100;
/** What an order is refused with by whoever would do it. Whatever else it fails with, it is tried again. */
const REFUSALS: readonly ErrorCode[] = ['route_not_found', 'validation_failed', 'internal'];
/** How often an order is tried before it is refused with what it fails with: for about half a minute. */
const TRIES = 10;

/** Has another program do something, and tells what came of it. */
export type Orderer = {
  /**
   * What whoever has the lease answers, once the order is kept. Throws what it was refused with; `unknown_outcome` when nothing
   * came of it in time, or before `end`: it is still done by whoever has the lease next; and `unavailable` when it could not be kept.
   */
  readonly order: (to: string, what: Json, timeoutMs: number) => Promise<Json>;
  /**
   * As `order`, for what programs order by themselves, and again and again: one that waits for the same already is joined, and
   * where `most` of the kind wait it is refused with `overloaded`, so that there is room for what people order.
   */
  readonly orderOnce: (to: string, what: Json, timeoutMs: number, kind: OrderKind) => Promise<Json>;
  /** Waits for no answer any more. */
  readonly end: () => void;
};

/** Some of the orders to one, and how many of them may wait. */
export type OrderKind = { readonly has: (what: Json) => boolean; readonly most: number };

export type OrdererOptions = {
  readonly orders: Orders;
  readonly bell?: Bell | undefined;
  readonly timers: Timers;
  readonly machine?: Machine | undefined;
};

/** Keeps an order to whoever has a lease, and wakes them. */
export async function placeOrder(
  { orders, bell, machine }: Omit<OrdererOptions, 'timers'>,
  to: string,
  what: Json,
): Promise<string> {
  const id = uuidV4((machine ?? thisMachine).random);
  await orders.place({ id, to, what });
  bell?.ring('orders');
  return id;
}

/** Orders to those who have leases. */
export function createOrderer(options: OrdererOptions): Orderer {
  const { orders, bell, timers, machine: { monotonic } = thisMachine } = options;
  let isEnded = false;
  const place = (to: string, what: Json) => placeOrder(options, to, what);
  const joined = async (to: string, what: Json, { has, most }: OrderKind) => {
    const alike = (await orders.waiting([to])).filter((one) => has(one.what));
    const same = alike.find((one) => canonicalJson(one.what) === canonicalJson(what));
    if (same === undefined && alike.length >= most) throw tooManyOrders();
    return same?.id;
  };
  const answer = async (to: string, id: string, timeoutMs: number) => {
    const began = monotonic();
    const signal = createSignal(timers);
    const unhear = bell?.on('outcomes', signal.raise);
    try {
      while (!isEnded && monotonic() - began < timeoutMs) {
        signal.lower();
        // Who can't say yet what came of it may say so later.
        const outcome = await orders.outcome(id).catch(() => undefined);
        if (outcome !== undefined) return answerIn(outcome);
        await signal.raisedOr(ANSWER_LOOK_MS);
      }
    } finally {
      unhear?.();
    }
    throw plainFailure(
      'unknown_outcome',
      `No program that runs the ${to} has answered yet. What was ordered is kept, and done as soon as one does.`,
    );
  };
  return {
    order: async (to, what, timeoutMs) => answer(to, await place(to, what), timeoutMs),
    orderOnce: async (to, what, timeoutMs, kind) =>
      answer(to, (await joined(to, what, kind)) ?? (await place(to, what)), timeoutMs),
    end: () => {
      isEnded = true;
    },
  };
}

function answerIn(outcome: Outcome): Json {
  if ('done' in outcome) return outcome.done;
  throw deserializeError(outcome.refused);
}

export type OrderTakerOptions = {
  readonly orders: Orders;
  /** To whom: what this program has at the moment. */
  readonly to: readonly string[];
  /** Does what was ordered and gives the answer. It comes to the same when it is done twice. */
  readonly carryOut: (what: Json) => Promise<Json>;
  readonly bell?: Bell | undefined;
  readonly onFailing: (failing: Failing) => void;
  readonly timers: Timers;
  readonly machine?: Machine | undefined;
};

/**
 * Carries out what others order, one after another, while this program has the lease. One that fails is tried again after those
 * behind it, which it does not hold up, and is refused in the end with what it fails with. Gives what ends it.
 */
export function takeOrders({
  orders,
  to,
  carryOut,
  bell,
  onFailing,
  timers,
  machine = thisMachine,
}: OrderTakerOptions): () => Promise<void> {
  /** How often those were tried that the last turn left. */
  let tries: ReadonlyMap<string, number> = new Map();
  const settleOne = async (order: Order, tried: number) => {
    let outcome: Outcome;
    try {
      outcome = { done: await carryOut(order.what) };
    } catch (error) {
      const { code, message } = serializeError(error);
      if (isLodeError(error) && !REFUSALS.includes(code) && tried < TRIES) throw error;
      outcome = { refused: { code, message } };
    }
    await orders.settle(order, outcome);
    bell?.ring('outcomes');
  };
  const loop = createRunLoop({
    turn: async () => {
      const left = new Map<string, number>();
      const failures: unknown[] = [];
      for (const order of await orders.waiting(to)) {
        if (loop.isStopping()) break;
        const before = tries.get(order.id) ?? 0;
        try {
          await settleOne(order, before + 1);
        } catch (error) {
          failures.push(error);
          // Of one that is another program's to do by now nothing is known yet.
          left.set(order.id, hasCode(error, 'conflict') ? before : before + 1);
        }
      }
      tries = left;
      if (failures.length > 0) throw failures[0];
      return { until: 'woken', ms: LOOK_MS };
    },
    onFailing,
    onRecovered: () => undefined,
    onStopped: async () => undefined,
    retry: { firstMs: LOOK_MS, lastMs: 20 * LOOK_MS, jitter: 0.5 },
    clock: machine.clock,
    random: machine.random,
    timers,
  });
  const unhear = bell?.on('orders', loop.wake);
  loop.start();
  return () => {
    unhear?.();
    return loop.stop();
  };
}
