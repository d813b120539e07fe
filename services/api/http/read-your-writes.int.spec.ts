import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { comparePositions, parsePosition, type Position } from '#kernel';
import {
  confirmFunding,
  credit,
  follow,
  join,
  keyed,
  PASSWORD,
  QUIET_LOG,
  quietApi,
  quietSettings,
  requestFunding,
  requestTransfer,
  setPin,
  signIn,
  startLode,
  type Client,
  type Frame,
  type Lode,
  type Person,
  type Stream,
} from '../../lode/testing/index.js';
import type { DocumentChange } from '#projections';

/** How often the stream looks whether its listeners' sessions still are. */
const HEARTBEAT_MS = 15_000;

let lode: Lode;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  // The stream's heartbeat is the only thing that the test beats itself.
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
    ],
  });
  lode = await startLode();
  [ann, bob] = [await join(lode.visitor, 'Ann'), await join(lode.visitor, 'Bob')];
});
afterAll(async () => {
  jest.useRealTimers();
  await lode.stop();
});

test('whoever registered a moment ago has an account, without a position too', async () => {
  for (let person = 0; person < 10; person += 1) {
    const { api, userId } = await join(lode.visitor, `New${person}`);
    expect(await api.get('me')).toMatchObject({ userId });
  }
});

describe('a query sent with the position of a command', () => {
  test('shows what the command did, every time', async () => {
    const { userId } = ann;
    for (let cents = 1; cents <= 25; cents += 1) {
      const asked = await requestFunding(ann, `1.${String(cents).padStart(2, '0')}`);
      const headers = { 'Lode-Position': asked.position };
      const own = await ann.api.call('ownFundRequests', {
        params: { userId },
        query: { limit: '1' },
        headers,
      });
      expect(own.headers.get('lode-stale')).toBeNull();
      expect(own.json).toMatchObject({ items: [{ id: asked.requestId, status: 'Pending', userId }] });

      const { position } = await confirmFunding(lode.admin, ann, asked.requestId);
      const after = await ann.api.get('me', { headers: { 'Lode-Position': position } });
      expect(after).toMatchObject({ wallet: { balance: dollars(cents) }, totals: { openRequests: 0 } });
    }
  });

  test('holds for registering too: the account is there', async () => {
    const carl = await join(lode.visitor, 'Carl');
    const { head } = await lode.admin.api.get('projections');
    const seen = await carl.api.get('me', { headers: { 'Lode-Position': head } });
    expect(seen).toMatchObject({ userId: carl.userId, firstname: 'Carl', wallet: { balance: '0.00' } });
  });

  test('says so when the read models have not got there in time', async () => {
    const asked: [Position, number][] = [];
    const ports = {
      projections: {
        waitFor: async (position: Position, timeoutMs: number) => {
          asked.push([position, timeoutMs]);
          return position === '7';
        },
        onChanges: () => () => undefined,
        onRebuilt: () => () => undefined,
        status: async () => [],
      },
    };
    const app = await quietApi({ ports }, { ...quietSettings, requestsPerMinute: 10 });
    const query = (headers: Record<string, string>) =>
      app.inject({ method: 'GET', url: '/api/prices', headers });
    expect((await query({ 'Lode-Position': '8' })).headers).toMatchObject({ 'lode-stale': 'true' });
    expect((await query({ 'Lode-Position': '7' })).headers).not.toHaveProperty('lode-stale');
    expect((await query({})).headers).not.toHaveProperty('lode-stale');
    expect(asked).toEqual([
      ['8', 2_000],
      ['7', 2_000],
    ]);
    await app.close();
  });

  test('waits for a position of its own log alone, and says at once that another’s is of no use', async () => {
    const asked: Position[] = [];
    const waitFor = async (position: Position) => {
      asked.push(position);
      return true;
    };
    const ports = {
      projections: { waitFor, onChanges: () => () => undefined, onRebuilt: () => () => undefined },
    };
    const app = await quietApi({ ports });
    const query = async (position: string) =>
      (await app.inject({ method: 'GET', url: '/api/prices', headers: { 'Lode-Position': position } }))
        .headers;
    const scope = QUIET_LOG.slice(0, 8);
    expect(await query(`7.${scope}`)).not.toHaveProperty('lode-stale');
    expect(await query('7.deadbeef')).toMatchObject({ 'lode-stale': 'true', 'lode-position': `0.${scope}` });
    expect(asked).toEqual(['7']);
    await app.close();
  });

  test('a command’s answer has its position as a header that names the log', async () => {
    const answer = await ann.api.call('saveWalletAddress', {
      params: { userId: ann.userId },
      body: { walletAddress: 'bc1qann', proof: { password: PASSWORD } },
      headers: keyed(),
    });
    const { position } = answer.json as { readonly position: string };
    const scoped = answer.headers.get('lode-position') ?? '';
    expect(scoped).toMatch(new RegExp(`^${position}\\.[0-9a-f]{8}$`));
    expect((await ann.api.fresh('me', { headers: { 'Lode-Position': scoped } })).status).toBe(200);
  });

  /** What the first n amounts of the loop above add up to. */
  function dollars(n: number): string {
    const cents = n * 100 + (n * (n + 1)) / 2;
    return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  }
});

