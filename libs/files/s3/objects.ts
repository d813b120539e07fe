import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  type HeadObjectCommandOutput,
} from '@aws-sdk/client-s3';
import { withRetries, type ByteRange, type FileMetadata } from '#files';
import { createSemaphore, invariant, LodeError, type Random, type Timers } from '#kernel';
import type { S3Address } from './address.js';
import { damaged, download, lengthOf } from './download.js';
import { isMissing, isOfTime, isTransient, outcomeOf, Refusal, s3Error } from './errors.js';
import type { S3Limits } from './limits.js';
import type { Held } from './spool.js';

/** A content as the store is told of it. */
export type Content = Pick<FileMetadata, 'fileId' | 'bytes' | 'sha256'> & { readonly mediaType: string };

/**
 * The contents of files in a bucket, each under its file's id. What fails for reasons that pass is tried again until its
 * limit, then it is `unavailable`, and may have been done. Refuses with `storage_full`, `storage_failed`, `overloaded`.
 */
export type Objects = {
  /** Throws unless the store answers, takes the keys and has the bucket. */
  readonly check: () => Promise<void>;
  /** Writes a content that is not there, whole or not at all. */
  readonly put: (file: Content, body: Held['body']) => Promise<void>;
  /** The content or some bytes of it, as `download` says; undefined when it is missing. */
  readonly get: (file: FileMetadata, range?: ByteRange) => Promise<Readable | undefined>;
  /** What is under a name beside the files, as a text; undefined when nothing is. */
  readonly read: (name: string) => Promise<string | undefined>;
  /** Removes a content, within `limitMs` or the time that an operation has; does nothing when it is missing. */
  readonly delete: (fileId: string, limitMs?: number) => Promise<void>;
  readonly close: () => void;
};

type Parts = {
  readonly address: S3Address;
  readonly limits: S3Limits;
  readonly timers: Timers;
  readonly random: Random;
};

const PRECONDITION_FAILED = 412;
/** The SDK tells this one when a try failed; each is told to the caller in the end. */
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export function createObjects(parts: Parts): Objects {
  const { address, limits, timers } = parts;
  const { bucket } = address;
  const requests = createRequests(parts);
  let downloads = 0;
  const { openMs, operationMs, uploadMs } = limits;

  return {
    check: () => requests.tried(openMs, (signal) => requests.checkBucket(signal)),
    put: (file, body) => {
      let tries = 0;
      return requests.tried(uploadMs, async (signal) => {
        tries += 1;
        if (tries > 1) {
          // A store may close the connection in the middle of a large content rather than say why it refuses it.
          await requests.checkBucket(signal);
          // An earlier try may have arrived and lost its answer.
          if (await requests.has(file, signal)) return;
        }
        await requests.put(file, body, signal);
      });
    },
    get: async (file, range) => {
      if (downloads >= limits.downloads) throw tooMany();
      downloads += 1;
      try {
        const body = await requests.tried(operationMs, (signal) => requests.get(file, range, signal));
        if (body === undefined) {
          downloads -= 1;
          return undefined;
        }
        const stream = download(body, { file, range }, { stalledMs: limits.stalledMs, timers, bucket });
        return stream.once('close', () => (downloads -= 1));
      } catch (error) {
        downloads -= 1;
        throw error;
      }
    },
    read: (name) => requests.tried(operationMs, (signal) => requests.read(name, signal)),
    delete: (fileId, limitMs = operationMs) =>
      requests.tried(limitMs, (signal) => requests.delete(fileId, signal)),
    close: requests.close,
  };
}

