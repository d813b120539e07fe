import type { MongoConnection, Update } from '#mongodb';
import { CATALOG } from './catalog.js';
import { bytesOf, COMMAND_BYTES_MAX, type Statement } from './documents.js';

/** The most statements of one write: of more the round trip is little, and builds are better written beside each other. */
const STATEMENTS_MAX = 4_000;

/** The documents of a build that one write has. */
export type Part = { readonly documents: string; readonly statements: readonly Statement[] };

/**
 * What it came to: `nothing` was sent; documents `stopped` at one that the server did not take, with its code; the
 * `documents` are there and the checkpoints were not to be moved; or `all` of it.
 */
export type AtOnce = 'nothing' | { readonly stopped: number } | 'documents' | 'all';

/**
 * Documents and, after them, their checkpoints in one round trip, where the server has a command for it. It does the
 * statements one after another and none after one that fails, and its journal keeps their order: a checkpoint that is
 * there after a crash has its documents before it.
 */
export async function writeAtOnce(
  connection: MongoConnection,
  parts: readonly Part[],
  checkpoints: Update,
): Promise<AtOnce> {
  const all = parts.flatMap(({ statements }) => statements);
  const bytes = all.reduce((sum, one) => sum + bytesOf(one), 0);
  if (all.length === 0 || all.length > STATEMENTS_MAX || bytes > COMMAND_BYTES_MAX) return 'nothing';
  const documents = parts.map(({ documents: collection, statements }) => ({
    collection,
    updates: statements.map(({ statement }) => statement),
  }));
  const done = await connection.updateInOrder([
    ...documents,
    { collection: CATALOG, updates: [checkpoints] },
  ]);
  if (done === 'refused') return 'nothing';
  if (done.failed !== undefined) return { stopped: done.failed };
  return done.count > all.length ? 'all' : 'documents';
}
