import { expect } from '@jest/globals';
import type { RouteName } from '#contracts';
import type { Answer, Ask, Client, Given } from '../client.js';
import { apiOf, cookieIn, keyed, type Person } from '../people.js';
import { PIN, transferTo } from '../requests.js';

/** A session by its newest tokens, and what was answered of it; `unknown` while an answer that would say it is missing. */
type Session = { token: string; cookie: string; state: 'live' | 'ended' | 'unknown' };

/** A password or pin: the one in force, and the change that was asked for and not answered yet. */
type Secret = {
  inForce: string;
  asked: { readonly to: string; readonly ask: Ask; readonly by: Session } | undefined;
};

/** Sessions that ended and are still looked at: the last ones. */
const ENDED_MAX = 6;
/** A bank account, and more than there is in an empty wallet. */
const [ELSEWHERE, AMOUNT] = ['DE89370400440532013000', '1.00'] as const;

/** What belongs to a writer who does nothing but change how they come in. */
type Keeping = {
  readonly admin: Person;
  readonly keeper: Person;
  readonly sessions: Session[];
  readonly password: Secret;
  readonly pin: Secret;
  /** Answers that nobody should get. */
  readonly wrong: string[];
};

const liveOf = ({ sessions }: Keeping) => sessions.filter(({ state }) => state === 'live');

const isExpired = ({ text }: Answer) => text.includes('"code":"token_expired"');

/**
 * Asks by a session, or by the admin; undefined when it was not answered, or with nothing that tells what became of it. A
 * session whose token has run out meanwhile is not asked by again.
 */
async function ask(
  { sessions, wrong }: Keeping,
  client: Client,
  route: RouteName,
  what: Ask,
): Promise<Answer | undefined> {
  const answer = await client.call(route, what).catch(() => undefined);
  if (answer === undefined || answer.status >= 500) return undefined;
  if (answer.status < 300) return answer;
  const old = isExpired(answer) ? sessions.find(({ token }) => token === client.token) : undefined;
  if (old !== undefined) {
    old.state = 'unknown';
    return undefined;
  }
  wrong.push(`${route}: ${answer.status} ${answer.text}`);
  return undefined;
}

/** Opens a session with a password; its answer, which may refuse it. */
async function open(keeping: Keeping, visitor: Client, password: string): Promise<Answer | undefined> {
  const body = { email: keeping.keeper.email, password };
  const answer = await visitor.call('signIn', { body }).catch(() => undefined);
  if (answer?.status === 200) {
    const { accessToken: token } = answer.json as Given<'refresh'>;
    keeping.sessions.push({ token, cookie: cookieIn(answer.headers), state: 'live' });
  }
  return answer;
}

/** Does what ends sessions: until that is answered nobody knows of them. */
async function ending(
  ended: readonly Session[],
  isDone: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const before = ended.filter(({ state }) => state !== 'ended');
  for (const session of before) session.state = 'unknown';
  const answer = await isDone();
  if (answer !== undefined) for (const session of before) session.state = 'ended';
  return answer;
}

/** Sends a change of a secret under its key, from a session; true once it is done. */
async function change(
  keeping: Keeping,
  visitor: Client,
  from: Session,
  which: 'password' | 'pin',
): Promise<boolean> {
  const secret = keeping[which];
  if (secret.asked === undefined) return true;
  const { to, ask: what, by } = secret.asked;
  const route = which === 'password' ? 'changePassword' : 'setTransferPin';
  const send = () => ask(keeping, visitor.as(from.token), route, what);
  // The one that it was first asked for by goes on, if it was done then.
  if (by !== from) by.state = 'unknown';
  const spared = [by, from];
  const others = which === 'password' ? keeping.sessions.filter((session) => !spared.includes(session)) : [];
  if ((await ending(others, send)) === undefined) return false;
  secret.inForce = to;
  secret.asked = undefined;
  return true;
}

