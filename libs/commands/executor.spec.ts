import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventId, InvariantViolation, LodeError } from '#kernel';
import { limits, type Append, type EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog, everything } from '#event-store/testing';
import { until } from '#kernel/testing';
import type { Executor } from './command.js';
import { CONFLICT_DEADLINE_MS } from './race.js';
import { FOLD_MAX } from './states.js';
import {
  asPromise,
  contextOf,
  gated,
  manualTimers,
  outcomeOf,
  startTally,
  watched,
  withFaults,
  type Fault,
  type Tally,
  type TallyCommand,
  type TallyEvent,
} from '#commands/testing';

type TallyExecutor = Executor<TallyCommand, TallyEvent, Tally>;

const STREAM = 'tally-1';
const add = (amount: number, more: { events?: number; note?: string } = {}) =>
  ({ do: 'add', amount, ...more }) as const;

let store: EventStore;
beforeEach(() => {
  store = createMemoryEventStore();
});

/** The sum as a program finds it that begins now. */
const sumOf = async () => (await startTally(store).load(STREAM)).state.sum;

describe('carrying out a command', () => {
  test('seals its events: ids, revisions, time, who and why, all chained', async () => {
    const executor = startTally(store);
    const context = { ...contextOf('k1'), reason: 'because', session: 's1' };
    await executor.execute(STREAM, add(1), contextOf('k0'));
    const { events, position, replayed } = await executor.execute(STREAM, add(2, { events: 2 }), context);
    expect(replayed).toBe(false);
    expect(position).toBe(await store.head());
    expect(events).toEqual(
      [0, 1].map((index) => ({
        id: eventId(context.commandId, index),
        type: 'Added',
        version: 1,
        stream: STREAM,
        revision: 1 + index,
        at: '2026-01-01T00:00:02.000Z',
        data: { amount: 2 },
        meta: { ...context, chain: expect.stringMatching(/^[0-9a-f]{64}$/) },
      })),
    );
    expect((await checkLog(store)).slice(1)).toEqual(events.map((event) => expect.objectContaining(event)));
  });

  test('a refusal leaves the log as it was and is not remembered', async () => {
    const executor = startTally(store);
    const take = { do: 'take', amount: 1 } as const;
    expect(await outcomeOf(executor.execute(STREAM, take, contextOf('k1')))).toBe('insufficient_balance');
    expect(await everything(store)).toEqual([]);
    await executor.execute(STREAM, add(1), contextOf('k2'));
    expect(await outcomeOf(executor.execute(STREAM, take, contextOf('k1')))).toBe('done');
  });

  test('a command that could not be made is refused with why, unless it was carried out before', async () => {
    const executor = startTally(store);
    const unmade = new LodeError('evidence_missing', 'gone');
    expect(await outcomeOf(executor.execute(STREAM, unmade, contextOf('k1')))).toBe('evidence_missing');
    await executor.execute(STREAM, add(1), contextOf('k1'));
    expect(await outcomeOf(executor.execute(STREAM, unmade, contextOf('k1')))).toBe('replayed');
    const other = executor.execute(STREAM, unmade, contextOf('k1', 'other'));
    expect(await outcomeOf(other)).toBe('idempotency_key_reused');
    expect(await sumOf()).toBe(1);
  });

  test('what is already so gives no events and touches nothing', async () => {
    const { store: seen, appends } = watched(store);
    const executor = startTally(seen);
    await executor.execute(STREAM, add(5), contextOf('k1'));
    const { events, position } = await executor.execute(STREAM, { do: 'raise', to: 5 }, contextOf('k2'));
    expect(events).toEqual([]);
    expect(position).toBe(await store.head());
    expect(appends).toHaveLength(1);
  });

  test('an event that the state can not take stops before the append', async () => {
    const { store: seen, appends } = watched(store);
    const executor = startTally(seen);
    const broken = executor.execute(STREAM, { do: 'overdraw' }, contextOf('k1'));
    await expect(broken).rejects.toThrow(InvariantViolation);
    expect(appends).toEqual([]);
    expect(await outcomeOf(executor.execute(STREAM, add(1), contextOf('k2')))).toBe('done');
  });
});

