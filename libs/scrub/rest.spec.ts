import { expect, test } from '@jest/globals';
import { complaintAboutFile, type FileMetadata } from '#files';
import { LodeError, type ErrorCode } from '#kernel';
import { lookAtFiles } from '#scrub';

test.each([
  ['unavailable', 'the look is tried again', undefined],
  ['storage_failed', 'the file is told', "The stored file f1 can't be read: No."],
] as const)('where a file fails with %s, %s', async (code: ErrorCode, _, told) => {
  const file: FileMetadata = {
    fileId: 'f1',
    bytes: 3,
    sha256: '0'.repeat(64),
    mediaType: 'application/pdf',
    ownerId: 'ann',
    purpose: 'evidence',
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const look = lookAtFiles({ list: async () => [file], stat: async () => file }, (_id, facts) =>
    complaintAboutFile(() => Promise.reject(new LodeError(code, 'No.')), facts),
  );
  if (told === undefined) await expect(look(undefined)).rejects.toMatchObject({ code });
  else expect((await look(undefined)).found).toEqual([{ what: told }]);
});
