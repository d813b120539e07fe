import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparePositions, createRetryQueue, positionOf } from '#kernel';

const entry = (key: string, position: number, tries = 0) => ({ key, position: positionOf(position), tries });
type Entry = ReturnType<typeof entry>;
const queueOf = (entries: readonly Entry[]) => createRetryQueue(entries, ({ key }) => key);

test('holds what waits, a queue a key, in log order whatever order it came in', () => {
  const queue = queueOf([entry('a', 12), entry('b', 9), entry('a', 7)]);
  queue.put(entry('a', 100));
  expect(queue.all().map(({ position }) => position)).toEqual(['7', '9', '12', '100']);
  expect(queue.heads()).toEqual([entry('a', 7), entry('b', 9)]);
  expect([queue.holds('a'), queue.holds('c'), queue.count()]).toEqual([true, false, 4]);
  queue.put(entry('a', 7, 2));
  expect([queue.at('a', positionOf(7)), queue.count()]).toEqual([entry('a', 7, 2), 4]);
  queue.remove(entry('b', 9));
  queue.remove(entry('b', 9));
  expect([queue.holds('b'), queue.at('b', positionOf(9)), queue.count()]).toEqual([false, undefined, 3]);
});

test('is what a plain list of its entries would be', () => {
  const change = fc.record({
    does: fc.constantFrom('put', 'remove'),
    key: fc.constantFrom('a', 'b', 'c'),
    position: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const queue = queueOf([]);
      let list: Entry[] = [];
      changes.forEach(({ does, key, position }, n) => {
        const one = entry(`${key}${position % 3}`, position, n);
        list = list.filter((other) => other.key !== one.key || other.position !== one.position);
        if (does === 'put') list.push(one);
        if (does === 'put') queue.put(one);
        else queue.remove(one);
      });
      list.sort((a, b) => comparePositions(a.position, b.position));
      const sorted = queue.all().toSorted((a, b) => comparePositions(a.position, b.position));
      expect(new Set(sorted)).toEqual(new Set(list));
      expect(queue.count()).toBe(list.length);
      for (const head of queue.heads())
        expect(list.find(({ key }) => key === head.key)?.position).toBe(head.position);
    }),
  );
});
