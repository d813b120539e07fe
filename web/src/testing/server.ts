import type { ErrorCode, Problem, Route } from '#contracts';
import { pathOf, type PathArgs, type RouteTo } from '../api';

export type Call = {
  /** Method and path, as `to` names them. */
  readonly name: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
};
type Answer = Response | Promise<Response>;
type Handlers = Readonly<Record<string, (call: Call) => Answer>>;

export function json(body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json', ...headers } });
}

export function problem(
  status: number,
  code: ErrorCode,
  detail: string,
  errors: Problem['errors'] = [],
): Response {
  const body = { type: 'about:blank', title: 'Refused', status, code, detail, errors };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  });
}

/** The name of calls to a route of the contract: `METHOD /path`, without a query. */
export function to<Of extends Route>(route: RouteTo<Of>, ...params: PathArgs<Of>): string {
  return `${route.method} ${pathOf(route, ...params)}`;
}

/**
 * Answers `fetch` from `handlers`, which are named by `to`; a call that nobody expects fails. Gives the calls that were
 * made, in order.
 */
export function serve(handlers: Handlers): Call[] {
  const calls: Call[] = [];
  globalThis.fetch = async (input, init = {}) => {
    const address = input instanceof Request ? input.url : input.toString();
    const [path = '', query = ''] = address.split('?');
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body;
    const name = `${method} ${path}`;
    const call = {
      name,
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: new Headers(init.headers),
      body,
    };
    calls.push(call);
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`Nobody expects ${name}`);
    return handler(call);
  };
  return calls;
}

/** What a call asks for beside its path. */
export function queryOf({ path }: Pick<Call, 'path'>): URLSearchParams {
  return new URLSearchParams(path.split('?')[1]);
}
