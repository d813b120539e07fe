import { ActivatePerson, SuspendPerson } from '#application';
import type { CommandContext } from '#commands';
import type { Session } from '#identity';
import { commandIdOf, hasCode, sha256 } from '#kernel';
import { accountStream } from '#ledger';
import { emailOf, passwordOf } from './identities.js';
import { request, type World } from './network.js';
import { people } from './people.js';
import type { Api } from './programs.js';

/** People who sign in, use their sessions and end them, each time by any of the APIs. */
export type Visitors = {
  /** What they saw that may not be. */
  readonly findings: readonly string[];
  readonly haveEnded: () => boolean;
  readonly start: () => void;
};

/** Somebody who signs in. */
type Visitor = {
  readonly userId: string;
  readonly sessions: Known[];
  /** How often the password was changed, as was answered. */
  changes: number;
  /** Since when they are kept out, as was answered; nothing from when somebody begins to let them in. */
  keptOutSince: number | undefined;
};

/** A session as its owner knows it. Times are virtual milliseconds. */
type Known = {
  readonly sessionId: string;
  readonly askedAt: number;
  /** How often the password had been changed by which it was begun. */
  readonly changes: number;
  accessToken: string;
  refreshToken: string;
  /** Refresh tokens that were used up, the first of them first. */
  readonly usedUp: string[];
  /** What the APIs said of it that let it in. */
  readonly seenBy: Map<Api, Session>;
  /** An API was shown it in vain, as when time has passed: its owner goes on with another one. */
  isInVain: boolean;
  /** Since when it is over, as was answered, and by what; never before that. */
  endedAt: number;
  why: string;
};

/** How a session is looked at: by most uses, by those that change or take along something, and by what is open for long. */
type Way = 'any' | 'guarded' | 'live';
const ways: readonly Way[] = ['any', 'any', 'any', 'any', 'guarded', 'live'];
/** The ways in which sessions are ended. */
const endings = ['signed out', 'ended', 'ended everywhere', 'password', 'password', 'suspended'] as const;

/** How long a program may let somebody in whose session is over, in milliseconds. */
const BOUND_MS = 1_000;
/** How long a session that is over is tried by each API, in milliseconds, and how often. */
const TRIED_MS = 4_000;
const TRIES = 3;
/** How often it is tried to end sessions until it is known that they have. */
const ENDING_TRIES = 6;
const CLIENT = { address: '192.0.2.1', agent: 'a simulation' };

