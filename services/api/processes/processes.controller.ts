import { Controller, Inject } from '@nestjs/common';
import { BONUS_TICK } from '#application';
import type { JobRunView } from '#contracts';
import type { JobRun } from '#jobs';
import { ENGINES, type Engines } from '../engines.js';
import { Route, type AnswerOf } from '../http/route.js';
import { STALLED_AFTER_MS, stalledTransfers } from './stalled.js';

/** Runs of each job that are shown. */
const RUNS_SHOWN = 20;

/** What the program does by itself, shown to admins. */
@Controller()
export class ProcessesController {
  constructor(@Inject(ENGINES) private readonly engines: Engines) {}

  @Route('jobs')
  async jobs(): Promise<AnswerOf<'jobs'>> {
    const { jobs } = this.engines.processes;
    const items = (await jobs.schedules()).map(async ({ kind, everyMs, nextAt }) => ({
      kind,
      everySeconds: everyMs / 1_000,
      nextAt,
      runs: (await jobs.runs(kind, RUNS_SHOWN)).map(viewOf),
    }));
    return { items: await Promise.all(items) };
  }

  @Route('runBonusTick')
  async runBonusTick(): Promise<AnswerOf<'runBonusTick'>> {
    const run = viewOf(await this.engines.processes.jobs.runNow(BONUS_TICK));
    return {
      run,
      message: run.state === 'waiting' ? 'The bonus tick will run next.' : 'The bonus tick runs.',
    };
  }

  @Route('reactors')
  reactors(): AnswerOf<'reactors'> {
    const items = this.engines.processes.reactors().map(({ failing, parked, ...health }) => ({
      ...health,
      parked: parked.map(({ position, stream, type, attempts, error, since }) => ({
        position,
        stream,
        type,
        attempts,
        error,
        since,
      })),
      failing: failing === undefined ? null : failing.message,
    }));
    return { items };
  }

  @Route('retryReactors')
  retry(): AnswerOf<'retryReactors'> {
    this.engines.processes.retryReactors();
    return this.reactors();
  }

  @Route('stalledTransfers')
  async stalled(): Promise<AnswerOf<'stalledTransfers'>> {
    const { readStore, clock } = this.engines;
    return {
      afterSeconds: STALLED_AFTER_MS / 1_000,
      items: [...(await stalledTransfers(readStore, clock()))],
    };
  }
}

function viewOf({ id, slot, cause, state, attempts, startedAt, endedAt, report, error }: JobRun): JobRunView {
  return {
    id,
    slot,
    cause,
    state,
    attempts,
    startedAt,
    endedAt,
    report: report === null ? null : { ...report },
    error,
  };
}
