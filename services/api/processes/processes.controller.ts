import { Controller } from '@nestjs/common';
import {
  Bus,
  GetBonusPreview,
  ListJobs,
  ListReactors,
  ListStalledTransfers,
  ListTickResults,
  RetryReactors,
  RunBonusTick,
  RunJob,
  sessionContext,
  STALLED_AFTER_MS,
  type Session,
} from '#application';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';

/** What the program does by itself, shown to admins. */
@Controller()
export class ProcessesController {
  constructor(private readonly bus: Bus) {}

  @Route('jobs')
  jobs(): Promise<AnswerOf<'jobs'>> {
    return this.bus.query(new ListJobs());
  }

  @Route('runBonusTick')
  async runBonusTick(
    @BodyOf('runBonusTick') { reason }: BodyOf<'runBonusTick'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'runBonusTick'>> {
    const run = await this.bus.execute(new RunBonusTick({ ...sessionContext(caller), reason }));
    return {
      run,
      message: run.state === 'waiting' ? 'The bonus tick will run next.' : 'The bonus tick runs.',
    };
  }

  @Route('bonusPreview')
  bonusPreview(@QueryOf('bonusPreview') query: QueryOf<'bonusPreview'>): Promise<AnswerOf<'bonusPreview'>> {
    const { cursor, limit, when, ...policy } = query;
    return this.bus.query(new GetBonusPreview({ cursor, limit }, policy, when));
  }

  @Route('tickResults')
  tickResults(
    @ParamsOf('tickResults') { slot }: ParamsOf<'tickResults'>,
    @QueryOf('tickResults') page: QueryOf<'tickResults'>,
  ): Promise<AnswerOf<'tickResults'>> {
    return this.bus.query(new ListTickResults(slot, page));
  }

  @Route('runJob')
  async runJob(
    @ParamsOf('runJob') { job }: ParamsOf<'runJob'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'runJob'>> {
    const run = await this.bus.execute(new RunJob(sessionContext(caller), job));
    return { run, message: run.state === 'waiting' ? 'The job will run next.' : 'The job runs.' };
  }

  @Route('reactors')
  reactors(): Promise<AnswerOf<'reactors'>> {
    return this.bus.query(new ListReactors());
  }

  @Route('retryReactors')
  retry(@Caller() caller: Session): Promise<AnswerOf<'retryReactors'>> {
    return this.bus.execute(new RetryReactors(sessionContext(caller)));
  }

  @Route('stalledTransfers')
  async stalled(): Promise<AnswerOf<'stalledTransfers'>> {
    const items = await this.bus.query(new ListStalledTransfers());
    return { afterSeconds: STALLED_AFTER_MS / 1_000, items: [...items] };
  }
}
