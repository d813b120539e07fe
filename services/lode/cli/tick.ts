import { z } from 'zod';
import { openProcessesFile, type Places } from '#engines';
import { openSqliteEventStore } from '#event-store/sqlite';
import { recordRun } from '#jobs/in-process';
import { logStart, positionOf, systemClock } from '#kernel';
import { openSqliteReadStoreReader } from '#read-store/sqlite';
import { BONUS_TICK } from '#application';
import { createLedger, settingsInForce } from '../../api/index.js';
import { bonusTick, payersOn, type BonusReport } from '../../worker/index.js';
import type { Call, Outcome, Progress } from './command.js';
import { catchUp } from './fold.js';
import { alone, existing, readingLog } from './folder.js';
import { count, table } from './output.js';
import { UsageError } from './parse.js';

const instant = z.iso.datetime({ offset: true });

/** `lode tick`. */
export async function carryTick(call: Call): Promise<Outcome> {
  const { settings, options, progress } = call;
  const places = existing(settings.dataFolder);
  const asked = instantIn(options['at'], systemClock());
  const { report, at } = await alone(call, async () => {
    const end = await endOf(places);
    if (asked !== undefined && end.at > asked)
      throw new UsageError(`The log goes on to ${end.at}: --at takes no time before that.`);
    await catchUp(places, progress, end.position);
    const at = asked ?? now();
    const startedAt = now();
    const report = await tick(places, at, progress);
    const endedAt = now();
    // What was paid shows in every query, also before the next start.
    if (report.accrued > 0) await catchUp(places, progress, (await endOf(places)).position);
    keep(places, { kind: BONUS_TICK, slot: at, startedAt, endedAt, report });
    return { report, at };
  });
  return { ok: report.failed === 0, facts: { at, ...report }, lines: describe(report, at) };
}

/** Keeps the run where the program lists its own. */
function keep(places: Places, run: Parameters<typeof recordRun>[1]): void {
  const database = openProcessesFile(places.processes, (what) => console.error(what));
  try {
    recordRun(database, run);
  } finally {
    database.close();
  }
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

/** Where the log ends, and the time of its last event. */
function endOf({ log }: Places) {
  return readingLog(log, async (reader) => {
    const position = reader.head();
    const before = position === logStart ? logStart : positionOf(BigInt(position) - 1n);
    const [last] = reader.readAll(before, 1);
    return { position, at: last?.at ?? '' };
  });
}

/** Runs the tick as of an instant. */
async function tick(places: Places, at: string, progress: Progress): Promise<BonusReport> {
  const clock = () => Date.parse(at);
  const eventStore = await openSqliteEventStore({ file: places.log });
  const readStore = openSqliteReadStoreReader({ file: places.readModels });
  try {
    const ledger = createLedger({ eventStore, clock });
    let done = 0;
    const job = bonusTick({
      readStore,
      payers: () => {
        const payers = payersOn(ledger.accounts);
        return {
          ...payers,
          pay: async (batch) => {
            const paid = await payers.pay(batch);
            progress('Paying the bonus', (done += batch.userIds.length));
            return paid;
          },
        };
      },
      termsInForce: () => settingsInForce(ledger),
      clock,
    });
    return await job.run({ slot: at, attempt: 1, signal: new AbortController().signal });
  } finally {
    await readStore.close();
    await eventStore.close();
  }
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
