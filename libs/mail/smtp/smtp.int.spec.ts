import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { MAIL_ATTEMPT_MS } from '#identity';
import type { MailTransport } from '#mail';
import { openSmtp, SMTP_LIMITS } from '#mail/smtp';
import { startSmtp, type SmtpDouble } from '#mail/testing';

const mail = {
  mailId: 'b7a6',
  queuedAt: Date.parse('2026-01-01T12:00:00.000Z'),
  from: 'Lode',
  to: 'ann@example.org',
  subject: 'Set a new password',
  text: 'Here: https://lode.example.org/#t',
  html: '<p>Here</p>',
};

describe('an SMTP server', () => {
  let server: SmtpDouble;
  let transport: MailTransport;
  const open = (url = server.url, limits = {}) =>
    openSmtp({ url, sender: 'no-reply@lode.example.org', limits });

  beforeEach(async () => {
    server = await startSmtp();
    transport = open();
  });
  afterEach(async () => {
    await transport.close();
    await server.stop();
  });

  test('is given a mail as text and HTML, by the operator’s name, with an id and a time that stay', async () => {
    expect(await transport.send(mail)).toEqual({ kind: 'sent' });
    expect(await transport.send(mail)).toEqual({ kind: 'sent' });
    const [first, second] = server.received;
    expect([first?.from, first?.to]).toEqual(['no-reply@lode.example.org', ['ann@example.org']]);
    for (const raw of [first?.raw, second?.raw]) {
      expect(raw).toMatch(/^From: Lode <no-reply@lode\.example\.org>\r$/m);
      expect(raw).toMatch(/^Message-ID: <b7a6@lode\.example\.org>\r$/m);
      expect(raw).toMatch(/^Date: Thu, 01 Jan 2026 12:00:00 \+0000\r$/m);
      expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
      expect(raw).toContain('Content-Type: text/plain');
      expect(raw).toContain('Content-Type: text/html');
    }
  });

  test.each([
    { subject: 'Hello\r\nBcc: eve@example.org' },
    { from: 'Lode\r\nBcc: eve@example.org' },
    { from: 'Lode" <eve@example.org>, "x' },
    { to: 'ann@example.org\r\nRCPT TO:<eve@example.org>' },
    { to: 'ann@example.org, eve@example.org' },
    { to: 'ann@example.org> BODY=8BITMIME\r\nBcc: eve@example.org' },
  ])('gets no other header and no other recipient by %j', async (typed) => {
    await transport.send({ ...mail, ...typed });
    for (const { to, from, raw } of server.received) {
      expect(to).not.toContain('eve@example.org');
      expect(from).toBe('no-reply@lode.example.org');
      const [head = ''] = raw.split('\r\n\r\n');
      expect(head).not.toMatch(/^(?:bcc|cc):/im);
      expect(head.match(/^(?:from|to|subject):/gim)).toHaveLength(3);
    }
  });

  test.each([
    ['recipient', 550, '5.1.1 No such user', 'refused'],
    ['recipient', 550, '5.1.2 No such domain', 'refused'],
    ['recipient', 450, '4.1.1 No such user', 'failed'],
    ['data', 554, '5.6.0 Not such a text', 'refused'],
    ['data', 451, '4.3.0 Later', 'failed'],
    // What the operator set wrong is so for every mail.
    ['sender', 550, '5.1.8 No such sender', 'failed'],
    ['sender', 530, '5.7.0 Authentication required', 'failed'],
    ['sender', 550, '5.1.1 No such user', 'failed'],
    ['recipient', 550, '5.1.8 No such sender', 'failed'],
    ['recipient', 554, '5.7.1 Relay access denied', 'failed'],
    ['recipient', 550, 'Relaying denied', 'failed'],
    ['recipient', 530, '5.7.0 Authentication required', 'failed'],
  ] as const)('that answers a %s with %i %s: %s', async (at, code, says, kind) => {
    server.behave({ kind: 'refuse', at, code, says });
    const outcome = await transport.send(mail);
    expect(outcome).toMatchObject({ kind, why: expect.stringContaining(String(code)) });
    server.behave({ kind: 'take' });
    expect(await transport.send(mail)).toEqual({ kind: 'sent' });
  });

  test.each(['cut', 'silent'] as const)('that is %s once it has the mail may have taken it', async (kind) => {
    server.behave({ kind });
    const hasty = open(server.url, { silenceMs: 1_000 });
    // On a machine that is paused for that long the server has not received the mail, and it is sent again.
    while (server.received.length === 0) expect(await hasty.send(mail)).toMatchObject({ kind: 'failed' });
    const ids = server.received.map(({ raw }) => /^Message-ID: .+$/m.exec(raw)?.[0]);
    expect(new Set(ids).size).toBe(1);
  });

  test('that never comes to an end of its answer is left, before another program sends the mail', async () => {
    server.behave({ kind: 'trickle' });
    expect(await open(server.url, { mailMs: 1_000 }).send(mail)).toMatchObject({ kind: 'failed' });
    while (server.connections() > 0) await setImmediate();
    expect(SMTP_LIMITS.mailMs).toBeLessThan(MAIL_ATTEMPT_MS);
  });

  test('that is not there, or doesn’t take the password, is a failure that passes, and names no password', async () => {
    const withName = open(server.url.replace('//', '//lode:wrong%40secret@'));
    const outcomes = [await withName.send(mail)];
    await server.stop();
    outcomes.push(await transport.send(mail));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'failed' });
    expect(JSON.stringify(outcomes)).not.toContain('wrong');
    server = await startSmtp();
    const signedIn = open(server.url.replace('//', '//lode:secret@'));
    expect(await signedIn.send(mail)).toEqual({ kind: 'sent' });
  });

  // To this machine all the same, and by a name that doesn't say so.
  test.each([
    ['', '', 'failed'],
    ['lode:secret@', '', 'failed'],
    ['lode:secret@', '?tls=optional', 'failed'],
    ['', '?tls=optional', 'sent'],
  ])('elsewhere, smtp://%s…%s, without TLS: %s', async (user, query, kind) => {
    const { port } = new URL(server.url);
    const elsewhere = open(`smtp://${user}0.0.0.0:${port}${query}`);
    expect(await elsewhere.send(mail)).toMatchObject({ kind });
    expect(server.received).toHaveLength(kind === 'sent' ? 1 : 0);
  });

  test.each([
    'https://mail.example.org',
    'mail.example.org:25',
    'smtp:',
    'smtp://a%zz:b@host',
    'smtp://host?tls=never',
    '',
  ])('is not %j', (url) => {
    expect(() => open(url)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });
});
