import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { resolve } from 'node:path';
import {
  canonicalJson,
  comparePositions,
  LodeError,
  logStart,
  type Position,
  type RecordedEvent,
} from '#kernel';
import type { LogReader } from '#event-store/sqlite';
import type { Call, Outcome, Progress } from './command.js';
import { existing, readingLog } from './folder.js';
import { count } from './output.js';
import { UsageError } from './parse.js';

/** Events read and written at a time. */
const PAGE = 1_000;
/** Bytes of the end of a file read at a time. */
const CHUNK = 64 * 1_024;
const NEWLINE = 0x0a;
const OWNER_ONLY = 0o600;

type Exported = {
  readonly before: number | undefined;
  readonly written: number;
  readonly position: Position;
};

/** `lode export`. */
export async function carryExport({ settings, args, progress, isForPeople }: Call): Promise<Outcome> {
  const { log } = existing(settings.dataFolder);
  const [name] = args;
  if (name === undefined) {
    if (!isForPeople) throw new UsageError('With --json, export needs a file.');
    const written = await readingLog(log, (reader) => toStandardOutput(reader, progress));
    return { ok: true, facts: { written }, lines: [] };
  }
  const file = resolve(name);
  const { written, position, before } = await readingLog(log, async (reader) =>
    toFile(reader, file, progress),
  );
  const went = before === undefined ? '' : `, going on after position ${before}`;
  return {
    ok: true,
    facts: { file, written, position, resumedAfter: before === undefined ? null : String(before) },
    lines: [`${file} has the log up to position ${position}: ${count(written)} events were written${went}.`],
  };
}

async function toStandardOutput(reader: LogReader, progress: Progress): Promise<number> {
  let written = 0;
  for (const page of pages(reader, logStart)) {
    if (!process.stdout.write(page.map(lineOf).join(''))) await once(process.stdout, 'drain');
    progress('Exporting', (written += page.length), Number(reader.head()));
  }
  return written;
}

function toFile(reader: LogReader, file: string, progress: Progress): Exported {
  const isThere = existsSync(file);
  const fd = openSync(file, isThere ? 'r+' : 'wx+', OWNER_ONLY);
  try {
    const last = isThere ? lastEvent(fd, file) : undefined;
    if (last !== undefined) checkSame(reader, last, file);
    let position = last?.position ?? logStart;
    let written = 0;
    let end = fstatSync(fd).size;
    for (const page of pages(reader, position)) {
      const text = Buffer.from(page.map(lineOf).join(''));
      for (let from = 0; from < text.length;)
        from += writeSync(fd, text, from, text.length - from, end + from);
      end += text.length;
      position = page.at(-1)?.position ?? position;
      progress('Exporting', (written += page.length), Number(reader.head()));
    }
    fsyncSync(fd);
    return { before: last === undefined ? undefined : Number(last.position), written, position };
  } finally {
    closeSync(fd);
  }
}

/** The log after a position as far as it goes now. */
function* pages(reader: LogReader, from: Position): Generator<readonly RecordedEvent[]> {
  const upTo = reader.head();
  for (let after = from; comparePositions(after, upTo) < 0;) {
    const page = reader.readAll(after, PAGE).filter(({ position }) => comparePositions(position, upTo) <= 0);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.position;
  }
}

function lineOf(event: RecordedEvent): string {
  return `${canonicalJson(event)}\n`;
}

/** The event of the last whole line; what stands after that line is cut off. Undefined when there is no whole line. */
function lastEvent(fd: number, file: string): RecordedEvent | undefined {
  const { size } = fstatSync(fd);
  const end = newlineBefore(fd, size);
  ftruncateSync(fd, end + 1);
  if (end === -1) return undefined;
  const start = newlineBefore(fd, end) + 1;
  const line = Buffer.alloc(end - start);
  readSync(fd, line, 0, line.length, start);
  try {
    return JSON.parse(line.toString('utf8')) as RecordedEvent;
  } catch (error) {
    throw new LodeError('storage_failed', `The last line of ${file} is no event.`, {}, { cause: error });
  }
}

/** Where the last newline before a place in a file is; −1 when there is none. */
function newlineBefore(fd: number, end: number): number {
  const chunk = Buffer.alloc(CHUNK);
  for (let to = end; to > 0;) {
    const from = Math.max(0, to - CHUNK);
    const read = readSync(fd, chunk, 0, to - from, from);
    const found = chunk.subarray(0, read).lastIndexOf(NEWLINE);
    if (found !== -1) return from + found;
    to = from;
  }
  return -1;
}

/** Refuses to continue a file whose last event is not in the log. */
function checkSame(reader: LogReader, last: RecordedEvent, file: string): void {
  const [same] =
    typeof last.stream === 'string' && Number.isSafeInteger(last.revision)
      ? reader.readStream(last.stream, { from: last.revision, limit: 1 })
      : [];
  if (same !== undefined && lineOf(same) === lineOf(last)) return;
  throw new LodeError('conflict', `${file} is not of this log: its last event is not there.`);
}
