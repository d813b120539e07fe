import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { accountStream } from '#ledger';
import { CLIENT, noModels, openAccessWorld, registered, type AccessWorld } from '../testing/index.js';
import { callerContext } from '../access/context.js';
import { EraseAccount, EraseAccountHandler } from './erase-account.js';

describe('an erasure by an owner', () => {
  let world: AccessWorld;
  let ann: Awaited<ReturnType<typeof registered>>;
  beforeEach(async () => {
    world = await openAccessWorld();
    ann = await registered(world);
    await world.tell(ann.userId, { type: 'Suspend' });
  });
  afterEach(() => world.close());

  const owner = callerContext({ userId: 'ada', role: 'admin', sessionId: 's1' }, CLIENT);
  const files = { list: async () => [], delete: async () => false };
  const erase = (aggregates = world.aggregates) =>
    new EraseAccountHandler({ ...world, aggregates, files, projections: noModels }).execute(
      new EraseAccount(owner, ann.userId, 'In writing.'),
    );

  test('is refused once somebody has let the person in again, however late', async () => {
    const { accounts } = world.aggregates;
    let isBack = false;
    // Whatever was read before has the person blocked.
    const load: typeof accounts.load = async (stream) => {
      const loaded = await accounts.load(stream);
      if (!isBack) {
        isBack = true;
        await world.tell(ann.userId, { type: 'Activate' });
      }
      return loaded;
    };
    const aggregates = { ...world.aggregates, accounts: { ...accounts, load } };
    await expect(erase(aggregates)).rejects.toMatchObject({ code: 'account_active' });
    expect(isBack).toBe(true);
    const { state } = await accounts.load(accountStream(ann.userId));
    expect(state).toMatchObject({ status: 'active' });
    expect(await world.identity.credentials.known(ann.userId)).toBeDefined();
  });

  test('says who did it, in which session and why', async () => {
    expect(await erase()).toEqual({ isErased: true });
    const events = await world.eventStore.readStream(accountStream(ann.userId), { limit: 10 });
    expect(events.find(({ type }) => type === 'PersonForgotten')?.meta).toMatchObject({
      actor: owner.actor,
      session: 's1',
      reason: 'In writing.',
    });
  });
});
