import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RouteName } from '#contracts';
import {
  dataFolder,
  fillFromRecorded,
  keyed,
  killAll,
  notOn,
  PASSWORD,
  recorded,
  signIn,
  soonAfterRecording,
  startProgram,
  type Ask,
  type Client,
  type Listening,
} from '../../lode/testing/index.js';

/*
 * What a command's ids and hash are derived from is storage: a version that derives them otherwise would refuse a retry
 * of what was sent to the version before, or carry it out twice. The values were written down by the program as it was
 * when these tests were made. They are never to be changed. Hashes are of the second derivation, which differs from the
 * first where an amount is not written in the one way; that repeats of the first are known is tested with the recorded log.
 */

const ANN = '6b6ef24e-c963-4c05-9566-5a06bded8743';
const BOB = '594939f8-9710-4c14-9ca8-d89ccb7e7151';
const CORRELATION = '2f1c0c0e-5f0b-4c8e-9a43-6d6f0b3e7a10';
const created = recorded.requests.find(({ route }) => route === 'createProduct')?.body as object;

/** A command, and what is to be found of it in the last event of a stream. */
type Case = {
  readonly what: string;
  readonly who: 'Ada' | 'Ann' | 'visitor';
  readonly route: RouteName;
  readonly ask: Ask;
  readonly stream: string;
  readonly found: Readonly<Record<string, string>>;
};

const adjusted = { amounts: { BTC: '1.00' }, reason: 'a vector' };
const ofAnn = { params: { userId: ANN } };
const ofBob = { params: { userId: BOB } };

