import type { Session } from '#contracts';
import { forgetDrafts, pause, underLock } from '../lib';
import { pathOf, routes } from './contract';
import { readProblem } from './problems';
import { REFRESH_LOCK, SESSION_CHANNEL, USER_ID_ITEM } from './session-names';
import {
  passwordChosen,
  passwordRequired,
  serviceAway,
  sessionEnded,
  sessionExpired,
  sessionStarted,
  type SessionState,
} from './session';

/** Calls about sessions themselves: they carry no token, and what they refuse can't be mended by a renewal. */
const { register, signIn, finishSignIn, refresh, signOut } = routes;
const aboutSessions = new Set<string>(
  [register, signIn, finishSignIn, refresh, signOut].map(({ path }) => path),
);
const RENEWABLE = ['token_expired', 'token_invalid', 'token_missing'];

/** The session is over and nothing was done on its behalf. */
export class SessionOver extends Error {
  override readonly name = 'SessionOver';

  constructor(
    /** Whose it was. */
    readonly userId: string,
  ) {
    super();
  }
}

/** The renewal was refused for now, since too many requests came. */
class Crowded extends Error {
  override readonly name = 'Crowded';

  constructor(readonly response: Response) {
    super();
  }

  /** How long to wait before the next try, in milliseconds, where the service has said so. */
  waitMs(): number {
    return Math.min(Number(this.response.headers.get('retry-after') ?? 0) * 1_000 || 0, CROWDED_MS_MAX);
  }
}

export type SessionClient = {
  /** `fetch` as the person who is signed in. Renews the access token once when the server calls it spent. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Tries the refresh cookie after a page load, again and again while the service can't answer. */
  readonly restore: (wait?: Wait) => Promise<void>;
  /**
   * Waits for what is done about a session that is over; true once its owner is in again. False when they left, when
   * somebody else came, or when `signal` is aborted.
   */
  readonly resumed: (over: SessionOver, signal: AbortSignal) => Promise<boolean>;
  /** Asks whoever is signed in to prove again who they are; false where nobody asks that here, or they would not. */
  readonly prove: () => boolean | Promise<boolean>;
  /** Has `prover` ask it from now on; nobody does where it is left out. */
  readonly proveBy: (prover?: Prover) => void;
  /** Takes a session that a sign-in gave; what was known for another person is forgotten. */
  readonly adopt: (session: Session) => void;
  /** Whoever is signed in has a password of their own from now on, in every tab: what was refused before is asked for anew. */
  readonly passwordChosen: () => void;
  /** Forgets the session in every tab. */
  readonly end: () => void;
};

/** Asks for a proof of who is signed in; true once it was given. */
type Prover = () => Promise<boolean>;

/** Waits for some milliseconds. */
type Wait = (ms: number) => Promise<void>;

type SessionStore = {
  readonly getState: () => { readonly session: SessionState };
  /** Has `listener` called after each change; gives what ends that. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly dispatch: (action: { type: string }) => unknown;
  /** Drops every answer that was given to another person. */
  readonly forget: () => void;
  /** Asks again for what is on screen, after calls were refused for want of a session. */
  readonly refetch: () => void;
  /** Asks again for one's second factor, after a call was refused for want of one. */
  readonly lackFactor: () => void;
};

type Message =
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'ended' }
  | { readonly kind: 'password chosen'; readonly userId: string };

/** What a client works with, and the renewal under way. */
type Client = {
  readonly store: SessionStore;
  /** The other tabs of this browser. */
  readonly channel: BroadcastChannel | undefined;
  renewal: Promise<boolean> | undefined;
  prover: Prover | undefined;
};

/** The one place that knows how a session is kept: token in memory, refresh by cookie, one refresh at a time. */
export function createSessionClient(store: SessionStore): SessionClient {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(SESSION_CHANNEL);
  const client: Client = { store, channel, renewal: undefined, prover: undefined };
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const { user } = store.getState().session;
    if (data.kind === 'session') take(store, data.session);
    else if (data.kind === 'password chosen') {
      if (user?.userId === data.userId) goOn(store);
    } else if (user !== null) drop(store);
  });
  return {
    fetch: (path, init = {}) => fetchRenewing(client, path, init),
    restore: (wait = pause) => restore(client, wait),
    resumed: (over, signal) => resumed(store, over, signal),
    prove: () => client.prover?.() ?? false,
    proveBy: (prover) => void (client.prover = prover),
    adopt: (session) => adopt(client, session),
    passwordChosen: () => {
      const { user } = store.getState().session;
      if (user === null) return;
      goOn(store);
      tell(client, { kind: 'password chosen', userId: user.userId });
    },
    end: () => {
      drop(store, 'here');
      tell(client, { kind: 'ended' });
    },
  };
}

