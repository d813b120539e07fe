import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  CLOCK_STEP_MS,
  CLOCK_TOLERANCE,
  createGuardedClock,
  isFurther,
  joinGuardedClock,
  knownTime,
} from '#clock';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const { aheadMs, behindMs } = CLOCK_TOLERANCE;

/** A machine: `pass` lets time go by, `step` moves its clock alone, `sleep` is time that it sleeps through. */
function createMachine() {
  let [wall, monotonic, uptime] = [NOW, 5_000.25, 100_000];
  return {
    clocks: { wall: () => wall, monotonic: () => monotonic, uptime: () => uptime },
    pass: (ms: number) => {
      wall += ms;
      monotonic += ms;
      uptime += ms;
    },
    step: (ms: number) => {
      wall += ms;
    },
    sleep: (ms: number) => {
      wall += ms;
      uptime += ms;
    },
  };
}

let machine: ReturnType<typeof createMachine>;
beforeEach(() => {
  machine = createMachine();
});

const begunAt = (reference: number | undefined) => {
  const clock = createGuardedClock(machine.clocks, CLOCK_TOLERANCE);
  clock.begin({ reference, accepted: 0 });
  return clock;
};
const isAccepted = (clock: ReturnType<typeof begunAt>) => clock.hold() === undefined;

describe('a clock at the start', () => {
  test.each([
    ['of a program that was stopped for three days', NOW - 3 * DAY, true],
    ['at the end of what may be', NOW - aheadMs, true],
    ['too far ahead', NOW - aheadMs - 1, false],
    ['a little behind', NOW + behindMs, true],
    ['too far behind', NOW + behindMs + 1, false],
    ['eight years behind', NOW + 8 * 365 * DAY, false],
    ['when nothing has happened yet', undefined, true],
  ])('%s', (_, reference, accepted) => {
    expect(isAccepted(begunAt(reference))).toBe(accepted);
  });

  test('that is not accepted says both instants, and is passed over by what has passed since the known one', () => {
    const clock = begunAt(NOW - 400 * DAY);
    machine.pass(10_000);
    expect(clock.now()).toBe(NOW - 400 * DAY + 10_000);
    expect(clock.hold()).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/2026-03-01T10:00:10\.000Z.*2025-01-25T10:00:00\.000Z/),
    });
    machine.step(-399 * DAY);
    expect(isAccepted(clock)).toBe(true);
    expect(clock.now()).toBe(clock.state().wall);
  });

  test('that an operator accepts is the one to go by', () => {
    const clock = begunAt(NOW - 400 * DAY);
    expect(isAccepted(clock)).toBe(false);
    clock.begin({ reference: NOW, accepted: 1 });
    expect(clock.state()).toEqual({ isAccepted: true, wall: NOW, reference: NOW, accepted: 1 });
  });
});

