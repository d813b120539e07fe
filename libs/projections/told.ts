import { comparePositions, type Position, type RecordedEvent } from '#kernel';
import type { Document, ReadStoreReader } from '#read-store';
import type { DocumentChange } from './delivery.js';
import type { OpenEvent } from './personal-data.js';
import type { OpenedEvent, ReadModel, StreamModel } from './read-model.js';
import type { Log } from './runner-context.js';
import { withCauses } from './traced.js';

/** Events between two looks that are looked at one by one; after more of them everything counts as changed. */
const EVENTS_MAX = 1_000;

export type ChangesParts = {
  readonly log: Pick<Log, 'readAll'>;
  readonly reader: Pick<ReadStoreReader, 'getMany'>;
  readonly models: readonly ReadModel[];
  /** Needs no keys: which documents an event changes follows from what isn't encrypted. */
  readonly open: OpenEvent;
  /** Says of each change what it came from, too: for whoever traces that. */
  readonly isTraced?: boolean;
};

/** Tells which documents another program has changed. */
export type ChangesElsewhere = {
  /**
   * The documents that events after one position and up to another have changed, by the models' own functions, once the store
   * has both. Undefined when there are too many to tell.
   */
  readonly between: (after: Position, upTo: Position) => Promise<readonly DocumentChange[] | undefined>;
};

/** Reads from the log which documents change, and from the store whose they are. */
export function createChangesElsewhere(parts: ChangesParts): ChangesElsewhere {
  const { log, reader, models, open, isTraced = false } = parts;
  const told = models.filter(
    (model): model is StreamModel => model.handles !== 'all' && model.isQuiet !== true,
  );
  return {
    between: async (after, upTo) => {
      const page = await log.readAll(after, EVENTS_MAX);
      const events = page.filter(({ position }) => comparePositions(position, upTo) <= 0);
      if (events.length === EVENTS_MAX) return undefined;
      const opened = (await Promise.all(events.map((event) => openedBy(open, event)))).flat();
      const all = await Promise.all(told.map((model) => changesIn(reader, model, opened, { after, upTo })));
      return isTraced ? withCauses(all.flat(), events) : all.flat();
    },
  };
}

/** What can't be opened changes nothing: whoever folds it parks it. */
async function openedBy(open: OpenEvent, stored: RecordedEvent): Promise<readonly OpenedEvent[]> {
  try {
    return [await open(stored)];
  } catch {
    return [];
  }
}

/** The stretch of the log that is looked at. */
type Looked = { readonly after: Position; readonly upTo: Position };

async function changesIn(
  reader: Pick<ReadStoreReader, 'getMany'>,
  model: StreamModel,
  events: readonly OpenedEvent[],
  looked: Looked,
): Promise<readonly DocumentChange[]> {
  const last = new Map<string, Position>();
  for (const event of events)
    if (model.handles.includes(event.type))
      for (const id of idsOf(model, event)) last.set(id, event.position);
  if (last.size === 0) return [];
  const found = await reader.getMany(model.name, [...last.keys()]);
  const documents = new Map(found.map((document) => [document.id, document]));
  return [...last].flatMap(([id, position]) => changeOf(model, { id, position }, documents.get(id), looked));
}

/** The documents that an event is for; none of one whose handler fails, which is parked. */
function idsOf(model: StreamModel, event: OpenedEvent): readonly string[] {
  try {
    return model.on(event).map(({ id }) => id);
  } catch {
    return [];
  }
}

function changeOf(
  model: StreamModel,
  { id, position }: Pick<DocumentChange, 'id' | 'position'>,
  document: Document | undefined,
  { after, upTo }: Looked,
): readonly DocumentChange[] {
  const collection = model.name;
  // Gone, or never there: in the log that looks alike.
  if (document === undefined) return [{ collection, id, position, ownerId: null }];
  // The events left it as it was, or are parked.
  if (comparePositions(document.position, after) <= 0) return [];
  // It may have been changed again since, of which is told later.
  const at = comparePositions(document.position, upTo) <= 0 ? document.position : position;
  const also = model.alsoOf?.(document) ?? null;
  const whose = { ownerId: model.ownerOf(document), ...(also !== null && { alsoOf: also }) };
  return [{ collection, id, position: at, ...whose }];
}