describe('the live stream', () => {
  const open: Stream[] = [];
  const live = async (client: Client, headers: Record<string, string> = {}) => {
    const stream = await follow(client, headers);
    open.push(stream);
    await stream.until((frames) => frames.some(({ event }) => event === 'hello'));
    return stream;
  };
  beforeEach(() => void open.splice(0));
  afterEach(() => {
    for (const stream of open) stream.close();
  });
  const changesIn = (frames: readonly Frame[]) =>
    frames
      .filter(({ event }) => event === 'change')
      .map(({ data }) => data as Pick<DocumentChange, 'collection' | 'id' | 'position'>);
  const has = (collection: string, id: string) => (frames: readonly Frame[]) =>
    changesIn(frames).some((change) => change.collection === collection && change.id === id);
  const lastId = (frames: readonly Frame[]) => frames.findLast(({ id }) => id !== undefined)?.id ?? '';

  test('begins with a greeting and no stale answer kept by anybody', async () => {
    const { headers } = await live(ann.api);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('tells each what is theirs: both of two sessions, the admin everything, another customer nothing', async () => {
    const [one, two, admin, other] = [
      await live(ann.api),
      await live((await signIn(lode.visitor, ann)).api),
      await live(lode.admin.api),
      await live(bob.api),
    ];
    const { requestId, position } = await requestFunding(ann);
    for (const stream of [one, two, admin]) await stream.until(has('requests', requestId));
    await admin.until(has('totals', 'totals'));
    const own = await requestFunding(bob);
    await other.until(has('requests', own.requestId));

    expect(new Set(changesIn(other.frames).map(({ id }) => id))).toEqual(
      new Set([bob.userId, own.requestId]),
    );
    for (const stream of [one, two]) {
      // What happened before is told late on a busy machine.
      const since = changesIn(stream.frames).filter((change) => BigInt(change.position) >= BigInt(position));
      expect(new Set(since.map(({ id }) => id))).toEqual(new Set([ann.userId, requestId]));
      expect(since).toContainEqual({ collection: 'requests', id: requestId, position });
    }
  });

  test('shows what it tells of to a query that is sent at once', async () => {
    const stream = await live(ann.api);
    const { requestId } = await requestFunding(ann);
    await stream.until(has('requests', requestId));
    const page = await ann.api.get('ownFundRequests', {
      params: { userId: ann.userId },
      query: { limit: '1' },
    });
    expect(page.items[0]?.id).toBe(requestId);
  });

  test('goes on where a listener left off, and never leaves out what happened between', async () => {
    const first = await live(ann.api);
    const before = await requestFunding(ann);
    await first.until(has('requests', before.requestId));
    await first.until((frames) => frames.at(-1)?.id !== undefined);
    first.close();
    await first.ended;
    const missed = [await requestFunding(ann), await requestFunding(bob), await requestFunding(ann)];
    await ann.api.get('me', { headers: { 'Lode-Position': missed[2]?.position ?? '' } });

    const second = await live(ann.api, { 'Last-Event-ID': lastId(first.frames) });
    await second.until(has('requests', missed[2]?.requestId ?? ''));
    const ids = changesIn(second.frames).map(({ id }) => id);
    expect(ids).toContain(missed[0]?.requestId);
    expect(ids).not.toContain(missed[1]?.requestId);
    expect(ids).not.toContain(before.requestId);
  });

  test('marks a place only where everything before it was told', async () => {
    const stream = await live(lode.admin.api);
    const requests = await Promise.all(Array.from({ length: 8 }, () => requestFunding(ann)));
    for (const { requestId } of requests) await stream.until(has('requests', requestId));
    await stream.until((frames) => frames.at(-1)?.id !== undefined);
    let place: Position | undefined;
    for (const { id, data } of stream.frames.slice(1)) {
      const { position } = data as { position: Position };
      if (place !== undefined) expect(comparePositions(position, place)).toBeGreaterThan(0);
      if (id !== undefined) place = parsePosition(id.replace(/\.[0-9a-f]{8}$/, ''));
    }
    expect(place).toBe((await lode.admin.api.get('projections')).head);
  });

  test('tells whoever gets a transfer once they are shown it, and not while it is the sender’s alone', async () => {
    await setPin(ann);
    await credit(lode.admin, ann, { BTC: '10' });
    const { accountNumber } = await bob.api.get('me');
    const stream = await live(bob.api);
    const { requestId } = await requestTransfer(ann, accountNumber, '3');
    const params = { userId: ann.userId, requestId };
    expect(changesIn(stream.frames)).toEqual([]);
    await lode.admin.api.get('confirmTransfer', { params, body: {}, headers: keyed() });
    await stream.until(has('transfers', requestId));
    const { items } = await bob.api.get('receivedTransfers', { params: { userId: bob.userId } });
    expect(items.map(({ id }) => id)).toEqual([requestId]);
    expect(changesIn(stream.frames).filter(({ collection }) => collection === 'transfers')).toHaveLength(1);
  });

  test('tells a listener from before what is remembered to fetch everything anew', async () => {
    const stream = await live(ann.api, { 'Last-Event-ID': '0' });
    await stream.until((frames) => frames.some(({ event }) => event === 'reset'));
    expect(changesIn(stream.frames)).toEqual([]);
  });

  test('tells a listener from another log to fetch everything anew, and goes on with this one', async () => {
    const first = await live(ann.api);
    const { requestId } = await requestFunding(ann);
    await first.until((frames) => has('requests', requestId)(frames) && frames.at(-1)?.id !== undefined);
    const seen = lastId(first.frames);
    const stream = await live(ann.api, { 'Last-Event-ID': seen.replace(/\..*/, '.00000000') });
    await stream.until((frames) => frames.some(({ event }) => event === 'reset'));
    const after = await requestFunding(ann);
    await stream.until(has('requests', after.requestId));
    const same = await live(ann.api, { 'Last-Event-ID': seen });
    await same.until(has('requests', after.requestId));
    expect(same.frames.map(({ event }) => event)).not.toContain('reset');
  });

  test('ends when its session does, and not before', async () => {
    const [gone, stays] = [await signIn(lode.visitor, bob), await signIn(lode.visitor, bob)];
    const [one, two] = [await live(gone.api), await live(stays.api)];
    await lode.visitor.get('signOut', { headers: { Cookie: gone.cookie } });
    jest.advanceTimersByTime(HEARTBEAT_MS);
    await one.ended;
    const { requestId } = await requestFunding(bob);
    await two.until(has('requests', requestId));
    expect(changesIn(one.frames)).toEqual([]);
  });

  test('lets the oldest connection of a person go when there are too many', async () => {
    const dora = await join(lode.visitor, 'Dora');
    const streams: Stream[] = [];
    for (let n = 0; n < 17; n += 1) streams.push(await live(dora.api));
    await streams[0]?.ended;
    const { requestId } = await requestFunding(dora);
    await Promise.all(streams.slice(1).map((stream) => stream.until(has('requests', requestId))));
  });

  test('answers HEAD and ends it', async () => {
    const headers = { Authorization: `Bearer ${ann.api.token ?? ''}`, ...keyed() };
    const response = await fetch(`${lode.visitor.address}/api/live`, { method: 'HEAD', headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
  });
});
