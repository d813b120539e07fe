import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { noHold, systemTimers } from '#kernel';
import { openAccessWorld, registered, type AccessWorld } from '../testing/index.js';
import { createMailing, LINKS } from './mailing.js';

let world: AccessWorld;
beforeEach(async () => void (world = await openAccessWorld()));
afterEach(() => world.close());

test('strangers who ask for links for everybody have so many queued, and then one now and then', async () => {
  const problems: string[] = [];
  const mailing = createMailing({
    ...world,
    transport: undefined,
    publicUrl: 'https://lode.example.org',
    hold: noHold,
    timers: systemTimers,
    log: { error: (_, message) => void problems.push(message) },
  });
  const ann = await registered(world);
  const holder = { userId: ann.userId, email: ann.email, epoch: 0 };
  const queued = async () => (await world.identity.mails.list(2 * LINKS.burst)).length;
  for (let n = 0; n < LINKS.burst + 3; n += 1) await mailing.sendLink('reset-password', holder);
  expect(await queued()).toBe(LINKS.burst);
  expect(problems).toEqual(Array(3).fill('a link was not sent: too many are asked for'));
  world.waitLong();
  await mailing.sendLink('reset-password', holder);
  expect(await queued()).toBe(LINKS.burst + 1);
});
