import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { LodeError } from '#kernel';
import { routedTo } from './route.js';

/** What every other address is served by: an address that it alone knows has no methods of its own. */
const EVERYTHING_ELSE = '/*';
/** How the whole server is named in a request for its methods (RFC 9110, 9.3.7). */
const WHOLE_SERVER = '*';
const NO_CONTENT = 204;

/**
 * Tells which methods an address has: to OPTIONS, and to a request with another method, which is refused with
 * `method_not_allowed`. Before any route is registered.
 */
export function tellMethods(fastify: Pick<FastifyInstance, 'addHook'>): void {
  const exact = new Map<string, Set<string>>();
  const patterns = new Map<string, Set<string>>();

  /** The methods of an address: of those with a parameter only where none is just that. */
  function methodsAt(path: string): ReadonlySet<string> {
    if (path === WHOLE_SERVER) return union([...exact.values(), ...patterns.values()]);
    return (
      exact.get(path) ??
      union([...patterns].flatMap(([url, methods]) => (matches(url, path) ? [methods] : [])))
    );
  }

  /** Whether addresses that a pattern stands for are also addresses of their own, by pattern: once all are known. */
  const rivaled = new Map<string, boolean>();
  function hasRivals(url: string): boolean {
    const known = rivaled.get(url);
    if (known !== undefined) return known;
    const has = !isExact(url) && [...exact.keys()].some((path) => matches(url, path));
    rivaled.set(url, has);
    return has;
  }

  fastify.addHook('onRoute', ({ method, url }) => {
    if (url === EVERYTHING_ELSE) return;
    const known = isExact(url) ? exact : patterns;
    const place = url.replaceAll('::', ':');
    known.set(place, union([known.get(place) ?? [], [method].flat()]));
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const { url = EVERYTHING_ELSE } = routedTo(request);
    // What the router has found needs no second look, but where the address is also one of its own.
    if (!request.is404 && url !== EVERYTHING_ELSE && !hasRivals(url)) {
      done();
      return;
    }
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = methodsAt(path);
    if (methods.size === 0 || methods.has(request.method)) done();
    else answer(request, reply, methods, done);
  });
}

function union(sets: readonly Iterable<string>[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function answer(
  { method }: FastifyRequest,
  reply: FastifyReply,
  methods: ReadonlySet<string>,
  done: HookHandlerDoneFunction,
): void {
  void reply.header('Allow', [...new Set([...methods, 'OPTIONS'])].toSorted().join(', '));
  if (method === 'OPTIONS') void reply.status(NO_CONTENT).send();
  else done(new LodeError('method_not_allowed', 'This address takes other methods, which Allow names.'));
}

/** Whether a route's address is one path. A doubled colon stands for one. */
function isExact(url: string): boolean {
  return !/[*:]/.test(url.replaceAll('::', ''));
}

/** Whether a path is one of those that an address with parameters stands for. */
function matches(url: string, path: string): boolean {
  const [wanted, given] = [url.split('/'), path.split('/')];
  const isLike = (segment: string, n: number) =>
    segment === '*' || (segment.startsWith(':') ? given[n] !== '' && n < given.length : segment === given[n]);
  return wanted.every(isLike) && (wanted.length === given.length || wanted.at(-1) === '*');
}
