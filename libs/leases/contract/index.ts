import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { leaseLimits, type Leases } from '#leases';

/** What a test needs of an adapter: holders on one store, whose clock the test moves. */
export type LeasesFixture = {
  readonly open: (holder: string) => Promise<Leases>;
  readonly pass: (ms: number) => void;
  readonly cleanUp: () => Promise<void>;
};

const NAME = 'runner';
const RACERS = 8;

/** The promises of the port, for an adapter's test file. */
export function describeLeases(engine: string, fixture: () => Promise<LeasesFixture>): void {
  describe(`leases: ${engine}`, () => {
    let store: LeasesFixture;
    let [ann, bob]: Leases[] = [];
    beforeEach(async () => {
      store = await fixture();
      [ann, bob] = [await store.open('ann'), await store.open('bob')];
    });
    afterEach(() => store.cleanUp());

    const taken = async (leases: Leases | undefined) => {
      const lease = await leases?.acquire(NAME);
      if (lease === undefined) throw new Error('the lease was refused');
      return lease;
    };

    test('have one holder', async () => {
      expect((await taken(ann)).epoch).toBe(1);
      expect(await bob?.acquire(NAME)).toBeUndefined();
      expect((await bob?.acquire('other'))?.epoch).toBe(1);
    });

    test('have one holder when many ask at once', async () => {
      const racers = await Promise.all(Array.from({ length: RACERS }, (_, n) => store.open(`racer ${n}`)));
      const leases = await Promise.all(racers.map((racer) => racer.acquire(NAME)));
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    test('are given again to whoever starts again, with a newer epoch', async () => {
      const first = await taken(ann);
      const again = await taken(await store.open('ann'));
      expect(again.epoch).toBe(first.epoch + 1);
      expect(await first.renew()).toBe(false);
      expect(await again.renew()).toBe(true);
    });

    test('are kept by renewing, and run out without it', async () => {
      const lease = await taken(ann);
      store.pass(leaseLimits.ttlMs - 1);
      expect(await lease.renew()).toBe(true);
      store.pass(leaseLimits.ttlMs - 1);
      expect(await bob?.acquire(NAME)).toBeUndefined();
      store.pass(1);
      expect((await taken(bob)).epoch).toBe(lease.epoch + 1);
      expect(await lease.renew()).toBe(false);
    });

    test('of somebody who is gone run out also when the clock was set back', async () => {
      await taken(ann);
      store.pass(-leaseLimits.ttlMs);
      expect((await taken(bob)).epoch).toBe(2);
    });

    test('are somebody else’s at once when they are released', async () => {
      const lease = await taken(ann);
      await lease.release();
      expect(await lease.renew()).toBe(false);
      const next = await taken(bob);
      expect(next.epoch).toBe(lease.epoch + 1);
      await lease.release();
      expect(await next.renew()).toBe(true);
    });

    test('refuse what an earlier holder writes, whatever it believes', async () => {
      const earlier = await taken(ann);
      ann?.check(earlier);
      store.pass(leaseLimits.ttlMs);
      // Nobody else has it yet: what it writes is still the only one's.
      ann?.check(earlier);
      const later = await taken(bob);
      bob?.check(later);
      expect(() => ann?.check(earlier)).toThrow(expect.objectContaining({ code: 'conflict' }));
      await later.release();
      expect(() => ann?.check(earlier)).toThrow(expect.objectContaining({ code: 'conflict' }));
    });
  });
}
