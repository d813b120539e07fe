import type { Logger } from 'pino';
import type { IdentityStore } from '#identity';
import { createTracer, thisMachine, type Sampling, type Tracer } from '#kernel';
import { everyPart, type Parts } from './parts.js';
import type { Settings } from './settings.js';
import { lodeVersion } from './version.js';

/** The bytes of the secret that traces are drawn by. */
const KEY_BYTES = 32;

/** What traces a program. */
export type Traces = {
  readonly tracer: Tracer;
  /** What the program's threads go by as well. */
  readonly sampling: Sampling;
  /** Sends what has not been sent, as far as that can be done soon. */
  readonly stop: () => Promise<void>;
};

/**
 * Begins to send spans to the collector that the settings name; undefined where they name none, and then nothing of
 * OpenTelemetry is loaded.
 */
export async function startTraces(
  { tracing }: Pick<Settings, 'tracing'>,
  parts: Parts,
  logger: Pick<Logger, 'warn' | 'info'>,
  identity: Pick<IdentityStore, 'secret'>,
): Promise<Traces | undefined> {
  if (tracing === undefined) return undefined;
  const sampling = await samplingOf(tracing.share, identity);
  const { openExport } = await import('./otlp.js');
  const service = parts.length === everyPart.length ? 'lode' : `lode-${parts.join('-')}`;
  const { take, stop } = openExport(tracing.endpoint, { service, version: lodeVersion() }, logger);
  return { tracer: createTracer({ ...thisMachine, sampling, take }), sampling, stop };
}

/** A share by a secret of the store's, which all programs on it have. Where all traces are taken, or none, it takes no secret. */
async function samplingOf(share: number, identity: Pick<IdentityStore, 'secret'>): Promise<Sampling> {
  if (share <= 0 || share >= 1) return { share, key: '' };
  const secret = await identity.secret('traces', thisMachine.random(KEY_BYTES));
  return { share, key: Buffer.from(secret).toString('hex') };
}
