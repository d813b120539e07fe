import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { leaseLimits, type CheckedLeases, type Leases } from '#leases';

/** What a test needs of an adapter: holders on one store, whose clock the test moves. */
export type LeasesFixture<Kind extends Leases = Leases> = {
  readonly open: (holder: string) => Promise<Kind>;
  readonly pass: (ms: number) => void | Promise<void>;
  readonly cleanUp: () => Promise<void>;
  /** How near to its end a lease is looked at: 1 when left out, for a clock that the test alone moves. */
  readonly slackMs?: number;
};

const NAME = 'runner';
const RACERS = 8;

async function taken(leases: Leases | undefined) {
  const lease = await leases?.acquire(NAME);
  if (lease === undefined) throw new Error('the lease was refused');
  return lease;
}

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
      const { slackMs = 1 } = store;
      const lease = await taken(ann);
      await store.pass(leaseLimits.ttlMs - slackMs);
      expect(await lease.renew()).toBe(true);
      await store.pass(leaseLimits.ttlMs - slackMs);
      expect(await bob?.acquire(NAME)).toBeUndefined();
      await store.pass(slackMs);
      expect((await taken(bob)).epoch).toBe(lease.epoch + 1);
      expect(await lease.renew()).toBe(false);
    });

    test('tell anybody whether somebody has them', async () => {
      const { slackMs = 1 } = store;
      expect(await bob?.isHeld(NAME)).toBe(false);
      const lease = await taken(ann);
      expect([await ann?.isHeld(NAME), await bob?.isHeld(NAME), await bob?.isHeld('other')]).toEqual([
        true,
        true,
        false,
      ]);
      await store.pass(leaseLimits.ttlMs - slackMs);
      expect(await bob?.isHeld(NAME)).toBe(true);
      await store.pass(slackMs);
      expect(await bob?.isHeld(NAME)).toBe(false);
      await lease.renew();
      expect(await bob?.isHeld(NAME)).toBe(true);
      await lease.release();
      expect(await bob?.isHeld(NAME)).toBe(false);
    });

    test('of somebody who is gone run out also when the clock was set back', async () => {
      await taken(ann);
      await store.pass(-leaseLimits.ttlMs);
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
  });
}

/** The promises of an adapter that keeps data beside its leases, those of the port among them. */
export function describeCheckedLeases(
  engine: string,
  fixture: () => Promise<LeasesFixture<CheckedLeases>>,
): void {
  describeLeases(engine, fixture);

  test(`leases: ${engine}: refuse what an earlier holder writes, whatever it believes`, async () => {
    const store = await fixture();
    const [ann, bob] = [await store.open('ann'), await store.open('bob')];
    const earlier = await taken(ann);
    ann.check(earlier);
    await store.pass(leaseLimits.ttlMs);
    // Nobody else has it yet: what it writes is still the only one's.
    ann.check(earlier);
    const later = await taken(bob);
    bob.check(later);
    expect(() => ann.check(earlier)).toThrow(expect.objectContaining({ code: 'conflict' }));
    await later.release();
    expect(() => ann.check(earlier)).toThrow(expect.objectContaining({ code: 'conflict' }));
    await store.cleanUp();
  });
}
