import { chainHolds, chainStart, comparePositions, invariant, logStart, type RecordedEvent } from '#kernel';
import type { EventStore } from '#event-store';

const PAGE = 1_000;

/** The whole log. */
export async function everything(store: EventStore): Promise<readonly RecordedEvent[]> {
  const log: RecordedEvent[] = [];
  for (;;) {
    const page = await store.readAll(log.at(-1)?.position ?? logStart, PAGE);
    log.push(...page);
    if (page.length < PAGE) return log;
  }
}

/**
 * The whole log, when it is one that commands can have made: positions grow, the revisions of every stream have no gap,
 * chains hold, no event is there twice, and the events of a command stand together. Throws what is wrong with it.
 */
export async function checkLog(store: EventStore): Promise<readonly RecordedEvent[]> {
  const log = await everything(store);
  const heads = new Map<string, RecordedEvent>();
  const finished = new Set<string>();
  const ids = new Set<string>();
  let position = logStart;
  for (const event of log) {
    const before = heads.get(event.stream);
    const where = `${event.stream}@${event.revision}`;
    invariant(comparePositions(position, event.position) < 0, `${where} is not after the event before it`);
    invariant(event.revision === (before?.revision ?? -1) + 1, `${where} does not follow its stream`);
    invariant(chainHolds(before?.meta.chain ?? chainStart, event), `${where} is not chained to its stream`);
    invariant(!ids.has(event.id), `${where} is there twice`);
    if (before !== undefined && before.meta.commandId !== event.meta.commandId) {
      finished.add(`${event.stream} ${before.meta.commandId}`);
    }
    invariant(
      !finished.has(`${event.stream} ${event.meta.commandId}`),
      `${where} is of a command carried out before`,
    );
    ids.add(event.id);
    heads.set(event.stream, event);
    position = event.position;
  }
  return log;
}
