import { resolve } from 'node:path';
import { createAggregates, platformIdIn } from '#application';
import { openForCopy, type CopyEngines, type EngineSettings } from '#engines';
import type { LogHeader } from '#event-store';
import { isLodeError, LodeError, logStart, systemClock } from '#kernel';
import { keepingAlive } from '../alive.js';
import { claimStores } from '../platform.js';
import type { Call, Outcome } from './command.js';
import { copyAllFiles, copyFiles, type CopiedFiles, type CopyingFiles } from './migrate-files.js';
import { compareLogs, copyLog, refuseGrown, type ComparedLogs } from './migrate-log.js';
import { copyPeople, type CopiedPeople } from './migrate-people.js';
import { count, counted } from './output.js';
import { UsageError } from './parse.js';

/** What was copied, after it was compared. */
type Copied = {
  readonly log: ComparedLogs;
  readonly people: CopiedPeople;
  readonly files: CopiedFiles;
};

/** How it is copied. */
export type Copying = Omit<CopyingFiles, 'verified'>;

/** `lode migrate`. */
export async function runMigrate({ settings, args, options, progress }: Call): Promise<Outcome> {
  const { from, to } = sidesOf(settings, args);
  const source = await openForCopy(from, 'from');
  try {
    const target = await openForCopy(to, 'to');
    try {
      const how = { leaveDamaged: options['leave-damaged'] === true, progress };
      const copied = await keepingAlive(() => copyAll(source, target, how));
      return outcomeOf(source, target, copied);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** The deployment that the settings name is at one end, the folder that was typed at the other. */
function sidesOf(
  settings: EngineSettings,
  [way, typed = '']: readonly string[],
): { readonly from: EngineSettings; readonly to: EngineSettings } {
  const { knownKinds, keys, program } = settings;
  const ofProgram = {
    ...(knownKinds === undefined ? {} : { knownKinds }),
    ...(program === undefined ? {} : { program }),
  };
  const folder = { dataFolder: resolve(typed), keys, ...ofProgram };
  if (folder.dataFolder === settings.dataFolder)
    throw new UsageError(
      `${folder.dataFolder} is the data folder of the other side too: name another with --data.`,
    );
  if (way === 'from') return { from: folder, to: settings };
  if (way === 'to') return { from: settings, to: folder };
  throw new UsageError(`migrate goes from a folder or to one, not ${JSON.stringify(way)}.`);
}

/**
 * Copies everything, compares it, and gives the one over for the other. What was copied already is compared alone. Where it
 * fails before the target is free, nothing was moved, and the source goes on.
 */
export async function copyAll(source: CopyEngines, target: CopyEngines, how: Copying): Promise<Copied> {
  await fillTarget(source, target);
  let copied: Copied;
  try {
    copied = await copyThenMark(source, target, how);
    await refuseGrown(source.events, copied.log.head);
  } catch (error) {
    await takeMarkBack(source, target);
    throw error;
  }
  // Both marks stand from here until this is done, and the same command again does it.
  await target.events.changeHeader({ filling: false });
  await target.keepHead();
  return copied;
}

/** Makes an empty target one that no program starts on, or goes on in. */
async function fillTarget(source: CopyEngines, target: CopyEngines): Promise<void> {
  const [from, to] = [await source.events.header(), await target.events.header()];
  refuseMoved(from, source, target);
  if (to?.filling !== true) {
    if (isMovedTo(target, from)) throw movedAlready(source, from);
    await refuseUsed(target);
  }
  await claimBoth(source, target);
  let isBegun = false;
  await target.events.changeHeader(({ filling }) => {
    isBegun = filling === true;
    return { filling: true };
  });
  await target.settle();
  if (isBegun) return;
  try {
    // A program that began there before it could see the mark.
    await refuseUsed(target);
  } catch (error) {
    await target.events.changeHeader({ filling: false });
    throw error;
  }
}

/** Copies and compares, and marks the source as moved when it has all that was ever acknowledged there. */
async function copyThenMark(source: CopyEngines, target: CopyEngines, how: Copying): Promise<Copied> {
  const copying = { ...how, verified: new Set<string>() };
  const copy = () => explained(target, () => copyOnce(source, target, copying));
  let copied: Copied | undefined;
  if (source.isShared) {
    // What takes long, and only grows, while the source may still be gone back to.
    await explained(target, async () => {
      await copyLog(source.events, target.events, how.progress);
      await copyFiles(source.files, target.files, copying);
    });
  } else copied = await copy();
  await source.events.changeHeader((header) => {
    refuseMoved(header, source, target);
    return { movedTo: target.where, movedToLog: target.logId };
  });
  await source.settle();
  return copied ?? (await copy());
}

async function copyOnce(source: CopyEngines, target: CopyEngines, how: CopyingFiles): Promise<Copied> {
  const { progress } = how;
  const head = await copyLog(source.events, target.events, progress);
  const reactors = await source.reactors();
  const needed = reactors.flatMap(({ position, parked }) => [position, ...parked.map((one) => one.position)]);
  const log = await compareLogs(source.events, target.events, { head, needed, progress });
  const people = await copyPeople(source.identity, target.identity, progress);
  const files = await copyAllFiles(source.files, target.files, how);
  for (const { name, position, ordinal, parked } of reactors) {
    const put = parked.map((event) => ({ ...event, position: log.placeOf(event.position) }));
    await target.checkpoints.save(name, { position: log.placeOf(position), ordinal, put, remove: [] });
  }
  return { log, people, files };
}

/** Says of what a target has of its own what to do about it. */
async function explained<T>({ where }: CopyEngines, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isLodeError(error) || error.code !== 'conflict') throw error;
    throw new LodeError(
      'conflict',
      `${error.message} ${where} has what the source hasn't, or has otherwise by now, as when that was used after an earlier run: empty it, and give the same command again.`,
      {},
      { cause: error },
    );
  }
}

/** Lets the source go on: the target never was free. */
async function takeMarkBack(source: CopyEngines, target: CopyEngines): Promise<void> {
  try {
    if (!isMovedTo(target, await source.events.header())) return;
    await source.events.changeHeader((header) => (isMovedTo(target, header) ? { movedTo: null } : {}));
  } catch {
    // The same command again goes on, or takes it back.
  }
}

/** Refuses a source that is half a copy, or was moved elsewhere. */
function refuseMoved(header: LogHeader | undefined, source: CopyEngines, target: CopyEngines): void {
  if (header?.filling === true)
    throw new LodeError(
      'conflict',
      `What is in ${source.where} is half a copy: move what it was copied from.`,
    );
  if (header?.movedTo !== undefined && !isMovedTo(target, header)) throw movedAlready(source, header);
}

function movedAlready({ where }: CopyEngines, header: LogHeader | undefined): LodeError {
  return new LodeError('conflict', `What is in ${where} was moved to ${header?.movedTo} already.`);
}

/** By the id of the log where it is known: an address can be spelt in more ways than one. */
function isMovedTo({ logId, where }: CopyEngines, header: LogHeader | undefined): boolean {
  const { movedTo, movedToLog } = header ?? {};
  return movedToLog === undefined ? movedTo === where : movedToLog === logId;
}

/** Refuses a target with anything of its own. */
async function refuseUsed({ where, events, identity, files }: CopyEngines): Promise<void> {
  const [people, uploads] = [await identity.people('', 1), await files.list({ limit: 1 })];
  if ((await events.head()) === logStart && people.length === 0 && uploads.length === 0) return;
  throw new LodeError('conflict', `${where} has data already: what is copied goes where nothing is.`);
}

/** Refuses, with `storage_failed`, identities and files of another platform: the target would never start, nor the source again. */
async function claimBoth(source: CopyEngines, target: CopyEngines): Promise<void> {
  const aggregates = createAggregates({ eventStore: source.events, clock: systemClock });
  const platformId = await platformIdIn(aggregates);
  await claimStores(source, source.events, platformId);
  if (platformId === undefined) return;
  // What it has of its own the copy finds.
  await target.identity.claim(platformId);
  await target.files.claim(platformId);
}

function outcomeOf(source: CopyEngines, target: CopyEngines, { log, people, files }: Copied): Outcome {
  return {
    ok: true,
    facts: {
      from: source.where,
      to: target.where,
      events: log.events,
      streams: log.streams,
      digest: log.digest,
      people: people.records,
      invitations: people.invitations,
      files: files.count,
      bytes: files.bytes,
      leftBehind: files.leftBehind,
    },
    lines: [
      `${target.where} has ${counted(log.events, 'event')} in ${counted(log.streams, 'stream')}, ${counted(people.records, 'record')} of identities and ${counted(files.count, 'uploaded file')}, the same as ${source.where}.`,
      `Its history is ${log.digest}.`,
      `Nobody is signed in there: sessions are not copied. Of invitations ${count(people.invitations)} were.`,
      'A new head is kept there.',
      `${source.where} never starts again.`,
      ...files.leftBehind.map(({ fileId, what }) => `LEFT BEHIND: uploaded file ${fileId} ${what}.`),
    ],
  };
}
