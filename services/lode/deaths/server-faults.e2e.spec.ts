import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findVersitygw } from '#files/s3/testing';
import { redisServer } from '#jobs/bullmq/testing';
import { logStart } from '#kernel';
import { describeWhere, until } from '#kernel/testing';
import { accountStream } from '#ledger';
import {
  checkBooks,
  checkRepeated,
  checkShown,
  codeOf,
  createWork,
  customersAtWork,
  dataFolder,
  drawnFrom,
  finished,
  firstAdmin,
  formOf,
  IDLE,
  idleCustomers,
  isDone,
  openAccount,
  PDF,
  problemIn,
  SEED,
  serverNames,
  signIn,
  standOn,
  startProgram,
  startServers,
  tell,
  type Answer,
  type Ask,
  type Customer,
  type Listening,
  type Person,
  type ServerName,
  type Servers,
  type Work,
} from '../testing/index.js';

/** Readiness says it in a body of its own. */
const unready = { code: 'unavailable', detail: '' } as const;
/** What a caller is told who may send the same again. */
const AWAY = ['unavailable', 'unknown_outcome', 'overloaded'];
/** What may be refused: somebody has not enough, or the program looks up no more account numbers for now. */
const REFUSALS = ['insufficient_balance', 'rate_limited'];
/** Commands of a fault that are sent once more after it. */
const REPEATED = 12;
/** Days that those who wait are paid for, and what these pay of a wallet by the policy in force from the first. */
const BONUS_DAYS = 3;
const BONUS = '30.00';
/** Uploads of one person at once. */
const UPLOADS_MAX = 8;
/** Of a test with many ticks: they end what hangs. */
const TEST_MS = 900_000;
const TICK_MS = 60_000;

const faults = {
  killed: { begin: 'kill', end: 'start' },
  paused: { begin: 'pause', end: 'resume' },
} as const;
const cases = serverNames.flatMap((name) =>
  (['killed', 'paused'] as const).map((fault) => [name, fault] as const),
);
/** Faults of Redis in the middle of a tick; more of them when somebody has the night. */
const TICKS = Number(process.env['LODE_TICKS'] ?? 9);

const isHere = redisServer !== undefined && findVersitygw() !== undefined;

