import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FileMetadata, FilePurpose } from '#files';
import { FORGOTTEN } from '#identity';
import { OPERATOR } from '../actors.js';
import { noModels, openAccessWorld, registered, signIn, type AccessWorld } from '../testing/index.js';
import { ErasePerson, ErasePersonHandler } from './erase-person.js';
import { DeleteFilesOf, DeleteFilesOfHandler } from './files.js';

/** What an event names is an id that a file can have. */
const PICTURE = 'f2'.padEnd(35, '0');

/** Files of a store, by id. */
function filesOf(...stored: readonly (readonly [fileId: string, ownerId: string, purpose: FilePurpose])[]) {
  const kept = new Map(
    stored.map(([fileId, ownerId, purpose]): [string, FileMetadata] => [
      fileId,
      {
        fileId,
        ownerId,
        purpose,
        mediaType: 'image/webp',
        bytes: 1,
        sha256: 'ab',
        createdAt: '2026-01-01T00:00:00.000Z',
      },
    ]),
  );
  return {
    kept,
    list: async ({ ownerId, after = '', limit = 0 }: { ownerId?: string; after?: string; limit?: number }) =>
      [...kept.values()].filter((file) => file.ownerId === ownerId && file.fileId > after).slice(0, limit),
    delete: async (fileId: string) => kept.delete(fileId),
  };
}

describe('an erasure', () => {
  let world: AccessWorld;
  let ann: Awaited<ReturnType<typeof registered>>;
  beforeEach(async () => {
    world = await openAccessWorld();
    ann = await registered(world);
  });
  afterEach(() => world.close());

  const image = { fileId: PICTURE, mediaType: 'image/webp', bytes: 1, sha256: 'ab' };
  const eraseWith = (files: ReturnType<typeof filesOf>, userId = ann.userId) =>
    new ErasePersonHandler({ ...world, files, projections: noModels }).execute(
      new ErasePerson({ actor: OPERATOR }, userId),
    );

  test('takes sessions, credential, key and own files; what is public of an admin stays', async () => {
    const { tokens } = await signIn(world, ann);
    await world.tell(ann.userId, { type: 'ChangeProfileImage', image });
    const encrypted = await world.identity.personKeys.encryptFor(ann.userId, { a: 1 });
    const files = filesOf(
      ['f1', ann.userId, 'evidence'],
      [PICTURE, 'of nobody', 'profile-image'],
      ['f3', ann.userId, 'product-image'],
      ['f4', 'bob', 'evidence'],
    );
    const erased = await eraseWith(files);
    expect(erased).toMatchObject({ isNew: true, files: 2 });
    expect([...files.kept.keys()]).toEqual(['f3', 'f4']);
    await expect(signIn(world, ann)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await world.identity.sessions.isAlive(tokens.session)).toBe(false);
    expect(await world.identity.personKeys.decryptFor(ann.userId, encrypted)).toBe(FORGOTTEN);
  });

  test('that is asked for again finishes what was left and says that it is not new', async () => {
    const { position } = await eraseWith(filesOf());
    const again = await eraseWith(filesOf(['f1', ann.userId, 'evidence']));
    expect(again).toMatchObject({ position, isNew: false, files: 1 });
  });

  test('of nobody is refused, and nothing is deleted', async () => {
    const files = filesOf(['f1', 'nobody', 'evidence']);
    await expect(eraseWith(files, 'nobody')).rejects.toMatchObject({ code: 'account_not_found' });
    expect(files.kept.size).toBe(1);
  });

  test('is finished by deleting the files however often', async () => {
    const files = filesOf(['f1', ann.userId, 'evidence']);
    const id = '00000000-0000-5000-8000-000000000001';
    const actor = { kind: 'system', id: 'erasure', role: 'system' } as const;
    const because = { actor, commandId: id, requestHash: id, correlationId: id, causationId: id };
    const handler = new DeleteFilesOfHandler({ ...world, files, projections: noModels });
    expect(await handler.execute(new DeleteFilesOf(because, ann.userId))).toBe(1);
    expect(await handler.execute(new DeleteFilesOf(because, ann.userId))).toBe(0);
  });
});
