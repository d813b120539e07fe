import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { commandIdOf } from '#kernel';
import {
  commandBytes,
  findCommand,
  noCommands,
  recordCommand,
  recordEvent,
  type ProcessedCommand,
} from './processed-commands.js';

/** The most that one command may take, in bytes. */
const BYTES_A_COMMAND = 64;

/** Ids as they come, and such as are almost the same: other cases, one character more, other places of the dashes. */
const ids = fc.oneof(
  fc.uuid(),
  fc.integer({ min: 0, max: 30 }).map((n) => commandIdOf('u', 's', String(n))),
  fc.integer({ min: 0, max: 40 }).map((n) => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`),
  fc.constantFrom(
    '',
    'x',
    '00000000-0000-0000-0000-00000000000A',
    '00000000-0000-0000-0000-00000000000a',
    '00000000-0000-0000-0000-00000000000a ',
    '0000000000000-0000-0000-000000000000-',
    '00000000_0000-0000-0000-000000000000',
    '00000000-0000-0000-0000-00000000000g',
    '00000000000000000000000000000000000a',
  ),
  fc.string(),
);
const numbers = fc.oneof(fc.nat({ max: 1_000 }), fc.integer({ min: 0, max: 0xffff_ff00 }));

describe('the commands that a stream remembers', () => {
  test('are what a Map would remember', () => {
    const step = fc.record({ id: ids, from: numbers, count: numbers, isEvent: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), fc.array(ids), (steps, others) => {
        const commands = noCommands();
        const model = new Map<string, ProcessedCommand>();
        for (const { id, from, count, isEvent } of steps) {
          if (isEvent) {
            const known = model.get(id);
            const revision = (known?.from ?? from) + 3;
            recordEvent(commands, id, revision);
            model.set(
              id,
              known === undefined ? { from: revision, count: 1 } : { from: known.from, count: 4 },
            );
          } else {
            recordCommand(commands, id, { from, count });
            model.set(id, { from, count });
          }
          expect(findCommand(commands, id)).toEqual(model.get(id));
        }
        for (const id of [...model.keys(), ...others])
          expect(findCommand(commands, id)).toEqual(model.get(id));
      }),
      { numRuns: 300 },
    );
  });

  test.each([0, 200])('are distinguished by each part of their ids, among %i others', (others) => {
    const commands = noCommands();
    for (let n = 0; n < others; n++)
      recordCommand(commands, commandIdOf('u', 's', String(n)), { from: n, count: 1 });
    const near = [
      '00000000-0000-0000-0000-000000000000',
      '00000001-0000-0000-0000-000000000000',
      '00000000-0000-0001-0000-000000000000',
      '00000000-0000-0000-0000-000100000000',
      '00000000-0000-0000-0000-000000000001',
    ];
    for (const [n, id] of near.entries()) {
      expect(findCommand(commands, id)).toBeUndefined();
      recordCommand(commands, id, { from: 1_000 + n, count: 1 });
    }
    expect(near.map((id) => findCommand(commands, id)?.from)).toEqual([1_000, 1_001, 1_002, 1_003, 1_004]);
  });

  test.each([1_000, 30_000, 100_000])(
    `of %d commands take at most ${BYTES_A_COMMAND} bytes each`,
    (count) => {
      const commands = noCommands();
      const ids = Array.from({ length: count }, (_, n) => commandIdOf('u', 's', String(n)));
      let most = 0;
      for (const [n, id] of ids.entries()) {
        recordCommand(commands, id, { from: 3 * n, count: 3 });
        // At every size, also right after what they are kept in has grown.
        if (n >= 100) most = Math.max(most, commandBytes(commands) / (n + 1));
      }
      expect(most).toBeLessThanOrEqual(BYTES_A_COMMAND);
      expect(ids.filter((id, n) => findCommand(commands, id)?.from !== 3 * n)).toEqual([]);
      expect(findCommand(commands, commandIdOf('u', 's', 'never'))).toBeUndefined();
    },
  );

  test('are counted with their ids where those are no UUIDs', () => {
    const commands = noCommands();
    const before = commandBytes(commands);
    recordCommand(commands, 'x'.repeat(1_000), { from: 0, count: 1 });
    expect(commandBytes(commands)).toBeGreaterThan(before + 1_000);
  });
});
