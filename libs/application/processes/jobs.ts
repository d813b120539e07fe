import type { JobList, JobRunView } from '#contracts';
import type { JobRun } from '#jobs';
import { LodeError } from '#kernel';
import { BONUS_TICK } from '../bonus/accrue.js';
import { sentBy } from '../command.js';
import { writeOrder, type OrderContext, type OrderParts } from '../operations/order.js';
import type { JobsCondition, Processes } from '../ports.js';
import { Query } from '../message.js';

/** Runs of each job that are shown. */
const RUNS_SHOWN = 20;

type Parts = { readonly processes: Pick<Processes, 'jobs'> };

/** Every recurring job: when it runs next, and its last runs, newest first. */
export class ListJobs extends Query<JobList> {}

export class ListJobsHandler {
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

/** Whether a program is there that runs jobs. Rejects with `unavailable` when that can't be read. */
export class GetJobsCondition extends Query<JobsCondition> {}

export class GetJobsConditionHandler {
  constructor(private readonly parts: { readonly processes: Pick<Processes, 'jobsCondition'> }) {}

  execute(): Promise<JobsCondition> {
    return this.parts.processes.jobsCondition();
  }
}

/** Has the bonus tick run now: whoever is due is paid, and nobody twice. The run may not have ended. */
export class RunBonusTick extends sentBy('admin')<JobRunView> {
  constructor(override readonly context: OrderContext) {
    super();
  }
}

export class RunBonusTickHandler {
  constructor(private readonly parts: Parts & OrderParts) {}

  async execute({ context }: RunBonusTick): Promise<JobRunView> {
    await writeOrder(this.parts, context, { operation: 'run job', about: BONUS_TICK });
    return viewOf(await this.parts.processes.jobs.runNow(BONUS_TICK));
  }
}

/** Has a job run now, whatever became of its runs before. Refuses with `route_not_found` when there is none such. */
export class RunJob extends sentBy('admin')<JobRunView> {
  constructor(
    override readonly context: OrderContext,
    readonly job: string,
  ) {
    super();
  }
}

export class RunJobHandler {
  constructor(private readonly parts: Parts & OrderParts) {}

  async execute({ context, job }: RunJob): Promise<JobRunView> {
    const { jobs } = this.parts.processes;
    const kinds = (await jobs.schedules()).map(({ kind }) => kind);
    if (!kinds.includes(job)) throw new LodeError('route_not_found', `There is no job ${job}.`);
    await writeOrder(this.parts, context, { operation: 'run job', about: job });
    return viewOf(await jobs.runNow(job));
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
