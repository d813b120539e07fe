import { mkdir, opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { explainFailure, openEngines, roomOn, type EngineSettings, type Progress } from '#engines';
import { hasCode, plainFailure, serializeError, systemMonotonic } from '#kernel';
import type { ChoreOrder, FromChore } from '../chore-messages.js';
import { keepFilesToOwner } from '../own-files.js';
import { runBackup } from './backup.js';
import type { OrderedOutcome } from './command.js';
import { size } from './output.js';
import { runVerify } from './verify.js';

/*
 * A process that does one thing that an admin ordered of the program, by the code of the command of that name. The program
 * may kill it at any time.
 */

/** How often it says how far it is, in milliseconds. */
const SAY_MS = 250;
/** Of a disk so much is kept free at most. */
const DISK_SHARE = 20;
const FOLDER_MODE = 0o700;
/** Sentences about what is wrong that are told one by one. */
const WRONG_MAX = 100;

keepFilesToOwner();
const say = (message: FromChore) => process.send?.(message);
process.on('message', (order: ChoreOrder) => void carryOut(order).then(say));
// The program has all that it wanted, or has ended.
process.on('disconnect', () => process.exit());

async function carryOut(order: ChoreOrder): Promise<FromChore> {
  const progress = createProgress();
  try {
    const { told } =
      order.chore === 'backup'
        ? await backUp(order, progress)
        : await runVerify({ settings: order.settings, options: {}, progress });
    return { kind: 'done', wrong: firstOf(told) };
  } catch (error) {
    return { kind: 'failed', ...serializeError(explainFailure(error)) };
  }
}

async function backUp(
  { settings, folder, keepFree }: Extract<ChoreOrder, { readonly chore: 'backup' }>,
  progress: Progress,
): Promise<OrderedOutcome> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true, mode: FOLDER_MODE });
  await requireRoom(settings, parent, keepFree);
  await makeFolder(folder);
  // It may be killed from now on: whoever deletes what is left has to know by then whose it is.
  await new Promise<void>((resolve) => process.send?.({ kind: 'made' } satisfies FromChore, () => resolve()));
  return runBackup({ settings, args: [folder], command: { name: 'backup' }, isForPeople: false, progress });
}

/** Makes a folder that is nobody else's. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: FOLDER_MODE });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    throw plainFailure('storage_failed', 'Something has the name of the backup already.', { cause: error });
  }
}

/** Refuses with `storage_full` to begin what would fill a disk, which may be that of the log. */
async function requireRoom(settings: EngineSettings, folder: string, keepFree: number): Promise<void> {
  const { maintenance } = await openEngines(settings, 'inspect');
  const { parts, uploads } = maintenance.look();
  const databases = [...parts.log.sizes, ...parts.identity.sizes].reduce((sum, { bytes }) => sum + bytes, 0);
  const needed = databases + (await bytesIn(uploads.name));
  const { freeBytes, totalBytes } = roomOn(folder);
  if (freeBytes - needed >= Math.min(keepFree, totalBytes / DISK_SHARE)) return;
  throw plainFailure(
    'storage_full',
    `A backup takes ${size(needed)}, and ${size(freeBytes)} are free where backups go: that is too little.`,
  );
}

/** What the files of a folder weigh; nothing where it is missing. */
async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.isFile()) bytes += await bytesOf(join(folder, entry.name));
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return bytes;
}

async function bytesOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    // Deleted since it was listed.
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
}

/** The first of what an outcome names, and how many more there are. */
function firstOf(named: readonly string[]): readonly string[] {
  const more = named.length - WRONG_MAX + 1;
  return more <= 1 ? named : [...named.slice(0, WRONG_MAX - 1), `and ${more} more`];
}

/** Says how far it is: at once when something else begins, and then from time to time. */
function createProgress(): Progress {
  let [last, said] = ['', 0];
  return (step, looked, of) => {
    const now = systemMonotonic();
    if (step === last && looked !== of && now - said < SAY_MS) return;
    [last, said] = [step, now];
    say({ kind: 'progress', step, looked, of });
  };
}