const cases: readonly Case[] = [
  {
    what: 'a body, a path and a key',
    who: 'Ada',
    route: 'adjustWallet',
    ask: { ...ofAnn, body: adjusted, headers: keyed('vector-1') },
    stream: `account-${ANN}`,
    found: {
      id: '461c9f7a-c87d-5238-a59d-4b78cfa03a4d',
      actor: 'person 78430196-0053-462a-af73-db6ba0fb9fd5 admin',
      commandId: '00720b82-b01d-5742-a438-701dfa9a263b',
      requestHash: '9e82362bb92fe79c91b03084c02b3836deecd910d0503fc2f5eb3880f29e48da',
      correlationId: '00720b82-b01d-5742-a438-701dfa9a263b',
      causationId: '00720b82-b01d-5742-a438-701dfa9a263b',
    },
  },
  {
    what: 'the correlation that the request brings',
    who: 'Ada',
    route: 'adjustWallet',
    ask: { ...ofAnn, body: adjusted, headers: { ...keyed('vector-2'), 'X-Correlation-Id': CORRELATION } },
    stream: `account-${ANN}`,
    found: {
      id: 'a9bc8648-7b2d-58b5-9ff5-4963b8c5af72',
      actor: 'person 78430196-0053-462a-af73-db6ba0fb9fd5 admin',
      commandId: 'ca35b9c5-c635-5a1f-9ec9-da749166df38',
      requestHash: '9e82362bb92fe79c91b03084c02b3836deecd910d0503fc2f5eb3880f29e48da',
      correlationId: '2f1c0c0e-5f0b-4c8e-9a43-6d6f0b3e7a10',
      causationId: 'ca35b9c5-c635-5a1f-9ec9-da749166df38',
    },
  },
  {
    what: 'a correlation that is none',
    who: 'Ada',
    route: 'adjustWallet',
    ask: { ...ofAnn, body: adjusted, headers: { ...keyed('vector-3'), 'X-Correlation-Id': 'mine' } },
    stream: `account-${ANN}`,
    found: {
      id: 'e2703fa2-1875-5aef-9e75-7cabd9edc9bb',
      actor: 'person 78430196-0053-462a-af73-db6ba0fb9fd5 admin',
      commandId: 'eb3df955-9118-5f86-8511-a61c63c62e02',
      requestHash: '9e82362bb92fe79c91b03084c02b3836deecd910d0503fc2f5eb3880f29e48da',
      correlationId: 'eb3df955-9118-5f86-8511-a61c63c62e02',
      causationId: 'eb3df955-9118-5f86-8511-a61c63c62e02',
    },
  },
  {
    what: 'a body with blanks around, other letters, and members in another order',
    who: 'Ada',
    route: 'adjustWallet',
    ask: {
      ...ofAnn,
      body: { reason: ' déjà vu ✓ ', amounts: { USDT: ' 1.5 ', BTC: '2' } },
      headers: keyed('vector-5'),
    },
    stream: `account-${ANN}`,
    found: {
      id: '0da83ba0-cd3c-51b9-aadb-d1d4fce307cb',
      actor: 'person 78430196-0053-462a-af73-db6ba0fb9fd5 admin',
      commandId: 'd5217415-c901-5535-910f-27123c7a5a76',
      requestHash: '11133f886b52e4a2deec8323e22bcdc35da3fddcd61c8d59a7ae2c56b6514c1b',
      correlationId: 'd5217415-c901-5535-910f-27123c7a5a76',
      causationId: 'd5217415-c901-5535-910f-27123c7a5a76',
    },
  },
  {
    what: 'no body',
    who: 'Ada',
    route: 'suspend',
    ask: { ...ofBob, headers: keyed('vector-6') },
    stream: `account-${BOB}`,
    found: {
      id: 'c77326f6-9479-5e91-a749-44f83d73fc55',
      actor: 'person 78430196-0053-462a-af73-db6ba0fb9fd5 admin',
      commandId: '6d8b81cf-ced3-53cb-8204-a05b8decf415',
      requestHash: 'abe9d071bc2b3e9910a8642a3f5f2a0df0199d9aa0da766133286ab6c7d067b8',
      correlationId: '6d8b81cf-ced3-53cb-8204-a05b8decf415',
      causationId: '6d8b81cf-ced3-53cb-8204-a05b8decf415',
    },
  },
  {
    what: 'a body with a reason alone',
    who: 'Ada',
    route: 'activate',
    ask: { ...ofBob, body: { reason: 'paid' }, headers: keyed('vector-7') },
    stream: `account-${BOB}`,
    found: {
      id: '0acf011a-cd20-560d-8a6d-05536292912f',
      actor: 'person 78430196-0053-462a-af73-db6ba0fb9fd5 admin',
      commandId: '0251abdc-cf0a-5328-a7f8-086a9ec04a86',
      requestHash: 'cf1eee379a0e2497263a7560843d86e32b90e83bd0c471e681d7f386d26f1284',
      correlationId: '0251abdc-cf0a-5328-a7f8-086a9ec04a86',
      causationId: '0251abdc-cf0a-5328-a7f8-086a9ec04a86',
    },
  },
  {
    what: 'a body of personal data',
    who: 'Ann',
    route: 'saveWalletAddress',
    ask: {
      ...ofAnn,
      body: { walletAddress: ' bc1qvector ', proof: { password: PASSWORD } },
      headers: keyed('vector-8'),
    },
    stream: `account-${ANN}`,
    found: {
      id: '0c851599-a360-5990-aaf2-caf693214650',
      actor: 'person 6b6ef24e-c963-4c05-9566-5a06bded8743 user',
      commandId: '130613e6-9a9b-5b41-a8fd-2351683e0e55',
      requestHash: '1f25743b79025b0b814df3231ea6aacec243435cf0da08bec6efe3675d33a5bf',
      correlationId: '130613e6-9a9b-5b41-a8fd-2351683e0e55',
      causationId: '130613e6-9a9b-5b41-a8fd-2351683e0e55',
    },
  },
  {
    what: 'a stream that all share',
    who: 'Ada',
    route: 'setPrices',
    ask: { body: { prices: { BTC: '61000', PI: ' 0.25 ' }, reason: 'a test' }, headers: keyed('vector-9') },
    stream: 'settings-global',
    found: {
      id: '4db19e5f-6a5c-5965-96d3-8696a3f80ea6',
      actor: 'person 78430196-0053-462a-af73-db6ba0fb9fd5 admin',
      commandId: '5849e4c9-51b8-54e9-be03-eee614311006',
      requestHash: '700b4053a1cbd675de4ae45e3caf337d271a5bcbe107685c36b54ca3c147e48f',
      correlationId: '5849e4c9-51b8-54e9-be03-eee614311006',
      causationId: '5849e4c9-51b8-54e9-be03-eee614311006',
    },
  },
  {
    what: 'an id of its own, of which the key says what it is',
    who: 'Ada',
    route: 'createProduct',
    ask: { body: created, headers: keyed('vector-10') },
    stream: 'product-exQAYyfFJ9a32CtMlzlUaPXI4LtkyGItihO',
    found: {
      id: 'ec97bb55-b927-5f20-a2a3-5d6c7ce0c328',
      actor: 'person 78430196-0053-462a-af73-db6ba0fb9fd5 admin',
      commandId: 'a76e4205-fcd4-56b3-a89e-6ca4298f5765',
      requestHash: '17f09b7b57f717e31aab551e5013c56393e377a60476e9d6b219160bb68c47ac',
      correlationId: 'a76e4205-fcd4-56b3-a89e-6ca4298f5765',
      causationId: 'a76e4205-fcd4-56b3-a89e-6ca4298f5765',
    },
  },
  {
    // Its hash is made with a key of its own, which is never the same.
    what: 'the network of somebody who is not signed in',
    who: 'visitor',
    route: 'sendMessage',
    ask: {
      body: { name: 'Vera', email: 'v@lode.example', phone: '1', businessType: 'Bakery', message: 'Hello' },
      headers: keyed('vector-11'),
    },
    stream: 'message-JdTuGx9jMoMRrA1wyF54vHrtUbM266oFQgr',
    found: {
      id: 'bf2d8a52-c5f2-5936-85b5-ecae85585df9',
      actor: 'person visitor visitor',
      commandId: 'd1566d6a-e8fe-5eb0-9e54-f1e23d2d7ab1',
      correlationId: 'd1566d6a-e8fe-5eb0-9e54-f1e23d2d7ab1',
      causationId: 'd1566d6a-e8fe-5eb0-9e54-f1e23d2d7ab1',
    },
  },
  {
    what: 'many commands in one request',
    who: 'Ada',
    route: 'adjustWallets',
    ask: {
      body: {
        items: [
          { key: 'vector-12', userId: BOB, amounts: { BTC: '1' } },
          { key: 'vector-13', userId: ANN, amounts: { BTC: '1' }, reason: ' its own ' },
        ],
        reason: 'a campaign',
      },
    },
    stream: `account-${ANN}`,
    found: {
      id: '771f0c92-06f4-51eb-9f49-5dcb59649436',
      actor: 'person 78430196-0053-462a-af73-db6ba0fb9fd5 admin',
      commandId: '623605f1-bf0d-5964-83e4-18a3b19113aa',
      requestHash: '844b5e69d9da3f0f436ddda01ba17db181e67bbe279eed7116af3893db7c2cf5',
      correlationId: 'ff159bb6-2c4a-5411-a9e3-8dee1fb96e3e',
      causationId: '623605f1-bf0d-5964-83e4-18a3b19113aa',
    },
  },
];