async function fetchRenewing(client: Client, path: string, init: RequestInit): Promise<Response> {
  if (aboutSessions.has(path)) return fetch(path, init);

  // 1. With the token that there is.
  const { getState, dispatch } = client.store;
  const { accessToken: token, user } = getState().session;
  if (user !== null && token === null) throw new SessionOver(user.userId);
  const response = await send(path, init, token);
  if (user === null || (response.status !== 401 && response.status !== 403)) return response;
  const problem = await readProblem(response.clone());
  if (problem.kind !== 'problem') return response;
  if (problem.code === 'second_factor_required') client.store.lackFactor();
  if (problem.code === 'password_change_required') dispatch(passwordRequired());

  // 2. The server called it spent: it is renewed.
  if (!RENEWABLE.includes(problem.code)) return response;
  try {
    if (!(await renewOnce(client, token))) dispatch(sessionExpired());
  } catch (error) {
    // Whoever asked is told just that, and can ask again. Others may wait for the same renewal.
    if (error instanceof Crowded) return error.response.clone();
    throw error;
  }

  // 3. With the new one. Another person may have signed in meanwhile: what this one asked for isn't asked in their name.
  const { accessToken: renewed, user: holder } = getState().session;
  if (renewed === null || holder?.userId !== user.userId) throw new SessionOver(user.userId);
  return send(path, init, renewed);
}

function send(path: string, init: RequestInit, token: string | null): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  return fetch(path, { ...init, headers });
}

/** Between two tries while the service is away, in milliseconds; each waits twice as long as the one before. */
const AWAY_MS_MIN = 2_000;
const AWAY_MS_MAX = 30_000;
/** No longer than this, whatever the service says: its limits are by the minute. */
const CROWDED_MS_MAX = 60_000;

async function restore(client: Client, wait: Wait): Promise<void> {
  const { dispatch, getState } = client.store;
  const worthTrying = localStorage.getItem(USER_ID_ITEM) !== null;
  for (let ms = AWAY_MS_MIN; worthTrying; ms = Math.min(2 * ms, AWAY_MS_MAX)) {
    const renewed: unknown = await renewOnce(client, null).catch((error: unknown) => error);
    if (renewed === true) return;
    if (renewed === false) break;
    const crowded = renewed instanceof Crowded ? renewed : undefined;
    const phase = crowded === undefined ? 'away' : 'crowded';
    dispatch(serviceAway(phase));
    await wait(Math.max(ms, crowded?.waitMs() ?? 0));
    // Another tab may have come in meanwhile.
    if (getState().session.phase !== phase) return;
  }
  dispatch(sessionEnded());
}

function resumed(
  { getState, subscribe }: SessionStore,
  { userId }: SessionOver,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      const { phase, user } = getState().session;
      if (phase === 'expired' && !signal.aborted) return;
      unsubscribe();
      signal.removeEventListener('abort', look);
      resolve(phase === 'signed-in' && user.userId === userId && !signal.aborted);
    };
    const unsubscribe = subscribe(look);
    signal.addEventListener('abort', look);
    look();
  });
}

function renewOnce(client: Client, spent: string | null): Promise<boolean> {
  return (client.renewal ??= underLock(REFRESH_LOCK, () => renew(client, spent)).finally(() => {
    client.renewal = undefined;
  }));
}

/** True when there is a token that isn't `spent` any more. Rejects when the server can't be reached. */
async function renew(client: Client, spent: string | null): Promise<boolean> {
  const current = client.store.getState().session.accessToken;
  if (current !== null && current !== spent) return true;
  const response = await fetch(pathOf(refresh), { method: refresh.method });
  if (response.ok) {
    adopt(client, (await response.json()) as Session);
    return true;
  }
  if (response.status === 429) throw new Crowded(response);
  const isRefusal = (await readProblem(response)).kind === 'problem';
  if (!isRefusal || response.status >= 500) throw new Error('The session could not be renewed now.');
  return false;
}

/** Takes a session, in every tab. */
function adopt(client: Client, session: Session): void {
  take(client.store, session);
  tell(client, { kind: 'session', session });
}

function tell({ channel }: Client, message: Message): void {
  channel?.postMessage(message);
}

function take({ getState, dispatch, forget, refetch }: SessionStore, session: Session): void {
  const before = getState().session;
  if (before.user !== null && before.user.userId !== session.user.userId) forget();
  forgetDrafts(session.user.userId);
  localStorage.setItem(USER_ID_ITEM, session.user.userId);
  dispatch(sessionStarted(session));
  if (before.phase === 'expired') refetch();
}

function goOn({ dispatch, refetch }: SessionStore): void {
  dispatch(passwordChosen());
  refetch();
}

function drop({ dispatch, forget }: SessionStore, where?: 'here'): void {
  localStorage.removeItem(USER_ID_ITEM);
  forgetDrafts();
  dispatch(sessionEnded(where));
  forget();
}