describe('a clock while the program runs', () => {
  test('may go on for long, and may not jump', () => {
    const clock = begunAt(NOW);
    for (let day = 0; day < 30; day += 1) {
      machine.pass(DAY);
      expect(isAccepted(clock)).toBe(true);
    }
    const before = clock.now();
    machine.step(CLOCK_STEP_MS + 1);
    expect(isAccepted(clock)).toBe(false);
    machine.pass(1_000);
    expect(clock.now()).toBe(before + 1_000);
    machine.step(-CLOCK_STEP_MS - 1);
    expect(isAccepted(clock)).toBe(true);
  });

  test('may jump as far as the machine has slept', () => {
    const clock = begunAt(NOW);
    machine.pass(MINUTE);
    machine.sleep(3 * DAY);
    expect(isAccepted(clock)).toBe(true);
    machine.pass(1_000);
    expect(isAccepted(clock)).toBe(true);
    clock.keep();
    machine.step(3 * DAY);
    expect(isAccepted(clock)).toBe(false);
  });

  test('does not go back further in many small steps than in one', () => {
    const clock = begunAt(NOW);
    machine.step(-behindMs / 2);
    expect(isAccepted(clock)).toBe(true);
    machine.step(-behindMs / 2);
    expect(isAccepted(clock)).toBe(true);
    machine.step(-1);
    expect(isAccepted(clock)).toBe(false);
  });

  test('is the same clock in every thread', () => {
    const clock = begunAt(NOW);
    const other = joinGuardedClock(clock.shared, machine.clocks);
    machine.step(DAY);
    expect([isAccepted(clock), isAccepted(other)]).toEqual([false, false]);
    other.begin({ reference: NOW + DAY, accepted: 1 });
    expect(clock.state()).toMatchObject({ isAccepted: true, accepted: 1 });
  });

  test('gives no instant that no clock of the machine stands for, whatever becomes of it', () => {
    const ms = fc.integer({ min: -20 * DAY, max: 20 * DAY });
    const happening = fc.oneof(
      fc.record({ what: fc.constant('pass' as const), ms: ms.map(Math.abs) }),
      fc.record({ what: fc.constant('sleep' as const), ms: ms.map(Math.abs) }),
      fc.record({ what: fc.constant('step' as const), ms }),
      fc.record({ what: fc.constant('step' as const), ms: ms.map((one) => Math.round(one / 5_000)) }),
    );
    fc.assert(
      fc.property(ms, fc.array(happening, { maxLength: 40 }), (away, happenings) => {
        machine = createMachine();
        const clock = begunAt(NOW + away);
        let latest = clock.state().reference;
        expect(latest).toBe(clock.hold() === undefined ? Math.max(NOW, NOW + away) : NOW + away);
        for (const { what, ms: long } of happenings) {
          machine[what](long);
          clock.keep();
          const { isAccepted: isTaken, wall, reference } = clock.state();
          if (isTaken) {
            expect(clock.now()).toBe(wall);
            expect(wall).toBeGreaterThanOrEqual(latest - behindMs);
            latest = Math.max(latest, wall);
          }
          // What is known never goes back, and a clock that is not believed changes nothing of it.
          expect(reference).toBe(latest);
          expect(clock.hold() === undefined).toBe(isTaken);
          // Whole milliseconds, as of every clock.
          expect(Number.isInteger(clock.now())).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('what is known of the time', () => {
  const none = { count: 0, instant: undefined, ceiling: undefined };
  test('is the latest of what is remembered, the last event and the last acceptance', () => {
    expect(knownTime(undefined, none, undefined)).toEqual({ reference: undefined, accepted: 0 });
    expect(knownTime({ instant: 5, accepted: 0 }, none, 7)).toEqual({ reference: 7, accepted: 0 });
    expect(knownTime({ instant: 9, accepted: 0 }, none, 7)).toEqual({ reference: 9, accepted: 0 });
    const once = { count: 1, instant: 20, ceiling: 10 };
    expect(knownTime({ instant: 9, accepted: 0 }, once, 12)).toEqual({ reference: 20, accepted: 1 });
    expect(knownTime({ instant: 30, accepted: 1 }, once, 25)).toEqual({ reference: 30, accepted: 1 });
  });

  test('is lowered by an acceptance, whatever was remembered and stamped before it', () => {
    const lowered = { count: 2, instant: 20, ceiling: 1_000 };
    expect(knownTime({ instant: 1_000, accepted: 1 }, lowered, 1_000)).toEqual({
      reference: 20,
      accepted: 2,
    });
    expect(knownTime({ instant: 25, accepted: 2 }, lowered, 900)).toEqual({ reference: 25, accepted: 2 });
    expect(knownTime({ instant: 25, accepted: 2 }, lowered, 1_001).reference).toBe(1_001);
  });

  test('goes forward by the acceptances that it knows of, and among those of one by the instant', () => {
    const mark = { instant: 10, accepted: 1 };
    expect(isFurther(mark, undefined)).toBe(true);
    expect(isFurther({ instant: 11, accepted: 1 }, mark)).toBe(true);
    expect(isFurther({ instant: 1, accepted: 2 }, mark)).toBe(true);
    expect(isFurther(mark, mark)).toBe(false);
    expect(isFurther({ instant: 99, accepted: 0 }, mark)).toBe(false);
  });
});