/** Visitors that sign in where they have less than two sessions. */
export function createVisitors(world: World, apis: () => readonly Api[]): Visitors {
  const { time, draws, plan } = world;
  const findings: string[] = [];
  const eyes = createEyes(world, (finding) => void findings.push(finding));
  let [left, working] = [plan.visits, 0];
  const pause = (ms: number) =>
    new Promise<void>((resolve) => void time.after(draws.between(0, ms), 'visitor', resolve));
  const anApi = () => (apis().length === 0 ? undefined : draws.oneOf(apis()));

  /** Has sessions remembered by every API. */
  const showAround = (sessions: readonly Known[]) =>
    Promise.all(sessions.flatMap((one) => apis().map((api) => eyes.use(api, one, 'any'))));

  /** Tries sessions that are over for a while, wherever they may be remembered. */
  const tryEnded = async (ended: readonly Known[]) => {
    for (let n = 0; n < TRIES; n += 1) {
      await pause(TRIED_MS / TRIES);
      for (const session of ended) await Promise.all(apis().map((api) => eyes.use(api, session)));
    }
  };

  const visit = async (visitor: Visitor) => {
    const api = anApi();
    if (api === undefined) return;
    const { sessions } = visitor;
    const live = sessions.filter(({ endedAt, isInVain }) => endedAt === Infinity && !isInVain);
    if (live.length < 2 || draws.chance(0.1)) {
      await eyes.signIn(api, visitor);
      await showAround(sessions.slice(-1));
    } else if (draws.chance(0.4)) await eyes.use(api, draws.oneOf(draws.chance(0.8) ? live : sessions));
    else if (draws.chance(0.3)) await eyes.refresh(api, draws.oneOf(live));
    else {
      await showAround(live.slice(-2));
      const isBesides = draws.chance(0.5);
      const way = draws.oneOf(endings);
      const except = draws.chance(0.5) ? live.at(-1) : undefined;
      const end = async () => {
        for (let tries = 0; tries < ENDING_TRIES; tries += 1) {
          const by = anApi();
          if (by !== undefined && (await eyes.end(by, visitor, way, except))) return;
          await pause(500);
        }
      };
      await Promise.all([end(), isBesides ? eyes.signIn(api, visitor) : undefined]);
      await tryEnded(live.slice(-2));
      if (way === 'suspended') await letIn(visitor);
    }
  };

  const letIn = async (visitor: Visitor) => {
    for (;;) {
      const by = anApi();
      if (by !== undefined && (await eyes.letIn(by, visitor))) return;
      await pause(500);
    }
  };

  const work = async (userId: string) => {
    const visitor: Visitor = {
      ...{ userId, sessions: [], changes: 0, keptOutSince: undefined },
    };
    working += 1;
    while (left > 0) {
      left -= 1;
      await visit(visitor);
      await pause(plan.thinkMs);
    }
    working -= 1;
  };
  return {
    findings,
    haveEnded: () => left <= 0 && working === 0,
    start: () => {
      for (const userId of people) void work(userId);
    },
  };
}

