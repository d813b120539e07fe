import type { SystemEngines, SystemSettings } from '#contracts';
import { callerText, hasCode, isEngineError, isLodeError } from '#kernel';
import type { Ports } from '../ports.js';
import { GetClockHandler } from '../platform/clock.js';
import { Query } from '../message.js';

/** What the program is set to, and where each value comes from. No secret is in it. */
export class GetSystemSettings extends Query<SystemSettings> {}

export class GetSystemSettingsHandler {
  constructor(private readonly parts: Pick<Ports, 'program'>) {}

  async execute(): Promise<SystemSettings> {
    const { version, settings } = this.parts.program;
    return { version, items: settings.map(({ name, value, source }) => ({ name, value, source })) };
  }
}

/** The engines, each asked just now, and the clock beside the last event. One that is away is told of, not refused for. */
export class GetSystemEngines extends Query<SystemEngines> {}

type Parts = Pick<Ports, 'program' | 'eventStore' | 'readStore' | 'condition' | 'files' | 'processes'> &
  ConstructorParameters<typeof GetClockHandler>[0];
type Engine = SystemEngines['items'][number];

export class GetSystemEnginesHandler {
  private readonly clock: GetClockHandler;

  constructor(private readonly parts: Parts) {
    this.clock = new GetClockHandler(parts);
  }

  async execute(): Promise<SystemEngines> {
    const { eventStore, readStore, condition, files, processes } = this.parts;
    // Side by side: one that is away is waited for, and no other is told later for it.
    const items = await Promise.all([
      this.asked('log', 'EVENTSTORE_URL', () => eventStore.head()),
      this.asked('read models', 'MONGODB_URL', () => readStore.get('accounts', 'none')),
      this.asked('identity', 'MONGODB_URL', () => condition.identity()),
      this.asked('files', 'S3_URL', () => oneByteOf(files)),
      this.asked('jobs', 'REDIS_URL', () => processes.jobs.reach()),
    ]);
    const [{ isAccepted, clock, known }, last] = await Promise.all([
      this.clock.execute(),
      eventStore.last().catch(() => undefined),
    ]);
    return { items, clock: { accepted: isAccepted, clock, known, lastEventAt: last?.at ?? null } };
  }

  private async asked(part: Engine['part'], server: string, ask: () => Promise<unknown>): Promise<Engine> {
    const { settings, monotonic } = this.parts.program;
    const address = settings.find(({ name }) => name === server)?.value ?? null;
    const where = { part, kind: address === null ? 'embedded' : 'server', address } as const;
    const began = monotonic();
    try {
      await ask();
      return { ...where, answersInMs: Math.max(0, monotonic() - began), failure: null };
    } catch (error) {
      if (!isLodeError(error) || !isEngineError(error)) throw error;
      return { ...where, answersInMs: null, failure: callerText(error) };
    }
  }
}

/** Reads one byte of one file, which is where the contents are; nothing where there are no files. */
async function oneByteOf(files: Ports['files']): Promise<void> {
  const [any] = await files.list({ limit: 1, storedOnly: true });
  if (any === undefined) return;
  try {
    const { stream } = await files.open(any.fileId, { first: 0, last: 0 });
    stream.on('error', () => undefined).destroy();
  } catch (error) {
    // Deleted since it was listed: that is an answer as well.
    if (!hasCode(error, 'file_not_found')) throw error;
  }
}