describe('a command that comes again', () => {
  test('is given its first answer', async () => {
    const executor = startTally(store);
    const first = await executor.execute(STREAM, add(1, { events: 3 }), contextOf('k1'));
    await executor.execute(STREAM, add(1), contextOf('k2'));
    const again = await executor.execute(STREAM, add(1, { events: 3 }), contextOf('k1'));
    expect(again).toEqual({ ...first, replayed: true });
    expect(await everything(store)).toHaveLength(4);
  });

  test('is given its first answer by a program that just started, after many later commands', async () => {
    const executor = startTally(store);
    await executor.execute(STREAM, add(1), contextOf('k0'));
    const first = await executor.execute(STREAM, add(1, { events: 1_000 }), contextOf('k1'));
    await Promise.all(
      Array.from({ length: 2_500 }, (_, n) => executor.execute(STREAM, add(1), contextOf(`later ${n}`))),
    );
    const again = await startTally(store, { year: 2027 }).execute(STREAM, add(1), contextOf('k1'));
    expect(again).toEqual({ ...first, replayed: true });
    expect(await sumOf()).toBe(3_501);
  });

  test('with another request is refused, remembered or read', async () => {
    const executor = startTally(store);
    await executor.execute(STREAM, add(1), contextOf('k1', 'one'));
    for (const each of [executor, startTally(store)]) {
      expect(await outcomeOf(each.execute(STREAM, add(2), contextOf('k1', 'two')))).toBe(
        'idempotency_key_reused',
      );
    }
    expect(await sumOf()).toBe(1);
  });

  test('while the first is under way, or waiting beside it, is carried out once', async () => {
    const gate = gated(store);
    const executor = startTally(gate.store);
    gate.shut();
    const inFlight = executor.execute(STREAM, add(1), contextOf('k1'));
    const waiting = ['k1', 'k2', 'k2', 'k2'].map((key) => executor.execute(STREAM, add(1), contextOf(key)));
    const reused = outcomeOf(executor.execute(STREAM, add(1), contextOf('k2', 'other')));
    gate.open();
    const [first, again, two, ...more] = await Promise.all([inFlight, ...waiting]);
    expect(again).toEqual({ ...first, replayed: true });
    expect(more).toEqual([two, two].map((one) => ({ ...one, replayed: true })));
    expect(await reused).toBe('idempotency_key_reused');
    expect(await sumOf()).toBe(2);
  });

  test('after it shared its append with others is given the position of its own last event', async () => {
    const executor = startTally(store);
    const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);
    const send = (one: TallyExecutor) =>
      Promise.all(keys.map((key) => one.execute(STREAM, add(1, { events: 2 }), contextOf(key))));
    const first = await send(executor);
    const log = await everything(store);
    expect(first.map(({ position }) => position)).toEqual(keys.map((_, n) => log[2 * n + 1]?.position));
    const replayed = first.map((one) => ({ ...one, replayed: true }));
    expect(await send(executor)).toEqual(replayed);
    expect(await send(startTally(store))).toEqual(replayed);
  });

  test('while the stream is being read page by page is never given half of its answer', async () => {
    const first = await startTally(store).execute(STREAM, add(1), contextOf('k0'));
    const pages = gatedReads(store);
    const executor = startTally(pages.store);
    await executor.load(STREAM);
    const other = startTally(store);
    await other.execute(STREAM, add(1, { events: 900 }), contextOf('k1'));
    const long = await other.execute(STREAM, add(1, { events: 200 }), contextOf('k2'));
    // A reader that stands between the two pages, the border going through the command's events.
    pages.holdFrom(1 + 8 * FOLD_MAX);
    const reading = executor.load(STREAM);
    await pages.held;
    const again = executor.execute(STREAM, add(1, { events: 200 }), contextOf('k2'));
    pages.release();
    expect(await again).toEqual({ ...long, replayed: true });
    expect((await reading).revision).toBe(first.events.length + 1_099);
  });
});

