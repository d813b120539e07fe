import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LodeError } from '#kernel';
import { accountStream } from '#ledger';
import { inviteFirstAdmin, issueInvitation, register } from './registration.js';
import { CLIENT, openHouse, somebody, type House } from './testing/index.js';

const OPERATOR = { kind: 'operator', id: 'operator', role: 'system' } as const;

describe('a registration', () => {
  let house: House;
  beforeEach(async () => void (house = await openHouse()));
  afterEach(() => house.close());
  const clock = () => Date.parse('2026-01-01T00:00:00.000Z');
  const invitation = async () => (await issueInvitation({ ...house, clock }, OPERATOR)).token;
  /** A house whose log breaks down when an account is to be opened, so often. */
  const breaking = (times: number): House => {
    let left = times;
    const execute: House['ledger']['accounts']['execute'] = (...command) =>
      left-- > 0
        ? Promise.reject(new LodeError('unavailable', 'The log can’t be reached.'))
        : house.ledger.accounts.execute(...command);
    return { ...house, ledger: { ...house.ledger, accounts: { ...house.ledger.accounts, execute } } };
  };
  const role = async (userId: string) => {
    const { state } = await house.ledger.accounts.load(accountStream(userId));
    return state.kind === 'open' ? state.role : undefined;
  };

  test('by an invitation that is cut off is finished by whoever holds the link, also under another e-mail', async () => {
    const token = await invitation();
    const first = { ...somebody(), invitation: token };
    await expect(register(breaking(1), first)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(register(house, first)).rejects.toMatchObject({ code: 'email_exists' });
    house.waitLong();
    const other = { ...somebody(), invitation: token };
    const { userId } = await register(house, other);
    expect(await role(userId)).toBe('admin');
    await house.entrance.signIn({ email: other.profile.email, password: other.password }, CLIENT);
    house.waitLong();
    await expect(register(house, { ...somebody(), invitation: token })).rejects.toMatchObject({
      code: 'invitation_invalid',
    });
  });

  test('by an invitation that is cut off is finished after a restart has swept the reservation away', async () => {
    const token = await invitation();
    const person = { ...somebody(), invitation: token };
    await expect(register(breaking(1), person)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await house.identity.credentials.sweep(0)).toEqual({ activated: 0, released: 1 });
    const { userId } = await register(house, person);
    expect(await role(userId)).toBe('admin');
  });

  test('by the first invitation that is cut off is finished with the link of the next start', async () => {
    const first = await inviteFirstAdmin({ ...house, clock });
    const person = { ...somebody(), invitation: first.token };
    await expect(register(breaking(1), person)).rejects.toMatchObject({ code: 'unavailable' });
    await house.identity.credentials.sweep(0);
    const next = await inviteFirstAdmin({ ...house, clock });
    expect(next.invitationId).toBe(first.invitationId);
    await expect(register(house, person)).rejects.toMatchObject({ code: 'invitation_invalid' });
    const { userId } = await register(house, { ...person, invitation: next.token });
    expect(await role(userId)).toBe('admin');
    expect(await house.identity.credentials.hasAdmin()).toBe(true);
  });

  test('of two with one invitation one wins, and the other’s e-mail is free again', async () => {
    const token = await invitation();
    const people = [somebody(), somebody()].map((one) => ({ ...one, invitation: token }));
    const ended = await Promise.allSettled(people.map((one) => register(house, one)));
    expect(ended.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    const loser = people[ended.findIndex((one) => one.status === 'rejected')];
    const { userId } = await register(house, somebody(loser?.profile.email));
    expect(await role(userId)).toBe('user');
  });

  test('that stalls while another takes its e-mail over does not open that one’s account to itself', async () => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const { encryptFor } = house.identity.personKeys;
    const slow: House = {
      ...house,
      identity: {
        ...house.identity,
        personKeys: {
          ...house.identity.personKeys,
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
    house.waitLong();
    const { userId } = await register(house, mine);
    gate.resolve();
    await expect(stalled).rejects.toMatchObject({ code: 'email_exists' });
    const { tokens } = await house.entrance.signIn(
      { email: mine.profile.email, password: mine.password },
      CLIENT,
    );
    expect(tokens.session.userId).toBe(userId);
    await expect(
      house.entrance.signIn({ email: mine.profile.email, password: 'the stalled one' }, CLIENT),
    ).rejects.toMatchObject({ code: 'invalid_credentials' });
  });
});
