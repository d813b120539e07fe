import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { accountStream } from '#ledger';
import { admin, contextOf, openAccessWorld, registered, signIn, type AccessWorld } from '../testing/index.js';
import { ActivatePerson, ActivatePersonHandler, SuspendPerson, SuspendPersonHandler } from './suspension.js';

describe('keeping people out', () => {
  let world: AccessWorld;
  let eve: Awaited<ReturnType<typeof registered>>;
  beforeEach(async () => {
    world = await openAccessWorld();
    eve = await registered(world);
  });
  afterEach(() => world.close());

  const suspend = (key: string, userId = eve.userId) =>
    new SuspendPersonHandler(world).execute(new SuspendPerson(contextOf(admin, key), userId));
  const activate = (key: string, userId = eve.userId) =>
    new ActivatePersonHandler(world).execute(new ActivatePerson(contextOf(admin, key), userId));
  const isIn = async (accessToken: string) => world.identity.sessions.authenticate(accessToken);
  const typesOf = async (userId: string) =>
    (await world.eventStore.readStream(accountStream(userId), { limit: 100 })).map(({ type }) => type);

  test('somebody who is suspended is out at once and stays out, until they are let in again', async () => {
    const { tokens } = await signIn(world, eve);
    const first = await suspend('one');
    await expect(isIn(tokens.accessToken)).rejects.toMatchObject({ code: 'token_invalid' });
    await expect(signIn(world, eve)).rejects.toMatchObject({ code: 'account_suspended' });
    expect(await suspend('one')).toMatchObject({ position: first.position, replayed: true });
    await activate('two');
    await signIn(world, eve);
    // The first suspension again is an answer, and keeps nobody out.
    expect(await suspend('one')).toMatchObject({ replayed: true });
    await signIn(world, eve);
    expect(await typesOf(eve.userId)).toEqual(['AccountOpened', 'AccountSuspended', 'AccountActivated']);
  });

  test('a person who is as they are asked to be stays so, and nothing is written', async () => {
    await activate('one');
    expect(await typesOf(eve.userId)).toEqual(['AccountOpened']);
  });

  test('nobody keeps themselves out, not even one who has no account', async () => {
    await expect(suspend('one', admin.id)).rejects.toMatchObject({ code: 'not_permitted' });
    expect(await typesOf(admin.id)).toEqual([]);
  });

  test('of somebody who has no account nothing is written', async () => {
    await expect(suspend('one', 'nobody')).rejects.toMatchObject({ code: 'account_not_found' });
    await expect(activate('two', 'nobody')).rejects.toMatchObject({ code: 'account_not_found' });
    expect(await typesOf('nobody')).toEqual([]);
  });
});