/** A store whose readers wait before a revision, until they are released. */
function gatedReads(inner: EventStore) {
  let hold = Infinity;
  let release = () => {};
  let reached = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const held = new Promise<void>((resolve) => (reached = resolve));
  const readStream: EventStore['readStream'] = async (stream, read) => {
    if ((read.from ?? 0) === hold) {
      hold = Infinity;
      reached();
      await released;
    }
    return inner.readStream(stream, read);
  };
  return {
    store: { ...inner, readStream },
    holdFrom(revision: number) {
      hold = revision;
    },
    held,
    release: () => release(),
  };
}

describe('many commands at once', () => {
  test('to one stream share few appends, in the order they came', async () => {
    const { store: seen, appends } = watched(store);
    const executor = startTally(seen);
    const executions = await Promise.all(
      Array.from({ length: 2_000 }, (_, n) => executor.execute(STREAM, add(1), contextOf(`k${n}`))),
    );
    expect(executions.map(({ events }) => events[0]?.revision)).toEqual(executions.map((_, n) => n));
    expect(appends.length).toBeLessThanOrEqual(1 + Math.ceil(1_999 / 256));
    expect(await checkLog(store)).toHaveLength(2_000);
  });

  test('are decided each on what the one before will leave, and a refusal among them touches no other', async () => {
    const gate = gated(store);
    const { store: seen, appends } = watched(gate.store);
    const executor = startTally(seen);
    gate.shut();
    const commands: TallyCommand[] = [
      add(1),
      add(1),
      { do: 'take', amount: 3 },
      add(1),
      { do: 'overdraw' },
      { do: 'take', amount: 3 },
      { do: 'raise', to: 0 },
      add(7),
    ];
    const outcomes = commands.map((command, n) =>
      outcomeOf(executor.execute(STREAM, command, contextOf(`k${n}`))),
    );
    gate.open();
    expect(await Promise.all(outcomes)).toEqual([
      'done',
      'done',
      'insufficient_balance',
      'done',
      'InvariantViolation',
      'done',
      'done',
      'done',
    ]);
    expect(appends.map(({ events }) => events.length)).toEqual([1, 4]);
    expect(await sumOf()).toBe(7);
    await checkLog(store);
  });

  test('to a stream that waits hold up no other stream', async () => {
    const gate = gated(store);
    const shutOff: EventStore['append'] = (request) =>
      (request.stream === STREAM ? gate.store : store).append(request);
    const executor = startTally({ ...store, append: shutOff });
    gate.shut();
    const waiting = executor.execute(STREAM, add(1), contextOf('k1'));
    expect(await outcomeOf(executor.execute('tally-2', add(1), contextOf('k2')))).toBe('done');
    gate.open();
    expect(await outcomeOf(waiting)).toBe('done');
  });

  test('beyond what may wait are refused at once, and the others are carried out', async () => {
    const gate = gated(store);
    const executor = startTally(gate.store);
    gate.shut();
    const outcomes = Array.from({ length: 4_100 }, (_, n) =>
      outcomeOf(executor.execute(STREAM, add(1), contextOf(`k${n}`))),
    );
    expect(await Promise.race(outcomes)).toBe('overloaded');
    gate.open();
    const all = await Promise.all(outcomes);
    expect(all.slice(0, 4_097).every((outcome) => outcome === 'done')).toBe(true);
    expect(all.slice(4_097)).toEqual(['overloaded', 'overloaded', 'overloaded']);
    expect(await outcomeOf(executor.execute(STREAM, add(1), contextOf('k4099')))).toBe('done');
    expect(await sumOf()).toBe(4_098);
  });

  test('are split where an append would hold too many events', async () => {
    const gate = gated(store);
    const { store: seen, appends } = watched(gate.store);
    const executor = startTally(seen);
    gate.shut();
    const executions = [1, 400, 400, 400, 1_024, 1].map((events, n) =>
      outcomeOf(executor.execute(STREAM, add(1, { events }), contextOf(`k${n}`))),
    );
    gate.open();
    expect(new Set(await Promise.all(executions))).toEqual(new Set(['done']));
    expect(appends.map(({ events }) => events.length)).toEqual([1, 800, 400, 1_024, 1]);
    expect(await sumOf()).toBe(2_226);
  });

  test('are split where an append would hold too many bytes', async () => {
    const gate = gated(store);
    const { store: seen, appends } = watched(gate.store);
    const executor = startTally(seen);
    gate.shut();
    const note = 'x'.repeat(20_000);
    const executions = Array.from({ length: 100 }, (_, n) =>
      outcomeOf(executor.execute(STREAM, add(1, { note }), contextOf(`k${n}`))),
    );
    gate.open();
    expect(new Set(await Promise.all(executions))).toEqual(new Set(['done']));
    expect(appends.length).toBeLessThan(10);
    expect(await checkLog(store)).toHaveLength(100);
  });

  test.each([
    ['bytes', add(1, { note: 'x'.repeat(limits.bytesPerAppend) }), 'body_too_large'],
    ['events', add(1, { events: limits.eventsPerAppend + 1 }), 'InvariantViolation'],
  ])(
    'one that gives too many %s for any append is refused, and the others are not',
    async (_, command, refusal) => {
      const gate = gated(store);
      const executor = startTally(gate.store);
      gate.shut();
      const commands = [add(1), add(1), command, add(1), add(1)];
      const outcomes = commands.map((one, n) => outcomeOf(executor.execute(STREAM, one, contextOf(`k${n}`))));
      gate.open();
      expect(await Promise.all(outcomes)).toEqual(['done', 'done', refusal, 'done', 'done']);
      expect(await sumOf()).toBe(4);
      await checkLog(store);
    },
  );
});

