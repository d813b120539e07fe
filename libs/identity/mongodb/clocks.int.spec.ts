import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ABANDONED_MS,
  createIdentity,
  MAIL_ATTEMPT_MS,
  RESERVATION_MS,
  type Identity,
  type IdentityStore,
} from '#identity';
import { openMongoIdentityStore } from '#identity/mongodb';
import { startDouble, type MongoDbDouble } from '#mongodb/double';

/* Programs on one MongoDB, whose clocks are further apart than anything that is waited for. */

const HOUR = 60 * 60_000;
const hasher = { hash: async (password: string) => password, verify: async () => true };

describe.each([
  ['ahead', HOUR],
  ['behind', -HOUR],
])('beside a program whose clock is an hour %s, on MongoDB (double)', (_, ahead) => {
  let server: MongoDbDouble;
  let now: number;
  let open: Set<string>;
  let stores: IdentityStore[];
  let here: Identity;
  let there: Identity;
  const program = async (name: string, skew: number): Promise<Identity> => {
    const store = await openMongoIdentityStore({ url: server.url, database: 'lode' });
    stores.push(store);
    const isOpen = async (userId: string) => open.has(userId);
    return createIdentity({ store, owner: name, hasher, isOpen, clock: () => now + skew });
  };
  beforeEach(async () => {
    now = Date.parse('2026-01-01T00:00:00.000Z');
    [open, stores] = [new Set(), []];
    server = await startDouble({ replicaSet: 'rs0', clock: () => now });
    here = await program('here', 0);
    there = await program('there', ahead);
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await server.stop();
  });

  const registration = { email: 'ann@lode.example', password: 'a password of hers', role: 'user' } as const;
  const join = async (identity: Identity) => {
    const reserved = await identity.credentials.reserve(registration);
    open.add(reserved.userId);
    await identity.credentials.activate(reserved);
    return reserved.userId;
  };
  const begunBy = async ({ mails }: Identity) => {
    const begun = [];
    for await (const attempt of mails.begin(10)) begun.push(attempt);
    return begun;
  };
  const mailTo = (userId: string, mailId = 'one') => ({
    ...{ mailId, userId, kind: 'link', to: registration.email, subject: 'S', text: 'T', html: 'H' },
    replaces: true,
  });

  test('a mail of either is sent once, at once, and a failed one again after its pause', async () => {
    const userId = await join(here);
    for (const [first, second] of [
      [here, there],
      [there, here],
    ] as const) {
      await first.mails.queue(mailTo(userId, `by ${first === here ? 'here' : 'there'}`));
      const [attempt] = await begunBy(second);
      expect(attempt).toBeDefined();
      now += MAIL_ATTEMPT_MS - 1;
      expect([await begunBy(first), await begunBy(second)]).toEqual([[], []]);
      await attempt?.ended({ kind: 'failed', why: 'no' });
      expect([await begunBy(first), await begunBy(second)]).toEqual([[], []]);
      now += MAIL_ATTEMPT_MS;
      const [again] = await begunBy(first);
      await again?.ended({ kind: 'sent' });
      now += MAIL_ATTEMPT_MS;
      expect([await begunBy(first), await begunBy(second)]).toEqual([[], []]);
    }
  });

  test('a mail with a link is sent until the link ends by the clock of whoever made it, and by nobody after that', async () => {
    const userId = await join(here);
    const MINUTES = 30 * 60_000;
    for (const [maker, skew] of [
      [here, 0],
      [there, ahead],
    ] as const) {
      const mailId = maker === here ? 'by here' : 'by there';
      await maker.mails.queue({ ...mailTo(userId, mailId), until: now + skew + MINUTES });
      now += MINUTES - 1;
      const [attempt] = await begunBy(here);
      expect(attempt?.mailId).toBe(mailId);
      now += MAIL_ATTEMPT_MS;
      expect([await begunBy(here), await begunBy(there)]).toEqual([[], []]);
      const [latest] = await here.mails.list(1);
      expect(latest).toMatchObject({ mailId, state: 'given up' });
    }
  });

  test('the newer mail takes the older one’s place, whoever queued them', async () => {
    const userId = await join(here);
    await there.mails.queue(mailTo(userId, 'older'));
    now += 1;
    await here.mails.queue(mailTo(userId, 'newer'));
    now += 1;
    await there.mails.queue(mailTo(userId, 'newest'));
    expect((await begunBy(here)).map(({ mailId }) => mailId)).toEqual(['newest']);
  });

  test('a registration under way is taken over by no other and swept up by none, and once it was left, by one', async () => {
    for (const [first, second] of [
      [here, there],
      [there, here],
    ] as const) {
      const of = { ...registration, email: `${first === here ? 'ann' : 'bob'}@lode.example` };
      const reserved = await first.credentials.reserve(of);
      now += RESERVATION_MS - 1;
      await expect(second.credentials.reserve(of)).rejects.toMatchObject({ code: 'email_exists' });
      expect(await second.credentials.sweep(ABANDONED_MS)).toEqual({ activated: 0, released: 0 });
      now += 1;
      const over = await second.credentials.reserve(of);
      expect(over).toMatchObject({ userId: reserved.userId, accountNumber: reserved.accountNumber });
      // The one that is overtaken finishes nothing: of the two the later one is the person's.
      await expect(first.credentials.activate(reserved)).rejects.toMatchObject({ code: 'account_not_found' });
      await second.credentials.activate(over);
    }
  });
});
