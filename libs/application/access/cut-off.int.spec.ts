import { afterEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { IdentityStore } from '#identity';
import { createAuthenticator, totpAt } from '#identity/testing';
import { LodeError, logStart } from '#kernel';
import { accessStream, accountStream, invitationStream } from '#ledger';
import {
  CLIENT,
  inviteAdmin,
  openAccessWorld,
  registered,
  signIn,
  somebody,
  type AccessWorld,
} from '../testing/index.js';
import { InviteAdmin, InviteAdminHandler } from '../registration/invite.js';
import { Register, RegisterHandler } from '../registration/register.js';
import { access, contextFor } from '#reactors';
import { RequestEmailChange, RequestEmailChangeHandler } from './change-email.js';
import {
  ConfirmEmailChange,
  ConfirmEmailChangeHandler,
  FinishEmailChange,
  FinishEmailChangeHandler,
} from './confirm-email.js';
import { callerContext, sessionContext, visitorContext, type CallerContext } from './context.js';
import { AddPasskey, AddPasskeyHandler } from './passkeys.js';
import { ChangePassword, ChangePasswordHandler } from './passwords.js';
import { ResetPassword, ResetPasswordHandler } from './reset-password.js';
import { ConfirmSecondFactor, ConfirmSecondFactorHandler } from './second-factors.js';
import { SetTransferPin, SetTransferPinHandler } from './transfer-pins.js';

/** A store that can't be reached at its nth call, before it does what it is asked or after. */
function faulty(store: IdentityStore) {
  let [left, isAfter] = [Infinity, false];
  const unavailable = () => new LodeError('unavailable', 'The store can’t be reached.');
  const failing: ProxyHandler<IdentityStore> = {
    get: (target, name, receiver) => {
      const asked: unknown = Reflect.get(target, name, receiver);
      if (typeof asked !== 'function' || name === 'close') return asked;
      return async (...given: unknown[]) => {
        left -= 1;
        const isNow = left === 0;
        if (isNow && !isAfter) throw unavailable();
        const answer: unknown = await Reflect.apply(asked, target, given);
        if (isNow) throw unavailable();
        return answer;
      };
    },
  };
  return {
    store: new Proxy(store, failing),
    failAt: (nth: number, after: boolean) => void ([left, isAfter] = [nth, after]),
    /** False once the store has failed. */
    isToFail: () => left > 0 && left < Infinity,
  };
}

const ORIGIN = 'https://lode.example';
/** More calls than any request makes. */
const CALLS_MAX = 60;

describe('a request that is cut off at any call of the store, and sent again with its key', () => {
  let world: AccessWorld;
  let fault: ReturnType<typeof faulty>;
  const open = async () =>
    void (world = await openAccessWorld({
      publicUrl: ORIGIN,
      over: (store) => (fault = faulty(store)).store,
    }));
  afterEach(() => world.close());

  /** Cuts a request off at each call in turn, and gives how often it was; each time it ends well when it is sent again. */
  async function cutOff<Result>(
    prepare: () => Promise<() => Promise<Result>>,
    check: (result: Result, again: Result) => Promise<void>,
  ): Promise<number> {
    let cuts = 0;
    for (let nth = 1; nth <= CALLS_MAX; nth += 1)
      for (const after of [false, true]) {
        const send = await prepare();
        fault.failAt(nth, after);
        const first = await send().catch((error: unknown) => error);
        if (fault.isToFail()) {
          fault.failAt(Infinity, false);
          return cuts;
        }
        cuts += 1;
        if (first instanceof Error) expect(first).toMatchObject({ code: 'unavailable' });
        // What the start after a crash does, every other time; else so much time has passed.
        if (nth % 2 === 0) await world.identity.credentials.sweep(0);
        else world.waitLong();
        await check(await send(), await send());
      }
    throw new Error('a request makes more calls than was thought');
  }

  const typesIn = async (stream: string) =>
    (await world.eventStore.readStream(stream, { limit: 100 })).map(({ type }) => type);

  test('registers one person, who can sign in', async () => {
    await open();
    let person = somebody();
    const cuts = await cutOff(
      async () => {
        person = somebody();
        const [asked, key] = [person, randomUUID()];
        return () => new RegisterHandler(world).execute(new Register(visitorContext(CLIENT), asked, key));
      },
      async (result, again) => {
        expect(again).toEqual({ ...result, replayed: true });
        const { tokens } = await signIn(world, { email: person.profile.email, password: person.password });
        expect(tokens.session.userId).toBe(result.userId);
        expect(await typesIn(accountStream(result.userId))).toContain('AccountOpened');
      },
    );
    expect(cuts).toBeGreaterThan(10);
  });

  test('registers an admin by an invitation, who is listed as one when only that was left to do', async () => {
    await open();
    const { token } = await inviteAdmin(world);
    const request = new Register(visitorContext(CLIENT), { ...somebody(), invitation: token }, randomUUID());
    const admit = () => Promise.reject(new LodeError('unavailable', 'The log can’t be reached.'));
    const cut = new RegisterHandler({ ...world, admins: { ...world.admins, admit } });
    await expect(cut.execute(request)).rejects.toMatchObject({ code: 'unavailable' });
    const { userId, role } = await new RegisterHandler(world).execute(request);
    expect(role).toBe('admin');
    expect(await world.admins.standingOf(userId)).toBe('active');
    expect(await world.identity.credentials.admins()).toContain(userId);
  });

  test('issues one invitation, whose link works', async () => {
    await open();
    const admin = sessionContext({ userId: randomUUID(), role: 'admin', sessionId: randomUUID() });
    const cuts = await cutOff(
      async () => {
        const key = randomUUID();
        return () => new InviteAdminHandler(world).execute(new InviteAdmin(admin, 'owner', key));
      },
      async (result, again) => {
        expect(again).toEqual({ ...result, replayed: true });
        expect(await world.identity.invitations.invitationOf(result.token)).toBe(result.invitationId);
        expect(await typesIn(invitationStream(result.invitationId))).toHaveLength(1);
      },
    );
    expect(cuts).toBeGreaterThan(4);
  });

  /** Somebody who is signed in. */
  const caller = async () => {
    const ann = await registered(world);
    const { session } = (await signIn(world, ann)).tokens;
    return { ...ann, context: callerContext(session, CLIENT) };
  };

  test('changes a password', async () => {
    await open();
    let ann = await caller();
    const cuts = await cutOff(
      async () => {
        ann = await caller();
        const [{ context, password }, key] = [ann, randomUUID()];
        const passwords = { old: password, new: 'another horse' };
        return () => new ChangePasswordHandler(world).execute(new ChangePassword(context, passwords, key));
      },
      async (_, again) => {
        expect(again).toEqual({ replayed: true });
        await signIn(world, { ...ann, password: 'another horse' });
        expect(await typesIn(accessStream(ann.userId))).toContain('PasswordChanged');
      },
    );
    expect(cuts).toBeGreaterThan(8);
  });

  test('sets a transfer pin', async () => {
    await open();
    let ann = await caller();
    const cuts = await cutOff(
      async () => {
        ann = await caller();
        const [{ context, password }, key] = [ann, randomUUID()];
        return () =>
          new SetTransferPinHandler(world).execute(new SetTransferPin(context, '4821', { password }, key));
      },
      async (_, again) => {
        expect(again).toEqual({ replayed: true });
        await world.identity.transferPins.verify(ann.userId, '4821');
      },
    );
    expect(cuts).toBeGreaterThan(8);
  });

  /** What takes a first second factor into use. */
  const firstFactors = {
    app: async (context: CallerContext) => {
      const secret = await world.identity.secondFactors.begin(context.actor.id);
      const request = new ConfirmSecondFactor(context, totpAt(secret, world.clock()));
      return () => new ConfirmSecondFactorHandler(world).execute(request);
    },
    passkey: async (context: CallerContext) => {
      const options = await world.identity.passkeys.begin(context.actor.id, 'ann@example.org');
      const request = new AddPasskey(context, 'Key', createAuthenticator(ORIGIN).make(options));
      return () => new AddPasskeyHandler(world).execute(request);
    },
  };

  test.each(['app', 'passkey'] as const)(
    'never leaves another session alive once a first second factor is on: %s',
    async (factor) => {
      await open();
      const seen = new Set<string>();
      for (let nth = 1, isOver = false; !isOver; nth += 1)
        for (const after of [false, true]) {
          expect(nth).toBeLessThan(CALLS_MAX);
          const ann = await caller();
          await signIn(world, ann);
          const send = await firstFactors[factor](ann.context);
          fault.failAt(nth, after);
          await send().catch(() => undefined);
          isOver = fault.isToFail();
          fault.failAt(Infinity, false);
          const isOn = await world.identity.secondFactors.isOn(ann.userId);
          const alive = await world.identity.sessions.list(ann.userId);
          seen.add(`${isOn ? 'on' : 'off'} with ${alive.length}`);
        }
      expect([...seen].toSorted()).toEqual(['off with 2', 'on with 1']);
    },
  );

  /** Somebody who is signed in, and was sent a link all the same. */
  const forgetful = async () => {
    const ann = await caller();
    const { userId, epoch } = (await world.identity.credentials.resettable(ann.email)) ?? {
      userId: '',
      epoch: 0,
    };
    const { token } = await world.identity.links.issue('reset-password', { userId, epoch });
    const mailing = { ...world.mailing, pretendLink: async () => undefined };
    const handler = new ResetPasswordHandler({ ...world, mailing });
    const resetTo = (password: string) => {
      const request = new ResetPassword(visitorContext(CLIENT), { token, password }, randomUUID());
      return () => handler.execute(request);
    };
    return { ...ann, resetTo };
  };

  test('sets a new password by a link', async () => {
    await open();
    let ann = await forgetful();
    const cuts = await cutOff(
      async () => {
        ann = await forgetful();
        return ann.resetTo('another horse');
      },
      async (_, again) => {
        expect(again).toEqual({ replayed: true });
        await expect(ann.resetTo('yet another')()).rejects.toMatchObject({ code: 'link_invalid' });
        expect(await world.identity.sessions.list(ann.userId)).toEqual([]);
        await signIn(world, { ...ann, password: 'another horse' });
        expect(await typesIn(accessStream(ann.userId))).toContain('PasswordReset');
      },
    );
    expect(cuts).toBeGreaterThan(8);
  });

  test('asks for another e-mail address, and sends a link to the last that was asked for', async () => {
    await open();
    let ann = await caller();
    const cuts = await cutOff(
      async () => {
        ann = await caller();
        const [{ context, password }, key, email] = [ann, randomUUID(), `${randomUUID()}@example.net`];
        const sendLink: AccessWorld['mailing']['sendLink'] = async (purpose, holder, options) => {
          const { expiresAt } = await world.identity.links.issue(purpose, holder, options?.about);
          return { kind: 'queued', expiresAt };
        };
        const handler = new RequestEmailChangeHandler({ ...world, mailing: { sendLink } });
        return () => handler.execute(new RequestEmailChange(context, email, { password }, key));
      },
      async (result, again) => {
        expect(again).toEqual({ ...result, replayed: true });
        expect(await world.identity.links.issued('change-email', ann.userId)).toMatchObject([
          { expiresAt: result.expiresAt, about: { from: ann.email, session: ann.context.session } },
        ]);
        const asked = (await typesIn(accessStream(ann.userId))).filter((type) => type === 'EmailChangeAsked');
        expect(asked).toHaveLength(1);
      },
    );
    expect(cuts).toBeGreaterThan(8);
  });

  /** Somebody who was sent a link to another e-mail address. */
  const moving = async () => {
    const ann = await caller();
    const other = (await signIn(world, ann)).tokens.session.sessionId;
    const [from, to] = [ann.email, `${randomUUID()}@example.net`];
    const about = { changeId: randomUUID(), from, to, session: ann.context.session };
    const holder = { userId: ann.userId, epoch: 0 };
    const { token } = await world.identity.links.issue('change-email', holder, about);
    const request = new ConfirmEmailChange(visitorContext(CLIENT), token, randomUUID());
    return { ...ann, other, to, confirm: () => new ConfirmEmailChangeHandler(world).execute(request) };
  };

  /** What identity and the log say of somebody's e-mail address. */
  const standingOf = async ({ userId }: { readonly userId: string }) => {
    const { state } = await world.aggregates.accounts.load(accountStream(userId));
    const profile = state.kind === 'open' ? state.profile : '';
    const opened = await world.identity.personKeys.decryptFor(userId, profile);
    const types = await typesIn(accessStream(userId));
    return {
      known: (await world.identity.credentials.known(userId))?.email,
      told: typeof opened === 'string' ? opened : opened['email'],
      isDelayed: state.kind === 'open' && state.moneyOut?.why === 'email_changed',
      sessions: (await world.identity.sessions.list(userId)).map(({ sessionId }) => sessionId).sort(),
      changed: types.filter((type) => type === 'EmailChanged').length,
    };
  };

  test('gives somebody another e-mail address by a link, once', async () => {
    await open();
    let ann = await moving();
    const cuts = await cutOff(
      async () => {
        ann = await moving();
        return ann.confirm;
      },
      async (result, again) => {
        expect(again).toEqual({ ...result, replayed: true });
        expect(await standingOf(ann)).toEqual({
          known: ann.to,
          told: ann.to,
          isDelayed: true,
          sessions: [ann.context.session],
          changed: 1,
        });
      },
    );
    expect(cuts).toBeGreaterThan(8);
  });

  test('gives an e-mail address that was confirmed also where it is not sent again: by what the log says', async () => {
    await open();
    let finished = 0;
    for (let nth = 1, isOver = false; !isOver; nth += 1) {
      expect(nth).toBeLessThan(CALLS_MAX);
      const ann = await moving();
      fault.failAt(nth, true);
      await ann.confirm().catch(() => undefined);
      isOver = fault.isToFail();
      fault.failAt(Infinity, false);
      const events = await world.eventStore.readStream(accessStream(ann.userId), { limit: 100 });
      const confirmed = events.filter(({ type }) => type === 'EmailChangeConfirmed');
      for (const event of confirmed)
        for (const { command, step } of access.on({ ...event, position: logStart })) {
          if (command.type !== 'FinishEmailChange') throw new Error(`${command.type} follows as well`);
          const because = contextFor(access.name, event, step);
          for (const _ of [1, 2])
            await new FinishEmailChangeHandler(world).execute(new FinishEmailChange(because, command));
          finished += 1;
        }
      const [email, isChanged] = [confirmed.length > 0 ? ann.to : ann.email, confirmed.length];
      expect(await standingOf(ann)).toMatchObject({ known: email, told: email, changed: isChanged });
    }
    expect(finished).toBeGreaterThan(2);
  });

  test('never takes the password of before for the new one, which would end no session', async () => {
    await open();
    const refused = { code: 'password_policy' };
    for (let nth = 1, isOver = false; !isOver; nth += 1) {
      expect(nth).toBeLessThan(CALLS_MAX);
      const ann = await forgetful();
      const reset = ann.resetTo(ann.password);
      fault.failAt(nth, true);
      await expect(reset()).rejects.toThrow();
      isOver = fault.isToFail();
      fault.failAt(Infinity, false);
      await expect(reset()).rejects.toMatchObject(refused);
      expect(await world.identity.sessions.list(ann.userId)).toHaveLength(1);
      await ann.resetTo('another horse')();
    }
  });
});
