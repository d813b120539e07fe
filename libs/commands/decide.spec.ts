import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chainHolds, isLodeError, LodeError } from '#kernel';
import { limits } from '#event-store';
import { decideBatch, type Undecided, type Verdict } from './decide.js';
import { emptyFold, type Folded } from './fold.js';
import { contextOf, tallyDecider, type Tally, type TallyCommand, type TallyEvent } from './testing/index.js';

type UndecidedCommand = Undecided<TallyCommand>;

const AT = '2026-01-01T00:00:00.000Z';
const ALL = { stream: 'tally-1', at: AT, groupsMax: 1_000 };
const undecided = (key: string, command: TallyCommand | LodeError, body?: string): UndecidedCommand => ({
  command,
  context: contextOf(key, body),
});
const add = (amount: number, events = 1): TallyCommand => ({ do: 'add', amount, events });
const take = (amount: number): TallyCommand => ({ do: 'take', amount });
const none: Folded<Tally> = emptyFold(tallyDecider.initial);
const decide = (groups: readonly (readonly UndecidedCommand[])[], options = ALL) =>
  decideBatch(tallyDecider, none, groups, options);

function brief(verdict: Verdict<UndecidedCommand, TallyEvent>): string {
  if (verdict.kind === 'done') return `${verdict.events.length}${verdict.replayed ? ' again' : ''}`;
  return isLodeError(verdict.error) ? verdict.error.code : 'thrown';
}

describe('the decision of a batch', () => {
  test('tells what rests on the log alone from what rests on its own events', () => {
    const batch = decide([
      [undecided('a', take(1))],
      [undecided('b', { do: 'raise', to: 0 })],
      [undecided('c', add(5))],
      [undecided('d', take(9))],
      [undecided('e', { do: 'raise', to: 3 })],
      [undecided('c', add(5))],
      [undecided('c', add(5), 'other')],
      [undecided('f', take(5))],
    ]);
    expect(batch.onLog.map(brief)).toEqual(['insufficient_balance', '0']);
    expect(batch.groupsOnLog).toBe(2);
    expect(batch.onAppend.map(brief)).toEqual([
      '1',
      'insufficient_balance',
      '0',
      '1 again',
      'idempotency_key_reused',
      '1',
    ]);
    expect(batch.decided.map(({ pending: { context } }) => context.commandId)).toEqual(
      ['c', 'f'].map((key) => contextOf(key).commandId),
    );
    expect([batch.taken, batch.after.state.sum, batch.after.revision]).toEqual([8, 0, 1]);
  });

  test('gives events that follow one another in the stream, all decided at one instant', () => {
    const { events, texts, after } = decide([[undecided('a', add(1, 2))], [undecided('b', add(2))]]);
    expect(events.map(({ revision, at, data }) => [revision, at, data.amount])).toEqual([
      [0, AT, 1],
      [1, AT, 1],
      [2, AT, 2],
    ]);
    let chain = none.chain;
    for (const event of events) {
      expect(chainHolds(chain, event)).toBe(true);
      chain = event.meta.chain;
    }
    expect(after.chain).toBe(chain);
    expect(texts).toHaveLength(3);
  });

  test('takes as many groups as are asked for and as fit into an append', () => {
    const groups = [add(1, 1_000), add(1, 24), add(1, 1), add(1, 1)].map((one, n) => [
      undecided(`k${n}`, one),
    ]);
    expect(decide(groups).taken).toBe(2);
    expect(decide(groups, { ...ALL, groupsMax: 1 }).taken).toBe(1);
    const [first, ...rest] = decide([[undecided('a', add(1, limits.eventsPerAppend + 1))], ...groups]).onLog;
    expect([first, ...rest].map((one) => one && brief(one))).toEqual(['thrown']);
  });

  test('does all of a group or nothing of it, and says why to each', () => {
    const batch = decide([
      [undecided('a', add(5))],
      [undecided('b', add(1)), undecided('a', add(5)), undecided('c', take(100)), undecided('b', add(1))],
      [undecided('d', add(1)), undecided('e', take(6))],
      [undecided('f', add(1, 1_000)), undecided('g', add(1, 1_000))],
    ]);
    expect(batch.onAppend.map(brief)).toEqual([
      '1',
      'group_refused',
      '1 again',
      'insufficient_balance',
      'group_refused',
      '1',
      '1',
      'body_too_large',
      'body_too_large',
    ]);
    expect(batch.after.state.sum).toBe(0);
  });

  test('refuses with why a command could not be made, and with what a decision throws', () => {
    const batch = decide([
      [undecided('a', new LodeError('evidence_missing', 'gone'))],
      [undecided('b', { do: 'overdraw' })],
    ]);
    expect(batch.onLog.map(brief)).toEqual(['evidence_missing', 'thrown']);
    expect(batch.after).toBe(none);
  });

  test('comes to what the commands come to one by one, and changes nothing that it was given', () => {
    const command = fc.oneof(
      fc.record({ do: fc.constant('add' as const), amount: fc.nat({ max: 9 }), events: fc.nat({ max: 3 }) }),
      fc.record({ do: fc.constant('take' as const), amount: fc.nat({ max: 9 }) }),
      fc.record({ do: fc.constant('raise' as const), to: fc.nat({ max: 9 }) }),
    );
    const sent = fc.record({ command, key: fc.nat({ max: 8 }), body: fc.constantFrom('one', 'two') });
    fc.assert(
      fc.property(fc.array(sent, { minLength: 1, maxLength: 20 }), (list) => {
        const commands = list.map(({ command: one, key, body }) => undecided(`k${key}`, one, body));
        const before = JSON.stringify(commands);
        const together = decide(commands.map((one) => [one]));
        expect(JSON.stringify(commands)).toBe(before);
        expect(none.commands.count).toBe(0);
        const verdicts = [...together.onLog, ...together.onAppend];
        let state = none;
        const used = new Map<string, string>();
        commands.forEach((one, n) => {
          const { commandId, requestHash } = one.context;
          const first = used.get(commandId);
          const verdict = verdicts[n]!;
          if (first !== undefined) {
            expect(brief(verdict)).toMatch(first === requestHash ? / again$/ : /^idempotency_key_reused$/);
            return;
          }
          const alone = decideBatch(tallyDecider, state, [[one]], ALL);
          expect(brief(verdict)).toBe([...alone.onLog, ...alone.onAppend].map(brief).join());
          if (alone.events.length > 0) used.set(commandId, requestHash);
          state = alone.after;
        });
        expect(together.after.state).toEqual(state.state);
        expect(together.after.chain).toBe(state.chain);
      }),
    );
  });
});
