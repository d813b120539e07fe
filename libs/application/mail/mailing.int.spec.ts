import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { noHold, systemTimers } from '#kernel';
import type { MailTransport } from '#mail';
import { openAccessWorld, registered, type AccessWorld } from '../testing/index.js';
import { createMailing, LINKS } from './mailing.js';

let world: AccessWorld;
beforeEach(async () => void (world = await openAccessWorld()));
afterEach(() => world.close());

const partsOf = (problems: string[] = []) => ({
  ...world,
  transport: undefined,
  publicUrl: 'https://lode.example.org',
  hold: noHold,
  timers: systemTimers,
  log: { error: (_: object, message: string) => void problems.push(message) },
});

test('strangers who ask for links for everybody have so many queued, and then one now and then', async () => {
  const problems: string[] = [];
  const mailing = createMailing(partsOf(problems));
  const ann = await registered(world);
  const holder = { userId: ann.userId, email: ann.email, epoch: 0 };
  const queued = async () => (await world.identity.mails.list(2 * LINKS.burst)).length;
  const sent = [];
  for (let n = 0; n < LINKS.burst + 3; n += 1) sent.push(await mailing.sendLink('reset-password', holder));
  expect(sent.map(({ kind }) => kind)).toEqual([
    ...Array<string>(LINKS.burst).fill('queued'),
    ...Array<string>(3).fill('too many'),
  ]);
  expect(sent.at(-1)).toEqual({ kind: 'too many', waitMs: LINKS.everyMs });
  expect(await queued()).toBe(LINKS.burst);
  expect(problems).toEqual(Array(3).fill('a link was not sent: too many are asked for'));
  world.waitLong();
  await mailing.sendLink('reset-password', holder);
  expect(await queued()).toBe(LINKS.burst + 1);
});

test('whoever registers many people uses up no link that somebody asks for', async () => {
  const mailing = createMailing(partsOf());
  const ann = await registered(world);
  const holder = { userId: ann.userId, email: ann.email, epoch: 0 };
  const registration = { askedBy: 'registration' } as const;
  for (let n = 0; n < LINKS.burst; n += 1) await mailing.sendLink('verify-email', holder, registration);
  const kinds = [
    await mailing.sendLink('verify-email', holder, registration),
    await mailing.sendLink('verify-email', holder),
  ].map(({ kind }) => kind);
  expect(kinds).toEqual(['too many', 'queued']);
});

test('a link takes the place of one of its kind that waits, and of no other mail', async () => {
  const mailing = createMailing(partsOf());
  const ann = await registered(world);
  const holder = { userId: ann.userId, email: ann.email, epoch: 0 };
  for (const purpose of ['verify-email', 'reset-password', 'reset-password'] as const) {
    await mailing.sendLink(purpose, holder);
    world.waitLong(1);
  }
  const mails = await world.identity.mails.list(10);
  expect(mails.map(({ kind, state }) => [kind, state])).toEqual([
    ['reset-password', 'queued'],
    ['reset-password', 'given up'],
    ['verify-email', 'queued'],
  ]);
});

test('a last mail is handed over once to each address, is kept nowhere, and holds nobody up', async () => {
  const problems: string[] = [];
  const sent: string[] = [];
  const transport: MailTransport = {
    send: async ({ to, subject }) => {
      sent.push(`${subject} ${to}`);
      return to === 'old@example.org' ? { kind: 'failed', why: 'away' } : { kind: 'sent' };
    },
    close: async () => undefined,
  };
  const ann = await registered(world);
  const mailing = createMailing({ ...partsOf(problems), transport });
  await mailing.sendFarewell(ann.userId, [ann.email, 'old@example.org']);
  expect(sent).toEqual([`Your account is closed ${ann.email}`, 'Your account is closed old@example.org']);
  expect(problems).toEqual(['the last mail to somebody could not be sent']);
  expect(await world.identity.mails.list(10)).toEqual([]);

  const stuck = { ...transport, send: () => new Promise<never>(() => undefined) };
  const timers = { ...systemTimers, after: (_ms: number, done: () => void) => systemTimers.after(0, done) };
  await createMailing({ ...partsOf(), timers, transport: stuck }).sendFarewell(ann.userId, [ann.email]);

  const broken = { ...transport, send: () => Promise.reject(new Error('broken')) };
  await createMailing({ ...partsOf(problems), transport: broken }).sendFarewell(ann.userId, [ann.email]);
  expect(problems.slice(1)).toEqual(['the last mail to somebody could not be made']);
});
