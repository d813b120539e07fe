import {
  comparePositions,
  errorText,
  InvariantViolation,
  laneOf,
  UnknownEvent,
  type Lanes,
  type Position,
  type RecordedEvent,
} from '#kernel';
import { prefixesOf } from '#ledger';
import { laneFilter } from './lanes.js';
import { indexedText, requiredFields, type Build, type Document } from '#read-store';
import type { Delivery } from './delivery.js';
import type { Documents } from './documents.js';
import { parkedEvent, type Failure, type Parking } from './parking.js';
import type { Change, ReadModel } from './read-model.js';

/** What folding one build's events works with. */
export type Fold = {
  readonly model: ReadModel;
  readonly build: Build;
  readonly fields: readonly string[];
  readonly handles: (type: string) => boolean;
  /**
   * Whether an event is one of its own: in one of its lanes, and of a type that it handles or, in its streams, of one that only a
   * newer program knows.
   */
  readonly concerns: (event: Pick<Delivery, 'stored' | 'failure' | 'lane'>) => boolean;
  /** Whether a stream is in one of its lanes. */
  readonly hasStream: (stream: string) => boolean;
  readonly documents: Documents;
  readonly parking: Parking;
  readonly tries: number;
};

export function createFold(
  model: ReadModel,
  build: Build,
  documents: Documents,
  parking: Parking,
  { tries, lanes }: { readonly tries: number; readonly lanes: Lanes },
): Fold {
  const fields = requiredFields(model.indexes);
  const types = model.handles === 'all' ? undefined : new Set(model.handles);
  const handles = (type: string) => types === undefined || types.has(type);
  const prefixes = model.handles === 'all' ? [] : prefixesOf(model.handles);
  const has = laneFilter(model, lanes);
  const concerns: Fold['concerns'] = ({ stored: { type, stream }, failure, lane }) =>
    has(lane) &&
    (handles(type) ||
      (failure instanceof UnknownEvent && prefixes.some((prefix) => stream.startsWith(prefix))));
  const hasStream = (stream: string) => has(laneOf(stream, lanes.of));
  return { model, build, fields, handles, concerns, hasStream, documents, parking, tries };
}

/**
 * An event of a batch that may have been written in part can't be folded any more. Some documents may have it, so that it
 * can't be parked either: the build is to be made anew.
 */
export class UnsureFold extends Error {
  constructor(
    readonly build: Build,
    event: RecordedEvent,
    readonly failure: unknown,
  ) {
    super(`${event.type} at ${event.position} can't be folded again: ${errorText(failure)}`);
  }
}

/** What a delivery asks of the documents, or why it can't be told. */
type Plan = readonly Change[] | { readonly failure: unknown };

/**
 * Folds events into the documents at hand. An event that fails on every try changes nothing and is parked, later ones
 * of its stream wait behind it, all others go on. Nothing is written here.
 */
export async function foldEvents(fold: Fold, deliveries: readonly Delivery[]): Promise<void> {
  const own: Delivery[] = [];
  const plans: Plan[] = [];
  const ids: string[] = [];
  for (const delivery of deliveries) {
    if (!fold.concerns(delivery)) continue;
    const plan = fold.parking.decided(delivery.stored) === undefined ? planOf(fold, delivery) : noChanges;
    own.push(delivery);
    plans.push(plan);
    if (!('failure' in plan)) for (const { id } of plan) ids.push(id);
  }
  const again = own.some(({ stored }) => fold.parking.mayBeFolded(stored));
  await fold.documents.load(ids, again);
  own.forEach((delivery, n) => {
    const { stored } = delivery;
    const decided = fold.parking.decided(stored);
    if (decided !== undefined) {
      fold.parking.add(decided);
      return;
    }
    if (fold.parking.holds(stored.stream)) {
      park(fold, delivery);
      return;
    }
    const failure = apply(fold, stored, plans[n] ?? noChanges, 'in order');
    if (failure !== undefined) park(fold, delivery, failure);
  });
}

/**
 * Parks an event that was not folded; `failure` is left out for one that waits behind another. Throws `UnsureFold` when
 * documents may have it.
 */
