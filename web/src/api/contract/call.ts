import type { Route } from '#contracts';
import type { ArgsOf, PathArgs, RouteTo } from './shapes';

/** A call as it goes over the wire, but for what all calls have in common. */
export type ApiCall = {
  readonly method: Route['method'];
  /** Path and query. */
  readonly address: string;
  /** An object goes as JSON, a form as multipart. */
  readonly body?: FormData | Readonly<Record<string, unknown>>;
  /** Given for a command; the same key with the same body is carried out once. */
  readonly idempotencyKey?: string;
};

type Given = Readonly<Record<string, unknown>>;

/** The parts of a path that stand for something, such as `:userId`. */
const PLACE = /:(\w+)/g;

/** What is not part of the path. */
function besides(path: string, given: Given): Given {
  const named = new Set([...path.matchAll(PLACE)].map(([, name]) => name));
  return Object.fromEntries(Object.entries(given).filter(([name]) => !named.has(name)));
}

function located(path: string, given: Given): string {
  return path.replace(PLACE, (_place, name: string) => encodeURIComponent(String(given[name])));
}

/** A query as text, with its question mark; what is not set is left out. */
function queryText(query: Given): string {
  const set = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

function formOf({ file }: Given): FormData {
  const form = new FormData();
  if (file instanceof File) form.set('file', file);
  return form;
}

/** The call of a route with what its path, its query and its body are made of. */
export function callOf<Of extends Route>(route: RouteTo<Of>, args: ArgsOf<Of>): ApiCall {
  const { method, path } = route;
  const { idempotencyKey, ...given } = { ...(args as Given & { readonly idempotencyKey?: string }) };
  const address = located(path, given);
  const rest = besides(path, given);
  if (method === 'GET') return { method, address: address + queryText(rest) };
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  if (method === 'DELETE') return { method, address, ...key };
  return { method, address, body: route.upload === undefined ? rest : formOf(rest), ...key };
}

/** The path of a route, for what is fetched without an endpoint: files, and the live stream. */
export function pathOf<Of extends Route>(route: RouteTo<Of>, ...[params]: PathArgs<Of>): string {
  return located(route.path, { ...(params as Given | undefined) });
}
