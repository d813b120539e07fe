import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CommandContext } from '#commands';
import type { Duty } from '#ledger';
import type { OwnersFollowUp } from '#reactors';
import { OPERATOR } from '../actors.js';
import {
  inviteAdmin,
  openAccessWorld,
  register,
  registered,
  somebody,
  type AccessWorld,
} from '../testing/index.js';
import type { Notice } from './mailing.js';
import { NotifyOwners, NotifyOwnersHandler } from './notify-owners.js';

const HOUR_MS = 60 * 60_000;

let world: AccessWorld;
let mails: Map<string, Notice>;
beforeEach(async () => {
  world = await openAccessWorld();
  mails = new Map();
});
afterEach(() => world.close());

const byOperator = (): CommandContext => {
  const id = randomUUID();
  return { actor: OPERATOR, commandId: id, requestHash: id, correlationId: id, causationId: id };
};
const admin = async (duty: Duty) => {
  const person = { ...somebody(), invitation: (await inviteAdmin(world, duty)).token };
  const { userId } = await register(world, person);
  return { userId, email: person.profile.email };
};
const give = ({ userId }: { readonly userId: string }, duty: Duty) =>
  world.admins.changeDuty(userId, duty, byOperator());
/** Tells of something that is done now, and says who is written to then. */
const tell = async (follow: Partial<OwnersFollowUp> = {}) => {
  mails.clear();
  await tellMore(follow);
  return [...mails.values()].map(({ email }) => email).toSorted();
};
const tellMore = async (follow: Partial<OwnersFollowUp>) => {
  const sendNotice = async (_: string, notice: Notice) => {
    if (!mails.has(notice.mailId)) mails.set(notice.mailId, notice);
  };
  const at = new Date(world.clock()).toISOString();
  const command = { type: 'NotifyOwners', what: 'prices', at, ...follow } as const;
  await new NotifyOwnersHandler({ ...world, mailing: { sendNotice } }).execute(
    new NotifyOwners(byOperator(), command),
  );
};
const emailsOf = (...people: readonly { readonly email: string }[]) =>
  people.map(({ email }) => email).toSorted();
const factsFor = ({ userId }: { readonly userId: string }) =>
  [...mails.values()].find((one) => one.userId === userId)?.facts;

test('whoever was an owner within the last day is told, and who becomes one later is not', async () => {
  const [olga, bob] = [await admin('owner'), await admin('owner')];
  await admin('support');
  expect(await tell()).toEqual(emailsOf(olga, bob));
  const at = new Date(world.clock()).toISOString();
  world.waitLong(HOUR_MS);
  await give(bob, 'auditor');
  const late = await admin('owner');
  expect(await tell({ at })).toEqual(emailsOf(olga, bob));
  expect(await tell()).toEqual(emailsOf(olga, bob, late));
  world.waitLong(25 * HOUR_MS);
  expect(await tell()).toEqual(emailsOf(olga, late));
});

test('the admin whom it is about is told, and why only owners', async () => {
  const [olga, sue] = [await admin('owner'), await admin('support')];
  await world.admins.suspend(sue.userId, byOperator());
  expect(await tell({ of: sue.userId, reason: 'Looked into' })).toEqual(emailsOf(olga, sue));
  expect(factsFor(olga)).toEqual([
    'Changed: prices',
    `Of: ${sue.email}`,
    'By: the operator',
    'Reason: Looked into',
  ]);
  expect(factsFor(sue)).not.toContain('Reason: Looked into');
});

test('a customer whom it is about is not told, and named by the id alone, as an admin who is removed', async () => {
  const [olga, bob] = [await admin('owner'), await admin('owner')];
  const ann = await registered(world);
  expect(await tell({ of: ann.userId })).toEqual(emailsOf(olga, bob));
  expect(factsFor(olga)).toContain(`Of: ${ann.userId}`);
  await world.admins.remove(bob.userId, byOperator());
  expect(await tell({ of: bob.userId })).toEqual(emailsOf(olga));
  expect(factsFor(olga)).toContain(`Of: ${bob.userId}`);
});

test('what one admin does very often is told once in a quarter of an hour, of each kind and each admin', async () => {
  const [olga, bob] = [await admin('owner'), await admin('owner')];
  const [by, isOften] = [bob.userId, true] as const;
  const mailsAfter = async (...follows: readonly Partial<OwnersFollowUp>[]) => {
    for (const follow of follows) await tellMore(follow);
    return mails.size / 2;
  };
  expect(await mailsAfter(...Array(50).fill({ by, isOften }))).toBe(1);
  expect(factsFor(olga)).toContain(
    'Told by this mail, too: more of it by the same before 2026-01-01 00:15 UTC',
  );
  expect(await mailsAfter({ by, isOften, what: 'dollar rate' })).toBe(2);
  expect(await mailsAfter({ by: olga.userId, isOften })).toBe(3);
  expect(await mailsAfter({ by, what: 'approval limits' }, { by, what: 'approval limits' })).toBe(5);
  world.waitLong(15 * 60_000);
  expect(await mailsAfter({ by, isOften })).toBe(6);
});
