import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { routes } from '#contracts';
import { MAIL_ATTEMPT_MS } from '#identity';
import { describeWhere } from '#kernel/testing';
import { startSmtp, tokenIn, unfolded, type SmtpDouble } from '#mail/testing';
import {
  dataFolders,
  killAll,
  MAIL_FROM,
  newPerson,
  printed,
  signIn,
  startLode,
  startProgram,
  testedOn,
  TIME_OF_DAY_ALONE,
  type Listening,
} from '../testing/index.js';

const { newFolder, removeFolders } = dataFolders();
const programs: Listening[] = [];
afterEach(async () => {
  await killAll(programs);
  await removeFolders();
});

async function started(folder: string, env: Readonly<Record<string, string>>): Promise<Listening> {
  const program = await startProgram(folder, env);
  programs.push(program);
  return program;
}

/** Somebody who is registered and has lost the password. */
async function forgetful({ visitor }: Listening) {
  const body = newPerson('Ann');
  await visitor.get('register', { body });
  await visitor.get('requestPasswordReset', { body: { email: body.email } });
  return body;
}

describeWhere(testedOn.length === 0, 'a mail in a data folder', 'LODE_TEST_ON names servers', () => {
  let smtp: SmtpDouble;
  beforeEach(async () => void (smtp = await startSmtp()));
  afterEach(async () => {
    jest.useRealTimers();
    await smtp.stop();
  });

  test('that the program was killed over, once the server had it, is sent again and never lost', async () => {
    const folder = newFolder();
    smtp.behave({ kind: 'silent' });
    const env = {
      SMTP_URL: smtp.url,
      LODE_PUBLIC_URL: 'https://lode.example.org',
      LODE_UNVERIFIED_MAY_NOT: 'nothing',
    };
    const program = await started(folder, env);
    const ann = await forgetful(program);
    const first = await smtp.hadTo(ann.email, 1);
    await killAll(programs);
    smtp.behave({ kind: 'take' });
    jest.useFakeTimers({ ...TIME_OF_DAY_ALONE, now: Date.now() + MAIL_ATTEMPT_MS });
    const lode = await startLode({ dataFolder: folder, smtpUrl: smtp.url, mailFrom: MAIL_FROM });
    try {
      const again = await smtp.hadTo(ann.email, 2);
      const idOf = (raw: string) => /^Message-ID: (.+)$/m.exec(raw)?.[1];
      expect(idOf(again.raw)).toBe(idOf(first.raw));
      expect(tokenIn(again)).toBe(tokenIn(first));
      const body = { token: tokenIn(again), newPassword: 'battery staple' };
      expect((await lode.visitor.call('resetPassword', { body })).status).toBe(200);
    } finally {
      await lode.stop();
    }
  });
});

describeWhere(testedOn.length === 0, 'a link in a mail', 'LODE_TEST_ON names servers', () => {
  test('leads to the address that is set, whatever host a request names', async () => {
    const smtp = await startSmtp();
    try {
      const env = { SMTP_URL: smtp.url, LODE_PUBLIC_URL: 'https://lode.example.org' };
      const { visitor } = await started(newFolder(), env);
      const ann = newPerson('Ann');
      const forged = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
      for (const [name, body] of [
        ['register', ann],
        ['requestPasswordReset', { email: ann.email }],
      ] as const)
        expect(await askedAt(visitor.address, routes[name].path, body, forged)).toBeLessThan(300);
      for (const count of [1, 2]) {
        const text = unfolded(await smtp.hadTo(ann.email, count));
        expect(text).toContain('https://lode.example.org/');
        expect(text).not.toContain('evil');
      }
    } finally {
      await smtp.stop();
    }
  });
});

/** The status that a command is answered with, sent with headers that `fetch` would not send. */
async function askedAt(address: string, path: string, body: object, headers: Record<string, string>) {
  const command = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID(), ...headers };
  const asked = request(new URL(path, address), { method: 'POST', headers: command });
  asked.end(JSON.stringify(body));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

describe('without a mail server', () => {
  test('a link is told on the console where only whoever is at the machine could use it', async () => {
    const program = await started(newFolder(), {});
    const ann = await forgetful(program);
    const link = /Its link: http:\/\/localhost\S*\/reset-password#(\S+)/;
    const body = { token: await printed(program, link), newPassword: 'battery staple' };
    expect((await program.visitor.call('resetPassword', { body })).status).toBe(200);
    await signIn(program.visitor, { email: ann.email, password: 'battery staple' });
  });

  test.each([{ LODE_HOST: '0.0.0.0' }, { LODE_PUBLIC_URL: 'https://lode.example.org' }])(
    'and nowhere where others reach the program, as with %j',
    async (env) => {
      const program = await started(newFolder(), env);
      await forgetful(program);
      program.child.kill('SIGTERM');
      await program.ended;
      expect(program.printed.out + program.printed.err).not.toMatch(/reset-password|Its link/);
    },
  );
});
