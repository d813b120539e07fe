import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { bellLimits, rings, type Bell } from '#bell';
import { until } from '#kernel/testing';

/** What a test needs of an adapter: any number of programs of one deployment. */
export type BellFixture = {
  /** A bell that is connected. */
  readonly open: () => Promise<Bell>;
  /** One of another deployment on the same server. */
  readonly openOther: () => Promise<Bell>;
  readonly cleanUp: () => Promise<void>;
};

/** Rings at once, many more than may be heard each by itself. */
const STORM = 10_000;

/** The promises of the bell port, run against an adapter. */
export function describeBell(name: string, fixture: () => Promise<BellFixture>): void {
  describe(`bell contract: ${name}`, () => {
    let programs: BellFixture;
    let ringing: Bell;
    let hearing: Bell;
    beforeEach(async () => {
      programs = await fixture();
      [ringing, hearing] = [await programs.open(), await programs.open()];
    });
    afterEach(() => programs.cleanUp());

    /** How often a bell is heard from now on. */
    const heardBy = (bell: Bell, about: (typeof rings)[number] = 'documents') => {
      const heard = { times: 0, end: () => {} };
      heard.end = bell.on(about, () => (heard.times += 1));
      return heard;
    };
    /** What was rung before now was heard: by one bell it comes in order. */
    const settled = async () => {
      for (const bell of [ringing, hearing]) {
        const { outcomes } = { outcomes: heardBy(bell, 'outcomes') };
        ringing.ring('outcomes');
        await until(() => outcomes.times > 0);
        outcomes.end();
      }
    };

    test.each(rings)('is heard in every program, about %s', async (about) => {
      const [here, there] = [heardBy(ringing, about), heardBy(hearing, about)];
      ringing.ring(about);
      await until(() => here.times > 0 && there.times > 0);
    });

    test('is heard by those who listen for it, for as long as they do', async () => {
      const [gone, other, listening] = [heardBy(hearing), heardBy(hearing, 'orders'), heardBy(hearing)];
      await settled();
      const before = gone.times;
      gone.end();
      for (let n = 1; n <= 3; n += 1) {
        const { times } = listening;
        await until(() => {
          ringing.ring('documents');
          return listening.times > times;
        });
      }
      expect([gone.times, other.times]).toEqual([before, 0]);
    });

    test('calls a listener again and again for rings that go on, and seldom for many at once', async () => {
      const heard = heardBy(hearing);
      const from = performance.now();
      for (let n = 0; n < STORM; n += 1) ringing.ring('documents');
      await until(() => heard.times > 0);
      await settled();
      const most = (performance.now() - from) / bellLimits.everyMs + 2;
      expect(heard.times).toBeLessThanOrEqual(most);
    });

    test('the last of many is heard after whatever was done before it', async () => {
      let done = 0;
      let seen = 0;
      hearing.on('documents', () => (seen = done));
      for (let n = 0; n < STORM; n += 1) {
        done += 1;
        ringing.ring('documents');
      }
      await until(() => seen === done);
    });

    test('is not heard in another deployment', async () => {
      const other = await programs.openOther();
      const [here, there] = [heardBy(hearing), heardBy(other)];
      await settled();
      const before = there.times;
      ringing.ring('documents');
      await until(() => here.times > 0);
      await settled();
      expect(there.times).toBe(before);
    });

    test('is silent once it is closed, and throws nothing', async () => {
      const heard = heardBy(hearing);
      await hearing.close();
      const { times } = heard;
      expect(hearing.isConnected()).toBe(false);
      hearing.ring('documents');
      const own = heardBy(ringing);
      ringing.ring('documents');
      await until(() => own.times > 0);
      expect(heard.times).toBe(times);
      await hearing.close();
    });
  });
}
