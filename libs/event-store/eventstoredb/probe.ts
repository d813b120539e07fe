import { jsonEvent, type EventStoreDBClient } from '@eventstore/db-client';
import { appendFailure, type AppendFailure } from './errors.js';
import type { Server } from './server.js';

/** A stream that is never written, and a revision that it could not have. */
const STREAM = 'lode-access-check';
const NO_REVISION = 2n ** 62n;

/**
 * Asks for an append that can't happen, and so writes nothing. `moved` says that the user may write: who may not is not
 * told which revision a stream has.
 */
export async function probeAppend(client: EventStoreDBClient, server: Server): Promise<AppendFailure> {
  try {
    const probe = jsonEvent({ type: 'LodeAccessCheck', data: {} });
    await client.appendToStream(STREAM, probe, { expectedRevision: NO_REVISION, requiresLeader: true });
    return { kind: 'moved', actual: -1 };
  } catch (error) {
    return appendFailure(error, server);
  }
}
