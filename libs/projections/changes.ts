import { comparePositions, isEngineError, type Position } from '#kernel';
import type { Batch, ReadStore } from '#read-store';
import type { DocumentChange } from './delivery.js';
import type { ModelBuild } from './model-build.js';

/** What live listeners are told of a write to a build; a removed document is for admins only, since nobody owns it any more. */
export function changesOf(
  { isActive, fold: { model } }: ModelBuild,
  { put, remove }: Pick<Batch, 'put' | 'remove'>,
  position: Position,
): readonly DocumentChange[] {
  if (!isActive || model.isQuiet === true) return [];
  const collection = model.name;
  return [
    ...put.map((document) => {
      const also = model.alsoOf?.(document) ?? null;
      return {
        collection,
        id: document.id,
        position: document.position,
        ownerId: model.ownerOf(document),
        ...(also !== null && { alsoOf: also }),
      };
    }),
    ...remove.map((id) => ({ collection, id, position, ownerId: null })),
  ];
}

/** What listeners are told once a build stands at a position: `changes`, and what they have not heard up to there. */
export function withUntold(
  { untold, checkpoint }: ModelBuild,
  changes: readonly DocumentChange[],
): readonly DocumentChange[] {
  if (untold.size === 0) return changes;
  for (const { id } of changes) untold.delete(id);
  const due = [...untold.values()].filter(
    ({ position }) => comparePositions(position, checkpoint.position) <= 0,
  );
  for (const { id } of due) untold.delete(id);
  return [...due, ...changes];
}

/** True when some of a write that failed may be there and the rest not. */
export function isInterrupted({ withoutTransactions }: ReadStore, error: unknown): boolean {
  return withoutTransactions === true && isEngineError(error);
}

/** Some of what was to be written to a build may be there: no document that it changed is known any more. */
export function forgetChanges({ fold, untold }: ModelBuild, changes: readonly DocumentChange[]): void {
  for (const change of changes) untold.set(change.id, change);
  fold.documents.forget();
}