describe('two programs on one log', () => {
  test('that race on one stream carry out every command once and lose no update', async () => {
    const racers = [
      startTally(store),
      startTally(store, { year: 2030 }),
      startTally(store, { cacheBytes: 1 }),
    ];
    const insist = async (executor: TallyExecutor, key: string, tries = 20): Promise<void> => {
      const outcome = await outcomeOf(executor.execute(STREAM, add(1), contextOf(key)));
      if (outcome === 'conflict' && tries > 1) return insist(executor, key, tries - 1);
      expect(['done', 'replayed']).toContain(outcome);
    };
    // Each command goes to two of the programs, as when a client tries again elsewhere.
    await Promise.all(
      Array.from({ length: 300 }, (_, n) => n).flatMap((n) =>
        [n, n + 1].map((which) => insist(racers[which % racers.length]!, `k${n}`)),
      ),
    );
    expect(await checkLog(store)).toHaveLength(300);
    for (const each of racers) expect((await each.load(STREAM)).state.sum).toBe(300);
  });

  test('that are sent the same command at once give the same answer and go on from the same chain', async () => {
    const gate = gated(store);
    const [a, b] = [startTally(gate.store), startTally(gate.store, { year: 2030 })];
    await a.execute(STREAM, add(1), contextOf('k0'));
    await b.load(STREAM);
    gate.shut();
    const both = [a, b].map((each) => each.execute(STREAM, add(1), contextOf('k1')));
    gate.open();
    const [one, two] = await Promise.all(both);
    expect([one?.replayed, two?.replayed].toSorted()).toEqual([false, true]);
    expect(one?.events).toEqual(two?.events);
    await b.execute(STREAM, add(1), contextOf('k2'));
    await a.execute(STREAM, add(1), contextOf('k3'));
    expect(await checkLog(store)).toHaveLength(4);
  });

  test('never refuse, or find nothing to do, because of what they remember', async () => {
    const [a, b] = [startTally(store), startTally(store)];
    await a.execute(STREAM, add(5), contextOf('k1'));
    await b.execute(STREAM, add(5), contextOf('k2'));
    expect(await outcomeOf(a.execute(STREAM, { do: 'take', amount: 10 }, contextOf('k3')))).toBe('done');
    const raised = await b.execute(STREAM, { do: 'raise', to: 10 }, contextOf('k4'));
    expect(raised.events).toHaveLength(1);
    expect(await sumOf()).toBe(10);
  });

  test('one that meets conflicts goes on until the deadline, says then that it is too much, and can go on', async () => {
    const { timers, waiting, fire } = manualTimers();
    let isTaken = true;
    const appends: Append[] = [];
    const append: EventStore['append'] = (request) => {
      appends.push(request);
      if (isTaken) throw new LodeError('conflict', 'injected');
      return store.append(request);
    };
    const executor = startTally({ ...store, append }, { timers });
    const answer = executor.execute(STREAM, add(1), contextOf('k1')).catch((error: unknown) => error);
    // The first time it is decided again at once; before each further time there is a pause beside the deadline.
    for (let conflicts = 2; conflicts < 12; conflicts++) {
      await until(() => appends.length === conflicts && waiting().length === 2);
      expect(waiting()[0]).toBe(CONFLICT_DEADLINE_MS);
      expect(waiting()[1]).toBeLessThanOrEqual(20);
      fire(20);
    }
    fire(CONFLICT_DEADLINE_MS);
    expect(await answer).toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: 1 } });
    expect(appends).toHaveLength(12);
    isTaken = false;
    expect(await outcomeOf(executor.execute(STREAM, add(1), contextOf('k1')))).toBe('done');
    expect(await sumOf()).toBe(1);
  });

  test('one that got in after a conflict lets the others in before it goes on', async () => {
    const { timers, waiting, fire } = manualTimers();
    const { store: seen, appends } = watched(store);
    const executor = startTally(seen, { timers });
    await executor.execute(STREAM, add(1), contextOf('k1'));
    await startTally(store).execute(STREAM, add(1), contextOf('k2'));
    expect(await outcomeOf(executor.execute(STREAM, add(1), contextOf('k3')))).toBe('done');
    expect(appends).toHaveLength(3);
    const next = outcomeOf(executor.execute(STREAM, add(1), contextOf('k4')));
    await until(() => waiting().length > 0);
    expect(waiting()).toEqual([expect.any(Number)]);
    expect(appends).toHaveLength(3);
    fire(waiting()[0]!);
    expect(await next).toBe('done');
    expect(waiting()).toEqual([]);
    // Where nobody else writes, nobody waits.
    expect(await outcomeOf(executor.execute(STREAM, add(1), contextOf('k5')))).toBe('done');
  });

  test('conflicts are no refusal, and those of one append do not count for the next', async () => {
    const faults = withFaults(store);
    const gate = gated(faults.store);
    const executor = startTally(gate.store);
    const four = ['conflict', 'conflict', 'conflict', 'conflict', undefined] as const;
    faults.plan(undefined, ...four, ...four, ...four);
    gate.shut();
    const outcomes = Array.from({ length: 4 }, (_, n) =>
      outcomeOf(executor.execute(STREAM, add(1, { events: 1_024 }), contextOf(`k${n}`))),
    );
    gate.open();
    expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done', 'done']);
    expect(await checkLog(store)).toHaveLength(4 * 1_024);
  });
});

