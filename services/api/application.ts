import { Module, type DynamicModule } from '@nestjs/common';
import { CommandBus, CommandHandler, CqrsModule, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { Bus, dispatchTo, Query, type BusParts, type Dispatch, type Handled } from '#application';

/** The application's handlers behind its bus, which this exports. Nest's own buses give each message to its handler. */
@Module({})
export class ApplicationModule {
  static with(handled: readonly Handled[], parts: BusParts): DynamicModule {
    // It refuses two handlers for one class, of which Nest would only warn.
    dispatchTo(handled);
    return {
      module: ApplicationModule,
      imports: [CqrsModule.forRoot()],
      providers: [
        ...handled.map(providerOf),
        {
          provide: Bus,
          inject: [CommandBus, QueryBus],
          useFactory: (commands: CommandBus, queries: QueryBus) =>
            new Bus(throughNest(commands, queries), parts),
        },
      ],
      exports: [Bus],
    };
  }
}

/** A handler as Nest finds it: by what is written on its class. */
function providerOf({ message, handler }: Handled) {
  class Registered {
    readonly execute = (asked: never) => handler.execute(asked);
  }
  const isFor = message.prototype instanceof Query ? QueryHandler : CommandHandler;
  isFor(message as never)(Registered);
  return { provide: Registered, useFactory: () => new Registered() };
}

function throughNest(commands: CommandBus, queries: QueryBus): Dispatch {
  return {
    execute: (message) => (message instanceof Query ? queries.execute(message) : commands.execute(message)),
  };
}
