import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LINK_MS, MAIL_ATTEMPT_MS, MAIL_GIVE_UP_MS, storeLimits, type NewMail } from '#identity';
import { createWorld, register, START, type IdentityStoreFixture, type World } from './world.js';

const MINUTE = 60_000;
const LIMIT = 10;

/** Mails that wait to be sent, and the links in them. */
export function mailContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('mails', () => {
    let world: World;
    let ann: Awaited<ReturnType<typeof register>>;
    beforeEach(async () => {
      world = await createWorld(fixture);
      ann = await register(world);
    });
    afterEach(() => world.end());

    const mails = () => world.identity.mails;
    const mailOf = (mailId: string, more: Partial<NewMail> = {}): NewMail => ({
      mailId,
      userId: ann.userId,
      kind: 'test',
      to: ann.email,
      subject: 'A subject',
      text: 'A text',
      html: '<p>A text</p>',
      ...more,
    });
    /** Begins what is due, and says what it was. */
    const beginAll = async () => {
      const begun = [];
      for await (const attempt of mails().begin(LIMIT)) begun.push(attempt);
      return begun;
    };
    const seen = async () =>
      (await mails().list(LIMIT)).map(({ mailId, state, attempts, failure }) => [
        mailId,
        state,
        attempts,
        failure,
      ]);

    test('wait with all that they say, are begun once, and are sent for good', async () => {
      expect(await mails().queue(mailOf('one'))).toBe(true);
      await world.restart();
      const [attempt, ...others] = await beginAll();
      expect(attempt).toMatchObject({ mailId: 'one', to: ann.email, subject: 'A subject', text: 'A text' });
      expect([others, await beginAll()]).toEqual([[], []]);
      await attempt?.ended({ kind: 'sent' });
      world.now += MAIL_GIVE_UP_MS;
      expect(await beginAll()).toEqual([]);
      expect(await mails().queue(mailOf('one', { text: 'Another text' }))).toBe(false);
      expect(await mails().list(LIMIT)).toEqual([
        {
          mailId: 'one',
          userId: ann.userId,
          kind: 'test',
          to: ann.email,
          state: 'sent',
          queuedAt: START,
          dueAt: START,
          attempts: 1,
          failure: undefined,
        },
      ]);
    });

    test('one that nobody told the end of is begun again, and then the first can’t end it', async () => {
      await mails().queue(mailOf('one'));
      const [lost] = await beginAll();
      expect(await beginAll()).toEqual([]);
      world.now += MAIL_ATTEMPT_MS;
      const [again] = await beginAll();
      expect(again?.mailId).toBe('one');
      await lost?.ended({ kind: 'refused', why: 'late' });
      expect(await seen()).toEqual([['one', 'queued', 2, undefined]]);
      await again?.ended({ kind: 'sent' });
      expect(await seen()).toEqual([['one', 'sent', 2, undefined]]);
    });

    test('two programs at once never begin the same one', async () => {
      const other = await world.other('b');
      for (const mailId of ['one', 'two', 'three']) await mails().queue(mailOf(mailId));
      const begun: string[] = [];
      const work = async (identity: typeof other) => {
        for await (const { mailId } of identity.mails.begin(LIMIT)) begun.push(mailId);
      };
      await Promise.all([work(world.identity), work(other)]);
      expect(begun.sort()).toEqual(['one', 'three', 'two']);
    });

    test('what fails is tried again later and later, and given up after a day; what is refused at once', async () => {
      await mails().queue(mailOf('one'));
      await mails().queue(mailOf('two'));
      const tried: number[] = [];
      for (; world.now < START + 2 * MAIL_GIVE_UP_MS; world.now += MINUTE)
        for (const attempt of await beginAll()) {
          if (attempt.mailId === 'one') tried.push((world.now - START) / MINUTE);
          await attempt.ended({ kind: attempt.mailId === 'one' ? 'failed' : 'refused', why: 'no' });
        }
      expect((await seen()).sort()).toEqual([
        ['one', 'given up', tried.length, 'no'],
        ['two', 'given up', 1, 'no'],
      ]);
      const pauses = tried.slice(1).map((at, n) => at - (tried[n] ?? 0));
      expect(pauses.slice(0, 3).every((pause) => pause <= 5)).toBe(true);
      expect(pauses.every((pause) => pause <= 61)).toBe(true);
      expect(tried.length).toBeGreaterThan(24);
    });

    test('one whose link is over is given up unsent, also where nobody sends any', async () => {
      const until = START + 30 * MINUTE;
      await mails().queue(mailOf('one', { until }));
      await mails().queue(mailOf('two', { until }));
      world.now = until;
      expect(await beginAll()).toEqual([]);
      await mails().queue(mailOf('three', { until: world.now }));
      await mails().giveUp(LIMIT);
      expect((await seen()).map(([, state]) => state)).toEqual(Array(3).fill('given up'));
    });

    test('one that replaces gives up those of its kind to the person that wait since before it, and no other', async () => {
      const bob = await register(world);
      const link = (mailId: string, more: Partial<NewMail> = {}) =>
        mails().queue(mailOf(mailId, { kind: 'link', replaces: true, ...more }));
      await mails().queue(mailOf('notice'));
      await link('his', { userId: bob.userId, to: bob.email });
      await link('sent');
      for (const attempt of await beginAll())
        if (attempt.mailId === 'sent') await attempt.ended({ kind: 'sent' });
      await link('b');
      await link('c');
      // Of two in one millisecond the one with the greater id stays.
      await link('a');
      const states = async () =>
        (await mails().list(LIMIT)).map(({ mailId, state, failure }) => [mailId, state, failure]).sort();
      const replaced = 'A newer one took its place.';
      expect(await states()).toEqual([
        ['a', 'queued', undefined],
        ['b', 'given up', replaced],
        ['c', 'queued', undefined],
        ['his', 'queued', undefined],
        ['notice', 'queued', undefined],
        ['sent', 'sent', undefined],
      ]);
      world.now += 1;
      await link('0');
      expect((await states()).filter(([, state]) => state === 'queued').map(([mailId]) => mailId)).toEqual([
        '0',
        'his',
        'notice',
      ]);
      expect(await link('0', { text: 'Another text' })).toBe(false);
    });

    test('are listed newest first, a page behind the other', async () => {
      for (const mailId of ['a', 'c', 'b']) {
        await mails().queue(mailOf(mailId));
        if (mailId !== 'a') world.now += 1;
      }
      const first = await mails().list(2);
      const behind = first.at(-1);
      const rest = behind === undefined ? [] : await mails().list(2, behind);
      expect([...first, ...rest].map(({ mailId }) => mailId)).toEqual(['b', 'c', 'a']);
    });

    test('are listed to one person alone, a page behind the other', async () => {
      const bob = await register(world);
      for (const mailId of ['a', 'b', 'c', 'd']) {
        const isHis = mailId === 'b' || mailId === 'c';
        await mails().queue(mailOf(mailId, isHis ? { userId: bob.userId, to: bob.email } : {}));
        world.now += 1;
      }
      const listed = async (userId: string, limit: number, behind?: { queuedAt: number; mailId: string }) =>
        (await mails().list(limit, behind, userId)).map(({ mailId }) => mailId);
      expect(await listed(ann.userId, LIMIT)).toEqual(['d', 'a']);
      const [first] = await mails().list(1, undefined, bob.userId);
      expect(first).toMatchObject({ mailId: 'c', to: bob.email });
      expect(await listed(bob.userId, LIMIT, first)).toEqual(['b']);
    });

    test('fall with the person, and nobody is written to who is erased', async () => {
      const { token } = await world.identity.links.issue('reset-password', { userId: ann.userId, epoch: 0 });
      await mails().queue(mailOf('one'));
      await mails().queue(mailOf('two'));
      await world.identity.personKeys.destroyKey(ann.userId);
      expect(await beginAll()).toEqual([]);
      expect((await mails().list(LIMIT)).map(({ to, state }) => [to, state])).toEqual(
        Array(2).fill([undefined, 'given up']),
      );
      await world.identity.credentials.erase(ann.userId);
      expect(await mails().list(LIMIT)).toEqual([]);
      await expect(mails().queue(mailOf('three'))).rejects.toMatchObject({ code: 'account_not_found' });
      await expect(world.identity.links.read('reset-password', token)).rejects.toMatchObject({
        code: 'link_invalid',
      });
    });

    test('one that is damaged is listed as that and tried again, and keeps no other from being sent', async () => {
      const damaged = { userId: ann.userId, kind: 'test', queuedAt: START, dueAt: START };
      const giveUpAt = START + MAIL_GIVE_UP_MS;
      const row = { ...damaged, giveUpAt, recipient: 'v1.changed', body: 'v1.changed' };
      await world.store.queueMail({ ...row, mailId: 'a' });
      world.now += 1;
      await mails().queue(mailOf('b'));
      expect((await beginAll()).map(({ mailId }) => mailId)).toEqual(['b']);
      expect((await mails().list(LIMIT)).map(({ mailId, to }) => [mailId, to])).toEqual([
        ['b', ann.email],
        ['a', 'unreadable'],
      ]);
      expect((await seen())[1]).toEqual(['a', 'queued', 1, 'What is kept of it is damaged.']);
      for (; world.now < giveUpAt + MINUTE; world.now += 30 * MINUTE) await beginAll();
      expect((await seen())[1]).toEqual([
        'a',
        'given up',
        expect.any(Number),
        'What is kept of it is damaged.',
      ]);
    });

    test('are forgotten a month after they ended, and never while they wait', async () => {
      await mails().queue(mailOf('one'));
      await mails().queue(mailOf('two'));
      const [attempt] = await beginAll();
      await attempt?.ended({ kind: 'sent' });
      world.now += storeLimits.mailKeptMs;
      await world.identity.sessions.prune();
      expect(await mails().list(LIMIT)).toHaveLength(2);
      world.now += 1;
      await world.identity.sessions.prune();
      expect((await seen()).map(([, state]) => state)).toEqual(['queued']);
    });
  });

  describe('links', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());
    const links = () => world.identity.links;
    const refused = { code: 'link_invalid' };

    test('stand for what they were issued for, until they are over, and are spent once', async () => {
      const { userId, epoch } = { ...(await register(world)), epoch: 0 };
      const { token } = await links().issue('reset-password', { userId, epoch }, { email: 'a@example.org' });
      const next = await links().issue('reset-password', { userId, epoch });
      await world.restart();
      const about = { email: 'a@example.org' };
      expect(await links().read('reset-password', token)).toEqual({ userId, epoch, about });
      const spent = await Promise.all([links().spend(token), links().spend(token)]);
      expect(spent.sort()).toEqual([false, true]);
      for (const wrong of [token, `${next.token}A`, next.token.toUpperCase(), ''])
        await expect(links().read('reset-password', wrong)).rejects.toMatchObject(refused);
      world.now += LINK_MS['reset-password'] - 1;
      expect(await links().read('reset-password', next.token)).toEqual({ userId, epoch, about: {} });
      world.now += 1;
      await expect(links().read('reset-password', next.token)).rejects.toMatchObject(refused);
    });

    test('are listed by person and purpose while they are good, the one that ends last first, and are revoked together', async () => {
      const [ann, bob] = [await register(world), await register(world)];
      const issue = (userId: string, email: string) =>
        links().issue('change-email', { userId, epoch: 0 }, { email });
      const first = await issue(ann.userId, 'a@example.org');
      world.now += 1;
      const second = await issue(ann.userId, 'b@example.org');
      const his = await issue(bob.userId, 'c@example.org');
      const other = await links().issue('reset-password', { userId: ann.userId, epoch: 0 });
      await world.restart();
      const issued = async () =>
        (await links().issued('change-email', ann.userId)).map(({ about, expiresAt }) => [
          about['email'],
          expiresAt,
        ]);
      expect(await issued()).toEqual([
        ['b@example.org', second.expiresAt],
        ['a@example.org', first.expiresAt],
      ]);
      world.now = first.expiresAt;
      expect(await issued()).toEqual([['b@example.org', second.expiresAt]]);
      expect(await links().revoke('change-email', ann.userId)).toBe(true);
      expect(await links().revoke('change-email', ann.userId)).toBe(false);
      expect(await issued()).toEqual([]);
      await expect(links().read('change-email', second.token)).rejects.toMatchObject(refused);
      expect((await links().read('change-email', his.token)).userId).toBe(bob.userId);
      world.now = START + 1;
      expect((await links().read('reset-password', other.token)).userId).toBe(ann.userId);
    });
  });
}
