import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findVersitygw } from '#files/s3/testing';
import { redisServer } from '#jobs/bullmq/testing';
import { comparePositions } from '#kernel';
import { describeWhere, until } from '#kernel/testing';
import { walletModels } from '#projections';
import type { Part } from '../parts.js';
import {
  apiOf,
  checkSent,
  codeOf,
  createWork,
  customersAtWork,
  dataFolders,
  drawnFrom,
  firstAdmin,
  inspect,
  isDone,
  keyed,
  killAll,
  problemIn,
  SEED,
  serverNames,
  spawnProgram,
  spreadOver,
  standOn,
  startProgram,
  startServers,
  tellWith,
  type Customer,
  type Listening,
  type Person,
  type Program,
  type Servers,
  type Work,
} from '../testing/index.js';

/* This version and the next one beside each other, killed in turn under load, until the next one is alone. */

const NEXT = '99.0.0';
/** What the next version writes and this one can't read, and what it makes of the read model of accounts. */
const TYPE = 'WalletCredited';
const ACCOUNTS = walletModels.find(({ name }) => name === 'accounts')?.version ?? 0;

/** Loads modules as the next version has them, in every thread of a program: nothing else of it is changed. */
const hook = `
  import { registerHooks } from 'node:module';
  const changed = [
    ['/services/lode/version.js', 'JSON.parse(text).version', "'${NEXT}'"],
    ['/libs/projections/models/accounts.js', 'version: versionWithCurrencies(5)', 'version: versionWithCurrencies(6)'],
    ['/libs/ledger/account/codecs.js', '${TYPE}: adjustment,', \`${TYPE}: {
      version: adjustment.version + 1,
      read: { ...adjustment.read, [adjustment.version + 1]: adjustment.read[adjustment.version] },
      write: adjustment.write,
    },\`],
  ];
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      const change = changed.find(([file]) => url.endsWith(file));
      if (change === undefined) return loaded;
      const [file, before, after] = change;
      const source = String(loaded.source);
      if (!source.includes(before)) throw new Error(file + ' has ' + before);
      return { ...loaded, source: source.replace(before, after) };
    },
  });
`;

/** Customers at work: a light load, as all programs share one machine. */
const AT_WORK = 2;
/** What may be refused: somebody has not enough, or the program looks up no more account numbers for now. */
const REFUSALS = ['insufficient_balance', 'rate_limited'];
const READY = 200;

const isHere = redisServer !== undefined && findVersitygw() !== undefined;