describe('a log that fails', () => {
  test.each<[Fault, string, boolean]>([
    ['unavailable', 'unavailable', false],
    ['storage_full', 'storage_full', false],
    ['unknown_outcome', 'unknown_outcome', false],
    ['lost-answer', 'unknown_outcome', true],
    ['late', 'unknown_outcome', false],
  ])(
    'with %s answers everybody who waits, and a second try is carried out once',
    async (fault, code, written) => {
      const faults = withFaults(store);
      const gate = gated(faults.store);
      const executor = startTally(gate.store);
      const commands: TallyCommand[] = [add(1), add(10), { do: 'take', amount: 2 }, add(100)];
      const send = (one: TallyExecutor) =>
        commands.map((command, n) => outcomeOf(one.execute(STREAM, command, contextOf(`k${n}`))));
      faults.plan(undefined, fault);
      gate.shut();
      const outcomes = send(executor);
      const duplicate = outcomeOf(executor.execute(STREAM, commands[1]!, contextOf('k1')));
      gate.open();
      expect(await Promise.all(outcomes)).toEqual(['done', code, code, code]);
      expect(await duplicate).toBe(code);
      expect(await sumOf()).toBe(written ? 109 : 1);
      expect((await executor.load(STREAM)).state.sum).toBe(written ? 109 : 1);

      const again = await Promise.all(send(executor));
      expect(again[0]).toBe('replayed');
      expect(again.slice(1).every((one) => one === 'done' || one === 'replayed')).toBe(true);
      if (written) expect(new Set(again)).toEqual(new Set(['replayed']));
      expect(await outcomeOf(executor.execute(STREAM, add(1), contextOf('after')))).toBe('done');
      expect(await sumOf()).toBe(110);
      expect((await executor.load(STREAM)).chain).toBe((await checkLog(store)).at(-1)?.meta.chain);
    },
  );

  test('while it is read answers so, and is read the next time', async () => {
    const faults = withFaults(store);
    const executor = startTally(faults.store);
    faults.failRead();
    expect(await outcomeOf(executor.execute(STREAM, add(1), contextOf('k1')))).toBe('unavailable');
    expect(await outcomeOf(executor.execute(STREAM, add(1), contextOf('k1')))).toBe('done');
    faults.failRead();
    // It is in the log: an answer that says that nothing was done would be wrong.
    expect(await outcomeOf(executor.execute(STREAM, add(1), contextOf('k1')))).toBe('unknown_outcome');
    expect(await outcomeOf(executor.execute(STREAM, add(1), contextOf('k1')))).toBe('replayed');
    expect(await sumOf()).toBe(1);
  });

  test.each<[Fault, string]>([
    ['lost-answer', 'replayed'],
    ['unknown_outcome', 'done'],
    ['late', 'replayed'],
  ])(
    'with %s and is away afterwards: nobody is refused what may be there, and it is settled when it is back',
    async (fault, truth) => {
      const faults = withFaults(store);
      const executor = startTally(faults.store);
      const send = (key: string) => outcomeOf(executor.execute(STREAM, add(1), contextOf(key)));
      await send('before');
      faults.plan(fault);
      expect(await send('k1')).toBe('unknown_outcome');
      faults.away(true);
      expect([await send('k1'), await send('k1'), await send('new')]).toEqual([
        'unknown_outcome',
        'unknown_outcome',
        'unavailable',
      ]);
      const many = await executor.executeMany(
        ['k1', 'new'].map((key) => ({ stream: STREAM, command: add(1), context: contextOf(key) })),
      );
      expect(await Promise.all(many.map((one) => outcomeOf(asPromise(one))))).toEqual([
        'unknown_outcome',
        'unavailable',
      ]);
      faults.away(false);
      // Then it is told what the log says, and remembered no longer.
      expect(await send('k1')).toBe(truth);
      faults.away(true);
      expect(await send('new')).toBe('unavailable');
      faults.away(false);
      expect([await send('k1'), await send('new')]).toEqual(['replayed', 'done']);
      expect(await sumOf()).toBe(3);
    },
  );

  test('because its disk failed tells nobody that what it was handed last was refused', async () => {
    const faults = withFaults(store);
    const gate = gated(faults.store);
    const executor = startTally(gate.store);
    const send = (key: string, command: TallyCommand) =>
      outcomeOf(executor.execute(STREAM, command, contextOf(key)));
    gate.shut();
    faults.plan(undefined, 'late');
    const first = send('first', add(1));
    const last = [send('k1', add(10)), send('k2', { do: 'take', amount: 6 })];
    gate.open();
    expect([await first, ...(await Promise.all(last))]).toEqual([
      'done',
      'unknown_outcome',
      'unknown_outcome',
    ]);
    faults.fail();
    // It can be read, and what is read has neither: by that the second could not be done.
    expect([await send('k2', { do: 'take', amount: 6 }), await send('k1', add(10))]).toEqual([
      'unknown_outcome',
      'unknown_outcome',
    ]);
    expect([await send('first', add(1)), await send('new', add(1))]).toEqual(['replayed', 'storage_failed']);
  });

  test('leaves the same log as one that never failed, once everything was tried until it was done', async () => {
    const fault = fc.constantFrom<(Fault | undefined)[]>(
      undefined,
      'unavailable',
      'conflict',
      'unknown_outcome',
      'lost-answer',
      'late',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 20 }),
        fc.integer({ min: 1, max: 30 }),
        async (plan, count) => {
          const faulty = createMemoryEventStore();
          const faults = withFaults(faulty);
          faults.plan(...plan);
          const executor = startTally(faults.store);
          const insist = async (n: number): Promise<void> => {
            const outcome = await outcomeOf(executor.execute(STREAM, add(n), contextOf(`k${n}`)));
            if (outcome !== 'done' && outcome !== 'replayed') await insist(n);
          };
          await Promise.all(Array.from({ length: count }, (_, n) => insist(n)));
          const log = await checkLog(faulty);
          expect(new Set(log.map(({ data }) => data['amount']))).toEqual(
            new Set(Array.from({ length: count }, (_, n) => n)),
          );
          expect(log).toHaveLength(count);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('what is remembered of streams', () => {
  test('makes no difference: a program that forgets at once writes the same log', async () => {
    const command = fc.oneof<fc.Arbitrary<TallyCommand>[]>(
      fc.record({ do: fc.constant('add'), amount: fc.nat({ max: 9 }), events: fc.nat({ max: 3 }) }),
      fc.record({ do: fc.constant('take'), amount: fc.nat({ max: 9 }) }),
      fc.record({ do: fc.constant('raise'), to: fc.nat({ max: 9 }) }),
    );
    const sent = fc.record({ command, stream: fc.nat({ max: 3 }), key: fc.nat({ max: 20 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { maxLength: 40 }), async (list) => {
        const runs = await Promise.all(
          [{ cacheBytes: 1 }, {}].map(async (options) => {
            const log = createMemoryEventStore();
            const executor = startTally(log, options);
            const outcomes: string[] = [];
            for (const { command: one, stream, key } of list) {
              outcomes.push(
                await outcomeOf(executor.execute(`tally-${stream}`, one, contextOf(`k${key} of ${stream}`))),
              );
            }
            return { outcomes, log: await checkLog(log) };
          }),
        );
        expect(runs[0]).toEqual(runs[1]);
      }),
      { numRuns: 100 },
    );
  });

  test('is bounded by the bytes of all streams: the one used longest ago is read again', async () => {
    // Two states of a few events fit into it, and three do not.
    const STREAM_BYTES = 1_500;
    const read: string[] = [];
    const readStream: EventStore['readStream'] = (stream, asked) => {
      read.push(stream);
      return store.readStream(stream, asked);
    };
    const executor = startTally({ ...store, readStream }, { cacheBytes: 2 * STREAM_BYTES });
    const addThree = (stream: string, key: string) =>
      executor.execute(stream, { do: 'add', amount: 1, events: 3 }, contextOf(`${key} of ${stream}`));
    for (const stream of ['tally-1', 'tally-2', 'tally-3']) await addThree(stream, 'k0');
    read.length = 0;
    await addThree('tally-3', 'k1');
    expect(read).toEqual([]);
    await addThree('tally-1', 'k1');
    expect(read).toEqual(['tally-1']);
  });
});
