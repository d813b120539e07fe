import type { FastifyInstance } from 'fastify';
import type { Tracer } from '#kernel';
import { routedTo, routeOf, type LodeRequest, type OpenRequest } from './route.js';

const FAULT = 500;

/**
 * Records a span of each request to a route of the contract, with the route and never its address: from when it came until
 * it was answered. Not of live streams, which have no end, nor of what watchers ask.
 */
export function traceRequests(fastify: Pick<FastifyInstance, 'addHook'>, tracer: Tracer): void {
  fastify.addHook('onRequest', (request: LodeRequest, _reply, done) => {
    const { route } = routedTo(request).config;
    if (route !== undefined && route !== 'live' && routeOf(request)?.uncounted !== true)
      request.open = openRequest(tracer);
    done();
  });
  fastify.addHook('onResponse', (request: LodeRequest, reply, done) => {
    const { open, method } = request;
    const { url = '' } = routedTo(request);
    open?.end({ method, url, status: reply.statusCode });
    done();
  });
}

/** A request that begins. It is known by its first command which trace it is in; what has none is a trace by itself. */
export function openRequest(tracer: Tracer): OpenRequest {
  const start = tracer.now();
  let own: { readonly traceId: string; readonly spanId: string } | 'left out' | undefined;
  const begun = (traceId: string | undefined) =>
    traceId === undefined ? 'left out' : { traceId, spanId: tracer.newSpanId() };
  return {
    spanFor: (correlationId) => {
      own ??= begun(tracer.traceOf(correlationId));
      return own === 'left out' ? undefined : own.spanId;
    },
    end: ({ method, url, status }) => {
      own ??= begun(tracer.newTrace());
      if (own === 'left out') return;
      tracer.record({
        name: `${method} ${url}`,
        ...own,
        isServer: true,
        start,
        end: tracer.now(),
        attributes: {
          'http.request.method': method,
          'http.route': url,
          'http.response.status_code': status,
        },
        failure: status >= FAULT ? String(status) : undefined,
      });
    },
  };
}
