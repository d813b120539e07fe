import { chainHolds, chainStart, eventId, type RecordedEvent } from '#kernel';
import { faultOf, type Fault } from './faults.js';

/** Where a stream stands: what the next event must follow. */
export type StreamHead = {
  readonly revision: number;
  readonly chain: string;
  /** The command of the last event, and how many events of it there were. */
  readonly commandId: string | undefined;
  readonly ofCommand: number;
};

/** Before a stream's first event. */
export const beforeFirst: StreamHead = {
  revision: -1,
  chain: chainStart,
  commandId: undefined,
  ofCommand: 0,
};

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What is wrong with everything about an event that is not the fact itself; undefined when nothing is. */
export function checkEnvelope(head: StreamHead, event: RecordedEvent): Fault | undefined {
  const bad = malformed(event);
  if (bad !== undefined) return faultOf(event, 'unreadable', `its ${bad} is not what an event has`);
  if (event.revision !== head.revision + 1) {
    const expected = head.revision + 1;
    return faultOf(event, 'revision', `revision ${expected} of the stream should stand here`);
  }
  if (!isChained(head.chain, event)) {
    return faultOf(event, 'chain', 'its hash is not that of its content and of the event before it');
  }
  const index = event.meta.commandId === head.commandId ? head.ofCommand : 0;
  if (event.id !== eventId(event.meta.commandId, index)) {
    return faultOf(event, 'id', `its id is not that of event ${index} of its command`);
  }
  return undefined;
}

/** The head of a stream after an event that nothing is wrong with. */
export function headAfter(head: StreamHead, { revision, meta }: RecordedEvent): StreamHead {
  const { chain, commandId } = meta;
  return {
    revision,
    chain,
    commandId,
    ofCommand: commandId === head.commandId ? head.ofCommand + 1 : 1,
  };
}

/** The first member that is not of its type: what was read from a disk is anything until it was looked at. */
function malformed(event: RecordedEvent): string | undefined {
  const { id, version, at, data, meta } = event as { readonly [Key in keyof RecordedEvent]: unknown };
  if (typeof id !== 'string') return 'id';
  if (!Number.isSafeInteger(version)) return 'version';
  if (typeof at !== 'string' || !INSTANT.test(at)) return 'time';
  if (!isObject(data)) return 'data';
  if (!isObject(meta)) return 'meta';
  const texts = ['commandId', 'requestHash', 'correlationId', 'causationId', 'chain'];
  const wrong = texts.find((name) => typeof meta[name] !== 'string');
  if (wrong !== undefined) return wrong;
  const { actor } = meta;
  const isActor = isObject(actor) && ['kind', 'id', 'role'].every((name) => typeof actor[name] === 'string');
  return isActor ? undefined : 'actor';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isChained(previous: string, event: RecordedEvent): boolean {
  try {
    return chainHolds(previous, event);
  } catch {
    // What has no canonical text was never hashed.
    return false;
  }
}
