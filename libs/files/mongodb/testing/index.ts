import { expect } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { isLodeError } from '#kernel';
import { purposeRules, type FileCatalogue, type FileMetadata } from '#files';

export const OWNER = { ownerId: 'ann', purpose: 'profile-image' } as const;
export const QUOTA = purposeRules[OWNER.purpose].quota;
export const BYTES = 100;
export const idOf = (name: string) => name.padEnd(35, '0');

export function fileOf(name: string): FileMetadata {
  return {
    ...OWNER,
    fileId: idOf(name),
    mediaType: 'image/webp',
    bytes: BYTES,
    sha256: 'ab'.repeat(32),
    createdAt: '2026-01-01T00:00:00.000Z',
  };
}

/** A file in each state, named after it. */
export async function fill(catalogue: FileCatalogue): Promise<void> {
  for (const name of ['pending', 'stored', 'deleting', 'abandoned']) await catalogue.reserve(fileOf(name), 1);
  for (const name of ['stored', 'deleting']) await catalogue.markStored(idOf(name), 1);
  await catalogue.markDeleting(idOf('deleting'), 1);
  await catalogue.abandon(idOf('abandoned'), 1);
}

export type Operation = {
  /** What it sends, and the single writes that come of that, when nothing goes wrong. */
  readonly commands: number;
  readonly writes: number;
  readonly before?: (catalogue: FileCatalogue) => Promise<unknown>;
  readonly work: (catalogue: FileCatalogue) => Promise<unknown>;
  /** What it answers then. */
  readonly answer: unknown;
};

/** Each operation that writes, on what `fill` has made. */
export const operations: Readonly<Record<string, Operation>> = {
  reserve: { commands: 2, writes: 2, work: (one) => one.reserve(fileOf('new'), 2), answer: undefined },
  'reserve beyond the quota': {
    commands: 3,
    writes: 2,
    before: async (one) => {
      for (let n = 2; n < QUOTA.files; n++) await one.reserve(fileOf(`other${n}`), 1);
    },
    work: (one) =>
      one.reserve(fileOf('new'), 2).catch((error: unknown) => {
        if (isLodeError(error) && error.code === 'quota_exceeded') return error.code;
        throw error;
      }),
    answer: 'quota_exceeded',
  },
  markStored: { commands: 1, writes: 1, work: (one) => one.markStored(idOf('pending'), 2), answer: true },
  abandon: { commands: 2, writes: 2, work: (one) => one.abandon(idOf('pending'), 2), answer: true },
  'markDeleting of one that is stored': {
    commands: 2,
    writes: 2,
    work: (one) => one.markDeleting(idOf('stored'), 2),
    answer: 'stored',
  },
  'markDeleting of one that is pending': {
    commands: 2,
    writes: 2,
    work: (one) => one.markDeleting(idOf('pending'), 2),
    answer: 'pending',
  },
  'remove of one whose quota was given back': {
    commands: 2,
    writes: 1,
    work: (one) => one.remove(idOf('deleting')),
    answer: undefined,
  },
};

/** Sweeps, sees that what is left is what is counted, and answers with it. */
export async function sweptIn(url: string, catalogue: FileCatalogue): Promise<readonly string[]> {
  expect((await catalogue.usage(OWNER)).files).toBeLessThanOrEqual(QUOTA.files);
  for (const { file, state } of await catalogue.stale(100)) {
    if (state === 'pending') await catalogue.abandon(file.fileId, 3);
    await catalogue.remove(file.fileId);
  }
  expect(await catalogue.stale(100)).toEqual([]);
  const left = (await catalogue.list({ limit: 100 })).map(({ fileId }) => fileId);
  expect(await catalogue.usage(OWNER)).toEqual({ files: left.length, bytes: left.length * BYTES });
  const client = new MongoClient(url);
  const documents = await client.db('lode').collection('files.quotas').find().toArray();
  await client.close();
  const counted = documents.flatMap((document) => Object.keys(Object(document['counted'])));
  expect(counted.toSorted()).toEqual(left);
  return left;
}
