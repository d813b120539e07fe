import { canonicalJson, type RecordedEvent } from '#kernel';
import { until } from '#kernel/testing';
import { idIndex, type Document, type ReadStoreReader } from '#read-store';
import type { Budget, RunnerLimits } from '../limits.js';
import type { ReadModel } from '../read-model.js';
import {
  createProjectionRunner,
  type ProjectionRunner,
  type RunnerOptions,
  type RunnerReport,
} from '../runner.js';

/** The machine's own pace: no pauses that a test would wait for. */
export const quick: Partial<RunnerLimits> = {
  gatherMs: 0,
  gatherMostMs: 0,
  pollMs: 5,
  backOffFirstMs: 1,
  backOffLastMs: 2,
};

/** The same small budget in every mood of the runner. */
export function budgets(budget: Budget): Partial<RunnerLimits> {
  return { live: budget, catchUp: budget, beside: budget, recovery: { ...budget, events: budget.page } };
}

export type Started = { readonly runner: ProjectionRunner; readonly reports: RunnerReport[] };

/** A runner at its work, with everything that it reported. */
export function started(options: Omit<RunnerOptions, 'open'> & Partial<RunnerOptions>): Started {
  const reports: RunnerReport[] = [];
  const runner = createProjectionRunner({
    open: (event: RecordedEvent) => event,
    report: (report) => reports.push(report),
    ...options,
    limits: { ...quick, ...options.limits },
  });
  runner.start();
  return { runner, reports };
}

/** Waits until every model is true to the end of the log, with nothing being built. */
export async function settled(running: Started, head: string): Promise<void> {
  await until(() => isSettled(running, head));
}

/** Whether every model is true to the end of the log, with nothing being built. */
export function isSettled({ runner }: Started, head: string): boolean {
  return runner.health().models.every(({ state, position }) => state === 'current' && position === head);
}

/** Every document of the models, as the bytes that are compared. */
export async function dump(store: ReadStoreReader, models: readonly ReadModel[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { name } of models) {
    for (const document of await documentsOf(store, name)) lines.push(`${name} ${canonicalJson(document)}`);
  }
  return lines;
}

/** All documents of a collection in the order of their ids; tests have few. */
export function documentsOf(store: ReadStoreReader, collection: string): Promise<readonly Document[]> {
  return store.list(collection, { index: idIndex, equals: {}, direction: 'ascending', limit: 1_000 });
}
