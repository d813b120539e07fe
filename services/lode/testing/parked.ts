import { join } from 'node:path';
import { logStart, positionOf, sortablePosition } from '#kernel';
import { runnerLimits, type ParkedEvent } from '#projections';
import { buildName } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';

/**
 * Parks as many events in the accounts that queries read as there may be, but for one: with the next event of the
 * stream, which waits behind one of them, the read model stops. The others are of streams that there are not.
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
  // What is parked is behind the build's checkpoint, so that it is all at the beginning of the log.
  const position = positionOf(1);
  const order = sortablePosition(position);
  const put = Array.from({ length: runnerLimits.parked - 1 }, (_, n): ParkedEvent => ({
    after: logStart,
    attempts: 0,
    build,
    error: '',
    eventId: `event ${n}`,
    id: `${build}/${order}/${n}`,
    model: 'accounts',
    order,
    position,
    revision: 0,
    state: 'waiting',
    stream: n === 0 ? stream : `${stream} ${n}`,
    type: 'FundingRequested',
  }));
  await store.write([{ build: activeOf('parked'), put, remove: [] }]);
  await store.close();
}
