import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { LINE_MAX, type Inspection, type LogReader, type Progress } from '#engines';
import {
  canonicalJson,
  comparePositions,
  LodeError,
  logStart,
  type Position,
  type RecordedEvent,
} from '#kernel';
import type { Call, Outcome } from './command.js';
import { withInspection, readingLog } from './folder.js';
import { counted } from './output.js';
import { noteGiven } from './note.js';
import { UsageError } from './parse.js';

/** Events read and written at a time. */
const PAGE = 1_000;
/** Bytes of the end of a file read at a time. */
const CHUNK = 64 * 1_024;
const NEWLINE = 0x0a;
/** The name that stands for standard output. */
const STANDARD_OUTPUT = '-';
const OWNER_ONLY = 0o600;

type Exported = {
  readonly before: Position | undefined;
  readonly written: number;
  readonly position: Position;
};

/** `lode export`. */
export function runExport(call: Call): Promise<Outcome> {
  return withInspection(call.settings, (engines) => exportFrom(engines, call));
}

async function exportFrom(engines: Inspection, call: Call): Promise<Outcome> {
  const { settings, args, progress, isForPeople } = call;
  const [name] = args;
  if (name === undefined || name === STANDARD_OUTPUT) {
    if (!isForPeople) throw new UsageError('With --json, export needs a file.');
    const noted = await noteGiven(engines, call);
    const written = await readingLog(engines, (log) => toStandardOutput(log, progress));
    return { ok: true, facts: { written, noted }, lines: [] };
  }
  const file = placeFor(name, settings.dataFolder);
  const noted = await noteGiven(engines, call);
  const { written, position, before } = await readingLog(engines, (log) => toFile(log, file, progress));
  const newer = await engines.newerEvents();
  const went = before === undefined ? '' : `, going on after position ${before}`;
  return {
    ok: true,
    facts: { file, written, position, resumedAfter: before ?? null, newerEvents: newer ?? null, noted },
    lines: [
      `${file} has the log up to position ${position}: ${counted(written, 'event')} written${went}.`,
      ...(newer === undefined ? [] : [newer]),
    ],
  };
}

async function toStandardOutput(reader: LogReader, progress: Progress): Promise<number> {
  let written = 0;
  for await (const page of pages(reader, logStart)) {
    await print(page.map(lineOf).join(''));
    progress('Exporting', (written += page.length));
  }
  return written;
}

/** Where a file is to be written. Refuses, before anything is touched, a place that takes no export. */
function placeFor(name: string, dataFolder: string): string {
  const file = resolve(name);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    throw new LodeError('storage_failed', `${file} is no file: name one, or none for standard output.`);
  }
  const place = found === undefined ? join(realpathSync(dirname(file)), basename(file)) : realpathSync(file);
  const below = relative(realpathSync(dataFolder), place);
  if (below.split(sep)[0] === '..' || isAbsolute(below)) return file;
  throw new UsageError(`${file} is in the data folder: export to a place outside of it.`);
}

/** Answers once whoever reads has taken it; throws `EPIPE` when nobody reads any more. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}

async function toFile(reader: LogReader, file: string, progress: Progress): Promise<Exported> {
  const fd = openSync(file, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY);
  try {
    const last = lastLine(fd, file);
    const before = last === undefined ? undefined : await positionHere(reader, last.event, file);
    let position = before ?? logStart;
    let written = 0;
    let end = last?.end ?? 0;
    await checkRest(reader, { fd, file, end, position });
    for await (const page of pages(reader, position)) {
      const text = Buffer.from(page.map(lineOf).join(''));
      for (let from = 0; from < text.length;)
        from += writeSync(fd, text, from, text.length - from, end + from);
      end += text.length;
      position = page.at(-1)?.position ?? position;
      progress('Exporting', (written += page.length));
    }
    fsyncSync(fd);
    return { before, written, position };
  } finally {
    closeSync(fd);
  }
}

/** The log after a position as far as it goes now. */
async function* pages(reader: LogReader, from: Position): AsyncGenerator<readonly RecordedEvent[]> {
  const upTo = await reader.head();
  for (let after = from; comparePositions(after, upTo) < 0;) {
    const read = await reader.readAll(after, PAGE);
    const page = read.filter(({ position }) => comparePositions(position, upTo) <= 0);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.position;
  }
}

function lineOf(event: RecordedEvent): string {
  return `${canonicalJson(event)}\n`;
}

/** What the last whole line of a file holds, and where that line ends; undefined when there is no whole line. */
function lastLine(fd: number, file: string): { readonly event: unknown; readonly end: number } | undefined {
  const newline = newlineBefore(fd, fstatSync(fd).size);
  if (newline === -1) return undefined;
  const start = newlineBefore(fd, newline) + 1;
  if (newline - start > LINE_MAX) throw foreign(file, 'its last line is longer than any event');
  try {
    return { event: JSON.parse(bytesOf(fd, start, newline).toString('utf8')), end: newline + 1 };
  } catch (error) {
    throw foreign(file, 'its last line is no event', error);
  }
}

/** The bytes of a file from one place up to another. */
function bytesOf(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  const read = readSync(fd, bytes, 0, bytes.length, from);
  return bytes.subarray(0, read);
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

/** The position of an event that a file ends with. Refuses one that is not in the log, to the letter. */
async function positionHere(reader: LogReader, event: unknown, file: string): Promise<Position> {
  const { stream, revision } = (event ?? {}) as Partial<RecordedEvent>;
  const [same] =
    typeof stream === 'string' && revision !== undefined && Number.isSafeInteger(revision) && revision >= 0
      ? await reader.readStream(stream, { from: revision, limit: 1 })
      : [];
  if (same?.position !== undefined && canonicalJson(same) === canonicalJson(event as RecordedEvent))
    return same.position;
  throw foreign(file, 'its last event is not there');
}

/** Refuses a file with something after its last whole line that is not the beginning of the line to come. */
async function checkRest(
  reader: LogReader,
  { fd, file, end, position }: { fd: number; file: string; end: number; position: Position },
): Promise<void> {
  const { size } = fstatSync(fd);
  if (size === end) return;
  const [next] = await reader.readAll(position, 1);
  const line = Buffer.from(next === undefined ? '' : lineOf(next));
  // What is right is written over with the same bytes.
  if (size - end < line.length && bytesOf(fd, end, size).equals(line.subarray(0, size - end))) return;
  throw foreign(
    file,
    end === 0 ? 'it does not begin like it' : 'what follows its last whole line is not there',
  );
}

function foreign(file: string, what: string, cause?: unknown): LodeError {
  return new LodeError(
    'conflict',
    `${file} is not of this log: ${what}. It was left as it is.`,
    {},
    { cause },
  );
}
