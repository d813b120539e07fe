import { afterEach, expect, test } from '@jest/globals';
import { healthTable, type JobsCondition } from '#application';
import { LodeError, logStart } from '#kernel';
import type { ModelHealth } from '#projections';
import { quietApi } from '../../lode/testing/index.js';

/* Every row of the table of the readiness, each by ports that are in that state. */

const NOW = Date.parse('2026-01-02T03:04:05Z');
/** Longer than anything may stand still. */
const LONG_AGO = NOW - 3_600_000;
const LOG_HEAD = logStart;
const EVERYBODY = '203.0.113.9';

const away = () => Promise.reject(new LodeError('unavailable', 'It is away.'));
const nothingUnseen = { events: 0, since: undefined };
const scrubbed = (lasting: number, missed: readonly string[] = []) => ({
  isOurs: true,
  state: {
    pass: undefined,
    last: { begunAt: LONG_AGO, endedAt: LONG_AGO, lasting, missed },
    checkedAt: {},
  },
});
const workerIsThere: JobsCondition = { runsJobs: 'no', failure: undefined, unseenMs: 0 };
const jobsAre = (change: Partial<JobsCondition>) => ({
  processes: { ...sound.processes, jobsCondition: async () => ({ ...workerIsThere, ...change }) },
});
const redisIsAway = new LodeError('unavailable', 'Redis cannot be reached.');
const sound = {
  eventStore: { head: async () => LOG_HEAD },
  acknowledged: { unseen: () => nothingUnseen },
  projections: { onChanges: () => undefined, onRebuilt: () => undefined, status: async () => [] },
  readStore: { get: async () => undefined, list: async () => [] },
  processes: { reactors: () => [], jobsCondition: async () => workerIsThere },
  hold: () => undefined,
  hasRoom: () => true,
  storage: { full: () => undefined },
  condition: {
    scrub: () => scrubbed(0),
    beyond: () => ({ kinds: {}, models: {} }),
    damagedEvents: () => 0,
    head: () => ({ ageMs: 0, failure: undefined }),
    identity: async () => ({ damagedRows: 0, refusal: undefined }),
  },
  clock: () => NOW,
};

const model = (change: Partial<ModelHealth>): ModelHealth => ({
  name: 'accounts',
  version: 1,
  position: LOG_HEAD,
  ordinal: 0,
  eventsBehind: 0,
  state: 'current',
  secondsBehind: 0,
  parked: 0,
  discarded: 0,
  damaged: 0,
  movedAt: undefined,
  rebuild: undefined,
  ...change,
});
const modelsAre = (change: Partial<ModelHealth>) => ({
  projections: { ...sound.projections, status: async () => [model(change)] },
});
const conditionIs = (change: object) => ({ condition: { ...sound.condition, ...change } });
const underWay = {
  id: 'one',
  userId: 'ann',
  receiver: { userId: 'bob' },
  amount: '1.00',
  currency: 'BTC',
  deliveryAt: new Date(LONG_AGO).toISOString(),
};

type Table = typeof healthTable;
/** What brings a part into a state, and what whoever may know more is told then. */
type Driven = readonly [ports: object, words: RegExp];

