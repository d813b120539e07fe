import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { systemMonotonic, withoutUserInfo, type Span } from '#kernel';
import { tellFailures } from './told-failures.js';

/** Where collectors take traces, below their address. */
const PATH = 'v1/traces';
/** What a collector may take for a batch, tries included, so that a stop is not held up by one that is away; milliseconds. */
const SEND_MS = 3_000;
/** Spans that wait to be sent; more are left out. */
const WAITING_MAX = 8_192;
/** Spans are sent this often, in milliseconds. */
const EVERY_MS = 1_000;
const MS_PER_SECOND = 1_000;
const NS_PER_MS = 1_000_000;

type Program = { readonly service: string; readonly version: string };

/** Sends spans to a collector at `endpoint`, in batches, by OTLP over HTTP. That it can't be reached is told once, until it can. */
export function openExport(
  endpoint: string,
  { service, version }: Program,
  logger: Pick<Logger, 'warn' | 'info'>,
): { readonly take: (span: Span) => void; readonly stop: () => Promise<void> } {
  const resource = resourceFromAttributes({ 'service.name': service, 'service.version': version });
  const url = new URL(PATH, endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href;
  const exporter = heardBy(
    tellFailures(withoutUserInfo(endpoint), logger, systemMonotonic),
    new OTLPTraceExporter({ url, timeoutMillis: SEND_MS }),
  );
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: WAITING_MAX,
    exportTimeoutMillis: SEND_MS,
    scheduledDelayMillis: EVERY_MS,
  });
  return {
    take: (span) => processor.onEnd(readableOf(span, resource, { name: 'lode', version })),
    // Of a collector that is away it was told already. What other batches are on their way is waited for all the same.
    stop: async () => {
      await processor.shutdown().catch(() => undefined);
      await exporter.shutdown().catch(() => undefined);
    },
  };
}

/** An exporter whose outcomes somebody hears: why a batch was not taken, or undefined. */
function heardBy(hear: (error: Error | undefined) => void, exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        hear(result.error);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}

/** A span as OpenTelemetry has it. */
function readableOf(
  span: Span,
  resource: ReadableSpan['resource'],
  instrumentationScope: ReadableSpan['instrumentationScope'],
): ReadableSpan {
  const contextOf = (spanId: string) => ({ traceId: span.traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  const context = contextOf(span.spanId);
  return {
    name: span.name,
    kind: span.isServer === true ? SpanKind.SERVER : SpanKind.INTERNAL,
    spanContext: () => context,
    ...(span.parentId === undefined ? {} : { parentSpanContext: contextOf(span.parentId) }),
    startTime: timeOf(span.start),
    endTime: timeOf(span.end),
    duration: timeOf(span.end - span.start),
    status:
      span.failure === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: span.failure },
    attributes: { ...span.attributes },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Milliseconds as whole seconds and nanoseconds. */
function timeOf(ms: number): [number, number] {
  const seconds = Math.trunc(ms / MS_PER_SECOND);
  return [seconds, Math.round((ms - seconds * MS_PER_SECOND) * NS_PER_MS)];
}
