import assert from 'node:assert/strict';
import { openEngines } from '#engines';
import { chainOf, chainStart, eventId, type SealedEvent } from '#kernel';

/** Events of a stream of one hour, and when the first of them was. */
const OF_HOUR = 500;
/** Hours that are made and written at a time. */
const AT_A_TIME = 40;
const START = Date.parse('2025-01-01T00:00:00.000Z');
const HOUR = 3_600_000;

/** The events of one hour, sealed and chained as an executor does. */
function hourOf(hour: number, count: number): readonly SealedEvent[] {
  const began = START + hour * HOUR;
  const stream = `security-${new Date(began).toISOString().slice(0, 13)}`;
  let previous = chainStart;
  return Array.from({ length: count }, (_, revision) => {
    const commandId = eventId(stream, revision);
    const at = new Date(began + revision * Math.floor(HOUR / OF_HOUR)).toISOString();
    const unchained = {
      id: eventId(commandId, 0),
      type: 'RequestsLimited',
      version: 1,
      stream,
      revision,
      at,
      data: { minute: `${at.slice(0, 16)}:00.000Z`, count: revision + 1 },
      meta: {
        actor: { kind: 'system', id: 'security', role: 'system' },
        commandId,
        requestHash: 'none',
        correlationId: commandId,
        causationId: commandId,
      },
    } as const;
    previous = chainOf(previous, unchained);
    return { ...unchained, meta: { ...unchained.meta, chain: previous } };
  });
}

/** Writes so many events into the log of a data folder that no program runs on, of a year that is over. */
async function writeMany(dataFolder: string, count: number): Promise<void> {
  const engines = await openEngines({ dataFolder }, 'alone');
  try {
    const { events, close } = await engines.openStores();
    try {
      const hours = Math.ceil(count / OF_HOUR);
      for (let first = 0; first < hours; first += AT_A_TIME) {
        const appends = Array.from({ length: Math.min(AT_A_TIME, hours - first) }, (_, n) => {
          const own = hourOf(first + n, Math.min(OF_HOUR, count - (first + n) * OF_HOUR));
          return { stream: own[0]?.stream ?? '', expected: 'no-stream' as const, events: own };
        });
        const outcomes = await events.appendMany(appends);
        assert.deepEqual(
          outcomes.filter(({ status }) => status === 'rejected'),
          [],
        );
      }
    } finally {
      await close();
    }
  } finally {
    await engines.close();
  }
}

// A program of its own, since the tests of pages know nothing of the server: node many-events.js FOLDER COUNT
const [folder = '', count = ''] = process.argv.slice(2);
await writeMany(folder, Number(count));
