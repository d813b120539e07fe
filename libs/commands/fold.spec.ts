import { beforeAll, describe, expect, test } from '@jest/globals';
import { chainStart, logStart, type StreamEvent } from '#kernel';
import { createMemoryEventStore } from '#event-store/memory';
import { emptyFold, foldEvent, foldIfComplete } from './fold.js';
import { findCommand, recordCommand } from './processed-commands.js';
import { contextOf, startTally, tallyDecider } from './testing/index.js';

const STREAM = 'tally-1';
const idOf = (key: string) => contextOf(key).commandId;
/** Six events of three commands: one, three and two. */
let events: readonly StreamEvent[];

beforeAll(async () => {
  const store = createMemoryEventStore();
  const executor = startTally(store);
  for (const [key, amount, count] of [
    ['a', 5, 1],
    ['b', 2, 3],
    ['c', 10, 2],
  ] as const)
    await executor.execute(STREAM, { do: 'add', amount, events: count }, contextOf(key));
  events = await store.readStream(STREAM, { limit: 100 });
});

describe('a stream of which nothing is known', () => {
  test('is before its first event, at the start of the log and of its chain', () => {
    const empty = emptyFold({ sum: 3 });
    expect(empty).toMatchObject({ state: { sum: 3 }, revision: -1, position: logStart, chain: chainStart });
    expect(findCommand(empty.commands, idOf('a'))).toBeUndefined();
  });

  test('remembers its own commands and no other stream’s', () => {
    const [one, other] = [emptyFold({ sum: 0 }), emptyFold({ sum: 0 })];
    recordCommand(one.commands, idOf('a'), { from: 0, count: 1 });
    expect(findCommand(other.commands, idOf('a'))).toBeUndefined();
  });
});

describe('a stream after one more event', () => {
  test('is where that event is, and the state before stays what it was', () => {
    const before = emptyFold(tallyDecider.initial);
    const after = foldEvent(tallyDecider, before, events[0]!);
    expect(after.state).toEqual({ sum: 5 });
    const { revision, position, meta } = events[0]!;
    expect(after).toMatchObject({ revision, position, chain: meta.chain });
    expect(before).toMatchObject({ state: { sum: 0 }, revision: -1, position: logStart });
    expect(after.commands).toBe(before.commands);
  });

  test('keeps its position when the engine does not tell that of the event', () => {
    const first = foldEvent(tallyDecider, emptyFold(tallyDecider.initial), events[0]!);
    const { position: _, ...unplaced } = events[1]!;
    const second = foldEvent(tallyDecider, first, unplaced);
    expect(second).toMatchObject({ state: { sum: 7 }, revision: 1, position: first.position });
  });
});

describe('a stream of which one page was read', () => {
  test('is folded with all its commands when the page has room for more', () => {
    const folded = foldIfComplete(tallyDecider, events, 7)!;
    const last = events.at(-1)!;
    expect(folded).toMatchObject({
      state: { sum: 31 },
      revision: 5,
      position: last.position,
      chain: last.meta.chain,
    });
    expect(['a', 'b', 'c', 'd'].map((key) => findCommand(folded.commands, idOf(key)))).toEqual([
      { from: 0, count: 1 },
      { from: 1, count: 3 },
      { from: 4, count: 2 },
      undefined,
    ]);
  });

  test('is not known when the page is full, since more may follow', () => {
    expect(foldIfComplete(tallyDecider, events, 6)).toBeUndefined();
    expect(foldIfComplete(tallyDecider, [], 6)).toMatchObject({ revision: -1, state: { sum: 0 } });
  });
});
