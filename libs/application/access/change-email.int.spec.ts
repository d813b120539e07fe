import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LINK_MS } from '#identity';
import { FORMER_EMAIL_TOLD_MS } from '#ledger';
import type { LinkQueued, Mailing, NoticeKind } from '../mail/mailing.js';
import { tellPerson } from '../mail/tell.js';
import { CLIENT, openAccessWorld, registered, signIn, type AccessWorld } from '../testing/index.js';
import {
  EMAIL_CHANGES_MAX,
  GetEmailChange,
  GetEmailChangeHandler,
  RequestEmailChange,
  RequestEmailChangeHandler,
} from './change-email.js';
import { ConfirmEmailChange, ConfirmEmailChangeHandler } from './confirm-email.js';
import { callerContext, visitorContext, type CallerContext } from './context.js';
import { RequestEmailVerification, RequestEmailVerificationHandler } from './verify-email.js';
import { LINKS_PER_PERSON } from './link-limits.js';

let world: AccessWorld;
let tokens: string[];
/** What becomes of the next link. */
let queued: LinkQueued | undefined;
let asking: RequestEmailChangeHandler;
beforeEach(async () => {
  world = await openAccessWorld();
  [tokens, queued] = [[], undefined];
  asking = new RequestEmailChangeHandler({ ...world, mailing: { sendLink } });
});
afterEach(() => world.close());

const sendLink: Mailing['sendLink'] = async (purpose, holder, options) => {
  if (queued !== undefined) return queued;
  const { token, expiresAt } = await world.identity.links.issue(purpose, holder, options?.about);
  tokens.push(token);
  return { kind: 'queued', expiresAt };
};
const newEmail = () => `${randomUUID()}@example.net`;

/** Somebody who is signed in. */
async function caller() {
  const ann = await registered(world);
  const { session } = (await signIn(world, ann)).tokens;
  return { ...ann, context: callerContext(session, CLIENT) };
}
type Ann = { readonly userId: string; readonly password: string; readonly context: CallerContext };

async function ask({ context, password }: Ann, email = newEmail()): Promise<string> {
  await asking.execute(new RequestEmailChange(context, email, { password }));
  return email;
}
const confirm = (token = tokens.at(-1) ?? '') =>
  new ConfirmEmailChangeHandler(world).execute(new ConfirmEmailChange(visitorContext(CLIENT), token));
async function change(ann: Ann): Promise<string> {
  const email = await ask(ann);
  await confirm();
  return email;
}

/** Whom a notice goes to. */
async function toldOf(
  kind: NoticeKind,
  { userId }: Ann,
  mailId = 'a',
): Promise<readonly (readonly string[])[]> {
  const told: (readonly [string, string])[] = [];
  const mailing = {
    sendNotice: async (_: string, notice: { readonly email: string; readonly mailId: string }) =>
      void told.push([notice.email, notice.mailId]),
  };
  const email = (await world.identity.credentials.known(userId))?.email ?? '';
  await tellPerson({ ...world, mailing }, kind, { mailId, userId, email, facts: [] });
  return told;
}
const emailsOf = (told: readonly (readonly string[])[]) => told.map(([email]) => email);

