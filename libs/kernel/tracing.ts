import { sha256 } from './chain.js';
import type { EventMeta } from './event.js';
import type { Clock, Random } from './ids.js';

/**
 * Something that was done, for whoever traces requests: plain data, so that it can cross a thread. Nothing in it is of a
 * person: no name, address, amount, id of an account, or text that somebody wrote.
 */
export type Span = {
  readonly name: string;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** The span that it is a part or a consequence of. */
  readonly parentId?: string | undefined;
  /** A request that came from outside. */
  readonly isServer?: boolean;
  /** Milliseconds since the epoch, with their fractions. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** The code of what it failed with. */
  readonly failure?: string | undefined;
};

/** What spans are recorded by. Where nobody traces there is none, and nothing is worked out for it. */
export type Tracer = {
  /** Milliseconds since the epoch, with their fractions, on a clock that never goes back. */
  readonly now: () => number;
  /** The id of the trace of a correlation; undefined where it is left out, and then nothing more is worked out for it. */
  readonly traceOf: (correlationId: string) => string | undefined;
  /** The id of a trace of its own, or undefined as for one of a correlation. */
  readonly newTrace: () => string | undefined;
  readonly newSpanId: () => string;
  /** Takes a span that has ended, of a trace that is not left out. */
  readonly record: (span: Span) => void;
};

/** Which traces are taken: a share of all from 0 to 1, and a secret by which nobody outside can tell, or choose, which these are. */
export type Sampling = { readonly share: number; readonly key: string };

/** Which command an event came from, and what that belongs to. */
export type Cause = Pick<EventMeta, 'commandId' | 'correlationId'>;

const [TRACE_BYTES, SPAN_BYTES] = [16, 8];
const DIGITS_A_BYTE = 2;
/** An id of nothing but zeros is none. */
const UUID = /^(?!0{8}-0{4}-0{4}-0{4}-0{12})[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The share of traces is told by as many digits of a digest of their ids. */
const SHARE_DIGITS = 12;

/** The trace that everything with a correlation is in: each program comes to the same by itself. */
export function traceIdOf(correlationId: string): string {
  return UUID.test(correlationId)
    ? correlationId.replaceAll('-', '')
    : sha256(correlationId).slice(0, TRACE_BYTES * DIGITS_A_BYTE);
}

/**
 * The span of what a command did, for which it was done once: that it was carried out, that the log took its events, and
 * that the documents have them.
 */
export function spanIdOf(what: 'command' | 'append' | 'projection', commandId: string): string {
  return sha256(`${what} ${commandId}`).slice(0, SPAN_BYTES * DIGITS_A_BYTE);
}

/** A tracer that hands on the spans of a share of all traces: by the same sampling in every program the same ones. */
export function createTracer(options: {
  readonly sampling: Sampling;
  readonly take: (span: Span) => void;
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly random: Random;
}): Tracer {
  const { sampling, take, clock, monotonic, random } = options;
  const origin = clock() - monotonic();
  const idOf = (bytes: number) => Buffer.from(random(bytes)).toString('hex');
  const taken = sampler(sampling);
  return {
    now: () => origin + monotonic(),
    traceOf: (correlationId) => taken(traceIdOf(correlationId)),
    newTrace: () => taken(idOf(TRACE_BYTES)),
    newSpanId: () => idOf(SPAN_BYTES),
    record: take,
  };
}

/** Leaves out the ids of traces beyond the share. Whoever sends a correlation chooses the id, but not what the key makes of it. */
function sampler({ share, key }: Sampling): (traceId: string) => string | undefined {
  if (share >= 1) return (traceId) => traceId;
  if (share <= 0) return () => undefined;
  const below = share * 16 ** SHARE_DIGITS;
  return (traceId) =>
    Number.parseInt(sha256(`${key} ${traceId}`).slice(0, SHARE_DIGITS), 16) < below ? traceId : undefined;
}
