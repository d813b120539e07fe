import { expect, test } from '@jest/globals';
import { positionOf } from '#kernel';
import type { ReactorHealth } from '#reactors';
import { ListReactorsHandler } from './reactors.js';

const health = (name: string): ReactorHealth => ({
  name,
  position: positionOf(7),
  state: 'current',
  secondsBehind: 0,
  parked: [],
  owed: 0,
});
const listed = async (here: readonly ReactorHealth[]) => {
  const processes = {
    reactors: () => here,
    reactorsElsewhere: async () => [health('stored')],
    retryReactors: async () => undefined,
  };
  const { items } = await new ListReactorsHandler({ processes }).execute();
  return items.map(({ name }) => name);
};

test('reactors are listed as the program that runs them knows them, and elsewhere as they are stored', async () => {
  expect(await listed([health('here')])).toEqual(['here']);
  expect(await listed([])).toEqual(['stored']);
});