/** One request each; `tried` makes as many of it as the limits say. */
function createRequests(parts: Parts) {
  const { limits, random, address } = parts;
  const { bucket: Bucket } = address;
  const client = createClient(parts);
  const { tryMs } = limits;
  const within = createWithin(parts);

  return {
    ...uploadPart(client, within, parts),
    tried: async <T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      let isSynced = false;
      const isWorthAnother = (error: unknown) => {
        if (!isOfTime(error) || isSynced) return isTransient(error);
        // Signed with the store's time, it is refused for something else.
        isSynced = true;
        return true;
      };
      try {
        return await withRetries(work, { limitMs, isTransient: isWorthAnother, random, retry: limits.retry });
      } catch (error) {
        throw s3Error(error, Bucket);
      }
    },
    checkBucket: async (caller: AbortSignal): Promise<void> => {
      await within(tryMs, caller, (abortSignal) =>
        client.send(new HeadBucketCommand({ Bucket }), { abortSignal }),
      );
    },
    get: async (
      file: FileMetadata,
      range: ByteRange | undefined,
      caller: AbortSignal,
    ): Promise<Readable | undefined> => {
      const part = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` };
      const found = await within(tryMs, caller, (abortSignal) =>
        client.send(new GetObjectCommand({ Bucket, Key: file.fileId, ...part }), { abortSignal }),
      ).catch(unlessMissing);
      if (found === undefined) return undefined;
      const { Body, ContentLength } = found;
      invariant(Body instanceof Readable, 'what Node downloads is a stream of Node');
      if (ContentLength === lengthOf(file, range)) return Body;
      Body.destroy();
      throw damaged(file);
    },
    read: async (Key: string, caller: AbortSignal): Promise<string | undefined> =>
      within(tryMs, caller, async (abortSignal) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal });
        return Body?.transformToString();
      }).catch(unlessMissing),
    delete: async (Key: string, caller: AbortSignal): Promise<void> => {
      await within(tryMs, caller, (abortSignal) =>
        client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal }),
      ).catch(unlessMissing);
    },
    close: () => client.destroy(),
  };
}

/** The requests of which an upload is made. */
function uploadPart(client: S3Client, within: Within, { address, limits }: Parts) {
  const { bucket: Bucket } = address;

  /** Whether this very content is there. */
  async function has(file: Content, caller: AbortSignal): Promise<boolean> {
    const found = await within(limits.tryMs, caller, (abortSignal) =>
      client.send(new HeadObjectCommand({ Bucket, Key: file.fileId, ChecksumMode: 'ENABLED' }), {
        abortSignal,
      }),
    ).catch(unlessMissing);
    if (found === undefined) return false;
    if (isOf(found, file)) return true;
    const message = `The bucket ${Bucket} has something else under the name of a new file.`;
    throw new LodeError('storage_failed', message);
  }

  async function put(file: Content, body: Held['body'], caller: AbortSignal): Promise<void> {
    const { fileId: Key, bytes: ContentLength, mediaType: ContentType } = file;
    const Body = body();
    const broken = new AbortController();
    // The SDK does not listen, and what nobody hears ends the program.
    if (Body instanceof Readable) Body.on('error', (error) => broken.abort(error));
    const signal = AbortSignal.any([caller, broken.signal]);
    const input = { Bucket, Key, Body, ContentLength, ContentType, ChecksumSHA256: inBase64(file) };
    try {
      await within(limits.uploadTryMs, signal, (abortSignal) =>
        client.send(new PutObjectCommand({ ...input, IfNoneMatch: '*' }), { abortSignal }),
      );
    } catch (error) {
      broken.signal.throwIfAborted();
      const isThere = error instanceof Refusal && error.status === PRECONDITION_FAILED;
      if (!isThere || !(await has(file, caller))) throw error;
    } finally {
      if (Body instanceof Readable) Body.destroy();
    }
  }

  return { has, put };
}

function createClient({ address, limits }: Parts): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = address;
  const maxSockets = limits.requests + limits.downloads;
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 1,
    // The SHA-256 of each file is sent with it and compared here; other stores don't know the SDK's own sums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silent,
    requestHandler: {
      connectionTimeout: limits.tryMs,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
}

/** Gives one request its turn and its time, and its failure the words of `outcomeOf`. */
type Within = <T>(ms: number, caller: AbortSignal, send: (signal: AbortSignal) => Promise<T>) => Promise<T>;

function createWithin({ timers, limits }: Parts): Within {
  const { requests: concurrency, waiting } = limits;
  const room = createSemaphore({ concurrency, waiting, tooMany });
  return (ms, caller, send) =>
    room(async () => {
      const over = new AbortController();
      // Taken back when the answer begins: a download may take longer.
      const cancel = timers.after(ms, () => over.abort());
      try {
        return await send(AbortSignal.any([caller, over.signal]));
      } catch (error) {
        throw outcomeOf(error);
      } finally {
        cancel();
      }
    });
}

/** Whether what is there is the content of a file, as far as the store says. */
function isOf({ ContentLength, ChecksumSHA256 }: HeadObjectCommandOutput, file: Content): boolean {
  return ContentLength === file.bytes && (ChecksumSHA256 ?? inBase64(file)) === inBase64(file);
}

function inBase64({ sha256 }: Pick<FileMetadata, 'sha256'>): string {
  return Buffer.from(sha256, 'hex').toString('base64');
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function tooMany(): LodeError {
  return new LodeError('overloaded', 'Too many files are being stored or read. Try again in a moment.');
}
