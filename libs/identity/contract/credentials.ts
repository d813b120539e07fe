import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ABANDONED_MS, RESERVATION_MS, type Registration, type Reserved } from '#identity';
import { CLIENT, createWorld, register, START, type IdentityStoreFixture, type World } from './world.js';

const ANN: Registration = { email: 'Ann@Example.org', password: 'correct horse', role: 'user' };
const OTHER: Registration = { ...ANN, password: 'another password', role: 'admin' };

/** A hash as it was made with other parameters. */
function outdated(hash: string): string {
  const old = hash.replace('m=19456,t=2', 'm=64,t=1');
  expect(old).not.toBe(hash);
  return old;
}

/** What a reservation and the person who comes of it share. */
const personOf = ({ userId, accountNumber }: Reserved) => ({ userId, accountNumber });

export function credentialsContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('credentials', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());
    const credentials = () => world.identity.credentials;

    test('a registration gives a person an id and an account number, and then a sign-in', async () => {
      const reserved = await credentials().reserve(ANN);
      const { userId, accountNumber } = reserved;
      expect(userId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(accountNumber).toMatch(/^30\d{8}$/);
      await credentials().activate(reserved);
      await credentials().activate(reserved);
      const person = { userId, accountNumber, role: 'user', epoch: 0 };
      expect(await credentials().verifyPassword('ann@example.org', ANN.password)).toEqual(person);
      expect(await credentials().verifyPassword(' ANN@EXAMPLE.ORG ', ANN.password)).toEqual(person);
    });

    test.each([
      ['a wrong password', 'ann@example.org', 'wrong'],
      ['an e-mail that nobody has', 'bob@example.org', ANN.password],
      ['an empty password', 'ann@example.org', ''],
    ])('a sign-in with %s is refused in the same words', async (_, email, password) => {
      await credentials().activate(await credentials().reserve(ANN));
      await expect(credentials().verifyPassword(email, password)).rejects.toMatchObject({
        code: 'invalid_credentials',
        message: 'Wrong e-mail or password.',
      });
    });

    test('an e-mail is taken in whatever way it is written', async () => {
      await credentials().activate(await credentials().reserve(ANN));
      world.now += RESERVATION_MS * 10;
      for (const email of ['ann@example.org', ' ANN@example.org', 'ａｎｎ@example.org'])
        await expect(credentials().reserve({ ...OTHER, email })).rejects.toMatchObject({
          code: 'email_exists',
          message: 'User already exists',
        });
    });

    test('activating somebody unknown is refused', async () => {
      await expect(credentials().activate({ userId: 'nobody', reservedAt: START })).rejects.toMatchObject({
        code: 'account_not_found',
      });
    });

    describe('a reservation that was not finished', () => {
      test('holds the e-mail while it is young', async () => {
        const first = await credentials().reserve(ANN);
        world.now += RESERVATION_MS - 1;
        await expect(credentials().reserve(OTHER)).rejects.toMatchObject({ code: 'email_exists' });
        await credentials().activate(first);
        expect(await credentials().verifyPassword(ANN.email, ANN.password)).toMatchObject(personOf(first));
      });

      test('does not sign in', async () => {
        await credentials().reserve(ANN);
        await expect(credentials().verifyPassword(ANN.email, ANN.password)).rejects.toMatchObject({
          code: 'invalid_credentials',
        });
      });

      test('is taken over when it is old: same person and number, new password', async () => {
        const first = await credentials().reserve(ANN);
        world.now += RESERVATION_MS;
        const second = await credentials().reserve({ ...ANN, password: OTHER.password });
        expect(second).toEqual({ ...first, reservedAt: world.now });
        await credentials().activate(second);
        expect(await credentials().verifyPassword(ANN.email, OTHER.password)).toMatchObject(personOf(first));
        await expect(credentials().verifyPassword(ANN.email, ANN.password)).rejects.toMatchObject({
          code: 'invalid_credentials',
        });
      });

      test('is not activated by the one who stalled while it was taken over', async () => {
        const first = await credentials().reserve(ANN);
        world.now += RESERVATION_MS;
        const second = await credentials().reserve({ ...ANN, password: OTHER.password });
        await expect(credentials().activate(first)).rejects.toMatchObject({ code: 'account_not_found' });
        expect((await world.store.credentialOf(first.userId))?.state).toBe('reserved');
        await credentials().activate(second);
        await expect(credentials().activate(first)).rejects.toMatchObject({ code: 'account_not_found' });
        expect(await credentials().verifyPassword(ANN.email, OTHER.password)).toMatchObject(personOf(first));
      });

      test('gives its person to nobody who asks for another role', async () => {
        const first = await credentials().reserve(ANN);
        world.now += RESERVATION_MS;
        const second = await credentials().reserve(OTHER);
        expect(second.userId).not.toBe(first.userId);
        expect(await world.store.credentialOf(first.userId)).toBeUndefined();
        await credentials().activate(second);
        expect(await credentials().verifyPassword(ANN.email, OTHER.password)).toMatchObject({
          role: 'admin',
        });
      });

      test('is finished under its id by whoever has the right to, also with another e-mail', async () => {
        const { userId } = await credentials().reserve({ ...ANN, role: 'admin' });
        const finish = (email: string) => credentials().reserve({ ...OTHER, email, userId });
        for (const email of [ANN.email, 'new@example.org'])
          await expect(finish(email)).rejects.toMatchObject({ code: 'email_exists' });
        world.now += RESERVATION_MS;
        expect(await finish(ANN.email)).toMatchObject({ userId });
        world.now += RESERVATION_MS;
        expect(await finish('new@example.org')).toMatchObject({ userId });
        expect(await world.store.credentialByEmail('ann@example.org')).toBeUndefined();
        world.now += RESERVATION_MS;
        await world.restart();
        await credentials().sweep();
        const last = await finish(ANN.email);
        expect(last.userId).toBe(userId);
        await credentials().activate(last);
        world.now += RESERVATION_MS;
        await expect(finish('new@example.org')).rejects.toMatchObject({ code: 'email_exists' });
      });

      test('is let go of when its registration is refused, and not when it was taken over', async () => {
        const first = await credentials().reserve(ANN);
        world.now += RESERVATION_MS;
        const second = await credentials().reserve(ANN);
        await credentials().release(first);
        expect(await world.store.credentialOf(first.userId)).toBeDefined();
        await credentials().release(second);
        expect(await world.store.credentialOf(first.userId)).toBeUndefined();
      });

      test('is finished when the account was opened', async () => {
        const first = await credentials().reserve(ANN);
        world.open.add(first.userId);
        world.now += RESERVATION_MS;
        await expect(credentials().reserve(OTHER)).rejects.toMatchObject({ code: 'email_exists' });
        expect((await world.store.credentialByEmail('ann@example.org'))?.state).toBe('active');
      });

      test('is finished by the person signing in when the account was opened', async () => {
        const first = await credentials().reserve(ANN);
        world.open.add(first.userId);
        expect(await credentials().verifyPassword(ANN.email, ANN.password)).toMatchObject(personOf(first));
        expect((await world.store.credentialOf(first.userId))?.state).toBe('active');
      });

      test('is resolved by a start of the program that made it, and not by that of another', async () => {
        const other = await world.other('other');
        const opened = await credentials().reserve(ANN);
        world.open.add(opened.userId);
        const lost = await credentials().reserve({ ...ANN, email: 'lost@example.org' });
        const others = await other.credentials.reserve({ ...ANN, email: 'others@example.org' });
        await world.restart();
        expect(await credentials().sweepOwn()).toEqual({ activated: 1, released: 1 });
        expect(await world.store.credentialOf(lost.userId)).toBeUndefined();
        expect((await world.store.credentialOf(others.userId))?.state).toBe('reserved');
        const again = await world.other('other');
        expect(await again.credentials.sweepOwn()).toEqual({ activated: 0, released: 1 });
      });

      test('belongs to whoever took it over', async () => {
        const { userId } = await credentials().reserve(ANN);
        world.now += RESERVATION_MS;
        const other = await world.other('other');
        expect(await other.credentials.reserve(ANN)).toMatchObject({ userId });
        expect(await credentials().sweepOwn()).toEqual({ activated: 0, released: 0 });
        expect(await other.credentials.sweepOwn()).toEqual({ activated: 0, released: 1 });
      });

      test('is resolved by anybody once it was abandoned', async () => {
        const other = await world.other('other');
        await other.credentials.reserve(ANN);
        world.now += ABANDONED_MS - 1;
        expect(await credentials().sweep(ABANDONED_MS)).toEqual({ activated: 0, released: 0 });
        world.now += 1;
        expect(await credentials().sweep(ABANDONED_MS)).toEqual({ activated: 0, released: 1 });
      });

      test('is resolved by a sweep once it is old', async () => {
        const opened = await credentials().reserve(ANN);
        world.open.add(opened.userId);
        const lost = await credentials().reserve({ ...ANN, email: 'lost@example.org' });
        world.now += RESERVATION_MS;
        const young = await credentials().reserve({ ...ANN, email: 'young@example.org' });
        await world.restart();
        expect(await credentials().sweep()).toEqual({ activated: 1, released: 1 });
        expect(await credentials().sweep()).toEqual({ activated: 0, released: 0 });
        const states = [opened, lost, young].map(async ({ userId }) => world.store.credentialOf(userId));
        expect((await Promise.all(states)).map((row) => row?.state)).toEqual([
          'active',
          undefined,
          'reserved',
        ]);
        expect(await world.store.personKey(lost.userId)).toEqual({ kind: 'unknown' });
        const again = await credentials().reserve({ ...ANN, email: 'lost@example.org' });
        expect(again.userId).not.toBe(lost.userId);
      });
    });

    test('a password is changed by whoever knows the old one', async () => {
      const { userId, email, password } = await register(world);
      await expect(
        credentials().changePassword(userId, { old: 'wrong', new: 'next password' }),
      ).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
      await credentials().verifyPassword(email, password);
      await credentials().changePassword(userId, { old: password, new: 'next password' });
      await credentials().verifyPassword(email, 'next password');
      await expect(credentials().verifyPassword(email, password)).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
    });

    test('a hash of other parameters is renewed when its owner signs in', async () => {
      const { userId, email, password } = await register(world);
      const made = (await world.store.credentialOf(userId))?.passwordHash ?? '';
      const old = outdated(made);
      await world.store.setPassword(userId, made, old);
      await expect(credentials().verifyPassword(email, 'wrong')).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
      expect((await world.store.credentialOf(userId))?.passwordHash).toBe(old);
      await credentials().verifyPassword(email, password);
      expect((await world.store.credentialOf(userId))?.passwordHash).toMatch(/\$m=19456,t=2,p=1\$/);
      await credentials().verifyPassword(email, password);
    });

    describe('a password that was given', () => {
      const given = { ...ANN, isGiven: true };
      async function registerGiven(): Promise<string> {
        const reserved = await credentials().reserve(given);
        world.open.add(reserved.userId);
        await credentials().activate(reserved);
        return reserved.userId;
      }

      test('is told of until its owner sets another one, in every program', async () => {
        const userId = await registerGiven();
        await credentials().verifyPassword(given.email, given.password);
        expect(await credentials().hasGivenPassword(userId)).toBe(true);
        await world.restart();
        const other = await world.other('other');
        expect(await other.credentials.hasGivenPassword(userId)).toBe(true);
        const same = { old: given.password, new: given.password };
        await expect(credentials().changePassword(userId, same)).rejects.toMatchObject({
          code: 'password_policy',
        });
        expect(await credentials().hasGivenPassword(userId)).toBe(true);

        await credentials().changePassword(userId, { old: given.password, new: 'my own secret' });
        expect(await credentials().hasGivenPassword(userId)).toBe(false);
        expect(credentials().hasGivenPassword(userId)).toBe(false);
        expect(await other.credentials.hasGivenPassword(userId)).toBe(false);
        await world.restart();
        expect(await credentials().hasGivenPassword(userId)).toBe(false);
        await credentials().verifyPassword(given.email, 'my own secret');
      });

      test('is told of when its hash is renewed', async () => {
        const userId = await registerGiven();
        const made = (await world.store.credentialOf(userId))?.passwordHash ?? '';
        await world.store.setPassword(userId, made, outdated(made));
        await credentials().verifyPassword(given.email, given.password);
        expect((await world.store.credentialOf(userId))?.passwordHash).toMatch(/\$m=19456,/);
        expect(await credentials().hasGivenPassword(userId)).toBe(true);
      });

      test('is none after a reset, and none of whoever registered themselves or is nobody', async () => {
        const userId = await registerGiven();
        await credentials().resetPassword(userId, 0, 'my own secret');
        expect(await credentials().hasGivenPassword(userId)).toBe(false);
        expect(await credentials().hasGivenPassword((await register(world)).userId)).toBe(false);
        expect(await credentials().hasGivenPassword('nobody')).toBe(false);
      });
    });

    describe('another e-mail', () => {
      const next = 'New@Example.org';
      const changed = (person: { readonly userId: string; readonly email: string }, more: object = {}) => ({
        userId: person.userId,
        epoch: 0,
        from: person.email,
        to: next,
        ...more,
      });

      test('takes the place of the one before, which is free then, and ends all sessions but one', async () => {
        const ann = await register(world);
        const { sessions } = world.identity;
        const person = await credentials().verifyPassword(ann.email, ann.password);
        const kept = await sessions.start(person, CLIENT);
        const other = await sessions.start(person, CLIENT);
        expect(await credentials().changeEmail(changed(ann), kept.session.sessionId)).toBe('changed');
        await world.restart();
        expect(await credentials().verifyPassword(next, ann.password)).toMatchObject({ epoch: 1 });
        await expect(credentials().verifyPassword(ann.email, ann.password)).rejects.toMatchObject({
          code: 'invalid_credentials',
        });
        expect((await world.identity.sessions.list(ann.userId)).map(({ sessionId }) => sessionId)).toEqual([
          kept.session.sessionId,
        ]);
        await expect(world.identity.sessions.authenticate(other.accessToken)).rejects.toMatchObject({
          code: 'token_invalid',
        });
        const bob = { email: ann.email, password: 'pass of another', role: 'user' } as const;
        expect((await credentials().reserve(bob)).userId).not.toBe(ann.userId);
        expect(await credentials().changeEmail(changed(ann))).toBe('changed');
      });

      test('is carried out once by whoever comes first, and is told the others as done', async () => {
        const ann = await register(world);
        const other = await world.other('b');
        const outcomes = await Promise.all(
          [world.identity, other, world.identity].map((one) => one.credentials.changeEmail(changed(ann))),
        );
        expect(outcomes).toEqual(['changed', 'changed', 'changed']);
        expect((await credentials().known(ann.userId))?.epoch).toBe(1);
      });

      test('is void once anything else made links void, and changes nothing', async () => {
        const ann = await register(world);
        for (const more of [{ epoch: 1 }, { from: 'other@example.org' }, { userId: 'nobody' }])
          expect(await credentials().changeEmail(changed(ann, more))).toBe('void');
        await credentials().changePassword(ann.userId, { old: ann.password, new: 'next password' });
        expect(await credentials().changeEmail(changed(ann))).toBe('void');
        expect((await credentials().known(ann.userId))?.email).toBe(ann.email);
      });

      test('is not somebody else’s, and of two who ask at once exactly one has it', async () => {
        const [ann, bob, taken] = [await register(world), await register(world), await register(world)];
        expect(await credentials().changeEmail(changed(ann, { to: taken.email.toUpperCase() }))).toBe(
          'taken',
        );
        expect((await credentials().known(ann.userId))?.epoch).toBe(0);
        const other = await world.other('b');
        const outcomes = await Promise.all([
          credentials().changeEmail(changed(ann)),
          other.credentials.changeEmail(changed(bob)),
        ]);
        expect(outcomes.sort()).toEqual(['changed', 'taken']);
        const emails = [ann, bob].map(async ({ userId }) => (await credentials().known(userId))?.email);
        expect((await Promise.all(emails)).filter((email) => email === 'new@example.org')).toHaveLength(1);
      });

      test('is that of a registration only while somebody may finish it', async () => {
        const ann = await register(world);
        await credentials().reserve({ email: next, password: 'pass of another', role: 'user' });
        expect(await credentials().changeEmail(changed(ann))).toBe('taken');
        world.now += RESERVATION_MS;
        expect(await credentials().changeEmail(changed(ann))).toBe('changed');
      });
    });

    test('an erased person is nobody: the e-mail is free, the account number stays taken', async () => {
      const { userId, email, password, accountNumber } = await register(world);
      await credentials().erase(userId);
      await credentials().erase(userId);
      await expect(credentials().verifyPassword(email, password)).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
      await expect(credentials().activate({ userId, reservedAt: START })).rejects.toMatchObject({
        code: 'account_not_found',
      });
      const other = {
        userId: 'other',
        accountNumber,
        passwordHash: 'x',
        role: 'user',
        reservedAt: START,
        owner: '',
      } as const;
      const personKey = new Uint8Array(32);
      expect(await world.store.reserve({ ...other, email: 'new@example.org', personKey })).toBe(
        'account_number_taken',
      );
      expect((await credentials().reserve({ email, password, role: 'user' })).userId).not.toBe(userId);
    });

    test('there is an admin once an admin can sign in, and not before', async () => {
      await register(world, 'user');
      const reserved = await credentials().reserve({ ...ANN, role: 'admin' });
      expect(await credentials().hasAdmin()).toBe(false);
      await credentials().activate(reserved);
      expect(await credentials().hasAdmin()).toBe(true);
      await credentials().erase(reserved.userId);
      expect(await credentials().hasAdmin()).toBe(false);
    });

    test('every admin who can sign in is listed, suspended or not, and nobody else', async () => {
      const active: string[] = [];
      for (let n = 0; n < 5; n += 1) {
        const personKey = new Uint8Array(32);
        const [userId, reservedAt] = [`admin-${String(n).padStart(4, '0')}`, START];
        const accountNumber = `30${String(n).padStart(8, '0')}`;
        const row = {
          userId,
          email: `${n}@example.org`,
          passwordHash: 'x',
          role: 'admin',
          reservedAt,
        } as const;
        await world.store.reserve({ ...row, owner: '', accountNumber, personKey });
        if (n === 1) continue;
        await world.store.activate(userId, reservedAt);
        active.push(userId);
      }
      await register(world, 'user');
      await credentials().suspend(active[0] ?? '');
      await credentials().erase(active[1] ?? '');
      const left = active.filter((_, n) => n !== 1);
      expect(await credentials().admins()).toEqual(left);
      expect(await world.store.admins('', 2)).toEqual(left.slice(0, 2));
      expect(await world.store.admins(left[1] ?? '', 2)).toEqual(left.slice(2));
    });

    test('a restart forgets nothing', async () => {
      const { userId, email, password, accountNumber } = await register(world);
      const reserved = await credentials().reserve(ANN);
      await world.restart();
      expect(await credentials().verifyPassword(email, password)).toEqual({
        userId,
        accountNumber,
        role: 'user',
        epoch: 0,
      });
      await expect(credentials().reserve(OTHER)).rejects.toMatchObject({ code: 'email_exists' });
      await credentials().activate(reserved);
    });

    test('an invitation token stands for its invitation until it ends', async () => {
      const { invitations } = world.identity;
      const ends = new Date(START + 1_000).toISOString();
      const first = await invitations.issueToken('one', ends);
      const second = await invitations.issueToken('two', ends);
      await world.restart();
      const { invitationOf, issueToken } = world.identity.invitations;
      expect([await invitationOf(first), await invitationOf(second)]).toEqual(['one', 'two']);
      const replacement = await issueToken('one', ends);
      expect(await invitationOf(replacement)).toBe('one');
      world.now += 999;
      expect(await invitationOf(second)).toBe('two');
      world.now += 1;
      for (const token of [first, second, replacement, '', 'nonsense', `${second.slice(0, -1)}~`])
        await expect(invitationOf(token)).rejects.toMatchObject({ code: 'invitation_invalid' });
    });

    test('a replaced invitation token is worth nothing', async () => {
      const { issueToken, invitationOf } = world.identity.invitations;
      const ends = new Date(START + 1_000).toISOString();
      const first = await issueToken('one', ends);
      await issueToken('one', ends);
      await expect(invitationOf(first)).rejects.toMatchObject({ code: 'invitation_invalid' });
    });
  });
}
