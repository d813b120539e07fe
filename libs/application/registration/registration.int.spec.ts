import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LodeError } from '#kernel';
import { accountStream } from '#ledger';
import { OPERATOR } from '../actors.js';
import {
  inviteAdmin,
  inviteFirstAdmin,
  openAccessWorld,
  register,
  signIn,
  somebody,
  type AccessWorld,
} from '../testing/index.js';
import { sessionContext, type AccessContext } from '../access/context.js';
import { RevokeInvitation, RevokeInvitationHandler } from './invitations.js';
import { InviteAdmin, InviteAdminHandler, InviteFirstAdmin, InviteFirstAdminHandler } from './invite.js';

describe('a registration', () => {
  let world: AccessWorld;
  beforeEach(async () => void (world = await openAccessWorld()));
  afterEach(() => world.close());
  const invitation = async () => (await inviteAdmin(world)).token;
  /** A world whose log breaks down when an account is to be opened, so often. */
  const breaking = (times: number): AccessWorld => {
    let left = times;
    const execute: AccessWorld['aggregates']['accounts']['execute'] = (...command) =>
      left-- > 0
        ? Promise.reject(new LodeError('unavailable', 'The log can’t be reached.'))
        : world.aggregates.accounts.execute(...command);
    return {
      ...world,
      aggregates: { ...world.aggregates, accounts: { ...world.aggregates.accounts, execute } },
    };
  };
  /** An admin, and an invitation of theirs. */
  const issued = async () => {
    const { token } = await inviteFirstAdmin(world);
    const { userId } = await register(world, { ...somebody(), invitation: token });
    const admin = sessionContext({ userId, role: 'admin', sessionId: randomUUID() });
    const invited = await new InviteAdminHandler(world).execute(new InviteAdmin(admin, 'owner'));
    return { admin, ...invited };
  };
  /** Revokes an invitation; a blind one sees no account at first. */
  const revoke = ({ actor }: AccessContext, invitationId: string, { isBlind = false } = {}) => {
    const { accounts } = world.aggregates;
    let looks = 0;
    const load: typeof accounts.load = (stream, ...more) =>
      accounts.load(isBlind && ++looks === 1 ? accountStream(randomUUID()) : stream, ...more);
    const id = randomUUID();
    const context = { actor, commandId: id, requestHash: id, correlationId: id, causationId: id };
    const aggregates = { ...world.aggregates, accounts: { ...accounts, load } };
    return new RevokeInvitationHandler({ ...world, aggregates }).execute(
      new RevokeInvitation(context, invitationId),
    );
  };
  const role = async (userId: string) => {
    const { state } = await world.aggregates.accounts.load(accountStream(userId));
    return state.kind === 'open' ? state.role : undefined;
  };

  test('by an invitation that is cut off is finished by whoever holds the link, also under another e-mail', async () => {
    const token = await invitation();
    const first = { ...somebody(), invitation: token };
    await expect(register(breaking(1), first)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(register(world, first)).rejects.toMatchObject({ code: 'email_exists' });
    world.waitLong();
    const other = { ...somebody(), invitation: token };
    const { userId } = await register(world, other);
    expect(await role(userId)).toBe('admin');
    await signIn(world, { email: other.profile.email, password: other.password });
    world.waitLong();
    await expect(register(world, { ...somebody(), invitation: token })).rejects.toMatchObject({
      code: 'invitation_invalid',
    });
  });

  test('by an invitation that is cut off is finished after a restart has swept the reservation away', async () => {
    const token = await invitation();
    const person = { ...somebody(), invitation: token };
    await expect(register(breaking(1), person)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await world.identity.credentials.sweep(0)).toEqual({ activated: 0, released: 1 });
    const { userId } = await register(world, person);
    expect(await role(userId)).toBe('admin');
  });

  test('by an invitation that is cut off is finished by nobody once that was revoked', async () => {
    const { admin, token, invitationId } = await issued();
    const person = { ...somebody(), invitation: token };
    await expect(register(breaking(1), person)).rejects.toMatchObject({ code: 'unavailable' });
    await revoke(admin, invitationId);
    world.waitLong();
    await expect(register(world, person)).rejects.toMatchObject({ code: 'invitation_invalid' });
    expect([...(await world.admins.all())]).toHaveLength(1);
  });

  test.each(['before', 'after'] as const)(
    'whose invitation is revoked right %s its account was opened makes an admin who is kept out',
    async (when) => {
      const { admin, token, invitationId } = await issued();
      const opened = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      const { accounts, invitations } = world.aggregates;
      const held: AccessWorld['aggregates']['accounts']['execute'] = async (...command) => {
        if (when === 'after') return accounts.execute(...command);
        await revoke(admin, invitationId);
        return accounts.execute(...command);
      };
      const load: typeof invitations.load = async (...asked) => {
        const loaded = await invitations.load(...asked);
        if (when === 'before' || loaded.state.kind !== 'accepted') return loaded;
        opened.resolve();
        await go.promise;
        return loaded;
      };
      const slow = {
        ...world,
        aggregates: {
          ...world.aggregates,
          accounts: { ...accounts, execute: held },
          invitations: { ...invitations, load },
        },
      };
      const registering = register(slow, { ...somebody(), invitation: token });
      if (when === 'after') {
        await opened.promise;
        // As one that looked whether there is an account just before it was opened.
        await revoke(admin, invitationId, { isBlind: true });
        go.resolve();
        await registering;
      } else await expect(registering).rejects.toMatchObject({ code: 'invitation_invalid' });
      const standings = [...(await world.admins.all()).values()].map(({ standing }) => standing);
      expect(standings).toEqual(['active', 'suspended']);
    },
  );

  test('by the first invitation that is cut off is finished with the link of the next start', async () => {
    const first = await inviteFirstAdmin(world);
    const person = { ...somebody(), invitation: first.token };
    await expect(register(breaking(1), person)).rejects.toMatchObject({ code: 'unavailable' });
    await world.identity.credentials.sweep(0);
    const next = await inviteFirstAdmin(world);
    expect(next.invitationId).toBe(first.invitationId);
    await expect(register(world, person)).rejects.toMatchObject({ code: 'invitation_invalid' });
    const { userId } = await register(world, { ...person, invitation: next.token });
    expect(await role(userId)).toBe('admin');
    expect(await world.identity.credentials.hasAdmin()).toBe(true);
  });

  test('of an admin goes by the first invitation alone until there is one, and by others from then on', async () => {
    const operator = { actor: OPERATOR };
    const inviteAnother = () => new InviteAdminHandler(world).execute(new InviteAdmin(operator, 'owner'));
    const inviteFirst = () => new InviteFirstAdminHandler(world).execute(new InviteFirstAdmin(operator));
    await expect(inviteAnother()).rejects.toMatchObject({ code: 'conflict' });
    const first = await inviteFirst();
    await register(world, { ...somebody(), invitation: first?.token });
    expect(await inviteFirst()).toBeUndefined();
    const { userId } = await register(world, { ...somebody(), invitation: (await inviteAnother()).token });
    expect(await role(userId)).toBe('admin');
  });

  test('of two with one invitation one wins, and the other’s e-mail is free again', async () => {
    const token = await invitation();
    const people = [somebody(), somebody()].map((one) => ({ ...one, invitation: token }));
    const ended = await Promise.allSettled(people.map((one) => register(world, one)));
    expect(ended.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    const loser = people[ended.findIndex((one) => one.status === 'rejected')];
    const { userId } = await register(world, somebody(loser?.profile.email));
    expect(await role(userId)).toBe('user');
  });

  test('that stalls while another takes its e-mail over does not open that one’s account to itself', async () => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const { encryptFor } = world.identity.personKeys;
    const slow: AccessWorld = {
      ...world,
      identity: {
        ...world.identity,
        personKeys: {
          ...world.identity.personKeys,
          encryptFor: async (...given) => {
            arrived.resolve();
            await gate.promise;
            return encryptFor(...given);
          },
        },
      },
    };
    const mine = somebody();
    const stalled = register(slow, { ...mine, password: 'the stalled one' });
    await arrived.promise;
    world.waitLong();
    const { userId } = await register(world, mine);
    gate.resolve();
    await expect(stalled).rejects.toMatchObject({ code: 'email_exists' });
    const { tokens } = await signIn(world, { email: mine.profile.email, password: mine.password });
    expect(tokens.session.userId).toBe(userId);
    await expect(
      signIn(world, { email: mine.profile.email, password: 'the stalled one' }),
    ).rejects.toMatchObject({ code: 'invalid_credentials' });
  });
});
