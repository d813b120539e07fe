import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes, type RouteName } from '#contracts';
import {
  dataFolder,
  fillFromRecorded,
  killAll,
  lode,
  recorded,
  recordedLog,
  signIn,
  soonAfterRecording,
  startProgram,
  tell,
  type Client,
  type Listening,
  type RecordedRequest,
} from '../testing/index.js';

/** Everybody who can still sign in. */
const SENDERS = ['Ada', 'Ann', 'Bob'];
const programs: Listening[] = [];
const clients = new Map<string, Client>();
let folder: ReturnType<typeof dataFolder>;
let before: string;

beforeAll(async () => {
  folder = dataFolder();
  await fillFromRecorded(folder.path);
  const program = await startProgram(folder.path, soonAfterRecording());
  programs.push(program);
  clients.set('visitor', program.visitor);
  for (const name of SENDERS) clients.set(name, (await signIn(program.visitor, recorded.people[name]!)).api);
  before = await quietHead();
});

afterAll(async () => {
  await killAll(programs);
  await folder.remove();
});

/** Where the log ends once the list of events has who signed in, and every reactor has seen all of it. */
async function quietHead(): Promise<string> {
  const ada = clients.get('Ada')!;
  for (;;) {
    const { items } = await ada.get('reactors');
    const { items: newest } = await ada.get('events', { query: { limit: String(SENDERS.length) } });
    const head = String(newest[0]?.position);
    const isAllThere = newest.every(({ type }) => type === 'SignedIn');
    if (isAllThere && items.every(({ position, owed }) => position === head && owed === 0)) return head;
  }
}

async function sendAgain({ who, method, path, headers, body }: RecordedRequest) {
  const client = clients.get(who)!;
  const response = await fetch(client.address + path, {
    method,
    headers: {
      ...headers,
      ...(client.token === undefined ? {} : { Authorization: `Bearer ${client.token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, replayed: response.headers.get('idempotency-replayed'), answer };
}

/** The first answer as a bulk request gives it again: every item says that it had been applied before. */
function givenAgain({ route, answer }: RecordedRequest): object {
  if (route !== 'adjustWallets') return answer;
  const results = (answer['results'] as readonly object[]).map((result) => ({ ...result, replayed: true }));
  return { ...answer, replayed: results.length, results };
}

const again = recorded.requests.filter(({ lost }) => lost === undefined);
const named = again.map((request, n) => ({
  ...request,
  name: `${n + 1} ${request.route} by ${request.who}`,
}));

/** That version took and dropped what it didn't know. Of a body it made nothing; a query was part of the request's hash. */
const sayUnknown = named.filter(({ path, body }) => path.includes('?') || isUnknownIn(body));
/** What that version took without a reason, which it needs by now. */
const REASONED: readonly RouteName[] = [
  'changeDepositDetails',
  'setDollarRate',
  'setPrices',
  'setBonusPolicy',
  'restartBonus',
];
const withoutReason = named.filter(
  ({ route, body }) => REASONED.includes(route) && !Object.hasOwn(Object(body), 'reason'),
);
/** The requests that a client can still send. */
const taken = named
  .filter((request) => !request.path.includes('?') && !withoutReason.includes(request))
  .map((request) => ({ ...request, body: withoutUnknown(request.body) }));

function isUnknownIn(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'unknown' in body;
}

function withoutUnknown(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('unknown' in body)) return body;
  const { unknown: _, ...known } = body;
  return known;
}

/** Commands that came after that version. */
const NEWER = [
  'revokeInvitation',
  'changeDuty',
  'addNote',
  'changePreferences',
  'cancelWalletAddress',
  'approveAdjustment',
  'rejectAdjustment',
  'approveChange',
  'rejectChange',
  'readNotifications',
  'setAdminAccess',
  'setApprovalLimits',
];

describe('a log of an earlier version', () => {
  test('holds commands of every route that takes them', () => {
    const sent = new Set(recorded.requests.map(({ route }) => route));
    const commands = Object.entries(routes).filter(([, route]) => 'command' in route);
    expect(commands.map(([name]) => name).filter((name) => !sent.has(name as never))).toEqual(NEWER);
    expect(sent).toContain('adjustWallets');
  });

  test.each(sayUnknown)('refuses $name with what no route knows', async (request) => {
    expect(await sendAgain(request)).toMatchObject({ status: 400, answer: { code: 'validation_failed' } });
  });

  test.each(withoutReason)('refuses $name without a reason', async (request) => {
    expect(await sendAgain(request)).toMatchObject({
      status: 400,
      answer: { code: 'validation_failed', errors: [{ path: 'reason' }] },
    });
  });

  test.each(taken.filter(({ status }) => status < 300))(
    'answers $name as the first time',
    async (request) => {
      expect(await sendAgain(request)).toEqual({
        status: request.status,
        replayed: 'true',
        answer: givenAgain(request),
      });
    },
  );

  test.each(taken.filter(({ status }) => status >= 300))(
    'refuses $name as the first time',
    async (request) => {
      const { status, answer } = await sendAgain(request);
      const code = request.answer['code'];
      // Its status has changed since, as a decision tells; no code ever does.
      const expected = code === 'idempotency_key_reused' ? 422 : request.status;
      expect({ status, code: answer['code'] }).toEqual({ status: expected, code });
    },
  );

  test('takes nothing new from all that, from its reactors, from a tick or from an erasure', async () => {
    expect(await quietHead()).toBe(before);
    await killAll(programs);
    const zoe = recorded.people['Zoe']!.userId;
    expect((await tell(folder.path, 'erase', zoe, '--yes')).json).toMatchObject({ isNew: false, files: 0 });
    expect((await tell(folder.path, 'tick')).json).toMatchObject({ accrued: 0, failed: 0 });
    const { out } = await lode(folder.path, 'export');
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBe(Number(before));
    // Nothing but the platform and the list of admins, which it had none of, and what signing in left came after what was there.
    const later = lines.slice(recordedLog.length).map((line) => (JSON.parse(line) as { type: string }).type);
    expect(later).toEqual(['PlatformFounded', 'AdminAdmitted', ...SENDERS.map(() => 'SignedIn')]);
  });
});
