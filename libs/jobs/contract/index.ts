import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { LodeError, type Clock, type Hold } from '#kernel';
import type { JobContext, JobKind, JobLimits, JobRun, Jobs } from '#jobs';
import { until } from '#kernel/testing';

/** What a test needs of an adapter: workers over one empty store. */
export type JobsFixture = {
  readonly open: (options: {
    readonly kinds: readonly JobKind[];
    readonly clock: Clock;
    readonly hold: Hold;
    readonly limits: Partial<JobLimits>;
    readonly onlyAsks?: boolean;
  }) => Promise<Jobs>;
  /** Cuts a worker off from the store for ever, as when its process dies: what it runs stays as it is. */
  readonly kill: (worker: Jobs) => Promise<void>;
  /** Loses all that is kept while no worker is open. */
  readonly lose: () => Promise<void>;
  readonly cleanUp: () => Promise<void>;
};

const HOUR = 3_600_000;
const EVERY = 7 * HOUR;
/** A slot of seven hours begins here. */
const START = Math.floor(Date.parse('2026-03-01T00:00:00.000Z') / EVERY) * EVERY;
const slot = (number: number) => new Date(START + number * EVERY).toISOString();
/** A moment of nothing's beginning, so that runs by hand have slots of their own. */
const MINUTE = 60_000;

/** Pauses that a test can wait for. */
const quick = { leaseMs: 60, retryFirstMs: 1, retryLastMs: 2, reconcileMs: 20 };