/** What a session `b` and an admin can do to `b`, to another session `a` and to all, in turn. */
const ways = {
  refresh: async (keeping, visitor, { b }) => {
    const answer = await ending([b], () =>
      ask(keeping, visitor, 'refresh', { headers: { Cookie: b.cookie } }),
    );
    if (answer === undefined) return;
    const { accessToken: token } = answer.json as Given<'refresh'>;
    Object.assign(b, { token, cookie: cookieIn(answer.headers), state: 'live' });
  },
  signOut: (keeping, visitor, { a }) => ending([a], () => ask(keeping, visitor.as(a.token), 'signOut', {})),
  changePassword: (keeping, visitor, { b, n }) => {
    const to = `correct horse ${n} battery`;
    const body = { oldPassword: keeping.password.inForce, newPassword: to };
    keeping.password.asked = { to, ask: { body, headers: keyed() }, by: b };
    return change(keeping, visitor, b, 'password');
  },
  endOwnSession: async (keeping, visitor, { a, b }) => {
    const sessionId = await idOf(visitor, a);
    const params = { sessionId };
    await ending([a], () => ask(keeping, visitor.as(b.token), 'endOwnSession', { params }));
  },
  setTransferPin: (keeping, visitor, { b, n }) => {
    const to = String(1_000 + (n % 9_000));
    const body = { password: keeping.password.inForce, pin: to };
    keeping.pin.asked = { to, ask: { body, headers: keyed() }, by: b };
    return change(keeping, visitor, b, 'pin');
  },
  endOtherSessions: (keeping, visitor, { b }) => {
    const others = keeping.sessions.filter((session) => session !== b);
    return ending(others, () => ask(keeping, visitor.as(b.token), 'endOtherSessions', {}));
  },
  endSessionOf: async (keeping, visitor, { a }) => {
    const params = { userId: keeping.keeper.userId, sessionId: await idOf(visitor, a) };
    const api = apiOf(visitor, keeping.admin);
    await ending([a], () => ask(keeping, api, 'endSessionOf', { params }));
  },
  signOutEverywhere: (keeping, visitor, { b }) =>
    ending(keeping.sessions, () => ask(keeping, visitor.as(b.token), 'signOutEverywhere', {})),
  endSessionsOf: (keeping, visitor) => {
    const params = { userId: keeping.keeper.userId };
    const api = apiOf(visitor, keeping.admin);
    return ending(keeping.sessions, () => ask(keeping, api, 'endSessionsOf', { params }));
  },
} as const satisfies Record<
  string,
  (
    keeping: Keeping,
    visitor: Client,
    those: { readonly a: Session; readonly b: Session; readonly n: number },
  ) => Promise<unknown>
>;

async function idOf(visitor: Client, session: Session): Promise<string> {
  const { items } = await visitor.as(session.token).get('ownSessions');
  return items.find(({ current }) => current)?.sessionId ?? '';
}

/** Learns what became of a change that was not answered; false when that could not be learned now. */
async function learn(keeping: Keeping, visitor: Client): Promise<boolean> {
  const { password, pin } = keeping;
  if (password.asked === undefined && pin.asked === undefined) return true;
  const next = password.asked?.to ?? password.inForce;
  let answer = await open(keeping, visitor, next);
  if (answer?.status === 401) answer = await open(keeping, visitor, password.inForce);
  const session = answer?.status === 200 ? keeping.sessions.at(-1) : undefined;
  if (session === undefined) {
    if (answer !== undefined && answer.status < 500)
      keeping.wrong.push(`signIn: ${answer.status} ${answer.text}`);
    return false;
  }
  return (
    (await change(keeping, visitor, session, 'password')) && (await change(keeping, visitor, session, 'pin'))
  );
}

/** Checks that what was answered is so: the password and the pin are the ones in force, and each session lives or doesn't. */
async function check(keeping: Keeping, visitor: Client): Promise<void> {
  expect(await learn(keeping, visitor)).toBe(true);
  expect((await open(keeping, visitor, keeping.password.inForce))?.status).toBe(200);
  const known = keeping.sessions.filter(({ state }) => state !== 'unknown');
  const states = known.map(async ({ token, state }) => {
    const answer = await visitor.as(token).call('ownSessions');
    return [state, answer.status === 200 || isExpired(answer) ? 'live' : answer.status];
  });
  expect(await Promise.all(states)).toEqual(
    known.map(({ state }) => [state, state === 'live' ? 'live' : 401]),
  );
  const body = transferTo(ELSEWHERE, AMOUNT, { pin: keeping.pin.inForce });
  const api = visitor.as(liveOf(keeping).at(-1)?.token);
  const { json } = await api.call('requestTransfer', { body, headers: keyed() });
  // The pin is asked for first: a wrong one would be refused as such.
  expect(json).toMatchObject({ code: 'insufficient_balance' });
  expect(keeping.wrong).toEqual([]);
}

/** Lets go of the sessions that ended longest ago. */
function tidy({ sessions }: Keeping): void {
  const ended = sessions.filter(({ state }) => state === 'ended').slice(0, -ENDED_MAX);
  for (const session of ended) sessions.splice(sessions.indexOf(session), 1);
}

/** A customer who has a pin and no money, and keeps changing password, pin and sessions. */
export function createSessionsAtWork(admin: Person, keeper: Person) {
  const keeping: Keeping = {
    admin,
    keeper,
    sessions: [],
    password: { inForce: keeper.password, asked: undefined },
    pin: { inForce: PIN, asked: undefined },
    wrong: [],
  };
  const turns = Object.values(ways);
  let n = 0;
  return {
    check: (visitor: Client) => check(keeping, visitor),
    step: async (visitor: Client): Promise<void> => {
      tidy(keeping);
      if (!(await learn(keeping, visitor))) return;
      while (liveOf(keeping).length < 2)
        if ((await open(keeping, visitor, keeping.password.inForce))?.status !== 200) return;
      const [a, b] = liveOf(keeping);
      n += 1;
      if (a !== undefined && b !== undefined) await turns[n % turns.length]?.(keeping, visitor, { a, b, n });
    },
  };
}
