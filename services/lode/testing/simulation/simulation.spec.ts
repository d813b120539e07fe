import { describe, expect, test } from '@jest/globals';
import { plantedBugs, type PlantedBug } from './plan.js';
import { simulate } from './run.js';

/** Deployments, each with the faults of its seed; `npm run test:all` has more (`LODE_SIMULATIONS`). */
const SEEDS = Number(process.env['LODE_SIMULATIONS'] ?? 40);
/** How many of them a test has. */
const SEEDS_A_TEST = 20;
/** The most that it takes to find a planted bug. */
const SEEDS_FOR_A_BUG = 40;

/** How a seed is run again, for whoever reads that it failed. */
const again = (seed: number) => `npm run simulate -- --seed ${seed} --trace`;

describe('two of each program on virtual time, with faults', () => {
  const happened = new Set<string>();
  const firsts = Array.from({ length: SEEDS / SEEDS_A_TEST }, (_, n) => 1 + n * SEEDS_A_TEST);

  test.each(firsts)(
    `keep what they promise, with each of ${SEEDS_A_TEST} seeds from %i on`,
    async (first) => {
      for (let seed = first; seed < first + SEEDS_A_TEST; seed += 1) {
        const { findings, happened: kinds } = await simulate(seed);
        expect({ again: again(seed), findings }).toEqual({ again: again(seed), findings: [] });
        for (const kind of kinds) happened.add(kind);
      }
    },
  );

  test('meet all of this in some of them', () => {
    expect([...happened]).toEqual(
      expect.arrayContaining([
        ...['kill', 'pause', 'clock step', 'log restart', 'projector thread dies'],
        ...['power loss of the read models', 'jobs are lost', 'half a day passes'],
        ...['done', 'replayed', 'unknown', 'unavailable', 'insufficient_balance'],
        ...['deposed', 'restarting', 'failing', 'recovered'],
        ...[
          'a bell rings',
          'a run is taken over',
          'a write of read models is cut off',
          'let in: any',
          'let in: guarded',
          'let in: live',
          'refreshed',
        ],
        ...['sessions end: signed out', 'sessions end: ended', 'sessions end: ended everywhere'],
        ...['sessions end: password', 'sessions end: suspended'],
        ...['let in within the bound', 'TransferReturned'],
        ...['TransferReceived', 'TransferSettled', 'BonusCycleStarted', 'BonusAccrued'],
      ]),
    );
  });

  test('go the same way again with the same seed', async () => {
    for (const seed of [1, 2, 3]) expect((await simulate(seed)).hash).toBe((await simulate(seed)).hash);
    expect((await simulate(1)).hash).not.toBe((await simulate(2)).hash);
  });
});

describe('a simulation of deployments', () => {
  test.each(Object.entries(plantedBugs))('finds %s: %s', async (name) => {
    const bug = name as PlantedBug;
    const found: string[] = [];
    for (let seed = 1; seed <= SEEDS_FOR_A_BUG && found.length === 0; seed += 1)
      found.push(...(await simulate(seed, { bug })).findings);
    expect(found).not.toEqual([]);
  });
});