export function park(fold: Fold, delivery: Delivery, failure?: Failure): void {
  const { parking, build } = fold;
  const { stored } = delivery;
  if (parking.mayBeFolded(stored)) throw new UnsureFold(build, stored, failure?.error ?? 'it waits');
  parking.add(parkedEvent(build, delivery, failure));
}

/**
 * Folds one parked event again. Documents that others have changed since keep their later position. Gives the failure
 * when it failed on every try, and then has changed nothing.
 */
export async function foldAgain(fold: Fold, delivery: Delivery): Promise<Failure | undefined> {
  const plan = planOf(fold, delivery);
  if (!('failure' in plan)) await fold.documents.load(plan.map(({ id }) => id));
  return apply(fold, delivery.stored, plan, 'late');
}

const noChanges: readonly Change[] = [];

function planOf({ model, tries }: Fold, delivery: Delivery): Plan {
  if (!canBeAsked(model, delivery)) return { failure: delivery.failure };
  let thrown: unknown;
  for (let attempt = 0; attempt < tries; attempt++) {
    try {
      return ask(model, delivery);
    } catch (error) {
      thrown = error;
    }
  }
  return { failure: thrown };
}

/** Models of the whole log also count what only a newer program knows. */
function canBeAsked(model: ReadModel, { opened, failure }: Delivery): boolean {
  return opened !== undefined || (model.handles === 'all' && failure instanceof UnknownEvent);
}

function ask(model: ReadModel, { stored, opened, ordinal }: Delivery): readonly Change[] {
  if (model.handles === 'all') return model.on(stored, ordinal);
  return opened === undefined ? noChanges : model.on(opened);
}

function apply(fold: Fold, event: RecordedEvent, plan: Plan, when: 'in order' | 'late'): Failure | undefined {
  if ('failure' in plan) return { attempts: fold.tries, error: errorText(plan.failure) };
  let thrown: unknown;
  for (let attempt = 0; attempt < fold.tries; attempt++) {
    try {
      applyOnce(fold, event, plan, when);
      return undefined;
    } catch (error) {
      thrown = error;
    }
  }
  return { attempts: fold.tries, error: errorText(thrown) };
}

/** All changes of an event or none: what throws, throws before the first is set. */
function applyOnce(
  fold: Fold,
  event: RecordedEvent,
  changes: readonly Change[],
  when: 'in order' | 'late',
): void {
  const [only] = changes;
  if (only !== undefined && changes.length === 1) {
    set(fold.documents, only.id, changed(fold, event, only, when), event, when);
    return;
  }
  if (new Set(changes.map(({ id }) => id)).size !== changes.length)
    throw new InvariantViolation(`${fold.model.name} changes a document twice for one ${event.type}`);
  const results = changes.map((change) => changed(fold, event, change, when));
  changes.forEach(({ id }, n) => {
    set(fold.documents, id, results[n], event, when);
  });
}

function set(
  documents: Documents,
  id: string,
  result: Document | undefined | typeof unchanged,
  { position }: RecordedEvent,
  when: 'in order' | 'late',
): void {
  if (result !== unchanged) documents.set(id, result, when === 'late' ? position : undefined);
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
  // Nor one that is gone by now, which it was after this event.
  if (before === undefined && when === 'in order' && fold.documents.isGone(id, event.position))
    return unchanged;
  if (when === 'late' && fold.documents.hasLate(id, event.position)) return unchanged;
  const after = change(before);
  if (after === before) return unchanged;
  if (after === undefined) return undefined;
  if (!isWellFormed(fold, after, id, event.position))
    throw new InvariantViolation(
      `${fold.model.name} gives ${id} its id, the event's position and a text in ${fold.fields.join(', ') || 'no field'}`,
    );
  return isLater ? { ...after, position: before.position } : after;
}

function isWellFormed({ fields }: Fold, document: Document, id: string, position: Position): boolean {
  if (document.id !== id || document.position !== position) return false;
  return fields.every((field) => indexedText(document, field) !== undefined);
}
