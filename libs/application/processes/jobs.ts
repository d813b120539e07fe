import { CommandHandler, Query, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { JobList, JobRunView } from '#contracts';
import type { JobRun } from '#jobs';
import type { Actor } from '#kernel';
import { BONUS_TICK } from '../bonus/accrue.js';
import { sentBy } from '../command.js';
import type { Processes } from '../ports.js';

/** Runs of each job that are shown. */
const RUNS_SHOWN = 20;

type Parts = { readonly processes: Pick<Processes, 'jobs'> };

/** Every recurring job: when it runs next, and its last runs, newest first. */
export class ListJobs extends Query<JobList> {}

@QueryHandler(ListJobs)
export class ListJobsHandler implements IQueryHandler<ListJobs> {
  constructor(private readonly parts: Parts) {}

  async execute(): Promise<JobList> {
    const { jobs } = this.parts.processes;
    const items = (await jobs.schedules()).map(async ({ kind, everyMs, nextAt }) => ({
      kind,
      everySeconds: everyMs / 1_000,
      nextAt,
      runs: (await jobs.runs(kind, RUNS_SHOWN)).map(viewOf),
    }));
    return { items: await Promise.all(items) };
  }
}

/** Has the bonus tick run now: whoever is due is paid, and nobody twice. The run may not have ended. */
export class RunBonusTick extends sentBy('admin')<JobRunView> {
  constructor(override readonly context: { readonly actor: Actor }) {
    super();
  }
}

@CommandHandler(RunBonusTick)
export class RunBonusTickHandler implements ICommandHandler<RunBonusTick> {
  constructor(private readonly parts: Parts) {}

  async execute(): Promise<JobRunView> {
    return viewOf(await this.parts.processes.jobs.runNow(BONUS_TICK));
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
