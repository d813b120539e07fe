import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FORGOTTEN } from '#identity';
import { LodeError, systemTimers, type LodeError as Refusal } from '#kernel';
import { securityStream } from '#ledger';
import { CLIENT, openAccessWorld, registered, type AccessWorld } from '../testing/index.js';
import { REFUSALS_PER_MINUTE_MAX, watchSecurity } from './log.js';
import { destroyOldNetworkKeys, networkKeyOf } from './network-keys.js';
import type { SecuritySubject } from './writing.js';

const MINUTE = 60_000;
const START = Date.parse('2026-03-30T10:00:30.000Z');
const NETWORK_DAYS = 30;

describe('what is noted of access', () => {
  let world: AccessWorld;
  let now: number;
  let held: Refusal | undefined;
  let isBroken: boolean;
  /** What is waited for next. */
  let look: () => void;
  let security: ReturnType<typeof watchSecurity>;
  beforeEach(async () => {
    world = await openAccessWorld();
    [now, held, isBroken] = [START, undefined, false];
    security = watchSecurity(parts());
  });
  afterEach(async () => {
    await security.stop();
    await world.close();
  });

  function parts(): Parameters<typeof watchSecurity>[0] {
    const broken = () => Promise.reject(new LodeError('storage_full', 'There is no room.'));
    const { execute, executeMany } = world.aggregates.security;
    return {
      aggregates: {
        security: {
          ...world.aggregates.security,
          execute: (...given) => (isBroken ? broken() : execute(...given)),
          executeMany: (...given) => (isBroken ? broken() : executeMany(...given)),
        },
      },
      identity: world.identity,
      clock: () => now,
      hold: () => held,
      random: world.random,
      log: { error: () => undefined },
      timers: {
        ...systemTimers,
        after: (_, done) => {
          look = done;
          return () => undefined;
        },
      },
    };
  }
  const stranger = (address: string): SecuritySubject => ({ client: { address, agent: 'Test/1.0' } });
  const person = (userId: string, role: 'user' | 'admin' = 'user'): SecuritySubject => ({
    session: { userId, role, sessionId: 's1' },
    client: CLIENT,
  });
  const noted = async (at = START) =>
    world.eventStore.readStream(securityStream(new Date(at).toISOString()), { limit: 2_000 });
  const countsOf = (type: string) => security.counts().find((one) => one.type === type);

  test('is one event a person or network, kind and minute, with how often it was', async () => {
    const { userId } = await registered(world);
    for (let n = 0; n < 5; n += 1) security.refused('RequestsForbidden', person(userId));
    security.refused('RequestsLimited', person(userId));
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
      security.refused('SignInsRefused', stranger(address));
    expect(await noted()).toEqual([]);
    now += MINUTE;
    security.refused('RequestsForbidden', person(userId));
    await security.flush();
    const minutes = ['2026-03-30T10:00:00.000Z', '2026-03-30T10:01:00.000Z'];
    expect((await noted()).map(({ type, data }) => [type, data['count'], data['minute']])).toEqual([
      ['RequestsForbidden', 5, minutes[0]],
      ['RequestsLimited', 1, minutes[0]],
      ['SignInsRefused', 2, minutes[0]],
      ['SignInsRefused', 1, minutes[0]],
      ['RequestsForbidden', 1, minutes[1]],
    ]);
  });

  test('says who it was, and from where as only their key opens it', async () => {
    const { userId } = await registered(world);
    security.refused('RequestsForbidden', person(userId));
    security.refused('SignInsRefused', stranger('2001:db8::7'));
    await security.flush();
    const [own, other] = await noted();
    expect(own).toMatchObject({ data: { userId }, meta: { actor: { id: userId }, session: 's1' } });
    expect(other).toMatchObject({ data: { key: 'networks-2026-03' }, meta: { actor: { id: 'visitor' } } });
    const { personKeys } = world.identity;
    const clientText = String(own?.data['client']);
    const networkText = String(other?.data['network']);
    expect(JSON.stringify(await noted())).not.toMatch(/192\.0\.2|2001:db8/);
    expect(await personKeys.decryptFor(userId, clientText)).toMatchObject({ address: CLIENT.address });
    expect(await personKeys.decryptFor('networks-2026-03', networkText)).toEqual({
      address: '2001:db8:0:0::/64',
    });
    await personKeys.destroyKey(userId);
    expect(await personKeys.decryptFor(userId, clientText)).toBe(FORGOTTEN);
  });

  test('keeps the networks of strangers for so many days after their month', async () => {
    security.refused('SignInsRefused', stranger('192.0.2.1'));
    await security.flush();
    const [event] = await noted();
    const { personKeys } = world.identity;
    const read = () => personKeys.decryptFor(networkKeyOf('2026-03'), String(event?.data['network']));
    const destroy = (at: string) =>
      destroyOldNetworkKeys({
        identity: world.identity,
        networkDays: NETWORK_DAYS,
        clock: () => Date.parse(at),
      });
    expect(await destroy('2026-04-30T23:59:59.000Z')).toBe(0);
    expect(await read()).toEqual({ address: '192.0.2.1' });
    expect(await destroy('2026-05-01T00:00:00.000Z')).toBe(1);
    expect(await read()).toBe(FORGOTTEN);
    expect(await destroy('2031-01-01T00:00:00.000Z')).toBe(0);
  });

  test('of 5,000 refusals from as many networks leaves as many events as a minute may have, and counts all', async () => {
    const { userId } = await registered(world);
    for (let n = 0; n < 5_000; n += 1)
      security.refused('RequestsLimited', stranger(`198.${n >> 8}.${n & 255}.1`));
    security.refused('RequestsForbidden', person(userId));
    await security.flush();
    const events = await noted();
    expect(events.length).toBeLessThanOrEqual(REFUSALS_PER_MINUTE_MAX);
    expect(events.at(-1)).toMatchObject({ type: 'RequestsForbidden', data: { userId } });
    const limited = events.filter(({ type }) => type === 'RequestsLimited');
    const told = limited.reduce((sum, { data }) => sum + Number(data['count']), 0);
    expect(countsOf('RequestsLimited')).toEqual({
      type: 'RequestsLimited',
      seen: 5_000,
      unwritten: 5_000 - told,
    });
    expect(countsOf('RequestsForbidden')).toMatchObject({ seen: 1, unwritten: 0 });
    now += MINUTE;
    security.refused('RequestsLimited', stranger('203.0.113.1'));
    await security.flush();
    expect(await noted()).toHaveLength(events.length + 1);
  });

  test('of what is given is written first, and what follows in the minute is counted together', async () => {
    const { userId } = await registered(world);
    const ada = person('ada', 'admin');
    await Promise.all([1, 2, 3].map(() => security.given('PersonRead', ada, { about: userId })));
    await security.given('PersonRead', ada, { about: 'bob' });
    const at = await security.given('ListExported', ada, { route: 'events' });
    // Whoever is given something can wait for it there.
    expect([at, await security.given('ListExported', ada, { route: 'events' })]).toEqual(
      Array(2).fill((await noted()).at(-1)?.position),
    );
    expect(
      (await noted()).map(({ type, data }) => [type, data['count'], data['about'] ?? data['route']]),
    ).toEqual([
      ['PersonRead', 1, userId],
      ['PersonRead', 1, 'bob'],
      ['ListExported', 1, 'events'],
    ]);
    now += MINUTE;
    look();
    // What is over is on its way: nothing is left to be written with this.
    await security.flush();
    expect(
      (await noted()).slice(3).map(({ data }) => [data['count'], data['about'] ?? data['route']]),
    ).toEqual([
      [2, userId],
      [1, 'events'],
    ]);
  });

  test('of strangers has no more places than that, and nothing is given them beyond', async () => {
    for (let n = 0; n < REFUSALS_PER_MINUTE_MAX; n += 1)
      security.refused('RequestsLimited', stranger(`198.${n >> 8}.${n & 255}.1`));
    const late = stranger('203.0.113.1');
    const route = { route: 'products' };
    await expect(security.given('ListExported', late, route)).rejects.toMatchObject({ code: 'unavailable' });
    await security.given('ListExported', person('ada', 'admin'), route);
    now += MINUTE;
    await security.given('ListExported', late, route);
    expect(countsOf('ListExported')).toMatchObject({ seen: 3, unwritten: 1 });
  });

  test('can’t be written: what would be given is not, and a refusal is no other', async () => {
    const ada = person('ada', 'admin');
    isBroken = true;
    await expect(security.given('PersonRead', ada, { about: 'bob' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    security.refused('RequestsForbidden', ada);
    await security.flush();
    expect(countsOf('PersonRead')).toMatchObject({ seen: 1, unwritten: 1 });
    expect(countsOf('RequestsForbidden')).toMatchObject({ seen: 1, unwritten: 1 });
    isBroken = false;
    await security.given('PersonRead', ada, { about: 'bob' });
    expect(await noted()).toHaveLength(1);
  });

  test('is written without where it came from when that can’t be sealed, and all else of the minute whole', async () => {
    const { userId } = await registered(world);
    const other = await registered(world);
    const { encryptFor } = world.identity.personKeys;
    const damaged = watchSecurity({
      ...parts(),
      identity: {
        personKeys: {
          ...world.identity.personKeys,
          encryptFor: (id, data) =>
            id === userId
              ? Promise.reject(new LodeError('storage_failed', 'This key is damaged.'))
              : encryptFor(id, data),
        },
      },
    });
    damaged.refused('RequestsForbidden', person(userId));
    damaged.refused('RequestsForbidden', person(other.userId));
    await damaged.stop();
    expect((await noted()).map(({ data }) => [data['userId'], typeof data['client']])).toEqual([
      [userId, 'undefined'],
      [other.userId, 'string'],
    ]);
  });

  test('while the clock is not accepted is counted, and what would be given is not', async () => {
    held = new LodeError('unavailable', 'The clock is wrong.');
    const ada = person('ada', 'admin');
    security.refused('RequestsForbidden', ada);
    await expect(security.given('ListExported', ada, { route: 'events' })).rejects.toBe(held);
    await security.flush();
    held = undefined;
    expect(await noted()).toEqual([]);
    expect(countsOf('RequestsForbidden')).toMatchObject({ seen: 1, unwritten: 1 });
  });

  test('has a stream an hour', async () => {
    security.refused('RequestsForbidden', person('ada', 'admin'));
    now += 60 * MINUTE;
    security.refused('RequestsForbidden', person('ada', 'admin'));
    await security.flush();
    expect([(await noted()).length, (await noted(START + 60 * MINUTE)).length]).toEqual([1, 1]);
  });
});
