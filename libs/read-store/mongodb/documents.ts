import { canonicalJson, InvariantViolation, LodeError, sortablePosition, type Position } from '#kernel';
import type { Answer, Update } from '#mongodb';
import { checksumFor, parsedDocuments } from '../damage.js';
import { buildName, indexedFields, indexedText, requiredFields } from '../declarations.js';
import { foldedLate, type Batch, type Build, type Document, type Index } from '../port.js';
import type { Entry } from './catalog.js';

/** Bytes of one document's JSON: what the server takes at most is sixteen times that. */
export const DOCUMENT_BYTES_MAX = 1_048_576;

/** The member that an indexed field is kept in beside the document. */
export function memberOf(field: string): string {
  return field === 'id' ? '_id' : `k_${field}`;
}

/** The declared index as the server makes it: the id is always in it, so that every page can be gone on from. */
export function indexSpec({ name, equals, order, filters = [], sparse }: Index): Answer {
  const key = Object.fromEntries(
    [...equals, ...order, 'id', ...filters].map((field) => [memberOf(field), 1]),
  );
  const has = equals.map((field) => [memberOf(field), { $exists: true }]);
  return { name, key, ...(sparse === true ? { partialFilterExpression: Object.fromEntries(has) } : {}) };
}

/**
 * The statements of a batch, in no order: no document is in two of them. Each leaves a document alone that is there from
 * a later position, so that it can be made again at any time. One that is removed leaves its id and position, which a
 * late document of a batch without a checkpoint may replace. What can't be written throws before anything is.
 */
export function statementsOf(
  entry: Entry,
  epoch: number,
  { checkpoint, put, remove }: Batch,
): readonly Statement[] {
  const required = new Set(requiredFields(entry.indexes));
  const checksumOf = checksumFor(buildName(entry.build));
  const members = indexedFields(entry.indexes).map((field) => [field, memberOf(field)] as const);
  const puts = put.map((given) => {
    const { document, late } = partsOf(given);
    const json = textOf(entry, document);
    const stamp = stampOf(document.position, epoch);
    const sum = checksumOf(summed(document.id, stamp.pos, json, late));
    const u: Record<string, unknown> = { ...stamp, json, late, sum };
    for (const [field, member] of members) {
      const text = indexedText(document, field);
      if (text !== undefined) u[member] = text;
      else if (required.has(field))
        throw new InvariantViolation(
          `${buildName(entry.build)} is listed by ${field}, which ${document.id} has no text in`,
        );
    }
    const notLater = { pos: { $lte: u['pos'] } };
    const which = checkpoint === undefined ? { $or: [notLater, { gone: true }] } : notLater;
    return { bytes: json.length, statement: { q: { _id: document.id, ...which }, u, upsert: true } };
  });
  const removals = remove.map((_id) => ({
    bytes: 0,
    statement: removalOf(_id, epoch, checkpoint?.position),
  }));
  return [...puts, ...removals];
}

/** What the checksum of a document is made over: all that is kept of it but the indexed fields, which its JSON has. */
function summed(id: unknown, pos: unknown, json: string, late: unknown): string {
  const marks = Array.isArray(late) ? late.join() : '';
  return `${String(id)}\n${String(pos)}\n${marks}\n${json}`;
}

/** What of a stored document is read, to give the document itself and to know whether it is what was written. */
export const stored = { json: 1, late: 1, pos: 1, sum: 1 } as const;

/**
 * The documents that are stored, each with what was folded late into it. One from before there were checksums has none.
 */
export function parsed(build: Build, found: readonly Answer[]): readonly Document[] {
  const checksumOf = checksumFor(buildName(build));
  const documents = parsedDocuments(
    build,
    found.map(({ _id, json, late, pos, sum }) => ({
      id: _id,
      json,
      isWhole: sum === undefined || sum === checksumOf(summed(_id, pos, String(json), late)),
    })),
  );
  return documents.map((document, n) => {
    const late = found[n]?.['late'];
    return Array.isArray(late) ? { ...document, [foldedLate]: late.map(String) } : document;
  });
}

export type Statement = { readonly bytes: number; readonly statement: Update };

/** A document without what was folded late into it, and that. Most have nothing of it, and need not be copied. */
function partsOf(given: Document): { readonly document: Document; readonly late?: unknown } {
  if (!(foldedLate in given)) return { document: given };
  const { [foldedLate]: late, ...document } = given;
  return { document, late };
}

function removalOf(_id: string, epoch: number, at: Position | undefined): Update {
  if (at === undefined) return { q: { _id }, u: [{ $project: { pos: 1 } }, { $set: { epoch, gone: true } }] };
  const { pos } = stampOf(at, epoch);
  return { q: { _id, pos: { $lte: pos } }, u: { pos, epoch, gone: true }, upsert: true };
}

function stampOf(position: Position, epoch: number) {
  return { pos: sortablePosition(position), epoch };
}

function textOf({ build }: Entry, document: Document): string {
  const json = canonicalJson(document);
  const bytes = Buffer.byteLength(json);
  if (bytes > DOCUMENT_BYTES_MAX)
    throw new LodeError(
      'body_too_large',
      `The document ${document.id} of ${buildName(build)} has ${bytes} bytes, and ${DOCUMENT_BYTES_MAX} is the most.`,
    );
  return json;
}

/** Statements in groups that each fit into one command. */
export function commandsOf(statements: readonly Statement[]): readonly (readonly Update[])[] {
  const groups: Update[][] = [];
  let [group, bytes]: [Update[], number] = [[], 0];
  for (const one of statements) {
    const size = bytesOf(one);
    if (group.length === 0 || group.length === STATEMENTS_MAX || bytes + size > COMMAND_BYTES_MAX) {
      [group, bytes] = [[], 0];
      groups.push(group);
    }
    group.push(one.statement);
    bytes += size;
  }
  return groups;
}

/** The most bytes that a statement may have. */
export function bytesOf({ bytes }: Statement): number {
  return bytes * BYTES_A_CHARACTER + BYTES_A_STATEMENT;
}

const STATEMENTS_MAX = 10_000;
/** Of the 16 MiB that a command may have. */
export const COMMAND_BYTES_MAX = 12 * 1_048_576;
/** The most that UTF-8 makes of what JavaScript counts as one character. */
const BYTES_A_CHARACTER = 3;
/** Filter, stamp and indexed fields of a statement, generously. */
const BYTES_A_STATEMENT = 1_024;
