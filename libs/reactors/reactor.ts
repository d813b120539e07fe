import { sha256, spanIdOf, uuidV5, type Envelope, type RecordedEvent } from '#kernel';
import type { CommandContext } from '#commands';

/** A command that follows from an event. */
export type ReactorCommand<Command> = {
  readonly stream: string;
  readonly command: Command;
  /** Which of the event's commands this is. It is part of the command's id and so is never renamed. */
  readonly step: string;
};

/**
 * What follows from events: a plain function from an event to commands, and nothing else. It sees one event, has no
 * clock and no input but the event. Its commands are carried out at least once, in any later moment, perhaps again after
 * years: their ids make them one.
 */
export type Reactor<Command, Name extends string = string> = {
  /** Part of its commands' ids, and so never renamed. */
  readonly name: Name;
  /** The event types that `on` is called for. */
  readonly handles: readonly string[];
  readonly on: (event: RecordedEvent) => readonly ReactorCommand<Command>[];
  /** Events of one key are handled one after the other, also when one of them fails; all others go on. */
  readonly keyOf: (event: RecordedEvent) => string;
};

/** The context of a command that a reactor issues for an event: always the same one. */
export function contextFor(
  reactor: string,
  event: Pick<Envelope, 'id' | 'meta'>,
  step: string,
): CommandContext {
  const commandId = uuidV5(event.id, `${reactor}/${step}`);
  return {
    actor: { kind: 'system', id: reactor, role: 'system' },
    commandId,
    // Of the id and not of the content: what was carried out once stays, though the reactor may have learned since.
    requestHash: sha256(commandId),
    correlationId: event.meta.correlationId,
    causationId: event.id,
    span: spanIdOf('append', event.meta.commandId),
  };
}
