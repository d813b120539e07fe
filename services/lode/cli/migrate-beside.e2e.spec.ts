import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { text } from 'node:stream/consumers';
import { findVersitygw } from '#files/s3/testing';
import { redisServer } from '#jobs/bullmq/testing';
import { describeWhere, until } from '#kernel/testing';
import {
  dataFolders,
  deploymentOn,
  firstAdmin,
  join,
  keyed,
  killAll,
  serverNames,
  signIn,
  startServers,
  testedOn,
  upload,
  type Listening,
  type Person,
  type Servers,
} from '../testing/index.js';

/** Commands that are answered before the move goes on, so that some are under way in each of its steps. */
const BEFORE = 5;

const lacking = 'no redis-server or no versitygw, or LODE_TEST_ON names servers';
const isHere = redisServer !== undefined && findVersitygw() !== undefined && testedOn.length === 0;
const { newFolder, removeFolders } = dataFolders();
const programs: Listening[] = [];
const stands: Servers[] = [];

/** Everything that a customer was told is done. */
type Acknowledged = { readonly commands: string[]; readonly uploads: string[] };

/** Uploads evidence and asks for money, one after the other, until Lode takes nothing more. Without a file it writes a message. */
async function workUntilRefused({ api }: Person, { commands, uploads }: Acknowledged): Promise<number> {
  for (;;) {
    const uploaded = await upload({ api }).catch(() => undefined);
    if (uploaded !== undefined) uploads.push(uploaded);
    const { status, json } =
      uploaded === undefined
        ? await api.call('sendMessage', { body: { message: 'No file?' }, headers: keyed() })
        : await api.call('requestFunding', {
            body: { amount: '1.00', currency: 'BTC', evidenceId: uploaded },
            headers: keyed(),
          });
    if (status !== 200 && status !== 201) return status;
    const made = json as { readonly requestId?: string; readonly messageId?: string };
    commands.push(made.requestId ?? made.messageId ?? '');
  }
}

describeWhere(isHere, 'a program that runs on what is moved (double)', lacking, () => {
  afterEach(async () => {
    await killAll(programs);
    for (const servers of stands.splice(0)) await servers.stop();
    await removeFolders();
  });

  test('says of nothing that it was done which the move has not, and takes no command afterwards', async () => {
    const servers = await startServers([...serverNames]);
    stands.push(servers);
    const source = deploymentOn(newFolder(), servers.env);
    const first = await source.start();
    programs.push(first);
    await firstAdmin(first);
    const known = await join(first.visitor, 'Ann');
    first.child.kill('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, signal: null });

    // The move has the leases, and stands still: a program that begins now stands by, and nothing else keeps it away.
    const target = deploymentOn(newFolder());
    const mover = await deploymentOn(newFolder(), servers.env).spawn('migrate', 'to', target.folder);
    const [printed, ended] = [text(mover.stderr!), once(mover, 'exit')];
    await until(() => existsSync(pathJoin(target.folder, 'events.sqlite')) || mover.exitCode !== null);
    mover.kill('SIGSTOP');
    const program = await source.start();
    programs.push(program);
    const ann = await signIn(program.visitor, known);
    const done: Acknowledged = { commands: [], uploads: [] };
    const working = workUntilRefused(ann, done);
    await until(() => done.commands.length >= BEFORE);
    mover.kill('SIGCONT');
    expect([await printed, await ended]).toEqual(['', [0, null]]);
    expect(await working).toBe(503);
    await killAll(programs);

    const moved = await target.start();
    programs.push(moved);
    const again = await signIn(moved.visitor, known);
    const { code, out } = await target.lode('export');
    expect(code).toBe(0);
    for (const id of done.commands) expect(out).toContain(id);
    for (const fileId of done.uploads)
      expect((await again.api.call('file', { params: { fileId } })).status).toBe(200);
  });
});
