import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ClockMarks } from '#clock';

/** What a test needs of an adapter: any number of programs on one store. */
export type ClockMarksFixture = {
  readonly open: () => Promise<ClockMarks>;
  readonly cleanUp: () => Promise<void>;
};

const RACERS = 8;
const NOW = Date.parse('2026-03-01T10:00:00.000Z');

/** The promises of the port, for an adapter's test file. */
export function describeClockMarks(engine: string, fixture: () => Promise<ClockMarksFixture>): void {
  describe(`clock marks: ${engine}`, () => {
    let store: ClockMarksFixture;
    let marks: ClockMarks;
    beforeEach(async () => {
      store = await fixture();
      marks = await store.open();
    });
    afterEach(() => store.cleanUp());

    test('are none at first, and then what was kept, for whoever opens them', async () => {
      expect(await marks.load()).toBeUndefined();
      const mark = { accepted: 0, instant: NOW };
      expect(await marks.save(mark)).toEqual(mark);
      expect(await (await store.open()).load()).toEqual(mark);
    });

    test('only go forward: by the acceptances that they know of, then by the instant', async () => {
      const steps = [
        { asked: { accepted: 0, instant: NOW }, kept: { accepted: 0, instant: NOW } },
        { asked: { accepted: 0, instant: NOW - 1 }, kept: { accepted: 0, instant: NOW } },
        { asked: { accepted: 0, instant: NOW + 1 }, kept: { accepted: 0, instant: NOW + 1 } },
        { asked: { accepted: 1, instant: NOW - 9 }, kept: { accepted: 1, instant: NOW - 9 } },
        { asked: { accepted: 0, instant: NOW + 9 }, kept: { accepted: 1, instant: NOW - 9 } },
      ];
      for (const { asked, kept } of steps) {
        expect(await marks.save(asked)).toEqual(kept);
        expect(await marks.load()).toEqual(kept);
      }
    });

    test('are as far as the furthest of those who keep one at once', async () => {
      const programs = await Promise.all(Array.from({ length: RACERS }, () => store.open()));
      await Promise.all(programs.map((program, n) => program.save({ accepted: n % 2, instant: NOW - n })));
      expect(await marks.load()).toEqual({ accepted: 1, instant: NOW - 1 });
    });
  });
}
