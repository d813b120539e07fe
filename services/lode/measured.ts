import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { SecurityLog } from '#application';
import { roomOn, type Engines } from '#engines';
import type { Condition } from '#application';
import type { EventStore, StreamRead } from '#event-store';
import { damagedRow, watchChanges, type DamagedRow, type IdentityStore } from '#identity';
import {
  isLodeError,
  metric,
  serializeError,
  systemMonotonic,
  type LodeError,
  type MetricName,
  type Position,
} from '#kernel';

const MS_PER_SECOND = 1_000;
/** Seconds: from what memory takes to what a server at its limit does. */
const APPEND_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** A log whose appends are timed, those that were sent together as one. */
export function measureAppends<Store extends Pick<EventStore, 'append' | 'appendMany'>>(
  store: Store,
  registry: Registry,
): Store {
  const durations = new Histogram({
    ...metric('lode_append_duration_seconds'),
    labelNames: ['outcome'],
    buckets: APPEND_BUCKETS,
    registers: [registry],
  });
  function timed<T>(append: Promise<T>): Promise<T> {
    const began = systemMonotonic();
    const end = (outcome: string) =>
      durations.observe({ outcome }, (systemMonotonic() - began) / MS_PER_SECOND);
    append.then(
      () => end('done'),
      (error: unknown) => end(serializeError(error).code),
    );
    return append;
  }
  return {
    ...store,
    append: (append) => timed(store.append(append)),
    appendMany: (appends) => timed(store.appendMany(appends)),
  };
}

/** What is measured of a program, which begins with what it is. */
export function registryOf(version: string): Registry {
  const registry = new Registry();
  const build = new Gauge({
    ...metric('lode_build_info'),
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version, node: process.versions.node }, 1);
  return registry;
}

/** How often access was refused, and what must be noted was given; and how often of that no event says so. */
export function watchSecurityCounts(registry: Registry, security: Pick<SecurityLog, 'counts'>): void {
  const counter = (name: MetricName, member: 'seen' | 'unwritten') =>
    new Counter({
      ...metric(name),
      labelNames: ['type'],
      registers: [registry],
      collect() {
        this.reset();
        for (const one of security.counts()) this.inc({ type: one.type }, one[member]);
      },
    });
  counter('lode_security_total', 'seen');
  counter('lode_security_unwritten_total', 'unwritten');
}

/** How old what is kept of how far log and identities have come is. */
export function watchHead(registry: Registry, condition: Condition['head']): void {
  new Gauge({
    ...metric('lode_head_age_seconds'),
    registers: [registry],
    collect() {
      this.set(condition().ageMs / MS_PER_SECOND);
    },
  });
}

/** The programs that share the engines, by their version. */
export function watchPrograms(registry: Registry, members: Engines['programs']['members']): void {
  new Gauge({
    ...metric('lode_programs'),
    labelNames: ['version'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { program } of members()) this.inc({ version: program ?? 'unknown' });
    },
  });
}

/** How much room the disk of the data folder has. */
export function watchRoom(registry: Registry, folder: string): void {
  const gauge = (name: MetricName, of: (room: ReturnType<typeof roomOn>) => number) =>
    new Gauge({
      ...metric(name),
      registers: [registry],
      collect() {
        this.set(of(roomOn(folder)));
      },
    });
  gauge('lode_disk_free_bytes', ({ freeBytes }) => freeBytes);
  gauge('lode_disk_bytes', ({ totalBytes }) => totalBytes);
}

/** The most damaged events that are told apart. */
const DAMAGED_MAX = 1_000;

type Reads = Pick<EventStore, 'readStream' | 'readStreams' | 'readAll' | 'readTypes'>;

/** A log whose damaged events are told: each once to the operator, and how many there are by a gauge. */
export function watchDamagedEvents<Store extends Reads>(
  store: Store,
  registry: Registry,
  hear: (error: LodeError) => void,
): { readonly events: Store; readonly known: ReadonlySet<string> } {
  const known = new Set<string>();
  new Gauge({
    ...metric('lode_log_damaged_events'),
    registers: [registry],
    collect() {
      this.set(known.size);
    },
  });
  const watched = async <T>(read: Promise<T>): Promise<T> => {
    try {
      return await read;
    } catch (error) {
      if (!isLodeError(error) || error.code !== 'storage_failed') throw error;
      const { position } = error.details;
      if (typeof position === 'string' && !known.has(position) && known.size < DAMAGED_MAX) {
        known.add(position);
        hear(error);
      }
      throw error;
    }
  };
  const events = {
    ...store,
    readStream: (stream: string, read: StreamRead) => watched(store.readStream(stream, read)),
    readStreams: (streams: readonly string[], limit: number) => watched(store.readStreams(streams, limit)),
    readAll: (after: Position, limit: number) => watched(store.readAll(after, limit)),
    readTypes: (types: readonly string[], after: Position, limit: number) =>
      watched(store.readTypes(types, after, limit)),
  };
  return { events, known };
}

/** The identity store, whose damaged rows are told each once, and how it is. */
export function watchIdentity(
  engine: IdentityStore,
  registry: Registry,
  hear: (row: DamagedRow & { readonly message: string }) => void,
): { readonly store: IdentityStore; readonly condition: Condition['identity'] } {
  let damagedRows = 0;
  const { store, changes } = watchChanges(engine, systemMonotonic);
  engine.watchDamage((row) => {
    damagedRows += 1;
    hear({ ...row, message: damagedRow(row).message });
  });
  new Gauge({
    ...metric('lode_identity_damaged_rows'),
    registers: [registry],
    collect() {
      this.set(damagedRows);
    },
  });
  new Gauge({
    ...metric('lode_identity_takes_no_changes'),
    registers: [registry],
    async collect() {
      this.set((await changes.refusal()) === undefined ? 0 : 1);
    },
  });
  return {
    store,
    condition: async () => {
      const refusal = await changes.refusal();
      await engine.platform();
      return { damagedRows, refusal };
    },
  };
}
