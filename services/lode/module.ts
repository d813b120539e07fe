import { Module, type DynamicModule } from '@nestjs/common';
import {
  applicationHandlers,
  createLiveChanges,
  createPasswordDuty,
  createAdminGate,
  createSecondFactorDuty,
  sessionsInForce,
  whileNotDue,
  watchHeldStreams,
  type ApplicationParts,
  type BusParts,
} from '#application';
import { systemTimers } from '#kernel';
import type { Registry } from 'prom-client';
import {
  ApiModule,
  ApplicationModule,
  createBusMeter,
  traceTelling,
  type ApiSettings,
} from '../api/index.js';
import type { Projector } from '../projector/index.js';
import type { RunningProcesses } from '../worker/index.js';
import { ProjectorModule } from './projector.module.js';
import { WorkerModule } from './worker.module.js';

/** What the modules of a program share, and what each of them needs beside that. */
export type ProgramParts = {
  readonly application: ApplicationParts;
  readonly bus: Omit<BusParts, 'meter'>;
  readonly projector: Projector;
  readonly processes: RunningProcesses;
  readonly api: ApiSettings;
  readonly logId: string;
  readonly metrics: Registry;
};

const unheard: Parameters<typeof createLiveChanges>[0] = {
  onChanges: () => () => undefined,
  onRebuilt: () => () => undefined,
};

/**
 * A whole program. A module starts after those that it imports, and ends before them: first the projector, then the
 * worker, whose commands go over the application's bus, then the API.
 */
@Module({})
export class LodeModule {
  static with(parts: ProgramParts): DynamicModule {
    const { application, bus, projector, processes, api, logId, metrics } = parts;
    const { admins, clock, identity, projections, security, settings } = application;
    const sessions = sessionsInForce(identity.sessions, admins);
    const mustSetUpSecondFactor = createSecondFactorDuty(identity.secondFactors, settings);
    const projectorModule = ProjectorModule.with(projector);
    const applicationModule = ApplicationModule.with(applicationHandlers(application), {
      ...bus,
      meter: createBusMeter(metrics),
    });
    // Nobody listens where no page is served, and then nobody need be told.
    const changes = api.routes === 'all' ? projections : unheard;
    const workerModule = WorkerModule.with(processes, [applicationModule, projectorModule]);
    const apiModule = ApiModule.with({
      imports: [applicationModule, workerModule],
      authenticate: sessions.authenticate,
      mustSetUpSecondFactor,
      mustChoosePassword: createPasswordDuty(identity.credentials),
      adminGate: createAdminGate(identity.sessions, admins),
      live: createLiveChanges(
        changes,
        whileNotDue(sessions.isAlive, mustSetUpSecondFactor),
        traceTelling(api.tracer),
      ),
      held: watchHeldStreams(projections, clock, systemTimers),
      clock,
      security,
      logId,
      metrics,
      settings: api,
    });
    return { module: LodeModule, imports: [projectorModule, applicationModule, workerModule, apiModule] };
  }
}
