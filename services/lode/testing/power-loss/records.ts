import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/* What record.c writes down, and how a power loss follows from it. */

/** Bytes of a record before its two parts. */
const HEAD_BYTES = 40;
const MAGIC = 0x4c4f4453;
/** What a disk writes as one. */
const SECTOR_BYTES = 512;

/** A change, as it was told before it was made. `at` is where its record begins. */
type Change = { readonly at: number; readonly inode: bigint } & (
  | { readonly kind: 'write'; readonly offset: number; readonly size: number; readonly old: Buffer }
  | { readonly kind: 'truncate'; readonly to: number; readonly size: number; readonly old: Buffer }
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'remove'; readonly path: string; readonly held: string }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
);
type DataChange = Extract<Change, { kind: 'write' | 'truncate' }>;
type NameChange = Exclude<Change, DataChange>;

/** What no fsync has covered when the programs were killed, in the order of its changes. */
type Unsynced = {
  readonly data: ReadonlyMap<bigint, readonly DataChange[]>;
  readonly names: readonly NameChange[];
};

/** What a power loss took. */
export type Lost = {
  /** Writes and truncations that were undone, wholly or in part. */
  readonly writes: number;
  /** Files that were made, removed or renamed, and are as before. */
  readonly names: number;
};

/** The changes of the records that no fsync has covered. A record that was cut off is none. */
function unsyncedIn(records: Buffer): Unsynced {
  const changes: Change[] = [];
  const synced = new Map<bigint, number>();
  for (let at = 0; at + HEAD_BYTES <= records.length;) {
    if (records.readUInt32LE(at) !== MAGIC) throw new Error(`no record begins at ${at}`);
    const kind = String.fromCharCode(records.readUInt32LE(at + 4));
    const inode = records.readBigUInt64LE(at + 8);
    const offset = Number(records.readBigUInt64LE(at + 16));
    const size = Number(records.readBigUInt64LE(at + 24));
    const middle = at + HEAD_BYTES + records.readUInt32LE(at + 32);
    const end = middle + records.readUInt32LE(at + 36);
    if (end > records.length) break;
    const old = records.subarray(at + HEAD_BYTES, middle);
    const path = () => old.toString();
    const other = records.toString('utf8', middle, end);
    if (kind === 'S') synced.set(inode, Math.max(synced.get(inode) ?? 0, offset));
    else if (kind === 'W') changes.push({ at, inode, kind: 'write', offset, size, old });
    else if (kind === 'T') changes.push({ at, inode, kind: 'truncate', to: offset, size, old });
    else if (kind === 'C') changes.push({ at, inode, kind: 'create', path: path() });
    else if (kind === 'R') changes.push({ at, inode, kind: 'remove', path: path(), held: other });
    else if (kind === 'M') changes.push({ at, inode, kind: 'move', from: path(), to: other });
    else throw new Error(`an unknown record at ${at}: ${kind}`);
    at = end;
  }
  const unsynced = changes.filter(({ at, inode }) => at >= (synced.get(inode) ?? 0));
  const isData = (change: Change): change is DataChange =>
    change.kind === 'write' || change.kind === 'truncate';
  return {
    data: Map.groupBy(unsynced.filter(isData), ({ inode }) => inode),
    names: unsynced.filter((change): change is NameChange => !isData(change)),
  };
}

/** Every file below a folder by its inode. */
function filesIn(folder: string): Map<bigint, string> {
  const found = new Map<bigint, string>();
  for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(parentPath, name);
    const stat = lstatSync(path, { bigint: true });
    if (stat.isFile()) found.set(stat.ino, path);
  }
  return found;
}

/** The content of a file before some changes of it, of which these are the last. */
function before(now: Buffer, changes: readonly DataChange[]): Buffer {
  let content = now;
  for (const change of changes.toReversed()) {
    const place = change.kind === 'write' ? change.offset : change.to;
    const length = Math.max(change.size, place + change.old.length);
    if (content.length < length) content = Buffer.concat([content, Buffer.alloc(length - content.length)]);
    else if (content === now) content = Buffer.from(now);
    change.old.copy(content, place);
    content = content.subarray(0, change.size);
  }
  return content;
}

/** Each sector as it was, or as it is. */
function mixed(then: Buffer, now: Buffer, draw: () => number): Buffer {
  const content = Buffer.alloc((draw() < 0.5 ? then : now).length);
  for (let at = 0; at < content.length; at += SECTOR_BYTES) {
    const from = draw() < 0.5 ? then : now;
    if (at < from.length)
      from.copy(content, at, at, Math.min(at + SECTOR_BYTES, from.length, content.length));
  }
  return content;
}

function undoName(change: NameChange): void {
  if (change.kind === 'create') rmSync(change.path, { recursive: true, force: true });
  else if (change.kind === 'move') {
    if (existsSync(change.to)) renameSync(change.to, change.from);
  } else if (!existsSync(change.path)) {
    if (change.held === '') mkdirSync(change.path, { recursive: true });
    else linkSync(change.held, change.path);
  }
}

/** How many names stay of as many: a rename to a name that was there replaces it at once, or not at all. */
function wholeUpTo(names: readonly NameChange[], count: number): number {
  const [removed, moved] = [names[count - 1], names[count]];
  const isHalf = moved?.kind === 'move' && removed?.kind === 'remove' && removed.path === moved.to;
  return isHalf ? count - 1 : count;
}

/** Puts a file's content in the place of another, for good. */
function write(path: string, content: Buffer): void {
  writeFileSync(path, content);
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/** Where programs were recorded. */
export type Recording = {
  /** What is under this folder is on the disk that loses power. */
  readonly root: string;
  /** The file with the records. */
  readonly records: string;
  /** A folder with the content of removed files. */
  readonly held: string;
  /** The file that orders a kill. */
  readonly order: string;
};

/**
 * Plays a power loss for programs that were killed: of each file all of what no fsync has covered is undone, or what came
 * last of it, or single sectors of it; of the names all or the last ones. The records are then begun anew.
 */
export function losePower({ root, records, held, order }: Recording, draw: () => number): Lost {
  // A start can be cut off before it writes anything.
  const { data, names } = unsyncedIn(existsSync(records) ? readFileSync(records) : Buffer.alloc(0));
  const paths = new Map([...filesIn(held), ...filesIn(root)]);
  let writes = 0;
  for (const [inode, changes] of data) {
    const path = paths.get(inode);
    // SQLite makes its index of a write-ahead log anew before it is used again.
    if (path === undefined || path.endsWith('-shm')) continue;
    const now = readFileSync(path);
    const way = draw();
    const from = way < 0.4 ? 0 : Math.floor(draw() * changes.length);
    const then = before(now, changes.slice(from));
    const content = way < 0.7 ? then : mixed(then, now, draw);
    if (content.equals(now)) continue;
    write(path, content);
    writes += changes.length - from;
  }
  const kept = draw() < 0.5 ? 0 : wholeUpTo(names, Math.floor(draw() * names.length));
  for (const change of names.slice(kept).toReversed()) undoName(change);
  for (const file of [records, order]) rmSync(file, { force: true });
  rmSync(held, { recursive: true });
  mkdirSync(held);
  return { writes, names: names.length - kept };
}
