import { invariant } from '#kernel';

/* Known to types alone: no message has them. */
declare const ANSWER: unique symbol;
declare const QUESTION: unique symbol;

/** A command or a query, by the type of its answer. */
export type Message<Answer> = { readonly [ANSWER]: Answer };

/** A question that changes nothing. */
export abstract class Query<Answer> implements Message<Answer> {
  declare readonly [ANSWER]: Answer;
  declare readonly [QUESTION]: true;
}

/** Something that is to be done. */
export abstract class Command<Answer> implements Message<Answer> {
  declare readonly [ANSWER]: Answer;
}

/** Carries out one class of commands, or answers one class of queries. */
type Handler<M, Answer> = { readonly execute: (message: M) => Promise<Answer> };

type MessageClass<M> = abstract new (...given: never[]) => M;

/** A class of messages, and what handles them. */
export type Handled = {
  readonly message: MessageClass<Message<unknown>>;
  readonly handler: Handler<never, unknown>;
};

/** Says which handler is for a class of messages. */
export function handledBy<M extends Message<unknown>>(
  message: MessageClass<M>,
  handler: Handler<M, M[typeof ANSWER]>,
): Handled {
  return { message, handler };
}

/** Gives messages to what handles them. */
export type Dispatch = {
  readonly execute: <Answer>(message: Message<Answer>) => Promise<Answer>;
};

/** Gives each message to the handler of its class. No two handlers are for the same class. */
export function dispatchTo(handled: readonly Handled[]): Dispatch {
  const handlers = new Map<unknown, Handler<never, unknown>>();
  for (const { message, handler } of handled) {
    invariant(!handlers.has(message), `${message.name} has one handler`);
    handlers.set(message, handler);
  }
  return {
    execute: async <Answer>(message: Message<Answer>) => {
      const handler = handlers.get(message.constructor);
      invariant(handler !== undefined, `${message.constructor.name} has a handler`);
      return (await handler.execute(message as never)) as Answer;
    },
  };
}
