import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startSmtp, tokenIn, type SmtpDouble } from '#mail/testing';
import {
  confirmFunding,
  credit,
  join,
  keyed,
  mailThrough,
  newPerson,
  PASSWORD,
  PIN,
  problemIn,
  requestFunding,
  requestWithdrawal,
  saveWalletAddress,
  setPin,
  signIn,
  startLode,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

const HALF_AN_HOUR_MS = 30 * 60_000;
const DAY_MS = 86_400_000;
const ASKED = 'Another e-mail address was asked for';
const LINKED = 'Confirm your new e-mail address';
const CHANGED = 'Your e-mail address was changed';
const proof = { password: PASSWORD };

let smtp: SmtpDouble;
let lode: Lode;
beforeAll(async () => {
  smtp = await startSmtp();
  lode = await startLode({
    ...mailThrough(smtp),
  });
});
afterAll(async () => {
  await lode.stop();
  await smtp.stop();
});

const subjectOf = ({ raw }: { readonly raw: string }) => /^Subject: (.+)\r$/m.exec(raw)?.[1];
const newEmail = () => newPerson('Next').email;
const ask = ({ api }: Person, body: object, headers = {}) =>
  api.call('requestEmailChange', { body, headers });
const confirm = (token: string, headers = {}) =>
  lode.visitor.call('confirmEmailChange', { body: { token }, headers });
const pendingOf = async ({ api }: Person) => (await api.get('emailChange')).pending;

/** Somebody who was sent a link to another e-mail address, and its token. */
async function moving(name: string, to = newEmail(), from = lode) {
  const person = await join(from.visitor, name);
  const before = smtp.received.filter((mail) => mail.to.includes(to)).length;
  expect((await ask(person, { email: to, proof })).status).toBe(200);
  const mail = await smtp.hadTo(to, before + 1);
  return { person, to, mail, token: tokenIn(mail) };
}

const subjectsTo = (email: string) => smtp.received.filter(({ to }) => to.includes(email)).map(subjectOf);

describe('another e-mail address', () => {
  test('is in force once the link that was sent there is used, and is told the one of before at once', async () => {
    const ann = await join(lode.visitor, 'Ann');
    const elsewhere = await signIn(lode.visitor, ann);
    const before = Date.now();
    const to = newEmail();
    const answer = await ask(ann, { email: to, proof });
    expect(answer.status).toBe(200);
    const pending = await pendingOf(ann);
    expect(answer.json).toEqual({ pending, message: `A link was sent to ${to}.` });
    expect(pending?.email).toBe(to);
    const goodFor = Date.parse(pending?.expiresAt ?? '') - before;
    expect(goodFor >= HALF_AN_HOUR_MS && goodFor < HALF_AN_HOUR_MS + DAY_MS).toBe(true);
    expect(subjectOf(await smtp.hadTo(ann.email, 1))).toBe(ASKED);
    const mail = await smtp.hadTo(to, 1);
    expect(subjectOf(mail)).toBe(LINKED);
    expect(mail.raw).toMatch(/https:\/\/lode\.example\.org\/confirm-email#/);
    expect((await ann.api.get('me')).email).toBe(ann.email);

    const token = tokenIn(mail);
    expect((await fetch(`${lode.visitor.address}/api/auth/confirm-email`)).status).toBe(405);
    const confirmed = await lode.visitor.get('confirmEmailChange', { body: { token } });
    expect(confirmed.message).toBe('Your e-mail address was changed.');
    const seen = { headers: { 'Lode-Position': confirmed.position } };
    expect(await ann.api.get('me', seen)).toMatchObject({
      email: to,
      isEmailVerified: true,
      moneyOut: { why: 'email_changed' },
    });
    expect(await pendingOf(ann)).toBeNull();
    expect((await elsewhere.api.call('me')).status).toBe(401);
    const old = await lode.visitor.call('signIn', { body: { email: ann.email, password: PASSWORD } });
    expect(old.status).toBe(401);
    await signIn(lode.visitor, { email: to.toUpperCase(), password: PASSWORD });
    for (const [email, nth] of [
      [ann.email, 2],
      [to, 2],
    ] as const)
      expect(subjectOf(await smtp.hadTo(email, nth))).toBe(CHANGED);
    expect(problemIn(await confirm(token)).code).toBe('link_invalid');
    // The address of before is free.
    await lode.visitor.get('register', { body: { ...newPerson('Abe'), email: ann.email } });
  });

  test('keeps money from leaving for a day', async () => {
    const { person, token } = await moving('Bob');
    await credit(lode.admin, person, { BTC: '100' });
    await saveWalletAddress(person);
    await requestWithdrawal(person, '10');
    const before = Date.now();
    const { position } = await lode.visitor.get('confirmEmailChange', { body: { token } });
    const refused = await person.api.call('requestWithdrawal', {
      body: { amount: '10', currency: 'BTC', proof },
      headers: keyed(),
    });
    expect(problemIn(refused)).toMatchObject({ status: 409, code: 'money_out_waits' });
    expect(problemIn(refused).detail).toMatch(
      /^Because your e-mail address was changed, no money can leave /,
    );
    const { moneyOut } = await person.api.get('me', { headers: { 'Lode-Position': position } });
    const until = Date.parse(moneyOut?.until ?? '');
    expect(until >= before + DAY_MS && until <= Date.now() + DAY_MS).toBe(true);
  });

  test('is told the one of before with what concerns the account’s safety later, and not with what was decided', async () => {
    const { person, to, token } = await moving('Cleo');
    await confirm(token);
    await smtp.hadTo(person.email, 2);
    const NEXT = 'battery staple';
    await person.api.get('changePassword', { body: { oldPassword: PASSWORD, newPassword: NEXT } });
    await smtp.hadTo(person.email, 3);
    await smtp.hadTo(to, 3);
    await confirmFunding(lode.admin, person, (await requestFunding(person)).requestId);
    expect(subjectOf(await smtp.hadTo(to, 4))).toBe('Your request was confirmed');
    const next = newEmail();
    await ask(person, { email: next, proof: { password: NEXT } });
    await smtp.hadTo(to, 5);
    await smtp.hadTo(person.email, 4);
    expect(subjectsTo(person.email)).toEqual([ASKED, CHANGED, 'Your password was changed', ASKED]);
    expect(subjectsTo(to)).toEqual([
      LINKED,
      CHANGED,
      'Your password was changed',
      'Your request was confirmed',
      ASKED,
    ]);
  });

  test('is asked for by nobody who has a stolen access token alone: nothing waits, and nobody is sent anything', async () => {
    const dan = await join(lode.visitor, 'Dan');
    await setPin(dan);
    const email = newEmail();
    const answers = [
      await ask(dan, { email }),
      await ask(dan, { email, proof: {} }),
      await ask(dan, { email, proof: { pin: PIN } }),
      await ask(dan, { email, proof: { password: 'wrong horse' } }),
      await lode.visitor.call('requestEmailChange', { body: { email, proof } }),
    ];
    expect(answers.map((answer) => [answer.status, problemIn(answer).code])).toEqual([
      [403, 'proof_missing'],
      [403, 'proof_missing'],
      [400, 'validation_failed'],
      [401, 'invalid_credentials'],
      [401, 'token_missing'],
    ]);
    expect(await pendingOf(dan)).toBeNull();
    const { events } = await lode.admin.api.get('stream', { params: { stream: `access-${dan.userId}` } });
    expect(events.filter(({ type }) => type === 'EmailChangeAsked')).toEqual([]);
    const { items } = await lode.admin.api.get('mails');
    expect(items.filter(({ userId }) => userId === dan.userId)).toEqual([]);
  });

  test('is asked for once under a key, whatever proves it, and answered again without a proof', async () => {
    const eve = await join(lode.visitor, 'Eve');
    const [email, headers] = [newEmail(), keyed()];
    const first = await ask(eve, { email, proof }, headers);
    for (const again of [{ email }, { email, proof: { password: 'wrong horse' } }]) {
      const answer = await ask(eve, again, headers);
      expect([answer.json, answer.headers.get('idempotency-replayed')]).toEqual([first.json, 'true']);
    }
    const other = await ask(eve, { email: newEmail(), proof }, headers);
    expect(problemIn(other).code).toBe('idempotency_key_reused');
    await smtp.hadTo(email, 1);
    expect((await pendingOf(eve))?.email).toBe(email);
  });

  test.each([
    ['nothing', {}, 'Please enter your new e-mail address.'],
    ['no address', { email: 'ann' }, undefined],
    ['what is longer than any', { email: `${'a'.repeat(250)}@example.org` }, undefined],
  ])('is not %s', async (_, body, message) => {
    const fay = await join(lode.visitor, 'Fay');
    const problem = problemIn(await ask(fay, { ...body, proof }));
    expect(problem).toMatchObject({ status: 400, code: 'validation_failed', errors: [{ path: 'email' }] });
    if (message !== undefined) expect(problem).toMatchObject({ errors: [{ message }] });
    expect(await pendingOf(fay)).toBeNull();
  });

  test('is not the one that somebody has already, however it is written', async () => {
    const gus = await join(lode.visitor, 'Gus');
    expect(problemIn(await ask(gus, { email: gus.email.toUpperCase(), proof }))).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'email', message: 'This is your e-mail address already.' }],
    });
  });

  test('that another account has is answered as one that is free, and its mail says so instead of a link', async () => {
    const [hal, owner] = [await join(lode.visitor, 'Hal'), await join(lode.visitor, 'Ivy')];
    const email = owner.email.toUpperCase().replace('EXAMPLE.ORG', 'example.org');
    const answer = await ask(hal, { email, proof });
    expect([answer.status, answer.json]).toEqual([
      200,
      { pending: { email, expiresAt: expect.any(String) }, message: `A link was sent to ${email}.` },
    ]);
    expect((await pendingOf(hal))?.email).toBe(email);
    const mail = await smtp.hadTo(email, 1);
    expect(subjectOf(mail)).toBe('This e-mail address has an account already');
    expect([tokenIn(mail), mail.raw.includes('confirm-email')]).toEqual(['', false]);
    await signIn(lode.visitor, owner);
  });

  test('has one of two who confirm it at once; the other keeps the one of before, and goes on', async () => {
    const to = newEmail();
    const [jan, kim] = [await moving('Jan', to), await moving('Kim', to)];
    const answers = await Promise.all([confirm(jan.token), confirm(kim.token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [winner, loser] = answers[0]?.status === 200 ? [jan, kim] : [kim, jan];
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && problemIn(refused).code).toBe('email_exists');
    expect((await signIn(lode.visitor, { email: to, password: PASSWORD })).userId).toBe(winner.person.userId);
    expect((await signIn(lode.visitor, loser.person)).userId).toBe(loser.person.userId);
    expect((await loser.person.api.get('me')).email).toBe(loser.person.email);
    const { events } = await lode.admin.api.get('stream', {
      params: { stream: `access-${loser.person.userId}` },
    });
    expect(events.filter(({ type }) => type === 'EmailChanged')).toEqual([]);
  });

  test('that somebody else has registered meanwhile is refused, and no money waits', async () => {
    const { person, to, token } = await moving('Lea');
    await lode.visitor.get('register', { body: { ...newPerson('Mia'), email: to } });
    expect(problemIn(await confirm(token))).toMatchObject({ status: 409, code: 'email_exists' });
    expect(await person.api.get('me')).toMatchObject({ email: person.email, moneyOut: null });
  });

  test('is confirmed by no link that was replaced, canceled, of before a new password, or never sent', async () => {
    const { person, token: first } = await moving('Ned');
    const to = newEmail();
    await ask(person, { email: to, proof });
    const second = tokenIn(await smtp.hadTo(to, 1));
    expect(problemIn(await confirm(first)).code).toBe('link_invalid');
    expect((await person.api.get('cancelEmailChange')).message).toBe('Your e-mail address stays as it is.');
    expect((await person.api.call('cancelEmailChange')).status).toBe(200);
    expect(await pendingOf(person)).toBeNull();
    const next = newEmail();
    await ask(person, { email: next, proof });
    const third = tokenIn(await smtp.hadTo(next, 1));
    await person.api.get('changePassword', {
      body: { oldPassword: PASSWORD, newPassword: 'battery staple' },
    });
    expect(await pendingOf(person)).toBeNull();
    for (const token of [first, second, third, 'x', 'A'.repeat(43)])
      expect(problemIn(await confirm(token))).toMatchObject({ status: 403, code: 'link_invalid' });
    for (const token of ['', 'A'.repeat(200)]) expect((await confirm(token)).status).toBe(400);
    expect(await person.api.get('me')).toMatchObject({ email: person.email, moneyOut: null });
    const { events } = await person.api.get('ownSecurityEvents');
    const told = events.map(({ description }) => description);
    expect(told.filter((one) => one === 'Another e-mail address asked for')).toHaveLength(3);
    expect(told.filter((one) => one === 'Change of the e-mail address canceled')).toHaveLength(1);
  });

  test('is confirmed once however often it comes at once, and answered again under its key', async () => {
    const { person, token } = await moving('Oda');
    const headers = keyed();
    expect((await confirm(token, headers)).headers.get('idempotency-replayed')).toBeNull();
    const replayed = await confirm(token, headers);
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    const other = await moving('Pia');
    const answers = await Promise.all([1, 2, 3].map(() => confirm(other.token)));
    expect(answers.map(({ status }) => status)).toContain(200);
    for (const { userId } of [person, other.person]) {
      const stream = async (name: string) =>
        (await lode.admin.api.get('stream', { params: { stream: `${name}-${userId}` } })).events.map(
          ({ type }) => type,
        );
      const access = await stream('access');
      expect(access.filter((type) => type === 'EmailChanged')).toHaveLength(1);
      expect(access).not.toContain('EmailChangeFailed');
      expect((await stream('account')).filter((type) => type === 'MoneyOutDelayed')).toHaveLength(1);
    }
  });

  test('makes a link for a new password void that was sent to the one of before', async () => {
    const { person, token } = await moving('Rob');
    await lode.visitor.get('requestPasswordReset', { body: { email: person.email } });
    const isReset = ({ to, raw }: { readonly to: readonly string[]; readonly raw: string }) =>
      to.includes(person.email) && raw.includes('/reset-password#');
    for (let n = 1; !smtp.received.some(isReset); n += 1) await smtp.hadTo(person.email, n);
    const resetting = smtp.received.find(isReset);
    await confirm(token);
    const body = { token: resetting === undefined ? '' : tokenIn(resetting), newPassword: 'battery staple' };
    expect(problemIn(await lode.visitor.call('resetPassword', { body })).code).toBe('link_invalid');
  });

  test('is asked for a few times, and then not for a while', async () => {
    const sam = await join(lode.visitor, 'Sam');
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push(await ask(sam, { email: newEmail(), proof }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('is an admin’s to take as well, and no admin sees a link', async () => {
    const { email } = lode.admin;
    const to = newEmail();
    await ask(lode.admin, { email: to, proof });
    const token = tokenIn(await smtp.hadTo(to, 1));
    const all = await lode.admin.api.call('mails');
    expect([all.text.includes(token), all.text.includes('confirm-email#')]).toEqual([false, false]);
    const stream = { stream: `access-${lode.admin.userId}` };
    const { events } = await lode.admin.api.get('stream', { params: stream });
    const asked = JSON.stringify(events.filter(({ type }) => type === 'EmailChangeAsked'));
    expect([asked.includes(to), asked.includes(email), asked.includes(token)]).toEqual([false, false, false]);
    expect((await confirm(token)).status).toBe(200);
    expect((await lode.admin.api.call('me')).status).toBe(200);
    await signIn(lode.visitor, { email: to, password: PASSWORD });
  });
});

test('the e-mail address that was mistyped at a registration is put right by another one, which is verified by its link', async () => {
  const asking = await startLode({
    ...mailThrough(smtp),
    unverifiedMayNot: ['withdraw'],
  });
  try {
    const { person, token } = await moving('Tom', newEmail(), asking);
    const verifying = tokenIn(await smtp.hadTo(person.email, 1));
    expect((await person.api.get('me')).isEmailVerified).toBe(false);
    const { position } = await asking.visitor.get('confirmEmailChange', { body: { token } });
    const seen = { headers: { 'Lode-Position': position } };
    expect((await person.api.get('me', seen)).isEmailVerified).toBe(true);
    const late = await asking.visitor.call('verifyEmail', { body: { token: verifying } });
    expect(problemIn(late).code).toBe('link_invalid');
  } finally {
    await asking.stop();
  }
});
