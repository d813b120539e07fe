import '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { purposeRules, uploadCanceled, type FileMetadata, type FilePurpose, type FileStore } from '#files';
import { isLodeError, LodeError } from '#kernel';

type Content = AsyncIterable<Uint8Array>;

/** What the form's parser says when there is something else than files in it. */
const FIELDS = 'FST_FIELDS_LIMIT';

/**
 * Takes the one file of a form. A form with more is refused, and then nothing of it is kept. Refuses with `file_missing`,
 * `validation_failed` (more than one), `upload_canceled` (it broke off) and with what `take` does.
 */
export async function receiveForm(
  request: FastifyRequest,
  store: FileStore,
  purpose: FilePurpose,
  take: (content: Content) => Promise<FileMetadata>,
): Promise<FileMetadata> {
  const missing = () => new LodeError('file_missing', purposeRules[purpose].refusal);
  const parts = request.files();
  try {
    const first = await parts.next().catch((error: unknown) => {
      throw codeOf(error) === FIELDS ? missing() : error;
    });
    if (first.done === true) throw missing();
    const file = await take(first.value.file).catch((error: unknown) => {
      throw isBroken(error) ? uploadCanceled(error) : error;
    });
    const hasMore = await parts.next().then(
      (next) => next.done !== true,
      () => true,
    );
    if (!hasMore) return file;
    await store.delete(file.fileId);
    throw new LodeError('validation_failed', 'The form holds more than one file.');
  } catch (error) {
    // Nobody reads the rest, and a connection with a request that is half read can be used by nobody and never ends.
    request.raw.unpipe();
    request.raw.resume();
    if (isLodeError(error) || codeOf(error) !== undefined) throw error;
    throw new LodeError('validation_failed', 'The body is no form.', {}, { cause: error });
  }
}

/** The form's parser says that a file ended in the middle, or the connection did. */
function isBroken(error: unknown): boolean {
  const code = codeOf(error);
  return !isLodeError(error) && (code === undefined || code === 'ECONNRESET');
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
