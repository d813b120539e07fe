import { Module, type DynamicModule } from '@nestjs/common';
import { CommandBus, CommandHandler, CqrsModule, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { Bus, Query, type BusParts, type Dispatch, type Handled } from '#application';

/** The application's handlers behind its bus, which this exports. Nest's own buses give each message to its handler. */
@Module({})
export class ApplicationModule {
  static with(handled: readonly Handled[], parts: BusParts): DynamicModule {
    return {
      module: ApplicationModule,
      imports: [CqrsModule.forRoot()],
      providers: [
        ...handled.map(providerOf),
        {
          provide: Bus,
          inject: [CommandBus, QueryBus],
          useFactory: (commands: CommandBus, queries: QueryBus) =>
            new Bus(dispatchTo(commands, queries), parts),
        },
      ],
      exports: [Bus],
    };
  }
}

/** By factory: Nest then looks for what a handler is for on the instance, and injects nothing into it. */
function providerOf({ message, handler }: Handled) {
  const isFor = message.prototype instanceof Query ? QueryHandler : CommandHandler;
  isFor(message as never)(handler.constructor);
  return { provide: handler.constructor, inject: [], useFactory: () => handler };
}

function dispatchTo(commands: CommandBus, queries: QueryBus): Dispatch {
  return {
    execute: (message) => (message instanceof Query ? queries.execute(message) : commands.execute(message)),
  };
}
