import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findVersitygw } from '#files/s3/testing';
import { describeWhere, lacking, until } from '#kernel/testing';
import {
  confirmFunding,
  customersAtWork,
  dataFolders,
  firstAdmin,
  follow,
  killAll,
  requestFunding,
  startCollector,
  startProgram,
  startServers,
  type Collected,
  type Collector,
  type Listening,
  type Person,
} from '../testing/index.js';

/* What becomes of a request, as a collector of OpenTelemetry is told. */

const SERVER_KIND = 2;
const CONFIRM = 'command ConfirmFunding';
const KEY = 'a-key-that-no-span-has';
const { newFolder, removeFolders } = dataFolders();
afterAll(removeFolders);

/** Has funding of a customer confirmed while the admin listens for what changes; gives the spans of the request for it. */
async function traceOfFunding(
  { visitor }: Listening,
  admin: Person,
  collector: Collector,
): Promise<readonly Collected[]> {
  const [customer] = await customersAtWork(visitor, admin);
  if (customer === undefined) throw new Error('there are customers');
  const { requestId } = await requestFunding(customer.person, '7.00');
  const stream = await follow(admin.api);
  await stream.until((frames) => frames.some(({ event }) => event === 'hello'));
  const { position } = await confirmFunding(admin, customer.person, requestId);
  await customer.person.api.get('me', { headers: { 'Lode-Position': position } });
  await stream.until((frames) => frames.some(({ event }) => event === 'change'));
  const spans = () => {
    const traces = collector.spans.filter(({ name }) => name === CONFIRM).map(({ traceId }) => traceId);
    return collector.spans.filter(({ traceId }) => traceId === traces.at(-1));
  };
  await until(() => chainOf(spans()).length === CHAIN.length);
  stream.close();
  return spans();
}

/** The spans from a request to what a page is told of it, each a part or a consequence of the one before. */
function chainOf(spans: readonly Collected[]): readonly Collected[] {
  const chain: Collected[] = [];
  for (
    let next = spans.find(({ name }) => name === 'live message');
    next !== undefined;
    next = spans.find(({ spanId }) => spanId === chain[0]?.parentSpanId)
  )
    chain.unshift(next);
  return chain;
}

const CHAIN = [
  expect.stringMatching(/^POST \/api\/.*:requestId/),
  CONFIRM,
  'append',
  'projection',
  'live message',
];

