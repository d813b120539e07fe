import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { canonicalJson, sha256 } from '#kernel';
import {
  credit,
  formOf,
  join,
  keyed,
  lastEvent,
  PASSWORD,
  PNG,
  problemIn,
  signIn,
  startLode,
  tellsPositions,
  WALLET_ADDRESS,
  saveWalletAddress,
  type Ask,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
let ann: Person;
beforeAll(async () => {
  lode = await startLode();
});
afterAll(() => lode.stop());

const of = ({ userId }: Person, body: object = {}): Ask => ({ params: { userId }, body, headers: keyed() });
const at = (position: string) => ({ 'Lode-Position': position });
const accountAt = ({ userId }: Person, position: string) =>
  lode.admin.api.get('account', { params: { userId }, headers: at(position) });

describe('a profile', () => {
  beforeAll(async () => {
    ann = await join(lode.visitor, 'Ann');
  });

  test('keeps what is left out or empty', async () => {
    const body = { firstname: 'Anna', lastname: '', phone: ' +41 55 ' };
    const { position, message } = await ann.api.get('changeProfile', of(ann, body));
    expect(message).toBe('User info updated successfully!');
    expect(await accountAt(ann, position)).toMatchObject({
      firstname: 'Anna',
      lastname: 'Miller',
      phone: '+41 55',
      email: ann.email,
    });
  });

  test('loses none of two changes that are made at once', async () => {
    const changes = [{ firstname: 'Annabel' }, { lastname: 'Moser' }, { phone: '+41 66' }];
    const answers = await Promise.all(
      changes.map((change, n) => (n === 0 ? ann : lode.admin).api.get('changeProfile', of(ann, change))),
    );
    const position = answers.map((answer) => answer.position).sort((a, b) => Number(b) - Number(a))[0] ?? '';
    expect(await accountAt(ann, position)).toMatchObject(Object.assign({}, ...changes) as object);
    await ann.api.get('changeProfile', of(ann, { lastname: 'Miller' }));
  });

  test('that is as it was writes nothing', async () => {
    const before = await lastEvent(lode.admin);
    await ann.api.get('changeProfile', of(ann, {}));
    await ann.api.get('changeProfile', of(ann, { lastname: 'Miller' }));
    expect(await lastEvent(lode.admin)).toBe(before);
  });

  test('is in nobody’s reach through the hash of the request that changed it', async () => {
    const [profile, address] = [{ phone: '+41 77' }, { walletAddress: WALLET_ADDRESS }];
    await ann.api.get('changeProfile', of(ann, profile));
    const { position } = await ann.api.get(
      'saveWalletAddress',
      of(ann, { ...address, proof: { password: PASSWORD } }),
    );
    const { events } = await lode.admin.api.get('stream', { params: { stream: `account-${ann.userId}` } });
    if (tellsPositions) expect(events.some((event) => event.position === position)).toBe(true);
    const told = new Set(events.map(({ meta }) => meta.requestHash));
    for (const [path, body] of [
      ['profile', profile],
      ['wallet-address', address],
    ] as const) {
      const guess = sha256(`PUT /api/accounts/${ann.userId}/${path}\n${canonicalJson(body)}`);
      expect(told.has(guess)).toBe(false);
    }
  });

  test('keeps how its owner wants things shown, beside name and phone, and for nobody else to choose', async () => {
    const chosen = { language: 'en-GB', timeZone: 'Africa/Lagos', theme: 'dark' };
    const none = { language: 'standard', timeZone: 'UTC', theme: 'auto' };
    expect((await ann.api.get('me')).preferences).toEqual(none);
    const { lastname } = await ann.api.get('me');
    const { position, message } = await ann.api.get('changePreferences', of(ann, chosen));
    expect(message).toBe('Display preferences saved.');
    expect(await accountAt(ann, position)).toMatchObject({ preferences: chosen, lastname });
    const light = await ann.api.get('changePreferences', of(ann, { theme: 'light' }));
    const renamed = await ann.api.get('changeProfile', of(ann, { phone: '+41 78' }));
    expect(light.position).not.toBe(position);
    expect((await accountAt(ann, renamed.position)).preferences).toEqual({ ...chosen, theme: 'light' });
    const before = await lastEvent(lode.admin);
    await ann.api.get('changePreferences', of(ann, { theme: 'light' }));
    expect(await lastEvent(lode.admin)).toBe(before);
    const headers = { 'Lode-Position': renamed.position };
    for (const wrong of [
      { timeZone: 'Mars/Olympus' },
      { timeZone: '+01:00' },
      { language: 'xx' },
      { theme: 'red' },
    ])
      expect(problemIn(await ann.api.call('changePreferences', of(ann, wrong)))).toMatchObject({
        code: 'validation_failed',
      });
    const byAdmin = await lode.admin.api.call('changePreferences', of(ann, { theme: 'dark' }));
    expect(problemIn(byAdmin)).toMatchObject({ status: 403 });
    const { items } = await lode.admin.api.get('events', { query: { type: 'ProfileChanged' }, headers });
    expect(items.map((item) => item.position)).toContain(position);
    expect(JSON.stringify(items)).not.toContain('Africa/Lagos');
    expect((await lode.admin.api.get('me')).preferences).toEqual(none);
  });

  test('is changed by an admin too, and by nobody else', async () => {
    const { position } = await lode.admin.api.get('changeProfile', of(ann, { lastname: 'Keller' }));
    expect(await accountAt(ann, position)).toMatchObject({ lastname: 'Keller' });
    const bob = await join(lode.visitor, 'Bob');
    expect(problemIn(await bob.api.call('changeProfile', of(ann, { lastname: 'X' })))).toMatchObject({
      status: 403,
      failed: 'Failed to update user info.',
    });
  });

  test('shows an image that its owner uploaded for it, and no other', async () => {
    const { fileId, url } = await ann.api.get('uploadProfileImage', { form: formOf(PNG) });
    const changed = await ann.api.get('changeProfileImage', of(ann, { fileId }));
    expect(changed.message).toBe('Profile image updated successfully!');
    expect(await accountAt(ann, changed.position)).toMatchObject({
      image: { fileId, mediaType: 'image/webp' },
    });
    const headers = { Authorization: `Bearer ${ann.api.token ?? ''}` };
    expect((await fetch(lode.visitor.address + url, { headers })).headers.get('content-type')).toBe(
      'image/webp',
    );
    const bob = await join(lode.visitor, 'Bob');
    const evidence = await ann.api.get('uploadEvidence', { form: formOf(PNG) });
    const refused = [
      await bob.api.call('changeProfileImage', of(bob, { fileId })),
      await ann.api.call('changeProfileImage', of(ann, { fileId: evidence.fileId })),
      await ann.api.call('changeProfileImage', of(ann, { fileId: 'none' })),
    ];
    for (const answer of refused)
      expect(problemIn(answer)).toMatchObject({
        status: 404,
        code: 'file_not_found',
        failed: 'Failed to upload image.',
      });
    const again = await ann.api.get('changeProfileImage', of(ann, { fileId }));
    expect(await accountAt(ann, again.position)).toMatchObject({ image: { fileId } });
  });

  test('has the address that withdrawals go to, for its owner alone to change', async () => {
    const { position, message } = await saveWalletAddress(ann);
    expect(message).toBe('wallet address updated');
    expect(await accountAt(ann, position)).toMatchObject({ walletAddress: WALLET_ADDRESS });
    const byAdmin = await lode.admin.api.call(
      'saveWalletAddress',
      of(ann, { walletAddress: 'mine', proof: { password: PASSWORD } }),
    );
    expect(problemIn(byAdmin)).toMatchObject({ status: 403 });
    const query = { type: 'WalletAddressSaved' };
    const headers = { 'Lode-Position': position };
    const { items } = await lode.admin.api.get('events', { query, headers });
    expect(items).not.toEqual([]);
    expect(JSON.stringify(items)).not.toContain(WALLET_ADDRESS);
  });
});

describe('a person who is blocked', () => {
  test('is out at once and stays out until let in again', async () => {
    const eve = await join(lode.visitor, 'Eve');
    const reason = { reason: 'a stolen card' };
    expect(await lode.admin.api.get('suspend', of(eve, reason))).toMatchObject({
      status: 'suspended',
      message: 'User blocked successfully!',
    });
    expect(problemIn(await eve.api.call('me'))).toMatchObject({ status: 401 });
    // On whatever page they come back to they are told why, as nobody else is.
    for (const _ of ['once', 'twice']) {
      const refreshed = await lode.visitor.call('refresh', { headers: { Cookie: eve.cookie } });
      expect(problemIn(refreshed)).toMatchObject({
        status: 403,
        code: 'account_suspended',
        detail: 'Account suspended. Please contact admin.',
      });
      expect(refreshed.headers.get('set-cookie')).toBeNull();
    }
    const signingIn = await lode.visitor.call('signIn', {
      body: { email: eve.email, password: eve.password },
    });
    expect(problemIn(signingIn)).toMatchObject({
      status: 403,
      code: 'account_suspended',
      detail: 'Account suspended. Please contact admin.',
    });
    const { position } = await lode.admin.api.get('activate', of(eve));
    expect(await accountAt(eve, position)).toMatchObject({ status: 'active' });
    expect((await (await signIn(lode.visitor, eve)).api.get('me')).userId).toBe(eve.userId);
  });

  test('is never the admin who blocks: somebody must be left who can let them in again', async () => {
    const answer = problemIn(await lode.admin.api.call('suspend', of(lode.admin)));
    expect(answer).toMatchObject({
      status: 403,
      code: 'not_permitted',
      detail: "You can't block yourself. Please ask another admin.",
    });
    expect((await lode.admin.api.get('me')).status).toBe('active');
  });

  test('keeps the money, which an admin may still correct', async () => {
    const eve = await join(lode.visitor, 'Eve');
    await credit(lode.admin, eve, { PI: '12' });
    await lode.admin.api.get('suspend', of(eve));
    const { position } = await credit(lode.admin, eve, { PI: '-2' });
    expect(await accountAt(eve, position)).toMatchObject({ wallet: { balance: '10.00' } });
  });
});

describe('the bonus of a customer', () => {
  test('is stopped: all days count as paid; and begun anew', async () => {
    const { position } = await lode.admin.api.get('stopBonus', of(ann));
    expect(await accountAt(ann, position)).toMatchObject({ bonus: { bonusDays: 7 } });
    const restarted = await lode.admin.api.get('restartBonus', of(ann, { reason: 'a gift' }));
    const { bonus } = await accountAt(ann, restarted.position);
    expect(bonus).toMatchObject({ bonusDays: 0 });
    const days = (Date.parse(bonus?.endDate ?? '') - Date.parse(bonus?.startDate ?? '')) / (24 * 3_600_000);
    expect(days).toBe(7);
  });

  test.each([{}, { reason: ' ' }])('is not begun anew without a reason: %j', async (body) => {
    const before = await lastEvent(lode.admin);
    expect(problemIn(await lode.admin.api.call('restartBonus', of(ann, body)))).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'reason', message: 'Please give a reason.' }],
    });
    expect(await lastEvent(lode.admin)).toBe(before);
  });

  test('is nothing that an admin has', async () => {
    for (const name of ['stopBonus', 'restartBonus'] as const)
      expect(problemIn(await lode.admin.api.call(name, of(lode.admin, { reason: 'a gift' })))).toMatchObject({
        code: 'not_a_customer',
      });
  });
});

describe('the list of people', () => {
  test('is searched by account number, e-mail and name, and filtered by status and role', async () => {
    const zoe = await join(lode.visitor, 'Zoe');
    const { accountNumber, position } = await lode.admin.api.get('account', {
      params: { userId: zoe.userId },
    });
    const found = async (query: Record<string, string>) =>
      (await lode.admin.api.get('people', { query, headers: at(position) })).items.map(
        ({ userId }) => userId,
      );
    for (const search of [accountNumber, zoe.email, 'zoe mi', zoe.email.toUpperCase()])
      expect(await found({ search })).toEqual([zoe.userId]);
    expect(await found({ search: 'nobody at all' })).toEqual([]);
    expect(await found({ role: 'admin' })).toEqual([lode.admin.userId]);
    expect(await found({ status: 'closed' })).toEqual([]);
    expect(await found({ status: 'active' })).toContain(zoe.userId);
  });

  test('shows nobody’s wallet address', async () => {
    const { text } = await lode.admin.api.call('people');
    expect(text).not.toContain(WALLET_ADDRESS);
  });
});
