import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const IN_FLIGHT = [1, 16, 64, 256];
const alone = fileURLToPath(new URL('eventstore-alone.mjs', import.meta.url));

/** Appends through the adapter beside those of the client by itself, on the server that EVENTSTORE_URL names. */
export function measureEventStore(seconds, say, words) {
  if (process.env.EVENTSTORE_URL === undefined) {
    say(`not run: appends to ${words} (no EVENTSTORE_URL)`);
    return [];
  }
  return IN_FLIGHT.flatMap((inFlight) =>
    ['adapter', 'client'].map((by) => {
      const figures = execFileSync(process.execPath, [alone, by, String(inFlight), String(seconds)]);
      return {
        name: `EventStoreDB: 1 event an append, ${inFlight} under way, ${by}`,
        ...JSON.parse(figures),
      };
    }),
  );
}
