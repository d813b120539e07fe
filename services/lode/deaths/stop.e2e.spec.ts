import { afterEach, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  confirmFunding,
  dataFolder,
  firstAdmin,
  join,
  killAll,
  requestFunding,
  signIn,
  standOn,
  startProgram,
  startServers,
  tell,
  type Listening,
  type ServerName,
} from '../testing/index.js';

const stopping = new URL('../stop.js', import.meta.url).href;
const kernel = new URL('../../../libs/kernel/index.js', import.meta.url).href;

/** How a process ends that is told to stop and whose stop does this. */
function ending(stop: string) {
  const script = `
    import { LodeError } from '${kernel}';
    import { stopWhenTold } from '${stopping}';
    const alive = setInterval(() => undefined, 1_000);
    stopWhenTold({ stop: ${stop}, underWay: () => ['the read models', 'requests'], say: (step) => console.log(step) });
    process.kill(process.pid, 'SIGTERM');`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

describe('a program that is told to stop ends', () => {
  test('with 0 when all has ended', () => {
    expect(ending('async () => {}')).toEqual({
      status: 0,
      out: 'SIGTERM: finishing what is under way …\nStopped.\n',
      err: '',
    });
  });

  test('with 0 when a server was away, and says so', () => {
    const away = ending(`async () => { throw new LodeError('unavailable', 'MongoDB cannot be reached.'); }`);
    expect(away).toMatchObject({
      status: 0,
      err: expect.stringMatching(/^Something could not be ended in order: MongoDB cannot be reached\. .+\n$/),
    });
  });

  test('with 1 when anything else failed', () => {
    const broken = ending(`async () => { throw new LodeError('storage_failed', 'The disk is broken.'); }`);
    expect(broken).toMatchObject({ status: 1, err: expect.stringContaining('The disk is broken.') });
  });

  test('with 0 when something does not end, and names it', () => {
    const hanging = ending('() => new Promise(() => undefined)');
    expect(hanging).toMatchObject({
      status: 0,
      err: expect.stringMatching(/^Given up after 9 seconds: the read models, requests\. .+\n$/),
    });
  });
});

describe('the program, told to stop while a server (double) is paused', () => {
  const programs: Listening[] = [];
  const folders: ReturnType<typeof dataFolder>[] = [];
  afterEach(async () => {
    await killAll(programs);
    for (const folder of folders.splice(0)) await folder.remove();
  });

  test.each<ServerName>(['mongodb', 'eventstore'])(
    'ends with 0 in time when that is %s, says what it gave up, and has lost nothing at the next start',
    async (name) => {
      const folder = dataFolder();
      folders.push(folder);
      const servers = await startServers([name]);
      standOn(folder.path, servers);
      const program = await startProgram(folder.path);
      programs.push(program);
      const admin = await firstAdmin(program);
      const ann = await join(program.visitor, 'Ann');
      const { position } = await confirmFunding(admin, ann, (await requestFunding(ann, '7.00')).requestId);
      const server = servers.get(name);
      await server.pause();
      // Somebody waits for an answer that does not come.
      const waiting = requestFunding(ann).catch(() => undefined);
      program.child.kill('SIGTERM');
      expect(await program.ended).toEqual({ code: 0, signal: null });
      expect(program.printed.err).toMatch(/Nothing that was acknowledged is lost/);
      await waiting;
      await server.resume();
      const next = await startProgram(folder.path);
      programs.push(next);
      const again = await signIn(next.visitor, ann);
      const { wallet } = await again.api.get('me', { headers: { 'Lode-Position': position } });
      expect(wallet.balance).toBe('7.00');
      expect(await tell(folder.path, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    },
  );
});
