import { describe, expect, test } from '@jest/globals';
import { LodeError, positionOf } from '#kernel';
import { decideBatch } from './decide.js';
import { emptyFold, type Folded } from './fold.js';
import { createOpenOutcomes } from './outcomes.js';
import { findCommand } from './processed-commands.js';
import {
  appendOf,
  BATCH_MAX,
  committedBy,
  groupsIn,
  leftAfter,
  openGroups,
  rejectAll,
  settle,
  settleAppended,
  type Decided,
} from './settle.js';
import {
  asked,
  tallyDecider,
  type Asked,
  type Tally,
  type TallyCommand,
  type TallyEvent,
} from './testing/index.js';

const STREAM = 'tally-1';
const none: Folded<Tally> = emptyFold(tallyDecider.initial);
/** A stream of three events. */
const begun: Folded<Tally> = { ...none, state: { sum: 3 }, revision: 2, position: positionOf(40) };
const APPENDED = { revision: 5, position: positionOf(99) };
const POSITIONS = [70, 80, 99].map(positionOf);
const add = (amount: number, events = 1): TallyCommand => ({ do: 'add', amount, events });

/** Two groups that rest on the log, two that give events and one that repeats the first of them. */
function fiveGroups() {
  const [refused, already, two, one, again] = [
    asked('refused', { do: 'take', amount: 9 }),
    asked('already', { do: 'raise', to: 1 }),
    asked('two', add(1, 2)),
    asked('one', add(5)),
    asked('two', add(1, 2)),
  ];
  return { all: [refused, already, two, one, again], refused, already, two, one, again };
}

/** The batch of commands, a group each. */
function decidedOf(
  commands: readonly Asked[],
  committed = begun,
  isLogSettled = false,
): Decided<TallyCommand, TallyEvent, Tally> {
  const options = { stream: STREAM, at: '2026-01-01T00:00:00.000Z', groupsMax: BATCH_MAX };
  const groups = commands.map((one) => [one]);
  return { committed, isLogSettled, batch: decideBatch(tallyDecider, committed, groups, options) };
}

const refusedWith = (code: string) => [expect.objectContaining({ code })];
const answersOf = (commands: readonly Asked[]) => commands.map(({ answers }) => answers);
const doneAt = (position: number, events: number) => [
  { position: positionOf(position), replayed: false, events: Array(events).fill(expect.anything()) },
];

describe('an append', () => {
  test.each([
    ['after the events that the stream has', begun, 2],
    ['to a stream that is not there yet', none, 'no-stream'],
  ])('goes %s', (_, committed, expected) => {
    const decided = decidedOf([asked('a', add(1, 2)), asked('b', add(2))], committed);
    const { events, texts } = decided.batch;
    expect(appendOf(STREAM, decided)).toEqual({ stream: STREAM, expected, events, texts });
    expect(events).toHaveLength(3);
  });

  test('settles its groups: without those that rest on the log, if these are settled already', () => {
    const { all } = fiveGroups();
    expect(groupsIn(decidedOf(all))).toBe(5);
    expect(groupsIn(decidedOf(all, begun, true))).toBe(3);
  });

  test('leaves the stream remembering its commands, at the position that the log gave', () => {
    const { all, two, one, already } = fiveGroups();
    const decided = decidedOf(all, { ...begun, commands: emptyFold(none.state).commands });
    const after = committedBy(decided, APPENDED);
    expect(after).toMatchObject({ state: { sum: 10 }, revision: 5, position: APPENDED.position });
    expect(after.chain).toBe(decided.batch.after.chain);
    expect([two, one, already].map(({ context }) => findCommand(after.commands, context.commandId))).toEqual([
      { from: 3, count: 2 },
      { from: 5, count: 1 },
      undefined,
    ]);
  });
});

