import { parentPort, workerData } from 'node:worker_threads';
import { serializeError } from '#kernel';
import type { AccessSeen } from './access.js';
import { probeAppend } from './probe.js';
import { connect, serverOf } from './server.js';
import { unavailable } from './unreachable.js';

async function look(url: string): Promise<AccessSeen> {
  const server = serverOf(url);
  const failure = await probeAppend(connect(url), server);
  if (failure.kind === 'moved') return { anybodyWrites: true };
  if (failure.kind === 'refused') return { anybodyWrites: false };
  return { failure: serializeError(unavailable(failure.cause, server)) };
}

parentPort?.postMessage(await look(String(workerData)));
