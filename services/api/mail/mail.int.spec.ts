import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { sha256 } from '#kernel';
import { until } from '#kernel/testing';
import { startSmtp, tokenIn, unfolded, type SmtpDouble } from '#mail/testing';
import {
  challengeFor,
  confirmFunding,
  credit,
  join,
  joinEnrolled,
  keyed,
  MAIL_FROM,
  mailThrough,
  newPerson,
  PASSWORD,
  problemIn,
  requestFunding,
  seconded,
  requestWithdrawal,
  saveWalletAddress,
  setPin,
  signIn,
  startLode,
  transferTo,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

const DAY_MS = 86_400_000;
const NEXT = 'battery staple';
const SENT = 'If somebody is registered with this e-mail address, a link is on its way to it.';

let smtp: SmtpDouble;
let lode: Lode;
beforeAll(async () => {
  smtp = await startSmtp();
  lode = await startLode({
    ...mailThrough(smtp),
    proxies: ['127.0.0.1'],
  });
});
afterAll(async () => {
  await lode.stop();
  await smtp.stop();
});

const subjectOf = ({ raw }: { readonly raw: string }) => /^Subject: (.+)\r$/m.exec(raw)?.[1];

let networks = 0;
/** From a network of its own, so that no test uses up what another may ask for. */
const elsewhere = () => ({ 'X-Forwarded-For': `198.51.100.${(networks += 1)}` });
const ask = (email: string, headers = elsewhere()) =>
  lode.visitor.call('requestPasswordReset', { body: { email }, headers });
const reset = (token: string, newPassword = NEXT, headers = {}) =>
  lode.visitor.call('resetPassword', { body: { token, newPassword }, headers });

/** The mail with a link that somebody is sent, the first unless it is said. */
async function sentTo({ email }: Pick<Person, 'email'>, nth = 1) {
  expect((await ask(email)).json).toEqual({ message: SENT });
  return smtp.hadTo(email, nth);
}

describe('a password that was forgotten', () => {
  test('is set anew by the link in a mail, once: all sessions end, and nobody is signed in', async () => {
    const ann = await join(lode.visitor, 'Ann');
    const mail = await sentTo(ann);
    expect([mail.to, mail.from]).toEqual([[ann.email], MAIL_FROM]);
    expect(mail.raw).toMatch(/^Subject: Set a new password\r$/m);
    expect(mail.raw).toMatch(/https:\/\/lode\.example\.org\/reset-password#/);
    const token = tokenIn(mail);
    const answer = await reset(token);
    expect(answer.json).toEqual({ message: 'Password updated successfully!' });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await ann.api.call('me')).status).toBe(401);
    const old = await lode.visitor.call('signIn', { body: { email: ann.email, password: PASSWORD } });
    expect(old.status).toBe(401);
    const again = await signIn(lode.visitor, { email: ann.email, password: NEXT });
    expect(problemIn(await reset(token, 'yet another one'))).toMatchObject({
      status: 403,
      code: 'link_invalid',
    });
    expect((await again.api.call('me')).status).toBe(200);
    const { events } = await lode.admin.api.get('stream', { params: { stream: `access-${ann.userId}` } });
    const [event] = events.filter(({ type }) => type === 'PasswordReset');
    expect(event?.meta.actor).toMatchObject({ id: ann.userId, role: 'user' });
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['PasswordReset', 'SessionsEnded']),
    );
  });

  test('is refused where it is common, one’s own or the same again, and the link stays good', async () => {
    const ann = await join(lode.visitor, 'Ann');
    const token = tokenIn(await sentTo(ann));
    for (const [password, detail] of [
      ['Password1', /^Password should not be one that many/],
      ['ann miller', /^Password should not be your name/],
      [PASSWORD, /^Password should not be the one that you have/],
    ] as const) {
      const answer = problemIn(await reset(token, password));
      expect(answer).toMatchObject({ status: 422, code: 'password_policy' });
      expect(answer.detail).toMatch(detail);
    }
    expect((await reset(token)).status).toBe(200);
  });

  test('of whom an admin registered is their own once it is set by the link', async () => {
    const body = newPerson('Cleo');
    await lode.admin.api.get('createAccount', { body });
    const given = await signIn(lode.visitor, body);
    expect(problemIn(await given.api.call('me')).code).toBe('password_change_required');
    expect((await reset(tokenIn(await sentTo(given)))).status).toBe(200);
    const own = await signIn(lode.visitor, { email: given.email, password: NEXT });
    expect((await own.api.call('me')).status).toBe(200);
  });

  test('is set by a link to the address of the settings, whatever host a request names', async () => {
    const ann = await join(lode.visitor, 'Ann');
    const forged = { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' };
    await ask(ann.email, { ...elsewhere(), ...forged });
    const { raw } = await smtp.hadTo(ann.email, 1);
    expect(raw).toContain('https://lode.example.org/reset-password#');
    expect(raw).not.toContain('evil');
  });

  test('keeps money from leaving for a day: a withdrawal and a transfer wait, and say until when', async () => {
    const ann = await join(lode.visitor, 'Ann');
    await credit(lode.admin, ann, { BTC: '100' });
    await saveWalletAddress(ann);
    await setPin(ann);
    await requestWithdrawal(ann, '10');
    await smtp.hadTo(ann.email, 1);
    const before = Date.now();
    // After the mail that tells of the address.
    expect((await reset(tokenIn(await sentTo(ann, 2)))).status).toBe(200);
    const after = await signIn(lode.visitor, { email: ann.email, password: NEXT });
    const proof = { password: NEXT };
    const answers = [
      await after.api.call('requestWithdrawal', {
        body: { amount: '10', currency: 'BTC', proof },
        headers: keyed(),
      }),
      await after.api.call('requestTransfer', {
        body: transferTo('DE75512108001245126199', '10'),
        headers: keyed(),
      }),
    ];
    await until(async () => (await after.api.get('me')).moneyOut !== null);
    const { moneyOut } = await after.api.get('me');
    const end = Date.parse(moneyOut?.until ?? '');
    expect([moneyOut?.why, end >= before + DAY_MS, end <= Date.now() + DAY_MS]).toEqual([
      'password_reset',
      true,
      true,
    ]);
    for (const answer of answers)
      expect(problemIn(answer)).toMatchObject({ status: 409, code: 'money_out_waits' });
    expect(problemIn(answers[0]!).detail).toMatch(
      /^Because your password was reset, no money can leave your account before \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
    );
    await requestFunding(after, '10');
  });

  test('keeps the link good when the new one is refused, and by no link of before it was set', async () => {
    const bob = await join(lode.visitor, 'Bob');
    const [first, second] = [tokenIn(await sentTo(bob)), tokenIn(await sentTo(bob, 2))];
    expect(first).not.toBe(second);
    for (const [password, status] of [
      ['12345', 400],
      ['password', 422],
      ['bob miller', 422],
      [PASSWORD, 422],
    ] as const)
      expect((await reset(second, password)).status).toBe(status);
    expect((await bob.api.call('me')).status).toBe(200);
    expect((await reset(second)).status).toBe(200);
    expect(problemIn(await reset(first, 'yet another one')).code).toBe('link_invalid');
    await signIn(lode.visitor, { email: bob.email, password: NEXT });
  });

  test('is set once by one link, however often it comes at once, and answered again under its key', async () => {
    const carl = await join(lode.visitor, 'Carl');
    const token = tokenIn(await sentTo(carl));
    const answers = await Promise.all([1, 2, 3, 4].map((n) => reset(token, `a password of ${n} words`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);

    const dora = await join(lode.visitor, 'Dora');
    const [hers, headers] = [tokenIn(await sentTo(dora)), keyed()];
    expect((await reset(hers, NEXT, headers)).headers.get('idempotency-replayed')).toBeNull();
    const replayed = await reset(hers, NEXT, headers);
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(problemIn(await reset(hers, 'yet another one', headers)).code).toBe('idempotency_key_reused');
    await signIn(lode.visitor, { email: dora.email, password: NEXT });
  });

  test('is worth no mail to a stranger, who is told the same, nor more than three to anybody', async () => {
    const eve = await join(lode.visitor, 'Eve');
    const { email: unknown } = newPerson('Nobody');
    for (const email of [unknown, unknown.toUpperCase(), ...Array<string>(5).fill(eve.email)])
      expect((await ask(email)).json).toEqual({ message: SENT });
    await sentTo(await join(lode.visitor, 'Fay'));
    const { items } = await lode.admin.api.get('mails');
    expect(items.filter(({ userId }) => userId === eve.userId)).toHaveLength(3);
    const sent = smtp.received.filter(({ to }) => to[0] === eve.email).length;
    expect(sent > 0 && sent <= 3).toBe(true);
    expect(smtp.received.some(({ to }) => to[0]?.toLowerCase() === unknown.toLowerCase())).toBe(false);
  });

  test('is asked for by one network a number of times', async () => {
    const headers = elsewhere();
    const answers = [];
    for (let n = 0; n < 21; n += 1) answers.push(await ask(newPerson('Nobody').email, headers));
    const last = answers.at(-1);
    expect(answers.slice(0, -1).every(({ status }) => status === 200)).toBe(true);
    expect(last && problemIn(last).code).toBe('rate_limited');
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(200)])('is set by no link such as %j', async (token) => {
    const answer = await reset(token);
    expect([400, 403]).toContain(answer.status);
  });

  test('is not set by opening anything', async () => {
    for (const path of ['/api/auth/reset-password', '/api/auth/password-reset'])
      expect((await fetch(`${lode.visitor.address}${path}`)).status).toBe(405);
  });
});

describe('an e-mail address', () => {
  const TOLD = 'A link is on its way to your e-mail address, unless it is verified already.';
  let asking: Lode;
  beforeAll(async () => {
    asking = await startLode({
      ...mailThrough(smtp),
      identityToolkit: true,
      unverifiedMayNot: ['withdraw', 'fund'],
    });
  });
  afterAll(() => asking.stop());

  const verify = (token: string, headers = {}) =>
    asking.visitor.call('verifyEmail', { body: { token }, headers });
  const withdraw = (person: Person, headers = keyed()) =>
    person.api.call('requestWithdrawal', {
      body: { amount: '2', currency: 'BTC', proof: { password: PASSWORD } },
      headers,
    });

  test('that is not verified keeps its owner from what the operator says, until the link in a mail is used', async () => {
    const ann = await join(asking.visitor, 'Ann');
    const mail = await smtp.hadTo(ann.email, 1);
    expect(mail.raw).toMatch(/^Subject: Verify your e-mail address\r$/m);
    expect(mail.raw).toMatch(/https:\/\/lode\.example\.org\/verify-email#/);
    expect(await ann.api.get('me')).toMatchObject({
      isEmailVerified: false,
      verifyFirst: ['withdraw', 'fund'],
    });
    await saveWalletAddress(ann);
    await credit(asking.admin, ann, { BTC: '10' });
    const headers = keyed();
    expect(problemIn(await withdraw(ann, headers))).toMatchObject({
      status: 403,
      code: 'email_unverified',
      detail: 'Please verify your e-mail address first, by the link in our mail.',
    });
    await expect(requestFunding(ann)).rejects.toThrow('email_unverified');
    const [token, key] = [tokenIn(mail), keyed()];
    const verified = await asking.visitor.get('verifyEmail', { body: { token }, headers: key });
    expect(verified.message).toBe('Your e-mail address is verified.');
    const seen = { headers: { 'Lode-Position': verified.position } };
    expect((await verify(token, key)).headers.get('idempotency-replayed')).toBe('true');
    expect(problemIn(await verify(token)).code).toBe('link_invalid');
    expect((await withdraw(ann)).status).toBe(201);
    expect(await ann.api.get('me', seen)).toMatchObject({ isEmailVerified: true, verifyFirst: [] });
    expect((await ann.api.call('requestEmailVerification')).json).toEqual({ message: TOLD });
    const { events } = await asking.admin.api.get('stream', { params: { stream: `account-${ann.userId}` } });
    const types = events.map(({ type }) => type).toReversed();
    expect(types.slice(0, 2)).toEqual(['AccountOpened', 'EmailVerificationAsked']);
    expect(types.filter((type) => type === 'EmailVerified')).toHaveLength(1);
  });

  test('is verified by no link that was not sent for it, nor by opening one; another one is sent, a few times', async () => {
    const bob = await join(asking.visitor, 'Bob');
    const first = tokenIn(await smtp.hadTo(bob.email, 1));
    await asking.visitor.get('requestPasswordReset', { body: { email: bob.email }, headers: elsewhere() });
    const resetting = tokenIn(await smtp.hadTo(bob.email, 2));
    for (const token of [resetting, 'x', 'A'.repeat(43)])
      expect(problemIn(await verify(token)).code).toBe('link_invalid');
    const body = { token: first, newPassword: NEXT };
    expect(problemIn(await asking.visitor.call('resetPassword', { body })).code).toBe('link_invalid');
    expect((await fetch(`${asking.visitor.address}/api/auth/verify-email`)).status).toBe(405);
    const answers = [];
    for (let n = 0; n < 4; n += 1) {
      answers.push(await bob.api.call('requestEmailVerification'));
      // One that is not sent yet is replaced by the next.
      await smtp.hadTo(bob.email, Math.min(3 + n, 5));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect((await bob.api.get('me')).isEmailVerified).toBe(false);
    const token = tokenIn(await smtp.hadTo(bob.email, 5));
    const { position } = await asking.visitor.get('verifyEmail', { body: { token } });
    const seen = { headers: { 'Lode-Position': position } };
    expect((await bob.api.get('me', seen)).isEmailVerified).toBe(true);
  });

  test('of whoever signs up at the identity door, or is registered by an admin, is asked for too, and of no admin', async () => {
    const { email } = newPerson('Carl');
    const signUp = await fetch(`${asking.visitor.address}/v1/accounts:signUp?key=x`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    expect(signUp.status).toBe(200);
    const carl = await signIn(asking.visitor, { email, password: PASSWORD });
    expect((await carl.api.get('me')).isEmailVerified).toBe(false);
    expect((await verify(tokenIn(await smtp.hadTo(email, 1)))).status).toBe(200);
    const dora = newPerson('Dora');
    await asking.admin.api.get('createAccount', { body: dora });
    await smtp.hadTo(dora.email, 1);
    expect((await asking.admin.api.get('me')).isEmailVerified).toBe(true);
    expect(smtp.received.some(({ to }) => to.includes(asking.admin.email))).toBe(false);
  });
});

test('what whoever registers accepts is in the log, of the texts that say something', async () => {
  const texts = { terms: { title: 'Terms', text: 'Be fair.' }, privacy: { title: 'Privacy', text: '' } };
  const before = await join(lode.visitor, 'Mia');
  await lode.admin.api.get('changeContent', { body: { content: texts }, headers: keyed() });
  const after = await join(lode.visitor, 'Noa');
  const acceptedBy = async ({ userId }: Person) => {
    const { events } = await lode.admin.api.get('stream', { params: { stream: `account-${userId}` } });
    return events.filter(({ type }) => type === 'TermsAccepted').map(({ data }) => data);
  };
  expect(await acceptedBy(before)).toEqual([]);
  expect(await acceptedBy(after)).toEqual([{ terms: sha256('Be fair.') }]);

  // What was shown is kept, and refused once it is another, with nobody registered; a repeat has its first answer.
  const shown = { terms: sha256('Be fair.'), privacy: '' };
  const body = { ...newPerson('Ona'), ...shown };
  const headers = keyed();
  const first = await lode.visitor.get('register', { body, headers });
  expect(await acceptedBy({ ...after, userId: first.userId })).toEqual([{ terms: shown.terms }]);
  await lode.admin.api.get('changeContent', {
    body: { content: { privacy: { title: 'Privacy', text: 'We keep little.' } } },
    headers: keyed(),
  });
  expect((await lode.visitor.get('register', { body, headers })).userId).toBe(first.userId);
  const late = { ...newPerson('Pia'), ...shown };
  for (const more of [{}, keyed()])
    expect(problemIn(await lode.visitor.call('register', { body: late, headers: more }))).toMatchObject({
      status: 409,
      code: 'terms_changed',
    });
  const again = { ...late, privacy: sha256('We keep little.') };
  const registered = await lode.visitor.get('register', { body: again, headers: keyed() });
  expect(await acceptedBy({ ...after, userId: registered.userId })).toEqual([
    { terms: shown.terms, privacy: again.privacy },
  ]);
  const none = { terms: { title: 'Terms', text: '' }, privacy: { title: 'Privacy', text: '' } };
  await lode.admin.api.get('changeContent', { body: { content: none }, headers: keyed() });
});

describe('what was done to an account', () => {
  test('is told its owner by mail, once: another password, another address, what was decided, and where it was signed in', async () => {
    const hugo = await join(lode.visitor, 'Hugo');
    const subjects = [];
    await hugo.api.get('changePassword', { body: { oldPassword: PASSWORD, newPassword: NEXT } });
    subjects.push(subjectOf(await smtp.hadTo(hugo.email, 1)));
    const ask = await requestFunding(hugo);
    await confirmFunding(lode.admin, hugo, ask.requestId);
    const confirmed = await smtp.hadTo(hugo.email, 2);
    expect(confirmed.raw).toContain(ask.requestId);
    subjects.push(subjectOf(confirmed));
    const again = await signIn(lode.visitor, { email: hugo.email, password: NEXT });
    await saveWalletAddress(again);
    subjects.push(subjectOf(await smtp.hadTo(hugo.email, 3)));
    const { requestId } = await requestFunding(again);
    const params = { userId: hugo.userId, requestId };
    await lode.admin.api.get('rejectFunding', { params, body: {}, headers: keyed() });
    subjects.push(subjectOf(await smtp.hadTo(hugo.email, 4)));
    const body = { email: hugo.email, password: NEXT };
    const headers = { ...elsewhere(), 'User-Agent': 'Call +1 555 0100, https://eve.example' };
    await lode.visitor.call('signIn', { body, headers });
    await lode.visitor.call('signIn', { body, headers });
    const stranger = await smtp.hadTo(hugo.email, 5);
    expect(stranger.raw).toContain(`Network: ${headers['X-Forwarded-For']}`);
    expect(stranger.raw).toContain('Program: an unknown program');
    expect(stranger.raw).not.toMatch(/\+1 555|eve\.example/);
    subjects.push(subjectOf(stranger));
    expect(smtp.received.filter(({ to }) => to.includes(hugo.email))).toHaveLength(5);
    expect(subjects).toEqual([
      'Your password was changed',
      'Your request was confirmed',
      'Your wallet address was changed',
      'Your request was rejected',
      'Somebody signed in from a new network',
    ]);
  });

  test('is told its owner by mail, once, where wrong codes follow the right password', async () => {
    const kim = await joinEnrolled(lode.visitor, 'Kim');
    await smtp.hadTo(kim.email, 1);
    const body = { challenge: await challengeFor(lode.visitor, kim), code: '000000' };
    for (const _ of [1, 2]) expect((await lode.visitor.call('finishSignIn', { body })).status).toBe(403);
    expect(subjectOf(await smtp.hadTo(kim.email, 2))).toBe(
      'Somebody has your password and showed a wrong code',
    );
    const { items } = await lode.admin.api.get('mails');
    expect(items.filter(({ userId, kind }) => userId === kim.userId && kind === 'code-refused')).toHaveLength(
      1,
    );
  });

  test('is kept from strangers who guess codes from many networks, and not from its owner', async () => {
    const lea = await joinEnrolled(lode.visitor, 'Lea');
    const challenge = await challengeFor(lode.visitor, lea);
    const show = async (code: string, headers = {}) =>
      (await lode.visitor.call('finishSignIn', { body: { challenge, code }, headers })).status;
    const statuses = [];
    for (let n = 0; n < 21; n += 1) statuses.push(await show('000000', elsewhere()));
    expect(statuses).toEqual([...Array<number>(20).fill(403), 429]);
    expect(await show(lea.recoveryCodes[0] ?? '')).toBe(200);
  });

  test('is told its owner by mail where another address, which waited, is canceled', async () => {
    const jan = await join(lode.visitor, 'Jan');
    const ask = (body: object) => ({ params: { userId: jan.userId }, body, headers: keyed() });
    const other = { walletAddress: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', currency: 'BTC' };
    await saveWalletAddress(jan);
    await smtp.hadTo(jan.email, 1);
    await jan.api.get('saveWalletAddress', ask({ ...other, proof: { password: PASSWORD } }));
    expect((await smtp.hadTo(jan.email, 2)).raw).toContain('In force from: ');
    await jan.api.get('cancelWalletAddress', ask({ currency: 'BTC' }));
    const canceled = await smtp.hadTo(jan.email, 3);
    expect(subjectOf(canceled)).toBe('A change of your wallet address was canceled');
    expect(canceled.raw).toContain('Currency: BTC');
  });
});

describe('what holds for all', () => {
  /** Waits for a mail that says all that. */
  const told = ({ email }: Person, ...facts: readonly string[]) =>
    until(() =>
      smtp.received.some((mail) => {
        const text = unfolded(mail);
        return mail.to.includes(email) && facts.every((fact) => text.includes(fact));
      }),
    );
  const invited = async (duty: 'owner' | 'support', name: string) => {
    const { token } = await lode.admin.api.get('inviteAdmin', { body: { duty } });
    return join(lode.visitor, name, token);
  };
  const toldOfAll = async () => {
    const { items } = await lode.admin.api.get('mails');
    return items.filter(({ kind }) => kind === 'platform-changed').map(({ userId }) => userId);
  };

  test('is told every owner when it was changed: what, by whom and why; and no other admin', async () => {
    const [olga, sue] = [await invited('owner', 'Olga'), await invited('support', 'Sue')];
    const set = (by: Person, price: string, reason: string) =>
      by.api.get('setPrices', { body: { prices: { BTC: price }, reason }, headers: keyed() });
    const asked = await set(olga, '61000', 'The market moved');
    const waits = 'Subject: A change waits for another admin';
    await told(lode.admin, waits, 'Asked for: prices', `By: ${olga.email}`, 'Reason: The market moved');
    await seconded(lode.admin, asked);
    const changed = 'Subject: Something that holds for all was changed';
    await told(olga, changed, 'Changed: prices', `By: ${lode.admin.email}`, 'Reason: The market moved');
    await seconded(olga, await set(lode.admin, '60000', 'It moved back'));
    // Whoever the first was for has been written to by then.
    for (const owner of [olga, lode.admin]) await told(owner, 'Reason: It moved back');
    expect(await toldOfAll()).not.toContain(sue.userId);
  });

  test('is told of who is an admin too: who is invited, and an owner of losing the duty, of being kept out and let in', async () => {
    const olga = await invited('owner', 'Olga');
    await told(lode.admin, 'Changed: an invitation that makes an admin', `By: ${lode.admin.email}`);
    const ask = (body: object) => ({ params: { userId: olga.userId }, body, headers: keyed() });
    await seconded(
      olga,
      await lode.admin.api.get('changeDuty', ask({ duty: 'auditor', reason: 'To keep it quiet' })),
    );
    await lode.admin.api.get('suspend', ask({}));
    await lode.admin.api.get('activate', ask({}));
    for (const what of ['an admin’s duty', 'an admin, suspended', 'an admin, let in again']) {
      // As quoted-printable has what is not ASCII.
      const changed = `Changed: ${what.replace('’', '=E2=80=99')}`;
      for (const person of [olga, lode.admin]) await told(person, changed, `Of: ${olga.email}`);
    }
  });
});

describe('mails that were sent', () => {
  test('are shown to admins page by page, and neither what they say nor a link', async () => {
    const gus = await join(lode.visitor, 'Gus');
    const token = tokenIn(await sentTo(gus));
    const first = await lode.admin.api.get('mails', { query: { limit: '1' } });
    expect(first.items).toMatchObject([
      { userId: gus.userId, to: gus.email, kind: 'reset-password', attempts: 1 },
    ]);
    const second = await lode.admin.api.get('mails', { query: { limit: '1', cursor: first.next ?? '' } });
    expect(second.items[0]?.mailId).not.toBe(first.items[0]?.mailId);
    const all = await lode.admin.api.call('mails');
    expect(all.text).not.toContain(token);
    expect(all.text).not.toContain('/reset-password#');
    expect(problemIn(await lode.admin.api.call('mails', { query: { cursor: 'x' } })).status).toBe(400);
  });

  test('wait while the server takes none, and say why', async () => {
    const ida = await join(lode.visitor, 'Ida');
    smtp.behave({ kind: 'refuse', at: 'data', code: 451 });
    await sentTo(ida);
    const hers = async () =>
      (await lode.admin.api.get('mails')).items.find(({ userId }) => userId === ida.userId);
    while ((await hers())?.failure === null) await setImmediate();
    smtp.behave({ kind: 'take' });
    expect(await hers()).toMatchObject({
      state: 'queued',
      attempts: 1,
      failure: expect.stringMatching(/^The mail server answered 451 \(\w+\)\.$/),
    });
  });
});
