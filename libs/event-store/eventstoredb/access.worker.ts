import { parentPort, workerData } from 'node:worker_threads';
import { jsonEvent } from '@eventstore/db-client';
import { serializeError } from '#kernel';
import type { AccessSeen } from './access.js';
import { appendFailure } from './errors.js';
import { connect, serverOf } from './server.js';
import { unavailable } from './unreachable.js';

/** A stream that is never written, and a revision that it could not have. */
const STREAM = 'lode-access-check';
const NO_REVISION = 2n ** 62n;

async function look(url: string): Promise<AccessSeen> {
  try {
    const check = jsonEvent({ type: 'LodeAccessCheck', data: {} });
    await connect(url).appendToStream(STREAM, check, { expectedRevision: NO_REVISION, requiresLeader: true });
    return { anybodyWrites: true };
  } catch (error) {
    const failure = appendFailure(error, serverOf(url));
    // Who may not write is not told which revision the stream has.
    if (failure.kind === 'moved') return { anybodyWrites: true };
    if (failure.kind === 'refused') return { anybodyWrites: false };
    return { failure: serializeError(unavailable(failure.cause, serverOf(url))) };
  }
}

parentPort?.postMessage(await look(String(workerData)));
