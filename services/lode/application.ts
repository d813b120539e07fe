import 'reflect-metadata';
import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { Bus, busProvider, type BusParts, type Handler } from '#application';

/** The application's handlers behind their bus, for every way into them. */
export type Application = { readonly bus: Bus; readonly stop: () => Promise<void> };

/** The handlers behind a bus, which it exports. */
@Module({})
export class ApplicationModule {
  static with(handlers: readonly Handler[], parts: BusParts): DynamicModule {
    return {
      module: ApplicationModule,
      imports: [CqrsModule.forRoot()],
      providers: [
        // By factory: Nest then looks for a handler's decorator on the instance, and injects nothing into it.
        ...handlers.map((handler) => ({
          provide: handler.constructor,
          inject: [],
          useFactory: () => handler,
        })),
        busProvider(parts),
      ],
      exports: [Bus],
    };
  }
}

/** Puts the handlers behind a bus, for a command that runs no service. */
export async function startApplication(handlers: readonly Handler[], parts: BusParts): Promise<Application> {
  const context = await NestFactory.createApplicationContext(ApplicationModule.with(handlers, parts), {
    logger: false,
    abortOnError: false,
  });
  return { bus: context.get(Bus), stop: () => context.close() };
}
