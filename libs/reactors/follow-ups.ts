import type { CommandContext } from '#commands';
import type { EventStore } from '#event-store';
import type { Position, RecordedEvent } from '#kernel';
import { contextFor, type Reactor, type ReactorCommand } from './reactor.js';

/** An event by where it is and what it belongs to, without what it says. */
export type EventRef = Pick<RecordedEvent, 'id' | 'position' | 'stream' | 'revision' | 'type'> &
  Pick<RecordedEvent['meta'], 'correlationId'>;

/** What follows from one event; plain data, so that it can cross a thread. */
export type FollowUp<Command> = {
  readonly event: EventRef;
  /** Events of one key are handled one after the other. */
  readonly key: string;
  readonly commands: readonly {
    readonly command: ReactorCommand<Command>;
    readonly context: CommandContext;
  }[];
  /** What the reactor itself failed with, which then gives no commands. */
  readonly failure?: string;
};

/** What follows from some of the log. `scanned` and `passed` are as `readTypes` gives them. */
export type FollowUpsRead<Command> = {
  readonly followUps: readonly FollowUp<Command>[];
  readonly scanned: Position;
  readonly passed: number;
};

/** Where an event that was read before is found again. */
export type EventPlace = Pick<EventRef, 'position' | 'stream' | 'revision'> & { readonly eventId: string };

/**
 * A reactor on the log: what follows from its events. It is read and decided wherever that holds up nobody; the commands
 * are carried out by the runner. Errors are those of the log.
 */
export type FollowUps<Command> = {
  /** What follows from the events of up to `limit` after a position. */
  readonly read: (after: Position, limit: number) => Promise<FollowUpsRead<Command>>;
  /** What follows from an event that was read before; undefined when the log has another one there. */
  readonly readAgain: (place: EventPlace) => Promise<FollowUp<Command> | undefined>;
};

export function followUpsOf<Command>(
  reactor: Reactor<Command>,
  log: Pick<EventStore, 'readTypes' | 'readStream'>,
): FollowUps<Command> {
  return {
    read: async (after, limit) => {
      const { events, scanned, passed } = await log.readTypes(reactor.handles, after, limit);
      return { followUps: events.map((event) => followUpOf(reactor, event)), scanned, passed };
    },
    readAgain: async ({ eventId, position, stream, revision }) => {
      const [event] = await log.readStream(stream, { from: revision, limit: 1 });
      return event?.id === eventId ? followUpOf(reactor, { ...event, position }) : undefined;
    },
  };
}

function followUpOf<Command>(reactor: Reactor<Command>, event: RecordedEvent): FollowUp<Command> {
  const { id, position, revision, stream, type } = event;
  const { correlationId } = event.meta;
  const common = {
    event: { id, position, revision, stream, type, correlationId },
    key: reactor.keyOf(event),
  };
  try {
    const commands = reactor
      .on(event)
      .map((command) => ({ command, context: contextFor(reactor.name, event, command.step) }));
    return { ...common, commands };
  } catch (error) {
    return { ...common, commands: [], failure: String(error) };
  }
}