describe('the e-mail addresses of before', () => {
  test('are told what concerns the account’s safety for seven days each, by mails of their own', async () => {
    const ann = await caller();
    const second = await change(ann);
    world.waitLong(LINKS_PER_PERSON.everyMs);
    const third = await change(ann);
    const told = await toldOf('password-changed', ann);
    expect(emailsOf(told)).toEqual([third, ann.email, second]);
    expect(new Set(told.map(([, mailId]) => mailId)).size).toBe(3);
    expect(await toldOf('password-changed', ann)).toEqual(told);
    expect(emailsOf(await toldOf('request-confirmed', ann))).toEqual([third]);
    world.waitLong(FORMER_EMAIL_TOLD_MS - LINKS_PER_PERSON.everyMs);
    expect(emailsOf(await toldOf('new-network', ann))).toEqual([third, second]);
    world.waitLong(LINKS_PER_PERSON.everyMs);
    expect(emailsOf(await toldOf('new-network', ann))).toEqual([third]);
  });

  test('are told once, and not twice where somebody took the first one back', async () => {
    const ann = await caller();
    const second = await change(ann);
    world.waitLong(LINKS_PER_PERSON.everyMs);
    await ask(ann, ann.email);
    await confirm();
    expect(emailsOf(await toldOf('code-refused', ann))).toEqual([ann.email, second]);
  });

  test('are not pushed out by more changes: beyond so many in seven days none is asked for', async () => {
    const ann = await caller();
    for (let n = 0; n < EMAIL_CHANGES_MAX; n += 1) {
      await change(ann);
      world.waitLong(LINKS_PER_PERSON.everyMs);
    }
    await expect(ask(ann)).rejects.toMatchObject({
      code: 'rate_limited',
      details: {
        retryAfterSeconds: (FORMER_EMAIL_TOLD_MS - EMAIL_CHANGES_MAX * LINKS_PER_PERSON.everyMs) / 1_000,
      },
    });
    expect(emailsOf(await toldOf('address-changed', ann))).toContain(ann.email);
    world.waitLong(FORMER_EMAIL_TOLD_MS);
    await change(ann);
  });
});

test('a link to another e-mail address is good for half an hour, and shown as long', async () => {
  const ann = await caller();
  const email = await ask(ann);
  const pending = () => new GetEmailChangeHandler(world.identity).execute(new GetEmailChange(ann.userId));
  expect(await pending()).toEqual({ email, expiresAt: world.clock() + LINK_MS['change-email'] });
  world.waitLong(LINK_MS['change-email'] - 1);
  expect((await pending())?.email).toBe(email);
  world.waitLong(1);
  expect(await pending()).toBeUndefined();
  await expect(confirm()).rejects.toMatchObject({ code: 'link_invalid' });
  expect((await world.identity.credentials.known(ann.userId))?.email).toBe(ann.email);
});

test('a link of another kind gives nobody another e-mail address, nor does one whose person is suspended or forgotten', async () => {
  const ann = await caller();
  const { token } = await world.identity.links.issue('verify-email', { userId: ann.userId, epoch: 0 });
  await expect(confirm(token)).rejects.toMatchObject({ code: 'link_invalid' });
  await ask(ann);
  await world.identity.credentials.suspend(ann.userId);
  await expect(confirm()).rejects.toMatchObject({ code: 'link_invalid' });
  const bob = await caller();
  await ask(bob);
  await world.identity.credentials.erase(bob.userId);
  await expect(confirm()).rejects.toMatchObject({ code: 'link_invalid' });
});

describe('a link that can’t be sent because all people together asked for too many', () => {
  const tooMany = { kind: 'too many', waitMs: 2_500 } as const;
  const refused = { code: 'rate_limited', details: { retryAfterSeconds: 3 } };

  test('is not said to be on its way: another e-mail address', async () => {
    const ann = await caller();
    queued = tooMany;
    await expect(ask(ann)).rejects.toMatchObject(refused);
  });

  test('is not said to be on its way: the one to verify one’s own', async () => {
    const { userId } = await registered(world);
    const { session } = (await signIn(world, await caller())).tokens;
    const context = callerContext({ ...session, userId }, CLIENT);
    const aggregates = {
      ...world.aggregates,
      accounts: {
        ...world.aggregates.accounts,
        load: async (stream: string) => {
          const loaded = await world.aggregates.accounts.load(stream);
          const { state } = loaded;
          return state.kind === 'open' ? { ...loaded, state: { ...state, isEmailVerified: false } } : loaded;
        },
      },
    };
    const handler = new RequestEmailVerificationHandler({ ...world, aggregates, mailing: { sendLink } });
    const send = () => handler.execute(new RequestEmailVerification(context));
    queued = tooMany;
    for (let n = 0; n < LINKS_PER_PERSON.burst + 1; n += 1)
      await expect(send()).rejects.toMatchObject(refused);
    queued = undefined;
    for (let n = 0; n < LINKS_PER_PERSON.burst; n += 1) await send();
    await expect(send()).rejects.toMatchObject({ code: 'rate_limited' });
    expect(tokens).toHaveLength(LINKS_PER_PERSON.burst);
  });
});
