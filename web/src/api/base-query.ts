import type { BaseQueryApi, BaseQueryFn } from '@reduxjs/toolkit/query';
import { logStart } from '#contracts';
import type { ApiCall } from './contract';
import { needsProof, readProblem, type ApiError } from './problems';
import { SessionOver, type SessionClient } from './session-client';
import { answerAged, callEnded, positionSeen, type AnswerMeta } from './sync';

/** A call that has no answer after this long is given up; a file may take longer. */
const CALL_MS_MAX = 30_000;
const UPLOAD_MS_MAX = 120_000;

/** What the store hands to every call. */
export type ApiServices = { readonly session: SessionClient };

type PageState = {
  readonly sync: {
    readonly position: string;
    readonly behind: readonly string[];
    readonly answered: boolean;
  };
};

function requestOf(call: ApiCall, position: string, signal: AbortSignal): RequestInit {
  const { method, body, idempotencyKey } = call;
  const headers = new Headers({ accept: 'application/json' });
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  if (method === 'GET' && position !== logStart) headers.set('lode-position', position);
  if (body === undefined || body instanceof FormData) return { method, headers, body: body ?? null, signal };
  headers.set('content-type', 'application/json');
  return { method, headers, body: JSON.stringify(body), signal };
}

/**
 * Every call of the app: as the person signed in, no older than their own last command, with the server's refusals as
 * values. Queries that came back behind that command, or behind an event that can't be read, are
 * marked, so that a screen can say so.
 */
export const baseQuery: BaseQueryFn<ApiCall, unknown, ApiError, object, AnswerMeta> = async (call, api) => {
  const outcome = await ask(call, api);
  const { sync } = api.getState() as PageState;
  const answered = 'data' in outcome || !isAway(outcome.error);
  // One that a screen gave up, or that never left this machine, says nothing about the service.
  const tells = answered || (!api.signal.aborted && navigator.onLine);
  if (tells && answered !== sync.answered) api.dispatch(callEnded({ answered }));
  return outcome;
};

type Outcome = { readonly data: unknown; readonly meta: AnswerMeta } | { readonly error: ApiError };

/** True when there was no answer, or the service said that it can't give one now. */
function isAway(error: ApiError): boolean {
  return error.kind === 'unreachable' || (error.kind === 'problem' && error.code === 'unavailable');
}

async function ask(call: ApiCall, api: BaseQueryApi): Promise<Outcome> {
  const { address, method } = call;
  const { session } = api.extra as ApiServices;
  const { sync } = api.getState() as PageState;
  const limit = AbortSignal.timeout(call.body instanceof FormData ? UPLOAD_MS_MAX : CALL_MS_MAX);
  try {
    const init = requestOf(call, sync.position, AbortSignal.any([api.signal, limit]));
    const response = await session.fetch(address, init);
    if (!response.ok) {
      const error = await readProblem(response);
      // It was refused before anything was done: the same is asked again, with its key.
      return needsProof(error) && (await session.prove()) ? await ask(call, api) : { error };
    }
    const data: unknown = await response.json();
    // Of a command where it is so; of a query that a new log begins, when what was seen before is of another.
    const position = response.headers.get('lode-position');
    if (position !== null) api.dispatch(positionSeen(position));
    const says = (name: string) => response.headers.get(name) === 'true';
    if (method === 'GET') {
      const stale = says('lode-stale') || says('lode-held');
      const known = (api.getState() as PageState).sync.behind.includes(address);
      if (stale !== known) api.dispatch(answerAged({ path: address, stale }));
    }
    return { data, meta: { asked: sync.position, stale: says('lode-stale') } };
  } catch (error) {
    if (!(error instanceof SessionOver)) return { error: { kind: 'unreachable' } };
    // A page that is read goes on by itself after the sign-in; a command is the person's to send again.
    const goesOn = api.type === 'query' && (await session.resumed(error, api.signal));
    return goesOn ? ask(call, api) : { error: { kind: 'session' } };
  }
}