/** The promises of the jobs port, run against an adapter. */
export function describeJobs(name: string, fixture: () => Promise<JobsFixture>): void {
  describe(`jobs contract: ${name}`, () => {
    let engine: JobsFixture;
    let workers: Jobs[];
    let now: number;
    let held: LodeError | undefined;
    /** How often the workers have asked whether they are held. */
    let looks: number;
    beforeEach(async () => {
      engine = await fixture();
      workers = [];
      now = START + MINUTE;
      held = undefined;
      looks = 0;
    });
    afterEach(async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await engine.cleanUp();
    });

    const open = async (
      kinds: readonly JobKind[],
      limits: Partial<JobLimits> = {},
      onlyAsks: boolean = false,
    ) => {
      const hold = () => {
        looks += 1;
        return held;
      };
      const all = { ...quick, ...limits };
      const worker = await engine.open({ kinds, clock: () => now, hold, limits: all, onlyAsks });
      workers.push(worker);
      return worker;
    };
    /** A kind that counts what it does. */
    const counting = (rest: Partial<JobKind> = {}) => {
      const seen: JobContext[] = [];
      const kind: JobKind = {
        name: 'count',
        everyMs: () => EVERY,
        attempts: 3,
        run: async (context) => {
          seen.push(context);
          return { count: seen.length };
        },
        ...rest,
      };
      return { kind, seen, slots: () => seen.map((one) => one.slot) };
    };
    const ended = async (worker: Jobs, run: Pick<JobRun, 'kind' | 'id'>): Promise<JobRun> => {
      let found: JobRun | undefined;
      await until(async () => {
        found = (await worker.runs(run.kind, 1_000)).find(({ id }) => id === run.id);
        return found?.state === 'done' || found?.state === 'failed';
      });
      return found as JobRun;
    };
    /** Asks for a run by hand at the moment at which a slot begins. */
    const runAt = (worker: Jobs, number: number): Promise<JobRun> => {
      now = START + number * EVERY;
      return worker.runNow('count');
    };
    const idOf = (number: number) => ({ kind: 'count', id: `count/${slot(number)}` });

    describe('the schedule', () => {
      test('runs the slot that has begun, once, and says what came of it', async () => {
        const { kind, slots } = counting();
        const worker = await open([kind]);
        await worker.reconcile();
        const run = await ended(worker, idOf(0));
        await worker.reconcile();
        await worker.reconcile();
        expect(slots()).toEqual([slot(0)]);
        const at = new Date(now).toISOString();
        expect(run).toEqual({
          id: `count/${slot(0)}`,
          kind: 'count',
          slot: slot(0),
          cause: 'schedule',
          state: 'done',
          attempts: 1,
          startedAt: at,
          endedAt: at,
          report: { count: 1 },
          error: null,
        });
        expect(await worker.schedules()).toEqual([
          { kind: 'count', everyMs: EVERY, nextAt: slot(1), last: run },
        ]);
      });

      test('looks by itself once it was started', async () => {
        const { kind, slots } = counting();
        const worker = await open([kind]);
        worker.start();
        worker.start();
        await ended(worker, idOf(0));
        now += EVERY;
        await ended(worker, idOf(1));
        expect(slots()).toEqual([slot(0), slot(1)]);
      });

      test('runs what a program asked for that begins nothing itself', async () => {
        const [here, there] = [counting(), counting()];
        const asking = await open([here.kind], {}, true);
        const run = await asking.runNow('count');
        expect(run).toMatchObject({ state: 'waiting', cause: 'hand', attempts: 0 });
        const worker = await open([there.kind]);
        worker.start();
        expect(await ended(asking, run)).toMatchObject({ state: 'done', attempts: 1 });
        expect(here.slots()).toEqual([]);
        expect(there.slots()).toContain(run.slot);
        expect(() => asking.start()).toThrow(/only asks/);
      });

      test('does not make up for slots that were missed', async () => {
        const { kind, slots } = counting();
        const worker = await open([kind]);
        await worker.reconcile();
        await ended(worker, idOf(0));
        now += 40 * EVERY;
        await worker.reconcile();
        await ended(worker, idOf(40));
        expect(slots()).toEqual([slot(0), slot(40)]);
      });

      test('goes on when the clock jumps forwards and back again', async () => {
        const { kind, slots } = counting();
        const worker = await open([kind]);
        for (const number of [0, 5_000, 0, 1, 5_000, 1, 2]) {
          now = START + number * EVERY + MINUTE;
          await worker.reconcile();
          await ended(worker, idOf(number));
        }
        expect(slots()).toEqual([slot(0), slot(5_000), slot(1), slot(2)]);
      });

      test('follows the settings', async () => {
        let everyMs = EVERY;
        const { kind, slots } = counting({ everyMs: async () => everyMs });
        const worker = await open([kind]);
        await worker.reconcile();
        await ended(worker, idOf(0));
        everyMs = HOUR;
        now += HOUR;
        await worker.reconcile();
        const next = new Date(Math.floor(now / HOUR) * HOUR).toISOString();
        await ended(worker, { kind: 'count', id: `count/${next}` });
        expect(slots()).toEqual([slot(0), next]);
        expect(await worker.schedules()).toMatchObject([{ everyMs: HOUR }]);
      });

      test('of one kind stands still for nothing that another does', async () => {
        const broken = counting({
          name: 'broken',
          everyMs: () => Promise.reject(new Error('no settings')),
        });
        const { kind, slots } = counting();
        const worker = await open([broken.kind, kind]);
        await worker.reconcile();
        await ended(worker, idOf(0));
        expect([broken.slots(), slots()]).toEqual([[], [slot(0)]]);
      });
    });

    describe('an attempt that fails', () => {
      const failing = (times: number) => {
        const tries: number[] = [];
        return {
          tries,
          ...counting({
            run: async ({ attempt }) => {
              tries.push(attempt);
              if (tries.length <= times) throw new Error(`failure ${attempt}`);
              return { tried: attempt };
            },
          }),
        };
      };

      test('is made again, and the run succeeds', async () => {
        const { kind, tries } = failing(2);
        const worker = await open([kind]);
        await worker.reconcile();
        expect(await ended(worker, idOf(0))).toMatchObject({
          state: 'done',
          attempts: 3,
          report: { tried: 3 },
          error: null,
        });
        expect(tries).toEqual([1, 2, 3]);
      });

      test('is made so often and no more; the next slot runs as if nothing had been', async () => {
        const { kind, tries } = failing(3);
        const worker = await open([kind]);
        await worker.reconcile();
        expect(await ended(worker, idOf(0))).toMatchObject({
          state: 'failed',
          attempts: 3,
          report: null,
          error: 'failure 3',
        });
        await worker.reconcile();
        expect(tries).toEqual([1, 2, 3]);
        now += EVERY;
        await worker.reconcile();
        expect(await ended(worker, idOf(1))).toMatchObject({ state: 'done', attempts: 1 });
      });

      test('keeps its run waiting for another when the next slot comes first', async () => {
        const { kind } = failing(1);
        const worker = await open([kind], { retryFirstMs: EVERY, retryLastMs: EVERY });
        await worker.reconcile();
        const first = async () => (await worker.runs('count', 10)).find(({ id }) => id === idOf(0).id);
        await until(async () => {
          const run = await first();
          return run?.state === 'waiting' && run.attempts === 1;
        });
        now += EVERY;
        await worker.reconcile();
        expect(await first()).toMatchObject({ state: 'waiting', attempts: 1 });
      });
    });

    describe('an attempt of which nobody knows what it did', () => {
      const unknown = () => new LodeError('unknown_outcome', 'no answer came');

      test('does not count, nor do those after it that an engine fails, and the run is asked for again', async () => {
        const away = () => new LodeError('unavailable', 'away');
        const failures = [unknown(), away(), away(), away(), away(), unknown()];
        const tries: number[] = [];
        const { kind } = counting({
          run: async ({ attempt }) => {
            tries.push(attempt);
            const failure = failures.shift();
            if (failure !== undefined) throw failure;
            return { tried: attempt };
          },
        });
        const worker = await open([kind]);
        await worker.reconcile();
        expect(await ended(worker, idOf(0))).toMatchObject({ state: 'done', attempts: 1, error: null });
        expect(tries).toEqual([1, 1, 1, 1, 1, 1, 1]);
      });

      test('is like any other once the run fails of itself', async () => {
        const failures = [unknown(), new Error('no'), new Error('no'), new Error('no')];
        const { kind } = counting({ run: () => Promise.reject(failures.shift() ?? new Error('too often')) });
        const worker = await open([kind]);
        await worker.reconcile();
        expect(await ended(worker, idOf(0))).toMatchObject({ state: 'failed', attempts: 3, error: 'no' });
        expect(failures).toEqual([]);
      });
    });

    describe('while the clock is not accepted', () => {
      const inDoubt = new LodeError('unavailable', 'the clock is in doubt');
      /** Lets a worker that was started look for what is due some times. */
      const looksAround = async () => {
        const enough = looks + 10;
        await until(() => looks >= enough);
      };

      test('nothing is asked for, and what is due then begins once it is', async () => {
        const { kind, slots } = counting();
        const worker = await open([kind]);
        held = inDoubt;
        worker.start();
        await expect(worker.runNow('count')).rejects.toBe(inDoubt);
        await looksAround();
        now += EVERY;
        await looksAround();
        expect(await worker.runs('count', 10)).toEqual([]);
        held = undefined;
        await ended(worker, idOf(1));
        expect(slots()).toEqual([slot(1)]);
      });

      test('what was asked for before waits, and a run that comes to its end is done', async () => {
        const gate = Promise.withResolvers<undefined>();
        const { kind, seen, slots } = counting({
          run: async (context) => {
            seen.push(context);
            if (seen.length === 1) await gate.promise;
            return {};
          },
        });
        const worker = await open([kind]);
        const first = await runAt(worker, 1);
        const second = await runAt(worker, 2);
        held = inDoubt;
        gate.resolve(undefined);
        expect(await ended(worker, first)).toMatchObject({ state: 'done' });
        worker.start();
        await looksAround();
        const found = (await worker.runs('count', 10)).find(({ id }) => id === second.id);
        expect([found?.state, slots()]).toEqual(['waiting', [slot(1)]]);
        held = undefined;
        expect(await ended(worker, second)).toMatchObject({ state: 'done', attempts: 1 });
        expect(slots()).toEqual([slot(1), slot(2)]);
      });

      test('an attempt that fails does not count, and is made again once it is', async () => {
        const { kind, seen } = counting({
          attempts: 1,
          run: async (context) => {
            seen.push(context);
            if (seen.length > 1) return {};
            held = inDoubt;
            throw inDoubt;
          },
        });
        const worker = await open([kind]);
        worker.start();
        await until(() => seen.length === 1);
        await looksAround();
        expect(seen).toHaveLength(1);
        held = undefined;
        expect(await ended(worker, idOf(0))).toMatchObject({ state: 'done', attempts: 1, error: null });
        expect(seen.map(({ attempt }) => attempt)).toEqual([1, 1]);
      });
    });

    describe('a run by hand', () => {
      test('begins at once, for now, and is one run however often it is asked for', async () => {
        const { kind, slots } = counting();
        const worker = await open([kind]);
        const first = await worker.runNow('count');
        const again = await worker.runNow('count');
        expect(again.id).toBe(first.id);
        expect(await ended(worker, first)).toMatchObject({ cause: 'hand', state: 'done' });
        expect((await worker.runNow('count')).state).toBe('done');
        expect(slots()).toEqual([new Date(now).toISOString()]);
      });

      test('is that of the slot when one begins just now', async () => {
        const { kind, slots } = counting();
        const worker = await open([kind]);
        await ended(worker, await runAt(worker, 0));
        await worker.reconcile();
        now += 1;
        await ended(worker, await worker.runNow('count'));
        expect(slots()).toEqual([slot(0), new Date(now).toISOString()]);
      });

      test('waits for the one under way; too many are refused, and so is a strange one', async () => {
        const gate = Promise.withResolvers<undefined>();
        const { kind, seen } = counting({
          run: async (context) => {
            seen.push(context);
            await gate.promise;
            return {};
          },
        });
        const worker = await open([kind], { waiting: 2 });
        const first = await runAt(worker, 1);
        const second = await runAt(worker, 2);
        await runAt(worker, 3);
        await expect(runAt(worker, 4)).rejects.toMatchObject({ code: 'overloaded' });
        expect((await worker.runs('count', 10)).map(({ state }) => state)).toEqual([
          'waiting',
          'waiting',
          'running',
        ]);
        expect([first.state, second.state, seen.length]).toEqual(['running', 'waiting', 1]);
        gate.resolve(undefined);
        await ended(worker, { kind: 'count', id: `count/${slot(3)}` });
        expect(seen.map((one) => one.slot)).toEqual([slot(1), slot(2), slot(3)]);
        await expect(worker.runNow('other')).rejects.toMatchObject({ code: 'validation_failed' });
        await expect(worker.runs('other', 1)).rejects.toMatchObject({ code: 'validation_failed' });
      });
    });

    describe('two workers', () => {
      test('run each slot once and never two at a time', async () => {
        let atOnce = 0;
        let most = 0;
        const slots: string[] = [];
        const shared = counting({
          run: async (context) => {
            most = Math.max(most, (atOnce += 1));
            slots.push(context.slot);
            for (let turn = 0; turn < 5; turn++) await setImmediate();
            atOnce -= 1;
            return {};
          },
        });
        const pair = [await open([shared.kind]), await open([shared.kind])];
        for (const worker of pair) worker.start();
        for (let number = 0; number < 20; number++) {
          now = START + number * EVERY + MINUTE;
          await Promise.all(pair.map((worker) => worker.reconcile()));
          await ended(pair[number % 2] as Jobs, idOf(number));
        }
        expect(most).toBe(1);
        expect(slots).toEqual(Array.from({ length: 20 }, (_, number) => slot(number)));
      });

      test('begin nothing of a kind while the other runs one, whoever is asked', async () => {
        const gate = Promise.withResolvers<undefined>();
        const { kind, seen, slots } = counting({
          run: async (context) => {
            seen.push(context);
            if (seen.length === 1) await gate.promise;
            return {};
          },
        });
        const [first, second] = [await open([kind]), await open([kind])];
        expect(await runAt(first, 1)).toMatchObject({ state: 'running' });
        const next = await runAt(second, 2);
        expect([next.state, seen.length]).toEqual(['waiting', 1]);
        await second.reconcile();
        expect(seen).toHaveLength(1);
        gate.resolve(undefined);
        expect(await ended(second, next)).toMatchObject({ state: 'done', attempts: 1 });
        expect(slots()).toEqual([slot(1), slot(2)]);
      });

      test('one takes over when the other dies, and the dead one changes nothing any more', async () => {
        const stuck = Promise.withResolvers<undefined>();
        let begun = 0;
        const { kind } = counting({
          run: async ({ attempt }) => {
            begun += 1;
            if (begun === 1) await stuck.promise;
            return { attempt };
          },
        });
        const first = await open([kind]);
        await first.reconcile();
        expect(begun).toBe(1);
        await engine.kill(first);
        // However far the clocks are apart: nobody asks them who is dead.
        now -= 1_000 * EVERY;
        const second = await open([kind]);
        await second.reconcile();
        const run = await ended(second, idOf(0));
        expect(run).toMatchObject({ state: 'done', attempts: 2, report: { attempt: 2 } });
        stuck.resolve(undefined);
        await first.stop();
        expect((await second.runs('count', 10)).find(({ id }) => id === run.id)).toEqual(run);
      });

      test('leave one alone that works for longer than a lease and gives signs', async () => {
        const gate = Promise.withResolvers<undefined>();
        let begun = 0;
        const { kind } = counting({
          run: async () => {
            begun += 1;
            await gate.promise;
            return {};
          },
        });
        const probe = counting({ name: 'probe' });
        const [first, second] = [await open([kind]), await open([kind, probe.kind])];
        await first.reconcile();
        second.start();
        // Some leases go by: a kind of its own tells by its own death and taking over.
        for (let deaths = 0; deaths < 2; deaths++) {
          const hanging = await open([{ ...probe.kind, run: () => new Promise<never>(() => undefined) }]);
          now += 1;
          const dying = await hanging.runNow('probe');
          await engine.kill(hanging);
          workers.splice(workers.indexOf(hanging), 1);
          await ended(second, dying);
        }
        expect(begun).toBe(1);
        gate.resolve(undefined);
        expect(await ended(second, idOf(0))).toMatchObject({ state: 'done', attempts: 1 });
      });

      test('give up a run whose workers keep dying', async () => {
        const { kind } = counting({ attempts: 2, run: () => new Promise<never>(() => undefined) });
        for (let death = 0; death < 2; death++) {
          const worker = await open([kind]);
          worker.start();
          await until(async () => (await worker.runs('count', 1))[0]?.attempts === death + 1);
          await engine.kill(worker);
          workers.splice(workers.indexOf(worker), 1);
        }
        const last = await open([kind]);
        last.start();
        expect(await ended(last, idOf(0))).toMatchObject({ state: 'failed', attempts: 2 });
      });
    });

    describe('what is kept', () => {
      test('outlives the worker', async () => {
        const { kind, slots } = counting();
        const first = await open([kind]);
        await first.reconcile();
        const run = await ended(first, idOf(0));
        await first.stop();
        const second = await open([kind]);
        await second.reconcile();
        expect(await second.runs('count', 10)).toEqual([run]);
        expect(slots()).toEqual([slot(0)]);
      });

      test('is so many runs, the newest', async () => {
        const { kind } = counting();
        const worker = await open([kind], { runsKept: 3 });
        for (let number = 1; number <= 6; number++) await ended(worker, await runAt(worker, number));
        expect((await worker.runs('count', 100)).map((run) => run.slot)).toEqual([slot(6), slot(5), slot(4)]);
        expect(await worker.runs('count', 2)).toHaveLength(2);
      });

      test('can be lost: what is due runs again', async () => {
        const { kind, slots } = counting();
        const first = await open([kind]);
        await first.reconcile();
        await ended(first, idOf(0));
        await first.stop();
        await engine.lose();
        const second = await open([kind]);
        expect(await second.runs('count', 10)).toEqual([]);
        await second.reconcile();
        await ended(second, idOf(0));
        expect(slots()).toEqual([slot(0), slot(0)]);
      });
    });

    test('a worker that stops tells its run to end, waits for it, and it is taken up again', async () => {
      const seen: JobContext[] = [];
      const { kind } = counting({
        attempts: 1,
        run: async (context) => {
          seen.push(context);
          if (seen.length > 1) return { resumed: true };
          return new Promise<never>((_, reject) => {
            context.signal.addEventListener('abort', () => reject(new Error('interrupted')));
          });
        },
      });
      const first = await open([kind]);
      await first.reconcile();
      await first.stop();
      await expect(first.runNow('count')).rejects.toMatchObject({ code: 'unavailable' });
      const second = await open([kind]);
      await second.reconcile();
      expect(await ended(second, idOf(0))).toMatchObject({ state: 'done', attempts: 1, error: null });
      expect(seen.map(({ attempt }) => attempt)).toEqual([1, 1]);
    });

    test('a run that takes too long is told to end', async () => {
      const { kind } = counting({
        attempts: 1,
        run: ({ signal }) =>
          new Promise<never>((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      });
      const worker = await open([kind], { runMs: 5 });
      await worker.reconcile();
      expect(await ended(worker, idOf(0))).toMatchObject({ state: 'failed', error: 'the run took too long' });
    });
  });
}
