import { comparePositions, invariant, type Position, type RecordedEvent } from '#kernel';
import { indexedFields, indexedText, type Build, type Document } from '#read-store';
import type { Documents } from './documents.js';
import { errorText, parkedEvent, type Failure, type Parking } from './parking.js';
import type { Change, ReadModel } from './read-model.js';

/** An event on its way to read models. */
export type Delivery = {
  /** As the log has it, or with its personal data opened when that could be done. */
  readonly event: RecordedEvent;
  /** Reading the log after here gives the event first. */
  readonly after: Position;
  /** Why the event could not be opened. */
  readonly failure?: unknown;
};

/** What folding one build's events works with. */
export type Fold = {
  readonly model: ReadModel;
  readonly build: Build;
  readonly fields: readonly string[];
  readonly types: ReadonlySet<string>;
  readonly documents: Documents;
  readonly parking: Parking;
  readonly tries: number;
};

export function createFold(
  model: ReadModel,
  build: Build,
  documents: Documents,
  parking: Parking,
  tries: number,
): Fold {
  const fields = indexedFields(model.indexes);
  return { model, build, fields, types: new Set(model.handles), documents, parking, tries };
}

type Planned = Delivery & { readonly changes: readonly Change[] };

/**
 * Folds events into the documents at hand. An event that fails on every try changes nothing and is parked, later ones
 * of its stream wait behind it, all others go on. Nothing is written here.
 */
export async function foldEvents(fold: Fold, deliveries: readonly Delivery[]): Promise<void> {
  const planned: Planned[] = [];
  const ids: string[] = [];
  for (const delivery of deliveries) {
    if (!fold.types.has(delivery.event.type)) continue;
    const plan = planOf(fold, delivery);
    planned.push(plan);
    for (const { id } of plan.changes) ids.push(id);
  }
  await fold.documents.bring(ids);
  for (const plan of planned) {
    const { event, after } = plan;
    if (fold.parking.holds(event.stream)) {
      fold.parking.add(parkedEvent(fold.build, event, after));
      continue;
    }
    const failure = apply(fold, plan);
    if (failure !== undefined) fold.parking.add(parkedEvent(fold.build, event, after, failure));
  }
}

/**
 * Folds one parked event again. Documents that others have changed since keep their later position. Gives the failure
 * when it failed on every try, and then has changed nothing.
 */
export async function foldAgain(fold: Fold, delivery: Delivery): Promise<Failure | undefined> {
  const plan = planOf(fold, delivery);
  await fold.documents.bring(plan.changes.map(({ id }) => id));
  return apply(fold, plan, 'late');
}

const noChanges: readonly Change[] = [];

function planOf({ model, tries }: Fold, delivery: Delivery): Planned {
  if (delivery.failure !== undefined) return { ...delivery, changes: noChanges };
  const { event, after } = delivery;
  let failure: unknown;
  for (let attempt = 0; attempt < tries; attempt++) {
    try {
      return { event, after, changes: model.on(event) };
    } catch (error) {
      failure = error ?? new Error('the read model threw nothing');
    }
  }
  return { event, after, failure, changes: noChanges };
}

function apply(fold: Fold, plan: Planned, when: 'in order' | 'late' = 'in order'): Failure | undefined {
  if (plan.failure !== undefined) return { attempts: fold.tries, error: errorText(plan.failure) };
  let failure: unknown;
  for (let attempt = 0; attempt < fold.tries; attempt++) {
    try {
      const results = plan.changes.map((change) => changed(fold, plan.event, change, when));
      invariant(isOneEach(plan.changes), `${plan.event.type} changes a document twice`);
      plan.changes.forEach(({ id }, n) => {
        const document = results[n];
        if (document !== unchanged) fold.documents.set(id, document);
      });
      return undefined;
    } catch (error) {
      failure = error;
    }
  }
  return { attempts: fold.tries, error: errorText(failure) };
}

const unchanged = Symbol('unchanged');

function changed(
  fold: Fold,
  event: RecordedEvent,
  { id, change }: Change,
  when: 'in order' | 'late',
): Document | undefined | typeof unchanged {
  const before = fold.documents.get(id);
  const isLater = before !== undefined && comparePositions(before.position, event.position) >= 0;
  // Where documents can be ahead of the checkpoint, a document that already has this event does not take it again.
  if (isLater && when === 'in order') return unchanged;
  const after = change(before);
  if (after === before) return unchanged;
  if (after === undefined) return undefined;
  invariant(after.id === id, `the document ${id} of ${fold.model.name} says that it is ${after.id}`);
  invariant(after.position === event.position, `${fold.model.name} stamps ${id} with the event's position`);
  for (const field of fold.fields) {
    invariant(
      indexedText(after, field) !== undefined,
      `${fold.model.name} is listed by ${field}: ${id} has no text in it`,
    );
  }
  return isLater ? { ...after, position: before.position } : after;
}

function isOneEach(changes: readonly Change[]): boolean {
  return changes.length < 2 || new Set(changes.map(({ id }) => id)).size === changes.length;
}
