import type { Actor, Position } from '#kernel';
import { Command } from './message.js';

/** Who sends a command: a person by their role, the program itself, or whoever has the machine. */
type Sender = 'visitor' | 'user' | 'admin' | 'system' | 'operator';

/** A command with whoever sends it, and with who may: a class that says nothing about that does not compile. */
export abstract class ApplicationCommand<Result> extends Command<Result> {
  abstract readonly senders: ReadonlySet<Sender>;
  abstract readonly context: { readonly actor: Actor };
}

/**
 * The base class of commands that these may send. This is asserted in addition to the contract's table of routes, which
 * says more exactly who may call what: a command that comes from anybody else is a bug.
 */
export function sentBy(...senders: readonly [Sender, ...Sender[]]) {
  const allowed: ReadonlySet<Sender> = new Set(senders);
  abstract class SentBy<Result> extends ApplicationCommand<Result> {
    override get senders() {
      return allowed;
    }
  }
  return SentBy;
}

/** Who an actor is as a sender. */
export function senderOf({ kind, role }: Actor): Sender {
  return kind === 'person' ? role : kind;
}

/** The answer to a command: where in the log it is so, and whether this is its first answer again. */
export type Receipt = { readonly position: Position; readonly replayed: boolean };
