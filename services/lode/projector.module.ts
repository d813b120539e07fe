import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Projector } from '../projector/index.js';

/** Where Nest keeps the projector. */
const PROJECTOR = Symbol('projector');

/** The projections, and the reading of the log for reactors: started at the bootstrap, ended by a shutdown. */
@Module({})
export class ProjectorModule implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  constructor(@Inject(PROJECTOR) private readonly projector: Projector) {}

  static with(projector: Projector): DynamicModule {
    return {
      module: ProjectorModule,
      providers: [{ provide: PROJECTOR, useFactory: () => projector }],
    };
  }

  onApplicationBootstrap(): Promise<void> {
    return this.projector.start();
  }

  /** Before the requests that wait are cut off. */
  onModuleDestroy(): void {
    this.projector.endWaits();
  }

  onApplicationShutdown(): Promise<void> {
    return this.projector.stop();
  }
}
