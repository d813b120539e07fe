import { beforeEach, describe, expect, test } from '@jest/globals';
import { Gauge, Registry } from 'prom-client';
import {
  GetClock,
  GetJobsCondition,
  ListReactors,
  ListReadModels,
  ListStalledTransfers,
  type Query,
} from '#application';
import type { ReadModelList } from '#contracts';
import { positionOf } from '#kernel';
import { watchApi } from './metrics.js';

type ReadModel = ReadModelList['models'][number];

const model: ReadModel = {
  name: 'accounts',
  version: 1,
  position: positionOf(10),
  state: 'current',
  secondsBehind: 0,
  advancedAt: null,
  eventsBehind: 0,
  parked: 0,
  discarded: 0,
  rebuild: null,
};

describe('the gauges', () => {
  let registry: Registry;
  /** What the program says of itself. */
  let answers: Map<unknown, unknown>;

  const wellAnswers = () =>
    new Map<unknown, unknown>([
      [ListReadModels, { head: positionOf(0), headSecondsBehind: 0, models: [model] }],
      [ListReactors, { items: [{ name: 'deliveries', parked: [] }] }],
      [ListStalledTransfers, []],
      [GetClock, { isAccepted: true, notRecorded: 0 }],
      [GetJobsCondition, { runsJobs: 'also', failure: undefined, unseenMs: 0 }],
    ]);

  beforeEach(() => {
    registry = new Registry();
    answers = wellAnswers();
    const query = async (asked: Query<unknown>): Promise<never> => {
      const answer = answers.get(asked.constructor);
      if (answer === undefined) throw new Error('nobody knows');
      return answer as never;
    };
    watchApi(registry, { query }, { addHook: () => undefined as never });
  });

  /** The gauges of the program itself, by name with their labels. */
  const values = async () => {
    const own = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('lode_'));
    const gauges = own.filter((metric) => metric instanceof Gauge);
    const found = new Map<string, number>();
    for (const gauge of gauges) {
      const { values: all, name } = await gauge.get();
      for (const { labels, value } of all) found.set([name, ...Object.values(labels)].join(' '), value);
    }
    return { names: gauges.map(({ name }) => name).toSorted(), found };
  };

  const unwell: ReadModel = {
    ...model,
    state: 'stalled',
    secondsBehind: 31.5,
    eventsBehind: 12,
    parked: 3,
    discarded: 2,
    rebuild: { events: 40, of: 100, secondsLeft: null, halted: false },
  };
  test('each moves with what it tells, and back', async () => {
    const before = await values();
    expect([...before.found.values()].every((value) => value === 0)).toBe(true);
    answers = new Map<unknown, unknown>([
      [ListReadModels, { head: positionOf(10), headSecondsBehind: 17, models: [unwell] }],
      [ListReactors, { items: [{ name: 'deliveries', parked: [{}, {}] }] }],
      [ListStalledTransfers, [{}]],
      [GetClock, { isAccepted: false, notRecorded: 4 }],
      [GetJobsCondition, { runsJobs: 'also', failure: new Error('away'), unseenMs: 2_500 }],
    ]);
    const { names, found } = await values();
    expect(found).toEqual(
      new Map([
        ['lode_access_not_recorded', 4],
        ['lode_clock_not_accepted', 1],
        ['lode_jobs_worker_last_seen_seconds', 2.5],
        ['lode_jobs_unreachable', 1],
        ['lode_log_head_seconds_behind', 17],
        ['lode_log_position', 10],
        ['lode_projection_discarded_events accounts', 2],
        ['lode_projection_events_behind accounts', 12],
        ['lode_projection_parked_events accounts', 3],
        ['lode_projection_rebuild_events_left accounts', 60],
        ['lode_projection_seconds_behind accounts', 31.5],
        ['lode_projection_stalled accounts', 1],
        ['lode_reactor_parked_events deliveries', 2],
        ['lode_transfers_stalled', 1],
      ]),
    );
    // None is there that this does not move.
    expect([...found.keys()].map((key) => key.split(' ')[0]).toSorted()).toEqual(names);
    answers = wellAnswers();
    expect(await values()).toEqual(before);
  });

  test('those of a projector that has ended are gone, and the others stay', async () => {
    answers.delete(ListReadModels);
    const { found } = await values();
    expect([...found.keys()].filter((key) => key.startsWith('lode_projection'))).toEqual([]);
    expect(found.get('lode_transfers_stalled')).toBe(0);
  });

  test('what is not known is not there, rather than 0, and comes back', async () => {
    const before = await values();
    const unknown = ['lode_log_head_seconds_behind', 'lode_log_position', 'lode_transfers_stalled'];
    for (const name of unknown) expect([name, before.found.has(name)]).toEqual([name, true]);
    answers.delete(ListReadModels);
    answers.delete(ListStalledTransfers);
    const { found } = await values();
    for (const name of unknown) expect([name, found.has(name)]).toEqual([name, false]);
    answers = wellAnswers();
    expect(await values()).toEqual(before);
  });
});
