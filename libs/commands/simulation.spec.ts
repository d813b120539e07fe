import { describe, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { isLodeError, LodeError, type Random, type RecordedEvent, type Timers } from '#kernel';
import type { Append, EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog } from '#event-store/testing';
import { drawsOf, type Draws } from '#kernel/testing/draws';
import { contextOf, startTally, type TallyCommand } from './testing/index.js';

/** Worlds that are gone through; a failure names its seed, and that world alone goes the same way again. */
const SEEDS = 300;
const STREAM = 'tally-1';
const KEYS = 10;
const WAVES = 6;

type Fault =
  | 'none'
  | 'conflict'
  | 'conflicts'
  | 'unavailable'
  | 'storage_full'
  | 'unknown'
  | 'lost answer'
  | 'late'
  | 'away';

/** A log that fails, in all ways that the port allows, and answers after a while. */
function faulty(inner: EventStore, draws: Draws) {
  let isCalm = false;
  let conflicts = 0;
  let late: Append | undefined;
  /** So many calls from now on are not answered. */
  let away = 0;
  /** In half of the worlds it is never away: there nobody is refused what the log holds, whoever brought it there. */
  const isThere = draws.below(2) === 0;
  const underWay = new Map<number, number>();
  const wait = async () => {
    for (let turns = draws.below(3); turns > 0; turns--) await setImmediate();
  };
  const fail = (code: 'conflict' | 'unavailable' | 'storage_full' | 'unknown_outcome') => {
    throw new LodeError(code, 'injected');
  };
  const reach = () => {
    if (away === 0) return;
    away -= 1;
    fail('unavailable');
  };
  const append = async (request: Append) => {
    reach();
    if (late !== undefined) await inner.append(late).catch(() => undefined);
    late = undefined;
    await wait();
    if (conflicts > 0) {
      conflicts -= 1;
      return fail('conflict');
    }
    const fault: Fault = isCalm
      ? 'none'
      : draws.oneOf([
          ...(['none', 'none', 'none', 'conflict', 'conflicts', 'unavailable', 'storage_full'] as const),
          ...(['unknown', 'lost answer', 'late', isThere ? 'none' : 'away'] as const),
        ]);
    if (fault === 'none') return inner.append(request);
    if (fault === 'conflicts') conflicts = draws.below(6);
    if (fault === 'conflict' || fault === 'conflicts') return fail('conflict');
    if (fault === 'unavailable' || fault === 'storage_full') return fail(fault);
    if (fault === 'away') away = draws.below(8);
    if (fault === 'lost answer' || (fault === 'away' && draws.below(2) === 0)) {
      await inner.append(request);
      await wait();
    }
    if (fault === 'late') late = request;
    return fail('unknown_outcome');
  };
  return {
    isThere,
    /** The log as one program sees it, which may have one append under way at a time. */
    seenBy: (program: number): EventStore => {
      const alone: EventStore['append'] = async (request) => {
        expect(underWay.get(program) ?? 0).toBe(0);
        underWay.set(program, 1);
        try {
          return await append(request);
        } finally {
          underWay.set(program, 0);
        }
      };
      return {
        ...inner,
        append: alone,
        appendMany: (all) => Promise.allSettled(all.map(alone)),
        readStream: async (stream, read) => {
          await wait();
          reach();
          return inner.readStream(stream, read);
        },
        head: async () => {
          reach();
          return inner.head();
        },
      };
    },
    calm: () => {
      isCalm = true;
      conflicts = 0;
      away = 0;
    },
  };
}

/** Timers that fire at once, but for the deadline of conflicts, which comes when the seed wants it. */
function eagerTimers(draws: Draws): Timers {
  return {
    after: (ms, done) => {
      let isCancelled = ms > 1_000 && draws.below(3) > 0;
      void setImmediate().then(() => {
        if (!isCancelled) done();
      });
      return () => {
        isCancelled = true;
      };
    },
    yieldNow: () => setImmediate(),
  };
}

type Sent = {
  readonly program: number;
  readonly key: string;
  readonly body: string;
  readonly command: TallyCommand;
  /** Events that the log had when it was sent and when it was answered. */
  readonly from: number;
  readonly to: number;
  readonly answer:
    { readonly ids: readonly string[]; readonly replayed: boolean } | { readonly refused: string };
};

const COMMANDS: readonly TallyCommand[] = [
  { do: 'add', amount: 3 },
  { do: 'add', amount: 2, events: 3 },
  { do: 'take', amount: 4 },
  { do: 'take', amount: 9 },
  { do: 'raise', to: 5 },
];

/** What comes of waves of commands, with keys that come again, through two programs on a log that fails. */
async function simulate(seed: number) {
  const draws = drawsOf(seed);
  const log: RecordedEvent[] = [];
  const inner = createMemoryEventStore(log);
  const faults = faulty(inner, draws);
  const timers = eagerTimers(draws);
  const random: Random = (bytes) => new Uint8Array(bytes).fill(draws.below(256));
  const programs = [0, 1].map((n) =>
    startTally(faults.seenBy(n), {
      year: 2026 + 4 * n,
      timers,
      random,
      cacheBytes: draws.oneOf([1, 1_000_000]),
    }),
  );
  const sent: Sent[] = [];
  const send = async (program: number, key: string, body: string) => {
    // A key with a body is always the same request.
    const command = COMMANDS[(Number(key) + body.length) % COMMANDS.length]!;
    const from = log.length;
    const answer = await programs[program]!.execute(STREAM, command, contextOf(key, body)).then(
      ({ events, replayed }) => ({ ids: events.map(({ id }) => id), replayed }),
      (error: unknown) => {
        if (!isLodeError(error)) throw error;
        return { refused: error.code };
      },
    );
    sent.push({ program, key, body, command, from, to: log.length, answer });
  };
  const sendSome = () =>
    send(
      draws.below(8) === 0 ? 1 : 0,
      String(draws.below(KEYS)),
      draws.oneOf(['one', 'one', 'one', 'other']),
    );
  for (let wave = 0; wave < WAVES; wave++) {
    await Promise.all(
      Array.from({ length: 1 + draws.below(8) }, async () => {
        for (let turns = draws.below(4); turns > 0; turns--) await setImmediate();
        await sendSome();
      }),
    );
  }
  faults.calm();
  for (let key = 0; key < KEYS; key++) await send(key % 2, String(key), 'one');
  return { sent, log: await checkLog(inner), programs, isThere: faults.isThere };
}

const sumOf = (events: readonly RecordedEvent[]) =>
  events.reduce((sum, { data }) => sum + Number(data['amount']), 0);

/** What a program must not say any more of a key, by what it has said of it before; undefined when it may say all. */
function knownOf(one: Sent, sent: readonly Sent[]): string | undefined {
  const last = sent
    .slice(0, sent.indexOf(one))
    .findLast(({ program, key }) => program === one.program && key === one.key);
  if (last === undefined) return undefined;
  if ('refused' in last.answer) return last.answer.refused === 'unknown_outcome' ? 'nobody knew' : undefined;
  return last.answer.ids.length > 0 ? 'it was done' : undefined;
}

/** Why an answer is wrong, given what the log was while it was sought; undefined when it is right. */
function wrongIn(
  one: Sent,
  {
    sent,
    log,
    isThere,
  }: { readonly sent: readonly Sent[]; readonly log: readonly RecordedEvent[]; readonly isThere: boolean },
): string | undefined {
  const { commandId } = contextOf(one.key);
  const ofCommand = (events: readonly RecordedEvent[]) =>
    events.filter(({ meta }) => meta.commandId === commandId);
  const seen = log.slice(0, one.to);
  const before = ofCommand(log.slice(0, one.from));
  const after = ofCommand(seen);
  const isRepeat = before.length > 0 && before[0]?.meta.requestHash === one.body;
  const { answer, command } = one;
  // At some moment between the question and the answer the log was such that the answer was right.
  const wasSo = (holds: (sum: number) => boolean) =>
    Array.from({ length: one.to - one.from + 1 }, (_, n) => sumOf(log.slice(0, one.from + n))).some(holds);
  if ('refused' in answer) {
    switch (answer.refused) {
      case 'idempotency_key_reused':
        return after.some(({ meta }) => meta.requestHash !== one.body)
          ? undefined
          : 'its key was never used by what is in the log';
      case 'insufficient_balance':
        if (isRepeat) return 'it is in the log';
        return command.do === 'take' && wasSo((sum) => sum < command.amount)
          ? undefined
          : 'there was enough all the time';
      case 'unknown_outcome':
        return undefined;
      default: {
        // A program that the log doesn't answer can't know what it was never told.
        const known = knownOf(one, sent) ?? (isThere && before.length > 0 ? 'it is in the log' : undefined);
        return known && `${known}, and it was answered ${answer.refused}`;
      }
    }
  }
  if (answer.ids.length === 0)
    return command.do === 'raise' && wasSo((sum) => sum >= command.to) ? undefined : 'it was not so';
  if (answer.ids.join() !== after.map(({ id }) => id).join())
    return 'its events are not those of the log when it was answered';
  if (after.some(({ meta }) => meta.requestHash !== one.body)) return 'it was answered what another did';
  return before.length > 0 && !answer.replayed ? 'it was carried out a second time' : undefined;
}

describe('commands through programs on a log that fails', () => {
  test(`are answered by what is in the log, whatever becomes of their appends, in ${SEEDS} worlds`, async () => {
    const answers = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed++) {
      const world = await simulate(seed);
      const { sent, log, programs } = world;
      for (const one of sent) {
        answers.add(
          'refused' in one.answer ? one.answer.refused : `replayed: ${String(one.answer.replayed)}`,
        );
        expect({ seed, one, wrong: wrongIn(one, world) }).toEqual({ seed, one, wrong: undefined });
      }
      // Every command is in the log once, in one piece.
      const ids = log.map(({ id }) => id);
      expect({ seed, twice: ids.length - new Set(ids).size }).toEqual({ seed, twice: 0 });
      const sums = [];
      for (const program of programs) sums.push((await program.load(STREAM)).state.sum);
      expect({ seed, sums }).toEqual({ seed, sums: [sumOf(log), sumOf(log)] });
    }
    // The worlds are such that everything happens in some of them.
    expect([...answers].toSorted()).toEqual([
      'idempotency_key_reused',
      'insufficient_balance',
      'overloaded',
      'replayed: false',
      'replayed: true',
      'storage_full',
      'unavailable',
      'unknown_outcome',
    ]);
  });
});
