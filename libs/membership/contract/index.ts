import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memberLimits, type Member, type Membership } from '#membership';

/** What a test needs of an adapter: programs on one store, whose clock the test moves. */
export type MembershipFixture = {
  readonly open: () => Promise<Membership>;
  readonly pass: (ms: number) => void | Promise<void>;
  readonly cleanUp: () => Promise<void>;
  /** How near to its end a membership is looked at: 1 when left out, for a clock that the test alone moves. */
  readonly slackMs?: number;
};

const JOINERS = 8;

function called(name: string, version = 1): Member {
  return {
    name,
    program: `${version}.0.0`,
    projects: true,
    kinds: { Opened: version, Closed: 1 },
    models: { people: version },
  };
}

/** The promises of the port, for an adapter's test file. */
export function describeMembership(engine: string, fixture: () => Promise<MembershipFixture>): void {
  describe(`membership: ${engine}`, () => {
    let store: MembershipFixture;
    let ann: Membership;
    let bob: Membership;
    beforeEach(async () => {
      store = await fixture();
      [ann, bob] = [await store.open(), await store.open()];
    });
    afterEach(() => store.cleanUp());

    const names = async () => (await bob.members()).map(({ name }) => name);

    test('tells everybody who is there and what they read', async () => {
      expect(await bob.members()).toEqual([]);
      await bob.join(called('bob', 2));
      await ann.join(called('ann'));
      await ann.join({ name: 'cid', program: undefined, projects: false, kinds: undefined, models: {} });
      const all = [
        called('ann'),
        called('bob', 2),
        { name: 'cid', program: undefined, projects: false, kinds: undefined, models: {} },
      ];
      expect([await ann.members(), await bob.members()]).toEqual([all, all]);
    });

    test('tells of all who join at once', async () => {
      const joiners = await Promise.all(Array.from({ length: JOINERS }, () => store.open()));
      await Promise.all(joiners.map((one, n) => one.join(called(`joiner ${n}`))));
      expect(await names()).toEqual(joiners.map((_, n) => `joiner ${n}`));
    });

    test('is kept by renewing, and runs out without it', async () => {
      const { slackMs = 1 } = store;
      const joined = await ann.join(called('ann'));
      await store.pass(memberLimits.ttlMs - slackMs);
      expect(await joined.renew()).toBe(true);
      await store.pass(memberLimits.ttlMs - slackMs);
      expect(await names()).toEqual(['ann']);
      await store.pass(slackMs);
      expect(await names()).toEqual([]);
    });

    test('comes back with one who was held up, or has to be joined again', async () => {
      const joined = await ann.join(called('ann'));
      await store.pass(memberLimits.ttlMs);
      await bob.join(called('bob'));
      if (!(await joined.renew())) await ann.join(called('ann'));
      expect(await names()).toEqual(['ann', 'bob']);
    });

    test('ends at once when it is left', async () => {
      const joined = await ann.join(called('ann'));
      await joined.leave();
      expect(await names()).toEqual([]);
      expect(await joined.renew()).toBe(false);
      expect(await names()).toEqual([]);
      await joined.leave();
    });

    test('is that of the later life of a program, which the earlier one neither renews nor ends', async () => {
      const earlier = await ann.join(called('ann'));
      const later = await bob.join(called('ann', 2));
      expect(await bob.members()).toEqual([called('ann', 2)]);
      expect(await earlier.renew()).toBe(false);
      await earlier.leave();
      expect(await bob.members()).toEqual([called('ann', 2)]);
      expect(await later.renew()).toBe(true);
    });

    test('of somebody who is gone runs out also when the clock was set back', async () => {
      await ann.join(called('ann'));
      await store.pass(-memberLimits.ttlMs);
      expect(await names()).toEqual([]);
    });
  });
}