const driven: {
  readonly [Part in keyof Table]: { readonly [State in keyof Table[Part]]: Driven };
} = {
  log: {
    away: [{ eventStore: { head: away } }, /can't be reached/],
    behind: [
      { acknowledged: { unseen: () => ({ events: 1, since: LONG_AGO }) } },
      /^ends at 0 and does not have what it has acknowledged$/,
    ],
    newer: [
      conditionIs({ beyond: () => ({ kinds: { Starred: 1, Opened: 4 }, models: { accounts: 9 } }) }),
      /^at 0; a newer Lode has written what this one can't read: events Starred of version 1, events Opened of version 4, the read model accounts of version 9$/,
    ],
    damaged: [conditionIs({ damagedEvents: () => 3 }), /^at 0; 3 damaged events were met$/],
  },
  projections: {
    away: [{ readStore: { ...sound.readStore, get: away } }, /can't be reached/],
    stalled: [modelsAre({ state: 'stalled' }), /^accounts stalled$/],
    stalledElsewhere: [
      {
        ...modelsAre({ state: 'stalled' }),
        ...conditionIs({ scrub: () => ({ ...scrubbed(0), isOurs: false }) }),
      },
      /^accounts stalled$/,
    ],
    parked: [modelsAre({ parked: 1 }), /^accounts current$/],
    damaged: [modelsAre({ damaged: 2 }), /^accounts current; accounts: 2 damaged$/],
  },
  reactors: {},
  jobs: {
    away: [jobsAre({ runsJobs: 'only', failure: redisIsAway }), /^none is run here: .*can't be reached/],
    awayBeside: [
      jobsAre({ runsJobs: 'also', failure: redisIsAway }),
      /^none is run here: .*can't be reached/,
    ],
    noWorker: [jobsAre({ unseenMs: 16_000 }), /^nobody seen for 16 s$/],
  },
  transfers: {
    stalled: [{ readStore: { ...sound.readStore, list: async () => [underWay] } }, /^1 stand still$/],
  },
  identity: {
    away: [conditionIs({ identity: away }), /can't be reached/],
    damaged: [
      conditionIs({ identity: async () => ({ damagedRows: 2, refusal: undefined }) }),
      /^2 damaged rows were met$/,
    ],
    unchangeable: [
      conditionIs({
        identity: async () => ({ damagedRows: 0, refusal: new LodeError('storage_full', 'No room.') }),
      }),
      /^takes no changes: /,
    ],
  },
  head: {
    unkept: [
      conditionIs({ head: () => ({ ageMs: 60_000, failure: 'storage_failed' }) }),
      /^not kept for 60 s: storage_failed$/,
    ],
  },
  clock: { refused: [{ hold: () => new LodeError('unavailable', 'It is wrong.') }, /^It is wrong\.$/] },
  disk: {
    full: [{ hasRoom: () => false }, /^full: /],
    narrow: [
      { storage: { full: () => 'the quota is used up' } },
      /^no upload is taken: the quota is used up/,
    ],
  },
  scrub: {
    damaged: [conditionIs({ scrub: () => scrubbed(4) }), /; 4 damaged$/],
    missed: [
      conditionIs({ scrub: () => scrubbed(0, ['files']) }),
      /^all but files, which was away, looked at by .+; 0 damaged$/,
    ],
  },
};

const apps: { readonly close: () => Promise<void> }[] = [];
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

/** What is answered to everybody, and in words to who asks from this machine. */
async function readinessOf(ports: object) {
  const app = await quietApi({ ports: { ...sound, ...ports } });
  apps.push(app);
  const ask = (remoteAddress: string) => app.inject({ method: 'GET', url: '/health/ready', remoteAddress });
  const [everybody, here] = [await ask(EVERYBODY), await ask('127.0.0.1')];
  return {
    status: everybody.statusCode,
    retryAfter: everybody.headers['retry-after'],
    everybody: everybody.json<Body>(),
    here: here.json<Body>(),
  };
}

type Body = { readonly status: string; readonly checks: Readonly<Record<string, string>> };

const allOk = Object.fromEntries(Object.keys(healthTable).map((part) => [part, 'ok']));
const STATUS: Readonly<Record<string, number>> = { degraded: 200, unavailable: 503 };
const rows = Object.entries(driven).flatMap(([part, states]) =>
  Object.entries<Driven>(states).map(([state, [ports, words]]) => ({ part, state, ports, words })),
);

test('all as it should be is 200 ok', async () => {
  const { status, everybody } = await readinessOf({});
  expect([status, everybody]).toEqual([200, { status: 'ok', checks: allOk }]);
});

test.each(rows)('$part $state is answered as the table says', async ({ part, state, ports, words }) => {
  const states: Readonly<Record<string, { readonly answer: string }>> =
    Object.entries(healthTable).find(([name]) => name === part)?.[1] ?? {};
  const answer = states[state]?.answer ?? '';
  const { status, retryAfter, everybody, here } = await readinessOf(ports);
  expect([status, retryAfter]).toEqual([STATUS[answer], answer === 'unavailable' ? '1' : undefined]);
  expect(everybody).toEqual({ status: answer, checks: { ...allOk, [part]: answer } });
  expect(here.status).toBe(answer);
  expect(here.checks[part]).toMatch(words);
});
