import '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { uploadCanceled } from '#application';
import { LodeError } from '#kernel';

type Content = AsyncIterable<Uint8Array>;
type MultipartFiles = ReturnType<FastifyRequest['files']>;

/** What the form's parser says when there is something else than files in it. */
const FIELDS = 'FST_FIELDS_LIMIT';

/**
 * Hands `take` the one file of a form while it comes, or undefined when there is none. Refuses with `validation_failed`
 * (no form), and with what `take` refuses. The file throws where `take` reads it: `upload_canceled` when it breaks off,
 * and `validation_failed` at its end when another follows.
 */
export async function receiveForm<Taken>(
  request: FastifyRequest,
  take: (content: Content | undefined) => Promise<Taken>,
): Promise<Taken> {
  try {
    const parts = request.files();
    const file = await firstOf(parts);
    return await take(file && onlyOne(file, parts));
  } catch (error) {
    // Nobody reads the rest, and a connection with a request that is half read can be used by nobody and never ends.
    request.raw.unpipe();
    request.raw.resume();
    throw error;
  }
}

/** The content of the first file; undefined when there is none. */
async function firstOf(parts: MultipartFiles): Promise<Content | undefined> {
  try {
    const first = await parts.next();
    return first.done === true ? undefined : first.value.file;
  } catch (error) {
    if (codeOf(error) === FIELDS) return undefined;
    if (codeOf(error) !== undefined) throw error;
    throw new LodeError('validation_failed', 'The body is no form.', {}, { cause: error });
  }
}

/** A file's content; whoever reads it to the end has the form's only file. */
async function* onlyOne(file: Content, parts: MultipartFiles): AsyncGenerator<Uint8Array, void> {
  try {
    yield* file;
  } catch (error) {
    throw isBroken(error) ? uploadCanceled(error) : error;
  }
  const hasMore = await parts.next().then(
    (next) => next.done !== true,
    () => true,
  );
  if (hasMore) throw new LodeError('validation_failed', 'The form holds more than one file.');
}

/** The form's parser says that a file ended in the middle, or the connection did. */
function isBroken(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || code === 'ECONNRESET';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
