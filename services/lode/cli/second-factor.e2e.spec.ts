import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startSmtp, type SmtpDouble } from '#mail/testing';
import {
  credit,
  dataFolder,
  enrol,
  firstAdmin,
  join,
  keyed,
  killAll,
  lode,
  MAIL_FROM,
  PASSWORD,
  problemIn,
  saveWalletAddress,
  signIn,
  startProgram,
  tell,
  type Listening,
} from '../testing/index.js';

const folder = dataFolder();
const programs: Listening[] = [];
let smtp: SmtpDouble;
beforeAll(async () => {
  smtp = await startSmtp();
});
afterEach(() => killAll(programs));
afterAll(async () => {
  await smtp.stop();
  await folder.remove();
});

async function start(): Promise<Listening> {
  const program = await startProgram(folder.path, {
    SMTP_URL: smtp.url,
    LODE_MAIL_FROM: MAIL_FROM,
    LODE_PUBLIC_URL: 'https://lode.example.org',
    LODE_UNVERIFIED_MAY_NOT: 'nothing',
  });
  programs.push(program);
  return program;
}

test('takes the second factor off whoever has lost it, with a note, a mail, and money that waits, where admins need one, too', async () => {
  const first = await start();
  const admin = await enrol(await firstAdmin(first));
  await admin.api.get('setAdminAccess', { body: { needsSecondFactor: true }, headers: keyed() });
  const ann = await join(first.visitor, 'Ann');
  await credit(admin, ann, { BTC: '1000' });
  await saveWalletAddress(ann);
  await enrol(ann);
  first.child.kill('SIGTERM');
  await first.ended;

  const reason = 'Lost the telephone';
  const remove = (email: string) =>
    tell(folder.path, 'second-factor', 'remove', '--email', email, '--reason', reason);
  expect(await remove('nobody@example.org')).toMatchObject({ code: 1, json: { code: 'account_not_found' } });
  for (const { userId, email } of [admin, ann]) {
    expect(await remove(email.toUpperCase())).toEqual({
      code: 0,
      json: expect.objectContaining({ ok: true, userId, removed: true }),
    });
    expect((await remove(email)).json).toMatchObject({ ok: true, removed: false });
  }
  for (const wrong of [['take', '--email', ann.email], ['remove'], []])
    expect((await lode(folder.path, 'second-factor', ...wrong)).code).toBe(2);

  const { visitor } = await start();
  const [bare, back] = [await signIn(visitor, admin), await signIn(visitor, ann)];
  expect(problemIn(await bare.api.call('people')).code).toBe('second_factor_required');
  const ada = await enrol(bare);
  for (const { userId } of [admin, ann]) {
    const { events } = await ada.api.get('stream', { params: { stream: `access-${userId}` } });
    const removals = events.filter(({ data }) => data['change'] === 'removed');
    expect(removals.map(({ meta }) => [meta.actor.kind, meta.reason])).toEqual([['operator', reason]]);
  }
  const body = { amount: '2', currency: 'BTC', proof: { password: PASSWORD } } as const;
  const waits = await back.api.call('requestWithdrawal', { body, headers: keyed() });
  expect(problemIn(waits).code).toBe('money_out_waits');
  for (const { email } of [admin, ann]) {
    for (let n = 1, raw = ''; !raw.includes('Change: removed'); n += 1)
      ({ raw } = await smtp.hadTo(email, n));
  }
});