describe('a program that is told of a collector', () => {
  let collector: Collector;
  let program: Listening;
  let admin: Person;
  const programs: Listening[] = [];
  beforeAll(async () => {
    collector = await startCollector();
    program = await startProgram(newFolder(), {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=of-this-tenant',
    });
    programs.push(program);
    admin = await firstAdmin(program);
  });
  afterAll(async () => {
    await killAll(programs);
    await collector.stop();
  });

  test('tells it one trace from a request to the live message, by what correlates its events', async () => {
    const spans = await traceOfFunding(program, admin, collector);
    const chain = chainOf(spans);
    expect(chain.map(({ name }) => name)).toEqual(CHAIN);
    const [request, command, append, projection] = chain;
    expect(collector.token()).toBe('of-this-tenant');
    expect(request?.kind).toBe(SERVER_KIND);
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
    });
    expect(command?.attributes).toMatchObject({ 'lode.stream': 'account', 'lode.replayed': false });
    expect(append?.attributes['lode.command.id']).toBe(command?.attributes['lode.command.id']);
    expect(projection?.attributes['lode.event.types']).toContain('FundingConfirmed');
    const { items } = await admin.api.get('events', { query: { type: 'FundingConfirmed' } });
    const correlations = items.map(({ meta }) => meta.correlationId.replaceAll('-', ''));
    expect(correlations).toContain(request?.traceId);
    for (const { startTimeUnixNano: start, endTimeUnixNano: end } of spans)
      expect(BigInt(end)).toBeGreaterThanOrEqual(BigInt(start));
  });

  test('has what a reactor does in the trace of what it follows from', async () => {
    const { spans } = collector;
    await until(() => spans.some(({ name }) => name.startsWith('reactor ')));
    const reaction = spans.find(({ name }) => name.startsWith('reactor '));
    const beside = () => spans.filter(({ traceId }) => traceId === reaction?.traceId);
    await until(() => beside().some(({ parentSpanId }) => parentSpanId === reaction?.spanId));
    const before = beside().find(({ spanId }) => spanId === reaction?.parentSpanId);
    const after = beside().find(({ parentSpanId }) => parentSpanId === reaction?.spanId);
    expect([before?.name, after?.name]).toEqual(['append', expect.stringMatching(/^command /)]);
  });

  test('says of a person nothing, and of what failed the code alone', async () => {
    const customers = await customersAtWork(program.visitor, admin);
    const people = [admin, ...customers.map(({ person }) => person)];
    const [admitted] = customers;
    const refused = await admin.api.call('confirmFunding', {
      params: { userId: admitted?.person.userId ?? '', requestId: 'a'.repeat(34) },
      body: {},
      headers: { 'Idempotency-Key': KEY },
    });
    expect(refused.status).toBe(404);
    await until(() => collector.spans.some(({ name, status }) => name === CONFIRM && status.code === 2));
    const failed = collector.spans.find(({ name, status }) => name === CONFIRM && status.code === 2);
    expect(failed?.status.message).toMatch(/^[a-z_]+$/);
    const sent = collector.sent();
    for (const { userId, email } of people) {
      expect(sent).not.toContain(userId);
      expect(sent).not.toContain(email);
    }
    expect(sent).not.toContain(KEY);
  });

  test('sends what it has when it is stopped', async () => {
    const sent = collector.spans.length;
    await admin.api.get('me');
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(collector.spans.slice(sent).map(({ name }) => name)).toContain('GET /api/me');
  });
});

describe('without a collector', () => {
  const programs: Listening[] = [];
  afterAll(() => killAll(programs));

  /** Prints what is loaded of OpenTelemetry's. */
  const HOOK = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      const found = next(name, context);
      if (/@opentelemetry.(sdk|exporter)/.test(found.url)) console.log('loaded ' + name);
      return found;
    } });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(HOOK)}`;

  test('nothing of OpenTelemetry is loaded, and one that is away holds nothing up', async () => {
    const start = async (env: Readonly<Record<string, string>>) => {
      const program = await startProgram(newFolder(), { NODE_OPTIONS, LODE_LOG: 'warn', ...env });
      programs.push(program);
      return program;
    };
    const off = await start({});
    expect(off.printed.out).not.toContain('loaded ');
    const away = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    expect(away.printed.out).toContain('loaded @opentelemetry/sdk-trace');
    await firstAdmin(away);
    await until(() => away.printed.out.includes("traces can't be sent to http://127.0.0.1:1"));
    away.child.kill('SIGTERM');
    expect(await away.ended).toEqual({ code: 0, signal: null });
  });
});

const hasBucket = findVersitygw() !== undefined;

describeWhere(hasBucket, 'API and projector as programs (doubles of two servers)', lacking('s3'), () => {
  const programs: Listening[] = [];
  let collector: Collector;
  let servers: Awaited<ReturnType<typeof startServers>>;
  beforeAll(async () => {
    collector = await startCollector();
    servers = await startServers(['eventstore', 'mongodb', 's3']);
  });
  afterAll(async () => {
    await killAll(programs);
    await servers.stop();
    await collector.stop();
  });

  test('tell one trace together, though neither hands the other anything of it', async () => {
    const env = { ...servers.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const started = await Promise.all(
      (['api', 'projector'] as const).map((part) => startProgram(newFolder(), env, { part })),
    );
    programs.push(...started);
    const [api] = started;
    if (api === undefined) throw new Error('there is an API');
    const chain = chainOf(await traceOfFunding(api, await firstAdmin(api), collector));
    expect(chain.map(({ name }) => name)).toEqual(CHAIN);
    expect(chain.map(({ service }) => service)).toEqual([
      ...Array<string>(3).fill('lode-api'),
      'lode-projector',
      'lode-api',
    ]);
  });
});