describeWhere(isHere, 'the program on all servers (doubles of two)', 'no redis-server or versitygw', () => {
  let servers: Servers;
  let folder: ReturnType<typeof dataFolder>;
  let program: Listening;
  let admin: Person;
  let ann: Person;
  let customers: readonly Customer[];
  let idle: string[];
  let work: Work;
  /** What was answered in place of what became of a command. */
  const told: Answer[] = [];

  beforeAll(async () => {
    folder = dataFolder();
    servers = await startServers(serverNames);
    standOn(folder.path, servers);
    idle = [...(await idleCustomers(folder.path, (cases.length + 3) * IDLE + TICKS, BONUS_DAYS))];
    program = await startProgram(folder.path);
    admin = await firstAdmin(program);
    customers = await customersAtWork(program.visitor, admin);
    ann = customers[0]?.person ?? admin;
    const isOpen = (answer: Answer) => {
      const isAway = answer.status >= 500 && AWAY.includes(codeOf(answer) ?? '');
      if (isAway) told.push(answer);
      return isAway;
    };
    work = createWork({ admin, customers, idle, draw: drawnFrom(SEED), isOpen });
  });
  afterAll(async () => {
    program?.child.kill('SIGKILL');
    await program?.ended;
    await folder.remove();
  });

  const done = () => work.sent.filter(isDone).length;
  const listed = () => ann.api.call('ownTransactions', { params: { userId: ann.userId } });
  const ready = async () => (await program.visitor.call('healthReady')).status;
  const uploadOne = () => ann.api.call('uploadEvidence', { form: formOf(new Uint8Array(PDF)) });

  /** Nothing but that it is away, and when to come again: no address. */
  function expectAway(answer: Answer, name?: string): void {
    const { code, detail } = name === 'healthReady' ? unready : problemIn(answer);
    if (name === 'healthReady') expect(answer.json).toMatchObject({ status: 'unavailable' });
    expect(AWAY).toContain(code);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(detail + answer.text).not.toMatch(/127\.0\.0\.1|localhost|:\d{4,5}\b|:\/\//);
  }
  const untilAway = async (name: Parameters<Person['api']['call']>[0], ask?: Ask, by = admin.api) => {
    let answer = await by.call(name, ask);
    while (answer.status < 500) answer = await by.call(name, ask);
    expectAway(answer, name);
  };
  const untilMoneyMoved = async () => {
    const before = done();
    await until(async () => done() > before);
  };

  /** Looks at what callers are told while a server is away, until they were told all of it. Gives what is to be waited for. */
  const whileAway: { readonly [Name in ServerName]: () => Promise<() => Promise<void>> } = {
    eventstore: async () => {
      const before = told.length;
      await until(async () => told.length > before);
      expect((await listed()).status).toBe(200);
      await untilAway('healthReady', {}, program.visitor);
      return async () => undefined;
    },
    mongodb: async () => {
      const before = told.length;
      await until(async () => told.length > before);
      const { email, password } = ann;
      await Promise.all([
        untilAway('me', {}, ann.api),
        // Whose token it is nobody knows: it may be good.
        untilAway('me', {}, program.visitor.as(`la_${'x'.repeat(43)}`)),
        untilAway('signIn', { body: { email, password } }, program.visitor),
        untilAway('healthReady', {}, program.visitor),
      ]);
      expect((await program.visitor.call('healthLive')).status).toBe(200);
      return async () => undefined;
    },
    redis: async () => {
      await Promise.all([untilAway('jobs'), untilAway('runBonusTick', { body: { reason: 'a test' } })]);
      await untilMoneyMoved();
      expect(await ready()).toBe(200);
      return async () => undefined;
    },
    s3: async () => {
      // One more than may wait at once, of which one is told so.
      const uploads = Array.from({ length: UPLOADS_MAX + 1 }, uploadOne);
      expectAway(await Promise.race(uploads));
      await untilMoneyMoved();
      expect(await ready()).toBe(200);
      return async () => {
        const statuses = (await Promise.all(uploads)).map(({ status }) => status);
        expect(statuses.sort()).toEqual([...Array.from({ length: UPLOADS_MAX }, () => 201), 503]);
      };
    },
  };

  /** Everything that was asked for is decided and written once, and everybody is shown it, by the same program. */
  async function expectWhole(from: number) {
    for (const command of work.sent.filter(({ answer }) => answer === undefined))
      await until(() => work.send(program.visitor, command));
    await finished(program.visitor, admin);
    // What the program takes for a bug of its own is written down, with its cause.
    expect(program.printed.out.split('\n').filter((line) => line.includes('"code":"internal"'))).toEqual([]);
    const refused = work.sent
      .filter((command) => !isDone(command))
      .map(({ answer }) => codeOf(answer ?? { text: '{}' }));
    expect(refused.filter((code) => !REFUSALS.includes(code ?? ''))).toEqual([]);
    const { events, accounts } = await checkBooks(folder.path, work);
    await checkRepeated(
      folder.path,
      work,
      program.visitor,
      work.sent.slice(from).filter(isDone).slice(-REPEATED),
    );
    const last = events.at(-1)?.position ?? logStart;
    for (const customer of customers) {
      const account = openAccount(accounts.get(accountStream(customer.person.userId)));
      await checkShown(program.visitor, customer, account, last);
    }
    expect(await tell(folder.path, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    for (const answer of told) expectAway(answer);
    expect(program.child.exitCode).toBeNull();
    return events;
  }

  /** Has something become of a server under load, and then end; `look` gives what is to be waited for after that. */
  async function goesThrough(
    begin: () => unknown,
    look: () => Promise<() => Promise<void>>,
    end: () => unknown,
  ): Promise<void> {
    const from = work.sent.length;
    let isOver = false;
    const working = work.run(program.visitor, () => isOver || program.child.exitCode !== null);
    try {
      await untilMoneyMoved();
      await begin();
      const settled = await look();
      await end();
      await settled();
      await until(async () => (await ready()) === 200);
      await untilMoneyMoved();
      await signIn(program.visitor, ann);
      expect((await uploadOne()).status).toBe(201);
      await until(
        async () => (await admin.api.call('runBonusTick', { body: { reason: 'a test' } })).status === 200,
      );
    } finally {
      isOver = true;
      await working;
    }
    await expectWhole(from);
  }

  test.each(cases)(`goes on by itself when %s was %s under load (seed ${SEED})`, async (name, fault) => {
    const server = servers.get(name);
    const { begin, end } = faults[fault];
    await goesThrough(server[begin], whileAway[name], server[end]);
  });

  test('goes on by itself when redis was emptied under load', async () => {
    const settled = async () => undefined;
    await goesThrough(
      async () => servers.get('redis').reset?.(),
      async () => settled,
      settled,
    );
  });

  test('goes on by itself when all of them were killed at once under load', async () => {
    const all = serverNames.map((name) => servers.get(name));
    await goesThrough(
      () => Promise.all(all.map(({ kill }) => kill())),
      whileAway.mongodb,
      async () => {
        for (const { start } of all) await start();
      },
    );
  });

  test(
    'pays each day once, whatever becomes of Redis in the middle of a tick',
    async () => {
      const from = work.sent.length;
      const redis = servers.get('redis');
      const hurt = [
        [redis.kill, redis.start],
        [redis.pause, redis.resume],
        [async () => redis.reset?.(), async () => undefined],
      ] as const;
      for (let n = 0; n < TICKS; n++) {
        const [begin, end] = hurt[n % hurt.length] ?? hurt[0];
        // The tick that is asked for then has somebody to pay.
        expect(await work.letIn(program.visitor)).toBe(true);
        const asked = admin.api.call('runBonusTick', { body: { reason: 'a test' } });
        if (n % 2 === 0) await asked;
        await begin();
        const answer = await asked;
        if (answer.status !== 200) expectAway(answer);
        await end();
        await until(
          async () => (await admin.api.call('runBonusTick', { body: { reason: 'a test' } })).status === 200,
        );
      }
      await expectWhole(from);
    },
    TEST_MS + TICKS * TICK_MS,
  );

  test('has forgotten nobody’s bonus in the end, and paid nobody’s twice', async () => {
    await until(
      async () => (await admin.api.call('runBonusTick', { body: { reason: 'a test' } })).status === 200,
    );
    const events = await expectWhole(work.sent.length);
    const letIn = work.sent
      .filter(({ route }) => route === 'activate')
      .map(({ userId }) => accountStream(userId));
    const bonuses = events.filter(({ type }) => type === 'BonusAccrued');
    expect(bonuses.map(({ stream }) => stream).sort()).toEqual(letIn.sort());
    expect(letIn.length).toBeGreaterThanOrEqual(TICKS);
    for (const { data } of bonuses) expect(data).toMatchObject({ days: BONUS_DAYS, amount: BONUS });
  });
});
