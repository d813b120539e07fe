import { join } from 'node:path';
import { logStart, positionOf, sortablePosition } from '#kernel';
import { runnerLimits, type ParkedEvent } from '#projections';
import { buildName } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';

/** Positions that no log of a test has. */
const BEYOND = 1_000_000;

/**
 * Parks as many events of a stream in the accounts that queries read as there may be, but for one: with the next event
 * of the stream, which waits behind them, the read model stops.
 */
export async function parkAllButOne(dataFolder: string, stream: string): Promise<void> {
  const store = openSqliteReadStore({ file: join(dataFolder, 'read-models.sqlite') });
  const states = await store.builds();
  const activeOf = (name: string) => {
    const found = states.find(({ build, state }) => build.collection === name && state === 'active');
    if (found === undefined) throw new Error(`${name} has an active build`);
    return found.build;
  };
  const build = buildName(activeOf('accounts'));
  const put = Array.from({ length: runnerLimits.parked - 1 }, (_, n): ParkedEvent => {
    const position = positionOf(BEYOND + n);
    const order = sortablePosition(position);
    return {
      after: logStart,
      attempts: 0,
      build,
      error: '',
      eventId: `event ${n}`,
      id: `${build}/${order}`,
      model: 'accounts',
      order,
      position,
      revision: n,
      state: 'waiting',
      stream,
      type: 'FundingRequested',
    };
  });
  await store.write([{ build: activeOf('parked'), put, remove: [] }]);
  await store.close();
}
