import { Controller } from '@nestjs/common';
import {
  Bus,
  CancelRebuild,
  CancelBackup,
  CancelVerification,
  DiscardParkedEvent,
  GetBackups,
  GetClock,
  GetSystemEngines,
  GetSystemSettings,
  GetTotals,
  GetVerification,
  ListParkedEvents,
  ListReadModels,
  MakeBackup,
  RebuildReadModel,
  ReplayParkedEvents,
  sessionContext,
  Verify,
  type Session,
} from '#application';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';

/** Totals, the state of the read models, and what is ordered of the program. */
@Controller()
export class OperationsController {
  constructor(private readonly bus: Bus) {}

  @Route('totals')
  totals(): Promise<AnswerOf<'totals'>> {
    return this.bus.query(new GetTotals());
  }

  @Route('clock')
  async clock(): Promise<AnswerOf<'clock'>> {
    const { isAccepted, clock, known } = await this.bus.query(new GetClock());
    return { accepted: isAccepted, clock, known };
  }

  @Route('systemSettings')
  settings(): Promise<AnswerOf<'systemSettings'>> {
    return this.bus.query(new GetSystemSettings());
  }

  @Route('systemEngines')
  engines(): Promise<AnswerOf<'systemEngines'>> {
    return this.bus.query(new GetSystemEngines());
  }

  @Route('backups')
  backups(): Promise<AnswerOf<'backups'>> {
    return this.bus.query(new GetBackups());
  }

  @Route('makeBackup')
  makeBackup(@Caller() caller: Session): Promise<AnswerOf<'makeBackup'>> {
    return this.bus.execute(new MakeBackup(sessionContext(caller)));
  }

  @Route('cancelBackup')
  async cancelBackup(@Caller() caller: Session): Promise<AnswerOf<'cancelBackup'>> {
    return { cancelled: await this.bus.execute(new CancelBackup(sessionContext(caller))) };
  }

  @Route('verification')
  verification(): Promise<AnswerOf<'verification'>> {
    return this.bus.query(new GetVerification());
  }

  @Route('verify')
  verify(@Caller() caller: Session): Promise<AnswerOf<'verify'>> {
    return this.bus.execute(new Verify(sessionContext(caller)));
  }

  @Route('cancelVerification')
  async cancelVerification(@Caller() caller: Session): Promise<AnswerOf<'cancelVerification'>> {
    return { cancelled: await this.bus.execute(new CancelVerification(sessionContext(caller))) };
  }

  @Route('projections')
  projections(): Promise<AnswerOf<'projections'>> {
    return this.bus.query(new ListReadModels());
  }

  @Route('rebuildModel')
  async rebuild(
    @ParamsOf('rebuildModel') { model }: ParamsOf<'rebuildModel'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'rebuildModel'>> {
    await this.bus.execute(new RebuildReadModel(sessionContext(caller), model));
    return { model, state: 'rebuilding' };
  }

  @Route('cancelRebuild')
  async cancelRebuild(
    @ParamsOf('cancelRebuild') { model }: ParamsOf<'cancelRebuild'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'cancelRebuild'>> {
    const command = new CancelRebuild(sessionContext(caller), model);
    return { model, cancelled: await this.bus.execute(command) };
  }

  @Route('parkedEvents')
  parked(
    @ParamsOf('parkedEvents') { model }: ParamsOf<'parkedEvents'>,
    @QueryOf('parkedEvents') page: QueryOf<'parkedEvents'>,
  ): Promise<AnswerOf<'parkedEvents'>> {
    return this.bus.query(new ListParkedEvents(model, page));
  }

  @Route('discardParked')
  async discard(
    @ParamsOf('discardParked') { model }: ParamsOf<'discardParked'>,
    @BodyOf('discardParked') { eventId, reason }: BodyOf<'discardParked'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'discardParked'>> {
    const command = new DiscardParkedEvent(sessionContext(caller), model, eventId, reason);
    return { model, ...(await this.bus.execute(command)) };
  }

  @Route('replayParked')
  async replay(
    @ParamsOf('replayParked') { model }: ParamsOf<'replayParked'>,
    @BodyOf('replayParked') { stream }: BodyOf<'replayParked'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'replayParked'>> {
    const command = new ReplayParkedEvents(sessionContext(caller), model, stream);
    return { model, ...(await this.bus.execute(command)) };
  }
}
