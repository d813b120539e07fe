import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { BACKWARDS, END, type EventStoreDBClient } from '@eventstore/db-client';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { isLodeError, repeatEvery, systemTimers, type LodeError } from '#kernel';
import type { Checked } from './check.js';
import { readFailure } from './errors.js';
import { probeAppend } from './probe.js';
import { connect, serverOf, type Server } from './server.js';
import { silent, tooOld, unavailable } from './unreachable.js';

/** How long the server may take to answer all that it is asked, in milliseconds; less than whoever waits for it does. */
const CHECK_MS = 3_000;
/** What that is counted in: time in which this thread itself was held up is none in which the server said nothing. */
const TICK_MS = 100;

/** What the server is asked for, as a sentence says it; undefined before it has answered for the first time. */
type Asked = { now: string | undefined };

/** What is wrong with a server for the user of its address: it can't be reached, is too old, or refuses what Lode does. */
async function look(url: string, server: Server, asked: Asked): Promise<readonly LodeError[]> {
  try {
    const client = connect(url);
    if (!(await client['supports'](StreamsService.batchAppend))) return [tooOld(server)];
    asked.now = 'to read the log';
    const reading = await readError(client, server);
    asked.now = 'for an append';
    const found = [reading, await appendError(client, server)];
    // One thing that is wrong with a server is often refused twice in the same words.
    const byMessage = new Map(
      found.flatMap((error) => (error === undefined ? [] : [[error.message, error]])),
    );
    return [...byMessage.values()];
  } catch (error) {
    return [asLodeError(error, server)];
  }
}

/** As `look`, with what the server was asked last when it doesn't answer in time. */
function lookInTime(url: string): Promise<readonly LodeError[]> {
  const asked: Asked = { now: undefined };
  let left = CHECK_MS / TICK_MS;
  return new Promise((resolve, reject) => {
    repeatEvery(systemTimers, TICK_MS, () => {
      left -= 1;
      if (left > 0) return;
      const server = serverOf(url);
      resolve([
        asked.now === undefined ? unavailable(undefined, server) : silent(asked.now, CHECK_MS, server),
      ]);
    });
    look(url, serverOf(url), asked).then(resolve, reject);
  });
}

/** Why the log can't be read. */
async function readError(client: EventStoreDBClient, server: Server): Promise<LodeError | undefined> {
  try {
    const page = client.readAll({
      direction: BACKWARDS,
      fromPosition: END,
      maxCount: 1,
      requiresLeader: true,
    });
    await once(page.resume(), 'end');
    return undefined;
  } catch (error) {
    return asLodeError(error, server);
  }
}

/** Why nothing can be appended. */
async function appendError(client: EventStoreDBClient, server: Server): Promise<LodeError | undefined> {
  const failure = await probeAppend(client, server);
  if (failure.kind === 'moved') return undefined;
  return failure.kind === 'refused' ? failure.error : unavailable(failure.cause, server);
}

function asLodeError(error: unknown, server: Server): LodeError {
  if (isLodeError(error)) return error;
  const failure = readFailure(error, server);
  return isLodeError(failure) ? failure : unavailable(error, server);
}

const found: Checked = { said: (await lookInTime(String(workerData))).map(({ message }) => message) };
parentPort?.postMessage(found);
