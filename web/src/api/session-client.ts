import type { Session } from '#contracts';
import { underLock } from '../lib';
import { pathOf, routes } from './contract';
import { readProblem } from './problems';
import { sessionEnded, sessionExpired, sessionStarted, type SessionState } from './session';

/** Holds the user id, for links only. It proves nothing; that it is there says that a refresh is worth trying. */
const USER_ID_ITEM = 'token';
const CHANNEL = 'lode-session';
/** Calls about sessions themselves: they carry no token, and what they refuse can't be mended by a renewal. */
const { register, signIn, refresh, signOut } = routes;
const aboutSessions = new Set<string>([register, signIn, refresh, signOut].map(({ path }) => path));
const RENEWABLE = ['token_expired', 'token_invalid', 'token_missing'];

/** The session is over and nothing was done on its behalf. */
export class SessionOver extends Error {
  override readonly name = 'SessionOver';
}

export type SessionClient = {
  /** `fetch` as the person who is signed in. Renews the access token once when the server calls it spent. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Tries the refresh cookie after a page load. */
  readonly restore: () => Promise<void>;
  /** Takes a session that a sign-in gave; what was known for another person is forgotten. */
  readonly adopt: (session: Session) => void;
  /** Forgets the session in every tab. */
  readonly end: () => void;
};

type SessionStore = {
  readonly getState: () => { readonly session: SessionState };
  readonly dispatch: (action: { type: string }) => unknown;
  /** Drops every answer that was given to another person. */
  readonly forget: () => void;
  /** Asks again for what is on screen, after calls were refused for want of a session. */
  readonly refetch: () => void;
};

type Message = { readonly kind: 'session'; readonly session: Session } | { readonly kind: 'ended' };

/** The one place that knows how a session is kept: token in memory, refresh by cookie, one refresh at a time. */
export function createSessionClient({ getState, dispatch, forget, refetch }: SessionStore): SessionClient {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);
  let renewal: Promise<boolean> | undefined;

  const take = (session: Session) => {
    const before = getState().session;
    if (before.user !== null && before.user.userId !== session.user.userId) forget();
    localStorage.setItem(USER_ID_ITEM, session.user.userId);
    dispatch(sessionStarted(session));
    if (before.phase === 'expired') refetch();
  };
  const drop = () => {
    localStorage.removeItem(USER_ID_ITEM);
    dispatch(sessionEnded());
    forget();
  };
  const tell = (message: Message) => channel?.postMessage(message);
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'session') take(data.session);
    else if (getState().session.user !== null) drop();
  });

  /** True when there is a token that isn't `spent` any more. Rejects when the server can't be reached. */
  const renew = async (spent: string | null): Promise<boolean> => {
    const current = getState().session.accessToken;
    if (current !== null && current !== spent) return true;
    const response = await fetch(pathOf(refresh), { method: refresh.method });
    if (response.ok) {
      const session = (await response.json()) as Session;
      take(session);
      tell({ kind: 'session', session });
      return true;
    }
    if (
      (await readProblem(response)).kind !== 'problem' ||
      response.status >= 500 ||
      response.status === 429
    ) {
      throw new Error('The session could not be renewed now.');
    }
    return false;
  };
  const renewOnce = (spent: string | null) =>
    (renewal ??= underLock('lode-refresh', () => renew(spent)).finally(() => {
      renewal = undefined;
    }));

  const send = (path: string, init: RequestInit, token: string | null) => {
    const headers = new Headers(init.headers);
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    return fetch(path, { ...init, headers });
  };

  return {
    async fetch(path, init = {}) {
      if (aboutSessions.has(path)) return fetch(path, init);
      const { accessToken: token, user } = getState().session;
      if (user !== null && token === null) throw new SessionOver();
      const response = await send(path, init, token);
      if (response.status !== 401 || user === null) return response;
      const problem = await readProblem(response.clone());
      if (problem.kind !== 'problem' || !RENEWABLE.includes(problem.code)) return response;
      if (!(await renewOnce(token))) dispatch(sessionExpired());
      const { accessToken: renewed, user: holder } = getState().session;
      // Another person may have signed in meanwhile: what this one asked for isn't asked in their name.
      if (renewed === null || holder?.userId !== user.userId) throw new SessionOver();
      return send(path, init, renewed);
    },
    async restore() {
      const worthTrying = localStorage.getItem(USER_ID_ITEM) !== null;
      const restored = worthTrying && (await renewOnce(null).catch(() => false));
      if (!restored) dispatch(sessionEnded());
    },
    adopt(session) {
      take(session);
      tell({ kind: 'session', session });
    },
    end() {
      drop();
      tell({ kind: 'ended' });
    },
  };
}
