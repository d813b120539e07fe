import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { plainFailure } from '#kernel';
import { accountStream } from '#ledger';
import { CLIENT, noModels, openAccessWorld, registered, signIn, type AccessWorld } from '../testing/index.js';
import { callerContext } from '../access/context.js';
import { CloseAccount, CloseAccountHandler } from './close-account.js';

describe('closing one’s own account', () => {
  let world: AccessWorld;
  let ann: Awaited<ReturnType<typeof registered>>;
  beforeEach(async () => {
    world = await openAccessWorld();
    ann = await registered(world);
  });
  afterEach(() => world.close());

  const files = { list: async () => [], delete: async () => false };
  const statusOf = async () => {
    const { state } = await world.aggregates.accounts.load(accountStream(ann.userId));
    return state.kind === 'open' ? state.status : state.kind;
  };

  /** Signs in; gives what closes the account with the password, with read models that do what they are told. */
  async function closer(projections: typeof noModels, aggregates = world.aggregates) {
    const farewell = jest.fn(async (_userId: string, _emails: readonly string[]) => undefined);
    const mailing = { sendFarewell: farewell };
    const { tokens } = await signIn(world, ann);
    const context = callerContext(tokens.session, CLIENT);
    const handler = new CloseAccountHandler({ ...world, aggregates, files, projections, mailing });
    return { close: () => handler.execute(new CloseAccount(context, { password: ann.password })), farewell };
  }

  test('forgets its owner, and then writes to the address that nobody keeps any more', async () => {
    const { close, farewell } = await closer(noModels);
    expect(await close()).toEqual({ isErased: true });
    expect(await statusOf()).toBe('closed');
    expect(await world.identity.credentials.known(ann.userId)).toBeUndefined();
    expect(farewell.mock.calls).toEqual([[ann.userId, [ann.email]]]);
  });

  test('is done once the log says it, though something can’t be overwritten now', async () => {
    const overwrite = async () => {
      throw plainFailure('unavailable', 'Somebody reads an older state.');
    };
    const { close, farewell } = await closer({ ...noModels, overwrite });
    expect(await close()).toEqual({ isErased: false });
    expect(await statusOf()).toBe('closed');
    expect(farewell).toHaveBeenCalledTimes(1);
  });

  test('that is asked for twice at once is told once', async () => {
    const { close, farewell } = await closer(noModels);
    const outcomes = await Promise.allSettled([close(), close()]);
    expect(outcomes).toContainEqual({ status: 'fulfilled', value: { isErased: true } });
    expect(farewell.mock.calls).toEqual([[ann.userId, [ann.email]]]);
    expect(await statusOf()).toBe('closed');
  });

  test('of somebody who was suspended this moment is refused', async () => {
    const { close, farewell } = await closer(noModels);
    await world.tell(ann.userId, { type: 'Suspend' });
    await expect(close()).rejects.toMatchObject({ code: 'account_suspended' });
    expect(await statusOf()).toBe('suspended');
    expect(farewell).not.toHaveBeenCalled();
  });

  test('that the log does not take is refused, and nobody is written to', async () => {
    const { accounts } = world.aggregates;
    const execute = async () => {
      throw plainFailure('unavailable', 'The log is away.');
    };
    const aggregates = { ...world.aggregates, accounts: { ...accounts, execute } };
    const { close, farewell } = await closer(noModels, aggregates);
    await expect(close()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await statusOf()).toBe('active');
    expect(farewell).not.toHaveBeenCalled();
    await signIn(world, ann);
  });
});
