import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const attribute = z.object({
  key: z.string(),
  value: z.object({
    stringValue: z.string().optional(),
    intValue: z.number().optional(),
    boolValue: z.boolean().optional(),
  }),
});
const span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string().regex(/^\d+$/),
  endTimeUnixNano: z.string().regex(/^\d+$/),
  attributes: z.array(attribute),
  status: z.object({ code: z.number().optional(), message: z.string().optional() }),
});
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** A span as a collector was sent it, and by which service. */
export type Collected = Omit<z.infer<typeof span>, 'attributes'> & {
  readonly service: string;
  readonly attributes: Readonly<Record<string, unknown>>;
};

/** A collector of a test's own, which takes traces by OTLP over HTTP. */
export type Collector = {
  readonly url: string;
  readonly spans: readonly Collected[];
  /** The token that it was shown last. */
  readonly token: () => string | undefined;
  /** Everything that it was sent, as it was sent. */
  readonly sent: () => string;
  readonly stop: () => Promise<void>;
};

export async function startCollector(): Promise<Collector> {
  const spans: Collected[] = [];
  let sent = '';
  let token: string | undefined;
  const take = (body: string) => {
    sent += body;
    for (const { resource, scopeSpans } of request.parse(JSON.parse(body)).resourceSpans)
      for (const one of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...one,
          service: String(valuesOf(resource.attributes)['service.name']),
          attributes: valuesOf(one.attributes),
        });
  };
  const server = createServer((asked, answer) => {
    token = asked.headers.authorization;
    void text(asked).then((body) => {
      if (asked.url === '/v1/traces') take(body);
      answer.writeHead(asked.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' });
      answer.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    token: () => token,
    sent: () => sent,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function valuesOf(attributes: readonly z.infer<typeof attribute>[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
