import { z } from 'zod';
import {
  AccrueBonuses,
  BONUS_TICK,
  bonusHandlers,
  Bus,
  createAggregates,
  createSettingsInForce,
  dispatchTo,
  GetEarliestTick,
  noMeter,
  platformIdIn,
  type BonusBatch,
} from '#application';
import type { ExclusiveEngines, Progress, Stores } from '#engines';
import { systemClock, systemTimers, type Hold } from '#kernel';
import { BATCHES_UNDER_WAY, bonusTick, type BonusReport } from '../../worker/index.js';
import { claimStores } from '../platform.js';
import { withAcceptedClock } from './clock.js';
import type { Call, Outcome } from './command.js';
import { catchUp, catchUpAfter, failureAfter } from './fold.js';
import { withExclusiveEngines, requireLog } from './folder.js';
import { count, table } from './output.js';
import { UsageError } from './parse.js';

const instant = z.iso.datetime({ offset: true });
const UNLISTED = 'The bonus was paid, but its run is not listed:';

/** `lode tick`. */
export async function runTick(call: Call): Promise<Outcome> {
  const { settings, options, progress } = call;
  await requireLog(settings);
  const asked = instantIn(options['at'], systemClock());
  const { report, at } = await withExclusiveEngines(call, async (engines) => {
    await catchUp(engines, progress);
    const at = asked ?? now();
    const startedAt = now();
    const report = await tick(call, engines, { at, isAsked: asked !== undefined });
    const endedAt = now();
    const unlisted = await engines.recordRun({ kind: BONUS_TICK, slot: at, startedAt, endedAt, report }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    // What was paid shows in every query, also before the next start.
    if (report.accrued > 0)
      await catchUpAfter('The bonus was paid, but not every screen shows it yet.', engines, progress);
    if (unlisted !== undefined)
      throw report.accrued === 0 ? unlisted.error : failureAfter(UNLISTED, unlisted.error);
    return { report, at };
  });
  return { ok: report.failed === 0, facts: { at, ...report }, lines: describe(report, at) };
}

function now(): string {
  return new Date(systemClock()).toISOString();
}

/** The time that was typed, as an ISO instant in UTC. Refuses what is none, or has not come. */
function instantIn(typed: string | boolean | undefined, now: number): string | undefined {
  if (typed === undefined) return undefined;
  const parsed = instant.safeParse(typed);
  if (!parsed.success)
    throw new UsageError(`--at takes a time such as 2026-03-01T10:00:00Z, not ${JSON.stringify(typed)}.`);
  const time = Date.parse(parsed.data);
  if (time > now) throw new UsageError(`${parsed.data} has not come yet: nothing is due before its time.`);
  return new Date(time).toISOString();
}

/** Refuses an instant before the newest event. The read models must have caught up with the log. */
async function refusePast(at: string, bus: Pick<Bus, 'query'>): Promise<void> {
  const end = await bus.query(new GetEarliestTick());
  if (end !== undefined && end > at)
    throw new UsageError(`The log goes on to ${end}: --at takes no time before that.`);
}

type Asked = { readonly at: string; readonly isAsked: boolean };

/** Runs the tick as of an instant. Refuses with `unavailable` while the clock is not accepted. */
async function tick(call: Call, engines: ExclusiveEngines, asked: Asked): Promise<BonusReport> {
  const stores = await engines.openStores();
  try {
    return await withAcceptedClock(call, engines, stores, ({ hold }) =>
      payOn(stores, asked, hold, call.progress),
    );
  } finally {
    await stores.close();
  }
}

async function payOn(
  stores: Stores,
  { at, isAsked }: Asked,
  hold: Hold,
  progress: Progress,
): Promise<BonusReport> {
  const clock = () => Date.parse(at);
  const { events: eventStore, models: readStore, identity, files, stillHere } = stores;
  const aggregates = createAggregates({ eventStore, clock, hold });
  const settings = createSettingsInForce(aggregates);
  const parts = { aggregates, settings, readStore, clock, timers: systemTimers };
  const bus = new Bus(dispatchTo(bonusHandlers(parts)), { meter: noMeter, mayAnswer: stillHere });
  // A running program may have written events since `at`.
  if (isAsked) await refusePast(at, bus);
  await claimStores({ identity, files }, eventStore, await platformIdIn(aggregates));
  let done = 0;
  const pay = async (batch: BonusBatch) => {
    const paid = await bus.execute(new AccrueBonuses(batch));
    progress('Paying the bonus', (done += batch.userIds.length));
    return paid;
  };
  const job = bonusTick({
    readStore,
    workers: () => ({ pay, concurrency: BATCHES_UNDER_WAY, close: async () => {} }),
    settingsInForce: settings.current,
    clock,
  });
  return await job.run({ slot: at, attempt: 1, signal: new AbortController().signal });
}

function describe(report: BonusReport, at: string): readonly string[] {
  const { due, accrued, days, skipped, failed, amounts, failures, policy } = report;
  const { rate, everyHours, windowDays, capDays, currency } = policy;
  return [
    `The bonus tick as of ${at}: ${rate} of the wallet a day in ${currency}, every ${everyHours} hours, for at most ${Math.min(windowDays, capDays)} days.`,
    ...table([
      ['  accounts due', count(due)],
      ['  paid', count(accrued)],
      ['  nothing to pay', count(skipped)],
      ['  failed', count(failed)],
      ['  days paid', count(days)],
      ...Object.entries(amounts).map(([name, amount]) => [`  ${name}`, amount]),
    ]),
    '',
    ...failures.map(({ userId, code, message }) => `WRONG: account ${userId}: ${message} [${code}]`),
    ...(failed > failures.length ? [`WRONG: ${count(failed - failures.length)} more failed.`] : []),
    ...(failed > 0 ? [] : [accrued === 0 ? 'Nothing was due.' : 'Everybody was paid.']),
  ];
}
