import { beforeEach, describe, expect, test } from '@jest/globals';
import { InvariantViolation, LodeError } from '#kernel';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import type { Execution } from './command.js';
import { foldIfComplete, type Folded } from './fold.js';
import { recordCommand } from './processed-commands.js';
import { answerRepeats, hasRepeats } from './repeats.js';
import {
  asked,
  contextOf,
  damaged,
  startTally,
  tallyDecider,
  type Asked,
  type Tally,
  type TallyEvent,
} from './testing/index.js';

const STREAM = 'tally-1';
const ADD = { do: 'add', amount: 2, events: 2 } as const;
const reused = expect.objectContaining({ code: 'idempotency_key_reused' });

describe('commands that the log holds already', () => {
  let store: EventStore;
  let committed: Folded<Tally>;
  /** What `old` was answered with the first time. */
  let first: Execution<TallyEvent>;

  beforeEach(async () => {
    store = createMemoryEventStore();
    const executor = startTally(store);
    await executor.execute(STREAM, { do: 'add', amount: 1 }, contextOf('older'));
    first = await executor.execute(STREAM, ADD, contextOf('old'));
    await executor.execute(STREAM, { do: 'add', amount: 1 }, contextOf('last'));
    committed = foldIfComplete(tallyDecider, await store.readStream(STREAM, { limit: 100 }), 100)!;
  });

  const answered = (groups: readonly (readonly Asked[])[], log = store) =>
    answerRepeats({ store: log, codecs: tallyDecider.codecs }, STREAM, committed, groups);

  test('are told from those that it does not hold, wherever in a group they are', () => {
    expect(hasRepeats(committed, [])).toBe(false);
    expect(hasRepeats(committed, [[asked('new', ADD)], [asked('newer', ADD)]])).toBe(false);
    expect(hasRepeats(committed, [[asked('new', ADD)], [asked('newer', ADD), asked('old', ADD)]])).toBe(true);
  });

  test('have their first answer again, and the others stay just as they are', async () => {
    const [old, fresh] = [asked('old', ADD), asked('new', ADD)];
    const left = await answered([[old], [fresh]]);
    expect(old.answers).toEqual([{ ...first, replayed: true }]);
    expect(left).toEqual([[fresh]]);
    expect(left[0]?.[0]).toBe(fresh);
    expect(fresh.answers).toEqual([]);
  });

  test('have it also when they could not be made any more', async () => {
    const old = asked('old', new LodeError('evidence_missing', 'gone'));
    expect(await answered([[old]])).toEqual([]);
    expect(old.answers).toEqual([{ ...first, replayed: true }]);
  });

  test('are refused when their key was used for another request', async () => {
    const other = asked('old', ADD, 'other');
    expect(await answered([[other]])).toEqual([]);
    expect(other.answers).toEqual([reused]);
  });

  test('have their first answer again when an earlier derivation hashed the request', async () => {
    const old = asked('old', ADD, 'a later derivation');
    const context = { ...old.context, formerHash: contextOf('old').requestHash };
    expect(await answered([[{ ...old, context }]])).toEqual([]);
    expect(old.answers).toEqual([{ ...first, replayed: true }]);
    const other = asked('old', ADD, 'other');
    expect(await answered([[{ ...other, context: { ...other.context, formerHash: 'another' } }]])).toEqual(
      [],
    );
    expect(other.answers).toEqual([reused]);
  });

  test('leave their group with the others, answered', async () => {
    const [old, fresh] = [asked('old', ADD), asked('new', ADD)];
    expect(await answered([[old, fresh], [asked('last', ADD)]])).toEqual([[fresh]]);
    expect(old.answers).toHaveLength(1);
  });

  test('spoil their group when their key was used for another request, so that none of it is done', async () => {
    const [fresh, other] = [asked('new', ADD), asked('old', ADD, 'other')];
    const [group, ...more] = await answered([[fresh, other]]);
    expect(more).toEqual([]);
    expect(group?.map(({ command }) => command)).toEqual([ADD, reused]);
    expect([...fresh.answers, ...other.answers]).toEqual([]);
  });

  test('spoil what is left of it, when the others in it are answered', async () => {
    const [old, other] = [asked('old', ADD), asked('last', ADD, 'other')];
    const left = await answered([[other, old]]);
    expect(left.map((group) => group.map(({ command }) => command))).toEqual([[reused]]);
    expect([old.answers, other.answers]).toEqual([[{ ...first, replayed: true }], []]);
  });

  test('are refused with what the log failed with, and keep nobody else from an answer', async () => {
    const [old, fresh] = [asked('old', ADD), asked('new', ADD)];
    expect(await answered([[old], [fresh]], damaged(store, STREAM))).toEqual([[fresh]]);
    expect(old.answers).toEqual([expect.objectContaining({ code: 'storage_failed' })]);
  });

  test.each([
    ['other events', { from: 0, count: 2 }],
    ['more events than there are', { from: 3, count: 2 }],
  ])('are a fault when what is remembered of them is of %s', async (_, wrong) => {
    recordCommand(committed.commands, contextOf('last').commandId, wrong);
    const last = asked('last', ADD);
    expect(await answered([[last]])).toEqual([]);
    expect(last.answers).toEqual([expect.any(InvariantViolation)]);
  });
});
