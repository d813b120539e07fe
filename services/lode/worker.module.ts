import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Bus } from '#application';
import type { RunningProcesses } from '../worker/index.js';

/** Where Nest keeps what the program does by itself. */
export const PROCESSES = Symbol('processes');

/** Reactors and jobs. Reactors run from the bootstrap on, jobs once `startJobs` says so; a shutdown ends both. */
@Module({})
export class WorkerModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(PROCESSES) private readonly processes: RunningProcesses,
    @Inject(Bus) private readonly bus: Bus,
  ) {}

  /** `imports` bring the bus, and what must run before reactors do and longer. */
  static with(processes: RunningProcesses, imports: readonly DynamicModule[]): DynamicModule {
    return {
      module: WorkerModule,
      imports: [...imports],
      providers: [{ provide: PROCESSES, useFactory: () => processes }],
      exports: [PROCESSES],
    };
  }

  onApplicationBootstrap(): Promise<void> {
    return this.processes.start(this.bus);
  }

  onApplicationShutdown(): Promise<void> {
    return this.processes.stop();
  }
}