describeWhere(
  isHere,
  'this version and the next (doubles of two servers)',
  'no redis-server or versitygw',
  () => {
    const { newFolder, removeFolders } = dataFolders();
    /** Of whoever looks at the servers beside the programs. */
    const folder = newFolder();
    const all: Program[] = [];
    /** The APIs that the proxy sends requests to. */
    let apis: readonly Listening[] = [];
    const proxy = spreadOver(() => apis.map(({ visitor }) => visitor));
    let servers: Servers;
    let next: Readonly<Record<string, string>>;
    let old: Readonly<Record<Part, Listening>>;
    /** Of the next version: those that are killed, and those that stay. */
    let first: Readonly<Record<'api' | 'projector', Listening>>;
    let stays: Listening;
    let admin: Person;
    let customers: readonly Customer[];
    let work: Work;

    const start = async (part: Part, env: Readonly<Record<string, string>> = {}): Promise<Listening> => {
      const program = await startProgram(newFolder(), { ...servers.env, ...env }, { part });
      all.push(program);
      return program;
    };
    const kill = async (program: Program) => {
      program.child.kill('SIGKILL');
      await program.ended;
    };

    /** The newest version of the type that the log may have, as its header says. */
    const versionInLog = async () => {
      const log = await (await inspect(folder)).openLog();
      const { [TYPE]: version = 0 } = await log.kinds();
      await log.close();
      return version;
    };
    /** Credits somebody at one API, whose answer it gives. */
    const creditAt = ({ visitor }: Listening, { person }: Customer) =>
      apiOf(visitor, admin).call('adjustWallet', {
        params: { userId: person.userId },
        body: { amounts: { BTC: '1.00' }, reason: 'a test' },
        headers: keyed(),
      });
    const readinessOf = async ({ visitor }: Listening) => {
      const { status, json } = await visitor.call('healthReady');
      return { status, log: (json as { readonly checks: Readonly<Record<string, string>> }).checks['log'] };
    };
    /** The build of accounts that queries read, as often as another one is seen. */
    const read: { readonly version: number; readonly number: number }[] = [];
    const lookAtAccounts = async () => {
      const models = await (await inspect(folder)).openModels();
      const states = (await models?.builds()) ?? [];
      await models?.close();
      const active = states.find(({ build, state }) => build.collection === 'accounts' && state === 'active');
      if (active !== undefined && active.build.number !== read.at(-1)?.number)
        read.push({ version: active.build.version, number: active.build.number });
      return states.findLast(({ build }) => build.collection === 'accounts' && build.version > ACCOUNTS);
    };
    /** Waits until the next version of accounts has all that the log has now. */
    const untilNextIsBuilt = async () => {
      const log = await (await inspect(folder)).openLog();
      const head = await log.head();
      await log.close();
      await until(async () => {
        const { checkpoint } = (await lookAtAccounts()) ?? {};
        return checkpoint !== undefined && comparePositions(checkpoint.position, head) >= 0;
      });
    };
    const untilMoneyMoved = async () => {
      const before = work.sent.filter(isDone).length;
      await until(() => work.sent.filter(isDone).length > before);
    };

    /** The next version beside this one: two of each but for the worker. Nobody works meanwhile, as each start needs a whole processor. */
    const startNext = async () => {
      first = { api: await start('api', next), projector: await start('projector', next) };
      await lookAtAccounts();
      stays = await start('api', next);
      await start('projector', next);
      await start('worker', next);
    };

    beforeAll(async () => {
      servers = await startServers(serverNames);
      standOn(folder, servers);
      const file = pathJoin(folder, 'next-version.mjs');
      writeFileSync(file, hook);
      next = { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` };
      old = { api: await start('api'), projector: await start('projector'), worker: await start('worker') };
      const { api } = old;
      apis = [api];
      admin = await firstAdmin(api);
      customers = (await customersAtWork(proxy, admin)).slice(0, AT_WORK);
      await startNext();
      apis = [api, first.api, stays];
      // Of what a server error says nobody knows what became of it, nor of what was not answered.
      const isOpen = ({ status }: { readonly status: number }) => status >= 500;
      work = createWork({ admin, customers, idle: [], draw: drawnFrom(SEED), isOpen });
    });
    afterAll(async () => {
      await killAll(all);
      await servers.stop();
      await removeFolders();
    });

    test(`lose nothing, and nothing new is written or read while one is there that can’t read it (seed ${SEED})`, async () => {
      const [ann, bob] = customers;
      if (ann === undefined || bob === undefined) throw new Error('there are customers');
      let isOver = false;
      const working = work.run(proxy, () => isOver);
      try {
        await untilMoneyMoved();
        const before = await versionInLog();

        // Beside each other: what is new the next one refuses and this one does in the old way.
        const refused = await creditAt(first.api, ann);
        expect([problemIn(refused), refused.headers.get('retry-after')]).toMatchObject([
          { status: 503, code: 'unavailable', detail: expect.stringContaining('older version of Lode') },
          '5',
        ]);
        expect((await creditAt(old.api, ann)).status).toBeLessThan(300);
        expect(await readinessOf(old.api)).toMatchObject({ status: READY });
        expect(await readinessOf(first.api)).toMatchObject({ status: READY });
        const metrics = async () => (await first.api.visitor.call('metrics')).text;
        await until(async () => (await metrics()).includes(`lode_programs{version="${NEXT}"} 5`));

        // A next projector takes over, is killed, and the other one goes on; an API and a worker are killed too.
        await kill(old.projector);
        await kill(old.worker);
        await until(async () => (await lookAtAccounts()) !== undefined);
        await untilMoneyMoved();
        apis = [old.api, stays];
        await Promise.all([kill(first.api), kill(first.projector)]);
        // It is built and goes on with the log, and is not read yet.
        for (let times = 0; times < 2; times++) {
          await untilMoneyMoved();
          await untilNextIsBuilt();
        }
        expect([await versionInLog(), read.map(({ version }) => version)]).toEqual([before, [ACCOUNTS]]);

        // The last of this version stands still, and the others wait for it no longer.
        apis = [stays];
        old.api.child.kill('SIGSTOP');
        await until(async () => (await creditAt(stays, bob)).status < 300);
        expect(await versionInLog()).toBe(before + 1);
        await until(async () => {
          await lookAtAccounts();
          return read.length > 1;
        });

        // It goes on with what it was at, for which customers wait, and says what it can't read.
        old.api.child.kill('SIGCONT');
        const unreadable = `events ${TYPE} of version ${before + 1}`;
        await until(async () => (await readinessOf(old.api)).log?.includes(unreadable) === true);
        expect(await readinessOf(old.api)).toMatchObject({ status: 503 });
        expect(problemIn(await creditAt(old.api, bob))).toMatchObject({
          status: 503,
          code: 'storage_failed',
        });
        await untilMoneyMoved();
        await kill(old.api);
        const again = spawnProgram({ LODE_DATA: newFolder(), ...servers.env }, { part: 'api' });
        all.push(again);
        expect(await again.ended).toEqual({ code: 1, signal: null });
        expect(again.printed.err).toContain(`${TYPE} of version ${before + 1}`);
      } finally {
        old.api.child.kill('SIGCONT');
        isOver = true;
        await working;
      }

      for (const command of work.sent.filter(({ answer }) => answer === undefined))
        await until(() => work.send(proxy, command));
      const refusals = work.sent
        .filter((command) => !isDone(command))
        .map(({ answer }) => codeOf(answer ?? { text: '{}' }));
      expect(refusals.filter((code) => !REFUSALS.includes(code ?? ''))).toEqual([]);
      await until(async () =>
        (await apiOf(proxy, admin).get('reactors')).items.every(({ owed }) => owed === 0),
      );
      await checkSent(folder, work);
      await lookAtAccounts();
      expect(read.map(({ version }) => version)).toEqual([ACCOUNTS, ACCOUNTS + 1]);
      expect(await tellWith({ env: next }, folder, 'verify')).toMatchObject({
        code: 0,
        json: { wrong: [] },
      });
    });
  },
);
