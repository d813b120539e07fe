import { afterEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startDouble } from '#event-store/eventstoredb/double';
import { accountStream } from '#ledger';
import {
  dataFolder,
  finished,
  firstAdmin,
  join,
  keyed,
  killAll,
  problemIn,
  startProgram,
  type Answer,
  type Listening,
  type Person,
} from '../testing/index.js';

const UNKNOWN = "We don't know yet whether this was done. Send it again: it is never done twice.";
/** How often an append is sent to EventStoreDB before it is given up. */
const TRIES = 5;

const programs: Listening[] = [];
afterEach(() => killAll(programs));

const credit = ({ api }: Person, key: string, { userId }: Person): Promise<Answer> =>
  api.call('adjustWallet', {
    params: { userId },
    body: { amounts: { BTC: '7.00' }, reason: 'a test' },
    headers: keyed(key),
  });

describe('a program whose EventStoreDB (double) loses an answer', () => {
  test('and is away afterwards answers that nobody knows, and the truth once it is back, without a restart', async () => {
    const folder = dataFolder();
    const server = await startDouble();
    const program = await startProgram(folder.path, { EVENTSTORE_URL: server.url });
    programs.push(program);
    const admin = await firstAdmin(program);
    const ann = await join(program.visitor, 'Ann');
    await finished(program.visitor, admin);
    expect((await credit(admin, randomUUID(), ann)).status).toBe(200);
    await finished(program.visitor, admin);
    const ofAnn = () => server.all().filter(({ stream }) => stream === accountStream(ann.userId)).length;
    const before = ofAnn();

    const key = randomUUID();
    server.failNextAppend(...Array<'cut-after-write'>(TRIES).fill('cut-after-write'));
    const first = await credit(admin, key, ann);
    server.refuseAll(true);
    for (const answer of [first, await credit(admin, key, ann), await credit(admin, key, ann)]) {
      expect(problemIn(answer)).toMatchObject({ status: 503, code: 'unknown_outcome', detail: UNKNOWN });
    }
    expect(problemIn(await credit(admin, randomUUID(), ann))).toMatchObject({ code: 'unavailable' });

    server.refuseAll(false);
    let answer = await credit(admin, key, ann);
    while (answer.status === 503) answer = await credit(admin, key, ann);
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(ofAnn() - before).toBe(1);
    expect(program.child.exitCode).toBeNull();
    await killAll(programs);
    await server.stop();
    await folder.remove();
  });
});