describe('the answers of an append', () => {
  test('are each command’s own events, at its own position where the engine tells it', () => {
    const { all, refused, already, two, one, again } = fiveGroups();
    settleAppended(decidedOf(all), { ...APPENDED, positions: POSITIONS });
    expect(refused.answers).toEqual(refusedWith('insufficient_balance'));
    expect(already.answers).toEqual(doneAt(99, 0));
    expect(two.answers).toEqual(doneAt(80, 2));
    expect(one.answers).toEqual(doneAt(99, 1));
    expect(again.answers).toEqual([{ ...Object(two.answers[0]), replayed: true }]);
  });

  test('are at the position of all of it where the engine tells no other', () => {
    const { all, two } = fiveGroups();
    settleAppended(decidedOf(all), APPENDED);
    expect(two.answers).toEqual(doneAt(99, 2));
  });

  test('are given once: not again to those that rested on the log and were answered from it', () => {
    const { all, refused, already, two, one, again } = fiveGroups();
    const decided = decidedOf(all, begun, true);
    settle(decided.batch.onLog, begun, begun.revision);
    expect(already.answers).toEqual(doneAt(40, 0));
    settleAppended(decided, APPENDED);
    expect([refused, already, two, one, again].map(({ answers }) => answers.length)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('what is left after an append', () => {
  const none = createOpenOutcomes();
  const failed = new LodeError('unavailable', 'down');
  const unknown = new LodeError('unknown_outcome', 'who knows');
  const large = new LodeError('body_too_large', 'too large');

  test('that wrote nothing is all of it, to be answered without another append', () => {
    const { all } = fiveGroups();
    const open = openGroups<TallyCommand, TallyEvent, Tally>(all.map((one) => [one]));
    expect(leftAfter(open, decidedOf(all), { kind: 'failed', error: failed }, none)).toEqual({
      ...open,
      failure: { error: failed },
    });
    expect(answersOf(all)).toEqual([[], [], [], [], []]);
  });

  test.each([
    ['those that rest on the log', false, 2],
    ['nothing, when those are settled', true, 0],
  ])('of which nobody knows is %s, and the others are told so', (_, isLogSettled, left) => {
    const { all } = fiveGroups();
    const decided = decidedOf(all, begun, isLogSettled);
    const asking = isLogSettled ? all.slice(2) : all;
    const open = openGroups<TallyCommand, TallyEvent, Tally>(asking.map((one) => [one]));
    const outcomes = createOpenOutcomes();
    const after = leftAfter(open, decided, { kind: 'unknown', error: unknown }, outcomes);
    expect(after.groups).toEqual(open.groups.slice(0, left));
    // Nothing was sent of what is left, and it is refused if it needs an append.
    expect(after.failure).toEqual({ error: expect.objectContaining({ code: 'unavailable' }) });
    expect(asking.map(({ context }) => outcomes.isOpen(context.commandId))).toEqual(
      asking.map((_, n) => n >= left),
    );
    expect(asking.map(({ answers }) => answers)).toEqual(asking.map((_, n) => (n < left ? [] : [unknown])));
  });

  test('that was too large is all of it, for half as many groups at once', () => {
    const { all } = fiveGroups();
    const open = openGroups<TallyCommand, TallyEvent, Tally>(all.map((one) => [one]));
    const tooLarge = { kind: 'too large', error: large } as const;
    expect(leftAfter(open, decidedOf(all), tooLarge, none)).toEqual({ ...open, groupsMax: 3 });
    // Those that rest on the log were not in it.
    const settled = openGroups<TallyCommand, TallyEvent, Tally>(open.groups.slice(2));
    expect(leftAfter(settled, decidedOf(all, begun, true), tooLarge, none)).toEqual({
      ...settled,
      groupsMax: 2,
    });
    expect(answersOf(all)).toEqual([[], [], [], [], []]);
  });

  test('of one command that was too large is the rest, and that command is refused', () => {
    const [one, next] = [asked('one', add(1)), asked('next', add(1))];
    const open = openGroups<TallyCommand, TallyEvent, Tally>([[one], [next]]);
    const after = leftAfter(open, decidedOf([one]), { kind: 'too large', error: large }, none);
    expect(after).toEqual({ ...open, groups: [[next]] });
    expect(answersOf([one, next])).toEqual([[large], []]);
  });

  test('of one group that was too large is each of its commands by itself, as one that can not be made', () => {
    const [a, b, next] = [asked('a', add(1)), asked('b', add(1)), asked('next', add(1))];
    const open = openGroups<TallyCommand, TallyEvent, Tally>([[a, b], [next]]);
    const after = leftAfter(open, decidedOf([a]), { kind: 'too large', error: large }, none);
    expect(after.groups).toEqual([[{ ...a, command: large }], [{ ...b, command: large }], [next]]);
    expect(answersOf([a, b, next])).toEqual([[], [], []]);
  });
});

test('all commands of all groups are refused together', () => {
  const [a, b, c] = [asked('a', add(1)), asked('b', add(1)), asked('c', add(1))];
  const error = new Error('gone');
  rejectAll([[a, b], [c]], error);
  expect(answersOf([a, b, c])).toEqual([[error], [error], [error]]);
});
