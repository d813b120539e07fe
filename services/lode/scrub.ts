import { Counter, Gauge, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { Condition } from '#application';
import { scrubParts, type ScrubMemory } from '#engines';
import { complaintAboutFile, type FileStore } from '#files';
import { metric, serializeError, systemMonotonic, type Clock, type Timers } from '#kernel';
import { createScrubber, lookAtFiles, type Looking, type Scrubber } from '#scrub';
import type { Projector } from '../projector/index.js';
import type { Looker } from '../scrubber/index.js';

export type ScrubParts = { readonly looker: Looker; readonly memory: ScrubMemory };

type ScrubOptions = {
  readonly parts: ScrubParts & { readonly files: FileStore };
  readonly projector: Pick<Projector, 'mend' | 'feed' | 'isLeading'>;
  readonly logId: string;
  readonly metrics: Registry;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  readonly clock: Clock;
  readonly timers: Timers;
};

/**
 * Begins to look at everything that is kept. The program that runs the projections does, which can have read models made
 * again; what it finds is told, and counted.
 */
export function startScrub(options: ScrubOptions): {
  readonly condition: Condition['scrub'];
  readonly stop: () => Promise<void>;
} {
  const { parts, projector, logId, metrics, logger, clock, timers } = options;
  const { looker, memory, files } = parts;
  const damaged = new Counter({
    ...metric('lode_scrub_damaged_total'),
    labelNames: ['part'],
    registers: [metrics],
  });
  let isStopping = false;
  const lookings: Record<string, Looking> = {};
  for (const part of scrubParts()) lookings[part] = (place) => looker.look(part, place);
  lookings['files'] = lookAtFiles(files, (fileId, mustBe) =>
    complaintAboutFile(() => files.open(fileId), mustBe),
  );
  for (const part of Object.keys(lookings)) damaged.inc({ part }, 0);
  const scrubber = createScrubber({
    parts: lookings,
    load: () => memory.load(logId),
    keep: (state) => memory.keep(logId, state),
    isOurs: projector.isLeading,
    onFound: (part, { what, damage, rebuild }) => {
      damaged.inc({ part });
      logger.error({ code: 'storage_failed', part }, what);
      if (damage !== undefined) projector.mend(damage);
      if (rebuild !== undefined)
        projector.feed
          .rebuild(rebuild)
          .catch((error: unknown) =>
            logger.error(serializeError(error), `${rebuild} could not be built anew`),
          );
    },
    onFailing: (part, message) => {
      if (!isStopping) logger.warn({ part }, `can't look at what is kept: ${message}`);
    },
    clock,
    monotonic: systemMonotonic,
    timers,
  });
  watchScrub(metrics, scrubber);
  scrubber.start();
  return {
    condition: () => ({ isOurs: projector.isLeading(), state: scrubber.state() }),
    stop: async () => {
      isStopping = true;
      looker.close();
      await scrubber.stop();
      looker.close();
    },
  };
}

const MS_PER_SECOND = 1_000;

/** When each part was last looked at wholly, and how far the look under way is. */
function watchScrub(metrics: Registry, { state }: Pick<Scrubber, 'state'>): void {
  new Gauge({
    ...metric('lode_scrub_checked_timestamp_seconds'),
    labelNames: ['part'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [part, at] of Object.entries(state().checkedAt)) this.set({ part }, at / MS_PER_SECOND);
    },
  });
  new Gauge({
    ...metric('lode_scrub_looked_at'),
    registers: [metrics],
    collect() {
      this.set(state().pass?.looked ?? 0);
    },
  });
  new Gauge({
    ...metric('lode_scrub_damaged'),
    registers: [metrics],
    collect() {
      this.set(Math.max(state().last?.damaged ?? 0, state().pass?.damaged ?? 0));
    },
  });
}
