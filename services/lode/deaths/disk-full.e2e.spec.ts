import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { canMount, mountTmpfs } from '#event-store/sqlite/testing';
import {
  cookieIn,
  credit,
  firstAdmin,
  formOf,
  join,
  keyed,
  PDF,
  problemIn,
  requestTransfer,
  setPin,
  startProgram,
  tell,
  type Answer,
  type Ask,
  type Listening,
  type Person,
} from '../testing/index.js';

const TRANSFERS = 12;
/** More than what is left of the disk takes. */
const TRIES_MAX = 500;
/** What is left of the disk, in bytes: room for some commands and not for all that follows from them. */
const LITTLE = 48 * 1_024;

const onFullDisk = canMount('a program on a full disk') ? describe : describe.skip;

onFullDisk('on a disk that is full', () => {
  let disk: ReturnType<typeof mountTmpfs>;
  let program: Listening;
  let admin: Person;
  let ann: Person;
  let bob: Person;
  let confirmations: readonly Ask[];

  beforeAll(async () => {
    disk = mountTmpfs('size=32m');
    program = await startProgram(pathJoin(disk.folder, 'data'));
    admin = await firstAdmin(program);
    [ann, bob] = [await join(program.visitor, 'Ann'), await join(program.visitor, 'Bob')];
    await setPin(ann);
    const { position } = await credit(admin, ann, { BTC: '100.00' });
    const headers = { 'Lode-Position': position };
    const { accountNumber } = await bob.api.get('me', { headers });
    const asked: Ask[] = [];
    for (let n = 0; n < TRANSFERS; n += 1) {
      const { requestId } = await requestTransfer(ann, accountNumber, '1.00');
      asked.push({ params: { userId: ann.userId, requestId }, body: {}, headers: keyed() });
    }
    confirmations = asked;
  });
  afterAll(async () => {
    program.child.kill('SIGKILL');
    await program.ended;
    disk.unmount();
  });

  const ballast = () => pathJoin(disk.folder, 'ballast');
  const confirm = (ask: Ask) => admin.api.call('confirmTransfer', ask);
  const refresh = (cookie: string) => program.visitor.call('refresh', { headers: { Cookie: cookie } });
  const isFull = (answer: Answer) => answer.status === 503 && problemIn(answer).code === 'storage_full';

  /** Repeats something until it is refused for want of room; it must not be refused for anything else. */
  async function untilFull(call: () => Promise<Answer>): Promise<void> {
    for (let n = 0; n < TRIES_MAX; n += 1) {
      const answer = await call();
      if (isFull(answer)) return;
      expect(answer.status).toBeLessThan(300);
    }
    throw new Error('the disk is not full');
  }

  test('money under way waits, what is read is read, and everything goes on when there is room', async () => {
    const size = fill(ballast());
    truncateSync(ballast(), size - LITTLE);
    const first: Answer[] = [];
    for (const ask of confirmations) first.push(await confirm(ask));
    await untilFull(() =>
      admin.api.call('adjustWallet', {
        params: { userId: ann.userId },
        body: { amounts: { BTC: '0.01' }, reason: 'a test' },
        headers: keyed(),
      }),
    );
    let { cookie } = ann;
    await untilFull(async () => {
      const answer = await refresh(cookie);
      if (answer.status === 200) cookie = cookieIn(answer.headers);
      return answer;
    });
    await untilFull(() => ann.api.call('uploadEvidence', { form: formOf(new Uint8Array(PDF)) }));
    for (const name of ['me', 'ownSessions'] as const) expect((await ann.api.call(name)).status).toBe(200);
    expect((await program.visitor.call('healthLive')).status).toBe(200);
    expect(await program.visitor.get('healthReady')).toMatchObject({
      status: 'degraded',
      checks: {
        disk: 'full: commands are refused, queries are answered',
        identity: 'takes no changes: There is no room to store this.',
      },
    });
    expect(first.filter((answer) => answer.status !== 200 && !isFull(answer))).toEqual([]);

    rmSync(ballast());
    expect((await program.visitor.get('healthReady')).checks['disk']).toBe('has room');
    // Nothing was used up by being refused: the same cookie, the same keys.
    expect((await refresh(cookie)).status).toBe(200);
    expect(await program.visitor.get('healthReady')).toMatchObject({
      status: 'ok',
      checks: { identity: 'whole as far as was looked' },
    });
    expect((await ann.api.call('uploadEvidence', { form: formOf(new Uint8Array(PDF)) })).status).toBe(201);
    for (const ask of confirmations) expect((await confirm(ask)).status).toBe(200);
    const received = async () => {
      const { items } = await ann.api.get('ownTransfers', {
        params: { userId: ann.userId },
        query: { limit: '100' },
      });
      return items.filter(({ delivery }) => delivery === 'received').length;
    };
    while ((await received()) < TRANSFERS) await setImmediate();
    expect((await bob.api.get('me')).wallet.available).toBe(`${TRANSFERS}.00`);
    expect(await tell(pathJoin(disk.folder, 'data'), 'verify')).toMatchObject({
      code: 0,
      json: { wrong: [] },
    });
  });
});

/** Writes until the disk has no room for more; gives the size of what was written. */
function fill(file: string): number {
  let size = 0;
  for (const bytes of [2 ** 20, 2 ** 12]) {
    for (;;) {
      try {
        writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' });
        size += bytes;
      } catch {
        break;
      }
    }
  }
  return size;
}
