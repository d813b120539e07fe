import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { callerContext } from '../access/context.js';
import { CLIENT, openAccessWorld, registered, signIn, type AccessWorld } from '../testing/index.js';
import { AskForOwnData, AskForOwnDataHandler } from './own-data.js';

describe('asking for all that is kept about one', () => {
  let world: AccessWorld;
  let ann: Awaited<ReturnType<typeof registered>>;
  beforeEach(async () => {
    world = await openAccessWorld();
    ann = await registered(world);
  });
  afterEach(() => world.close());

  /** Asks again and again, with read models that have caught up or have not. */
  async function asker() {
    const models = { areCurrent: true };
    const given = jest.fn(async () => world.eventStore.head());
    const handler = new AskForOwnDataHandler({
      ...world,
      security: { given },
      projections: { waitFor: async () => models.areCurrent },
    });
    const { tokens } = await signIn(world, ann);
    const ask = (password = ann.password) =>
      handler.execute(
        new AskForOwnData(callerContext(tokens.session, CLIENT), { password }, 'downloadOwnData'),
      );
    return { models, given, ask };
  }

  test('tells how far the log had come, all of which can be read, and is noted', async () => {
    const { given, ask } = await asker();
    const head = await world.eventStore.head();
    expect(await ask()).toEqual({ upTo: head, at: world.clock() });
    expect(given.mock.calls).toEqual([
      ['ListExported', expect.objectContaining({ client: CLIENT }), { route: 'downloadOwnData' }],
    ]);
  });

  test('is refused while the read models lag behind: nothing is noted, and it is none of those that one has', async () => {
    const { models, given, ask } = await asker();
    models.areCurrent = false;
    for (let n = 0; n < 5; n += 1) await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    expect(given).not.toHaveBeenCalled();
    models.areCurrent = true;
    for (let n = 0; n < 3; n += 1) await ask();
    await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' });
    world.waitLong(20 * 60_000);
    await ask();
    expect(given).toHaveBeenCalledTimes(4);
  });
});
