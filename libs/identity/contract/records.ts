import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PersonRecord } from '#identity';
import { createWorld, register, type IdentityStoreFixture, type World } from './world.js';

const ACTIVE = {
  email: 'zoe@example.org',
  accountNumber: '0000000001',
  passwordHash: '$argon2id$kept',
  role: 'admin',
  state: 'active',
  reservedAt: 1_000,
  owner: 'one',
  suspended: true,
  epoch: 3,
} as const;
const { email: _, passwordHash: __, ...left } = ACTIVE;
/** Everything that can be kept of an id, in the order of the ids. */
const RECORDS: readonly PersonRecord[] = [
  {
    userId: 'a',
    credential: ACTIVE,
    key: { kind: 'key', key: Uint8Array.from({ length: 32 }, (_, n) => n) },
  },
  {
    userId: 'b',
    credential: { ...left, accountNumber: '0000000002', state: 'erased' },
    key: { kind: 'destroyed', at: 7 },
  },
  { userId: 'c', key: { kind: 'destroyed', at: 9 } },
  {
    userId: 'd',
    pin: { hash: '$argon2id$pin', tries: 2 },
    secondFactor: { isOn: true, sealed: 'v1.x', stamp: 's' },
  },
];

export function recordsContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('records', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());

    test('are given page by page as they were put, which may be done again', async () => {
      for (const _ of [1, 2])
        for (const record of RECORDS) expect(await world.store.putPerson(record)).toBe(true);
      await world.restart();
      expect(await world.store.people('', 3)).toEqual(RECORDS.slice(0, 3));
      expect(await world.store.people('c', 3)).toEqual(RECORDS.slice(3));
      expect(await world.store.people('d', 3)).toEqual([]);
    });

    test('are what a person is who was registered here, and work as that', async () => {
      const ann = await register(world);
      const [record] = await world.store.people('', 10);
      expect(record).toMatchObject({
        userId: ann.userId,
        credential: { state: 'active' },
        key: { kind: 'key' },
      });
      expect(await world.store.putPerson(RECORDS[0]!)).toBe(true);
      expect(await world.store.credentialByEmail(ACTIVE.email)).toEqual({ userId: 'a', ...ACTIVE });
      expect(await world.store.personKey('a')).toEqual(RECORDS[0]!.key);
    });

    test('never replace what is kept, nor take what is somebody’s', async () => {
      for (const record of RECORDS) await world.store.putPerson(record);
      expect(await world.store.putPerson({ userId: 'd', pin: { hash: 'other', tries: 0 } })).toBe(false);
      for (const taken of [{ email: ACTIVE.email }, { accountNumber: ACTIVE.accountNumber }]) {
        const credential = { ...ACTIVE, email: 'new@example.org', accountNumber: '0000000009', ...taken };
        await expect(world.store.putPerson({ userId: 'x', credential })).rejects.toMatchObject({
          code: 'conflict',
        });
      }
      expect(await world.store.people('', 10)).toEqual(RECORDS);
    });

    test('of invitations are given in the order of their ids', async () => {
      await world.store.putInvitationToken('two', { hash: 'h2', expiresAt: 2 });
      await world.store.putInvitationToken('one', { hash: 'h1', expiresAt: 1 });
      expect(await world.store.invitations('', 1)).toEqual([
        { invitationId: 'one', hash: 'h1', expiresAt: 1 },
      ]);
      expect(await world.store.invitations('one', 5)).toEqual([
        { invitationId: 'two', hash: 'h2', expiresAt: 2 },
      ]);
    });
  });
}