const isElsewhere = notOn(['eventstore', 'mongodb', 's3'], 'what needs a recorded data folder');

(isElsewhere ? describe.skip : describe)('what a request’s ids and hash are derived from', () => {
  const programs: Listening[] = [];
  const clients = new Map<string, Client>();
  let folder: ReturnType<typeof dataFolder>;

  beforeAll(async () => {
    folder = dataFolder();
    await fillFromRecorded(folder.path);
    const program = await startProgram(folder.path, soonAfterRecording());
    programs.push(program);
    clients.set('visitor', program.visitor);
    for (const name of ['Ada', 'Ann'])
      clients.set(name, (await signIn(program.visitor, recorded.people[name]!)).api);
  });

  afterAll(async () => {
    await killAll(programs);
    await folder.remove();
  });

  /** The ids of the last event of a stream. */
  async function idsIn(stream: string): Promise<Record<string, string>> {
    const { events } = await clients
      .get('Ada')!
      .get('stream', { params: { stream }, query: { order: 'newest', limit: '1' } });
    const { id, meta } = events[0]!;
    const { commandId, requestHash, correlationId, causationId, actor } = meta;
    const who = `${actor.kind} ${actor.id} ${actor.role}`;
    return { id, actor: who, commandId, requestHash, correlationId, causationId };
  }

  test.each(cases)('$what', async ({ who, route, ask, stream, found }) => {
    await clients.get(who)!.get(route, ask);
    expect(await idsIn(stream)).toMatchObject(found);
  });
});