/** What visitors do at an API, and look at. */
function createEyes(world: World, say: (finding: string) => void) {
  const { time, draws, happened } = world;
  const over = (session: Known, why: string) => {
    if (session.endedAt === Infinity) Object.assign(session, { endedAt: time.now(), why });
  };
  let suspensions = 0;
  const contextOf = ({ userId }: Visitor): CommandContext => {
    const key = `access ${(suspensions += 1)}`;
    const commandId = commandIdOf('root', accountStream(userId), key);
    const actor = { kind: 'person', id: 'root', role: 'admin' } as const;
    const ids = { commandId, correlationId: commandId, causationId: commandId };
    return { actor, requestHash: sha256(key), ...ids };
  };

  /** Uses a session, in one of the ways in which it is looked at: by far not each use asks the store. */
  const use = async (api: Api, session: Known, way: Way = draws.oneOf(ways)): Promise<void> => {
    const { accessToken, sessionId } = session;
    const { sessions } = api.identity;
    const { error } = await request(world, api.life, `${way} use of a session`, async () => {
      const [askedAt, { endedAt, why }] = [time.now(), session];
      const seen = session.seenBy.get(api);
      if (way !== 'live')
        session.seenBy.set(
          api,
          await sessions.authenticate(accessToken, way === 'guarded' ? 'as stored' : undefined),
        );
      else if (seen === undefined || !(await sessions.isAlive(seen))) return;
      happened.add(`let in: ${way}`);
      if (askedAt > endedAt) happened.add('let in within the bound');
      if (askedAt > endedAt + (way === 'guarded' ? 0 : BOUND_MS))
        say(`${api.life.name} let ${sessionId} in (${way}), ${askedAt - endedAt} ms after: ${why}`);
    });
    if (hasCode(error, 'token_expired') || hasCode(error, 'token_invalid')) session.isInVain = true;
  };

  const signIn = async (api: Api, visitor: Visitor): Promise<void> => {
    const { userId, sessions } = visitor;
    // Whose change was not answered may have either.
    const changes = visitor.changes + (draws.chance(0.2) ? 1 : 0);
    await request(world, api.life, 'sign-in', async () => {
      const { keptOutSince } = visitor;
      const askedAt = time.now();
      const { identity } = api;
      const person = await identity.credentials.verifyPassword(emailOf(userId), passwordOf(userId, changes));
      const { session, accessToken, refreshToken } = await identity.sessions.start(person, CLIENT);
      const { sessionId } = session;
      happened.add('signed in');
      const times = { askedAt, endedAt: Infinity, why: '' };
      const known: Known = {
        sessionId,
        changes,
        accessToken,
        refreshToken,
        usedUp: [],
        isInVain: false,
        seenBy: new Map(),
        ...times,
      };
      sessions.push(known);
      if (changes < visitor.changes) over(known, 'password');
      if (keptOutSince !== undefined && keptOutSince === visitor.keptOutSince)
        say(`${api.life.name} let ${userId} sign in, who was kept out ${askedAt - keptOutSince} ms before`);
      if (visitor.keptOutSince !== undefined) over(known, 'suspended');
    });
  };

  const refresh = async (api: Api, session: Known): Promise<void> => {
    const isLost = draws.chance(0.3);
    // As somebody does who has an old one, of their own or not.
    const isOld = session.usedUp.length > 1 && draws.chance(0.5);
    const token = isOld ? session.usedUp[0] : session.refreshToken;
    await request(world, api.life, 'refresh', async () => {
      const { endedAt, why, sessionId } = session;
      try {
        const tokens = await api.identity.sessions.refresh(token, CLIENT);
        happened.add('refreshed');
        if (endedAt !== Infinity) say(`${api.life.name} refreshed ${sessionId} after ${why}`);
        if (isLost) return;
        session.usedUp.push(session.refreshToken);
        Object.assign(session, tokens);
      } catch (error) {
        if (!hasCode(error, 'token_invalid')) throw error;
        happened.add('refresh token reused');
        over(session, 'a token was reused');
      }
    });
  };

  /** Ends sessions of somebody, where that is possible but for one; false when nobody knows whether they have ended. */
  const end = async (
    api: Api,
    visitor: Visitor,
    way: (typeof endings)[number],
    except: Known | undefined,
  ): Promise<boolean> => {
    const { userId, sessions } = visitor;
    const { identity } = api;
    const live = sessions.filter(({ endedAt }) => endedAt === Infinity);
    const last = live.at(-1);
    if (last === undefined) return true;
    const others = live.filter((one) => one !== except);
    const works: Record<typeof way, () => Promise<readonly Known[]>> = {
      'signed out': async () => {
        await identity.sessions.endSessionOf(last.refreshToken);
        return [last];
      },
      ended: async () => {
        await identity.sessions.endSession(last.sessionId, userId);
        return [last];
      },
      'ended everywhere': async () => {
        await identity.sessions.endAllSessions(userId, except?.sessionId);
        return others;
      },
      password: async () => {
        const { changes } = visitor;
        const next = passwordOf(userId, changes + 1);
        const passwords = { old: passwordOf(userId, changes), new: next };
        if (!(await identity.credentials.hasPassword(userId, next)))
          await identity.credentials.changePassword(userId, passwords, except?.sessionId);
        visitor.changes = changes + 1;
        return sessions.filter((one) => one.changes <= changes && one !== except);
      },
      suspended: async () => {
        await api.bus.execute(new SuspendPerson(contextOf(visitor), userId));
        visitor.keptOutSince = time.now();
        return sessions;
      },
    };
    const { answer } = await request(world, api.life, way, async () => {
      for (const session of await works[way]()) over(session, way);
      happened.add(`sessions end: ${way}`);
      return true;
    });
    return answer ?? false;
  };

  /** Lets somebody in again; false when nobody knows whether they were. */
  const letIn = async (api: Api, visitor: Visitor): Promise<boolean> => {
    visitor.keptOutSince = undefined;
    const { answer } = await request(world, api.life, 'let in again', async () => {
      await api.bus.execute(new ActivatePerson(contextOf(visitor), visitor.userId));
      return true;
    });
    return answer ?? false;
  };

  return { use, signIn, refresh, end, letIn };
}
