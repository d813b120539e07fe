import { resolve } from 'node:path';
import { createAggregates, platformIdIn } from '#application';
import { openForCopy, type CopyEngines, type EngineSettings, type Progress } from '#engines';
import { LodeError, logStart, systemClock } from '#kernel';
import { claimStores } from '../platform.js';
import type { Call, Outcome } from './command.js';
import { copyFiles, type CopiedFiles } from './migrate-files.js';
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

/** `lode migrate`. */
export async function runMigrate({ settings, args, progress }: Call): Promise<Outcome> {
  const { from, to } = sidesOf(settings, args);
  const source = await openForCopy(from, 'from');
  try {
    const target = await openForCopy(to, 'to');
    try {
      const copied = await copyAll(source, target, progress);
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
  const folder = { dataFolder: resolve(typed) };
  if (folder.dataFolder === settings.dataFolder)
    throw new UsageError(
      `${folder.dataFolder} is the data folder of the other side too: name another with --data.`,
    );
  if (way === 'from') return { from: folder, to: settings };
  if (way === 'to') return { from: settings, to: folder };
  throw new UsageError(`migrate goes from a folder or to one, not ${JSON.stringify(way)}.`);
}

/** Copies everything, compares it, and gives the one over for the other. What was copied already is compared alone. */
export async function copyAll(source: CopyEngines, target: CopyEngines, progress: Progress): Promise<Copied> {
  await refuseUsed(source, target);
  await claimBoth(source, target);
  await target.events.changeHeader({ filling: true });
  await copyLog(source.events, target.events, progress);
  const reactors = await source.reactors();
  const needed = reactors.flatMap(({ position, parked }) => [position, ...parked.map((one) => one.position)]);
  const log = await compareLogs(source.events, target.events, { needed, progress });
  const people = await copyPeople(source.identity, target.identity, progress);
  const files = await copyFiles(source.files, target.files, progress);
  for (const { name, position, ordinal, parked } of reactors) {
    const put = parked.map((event) => ({ ...event, position: log.placeOf(event.position) }));
    await target.checkpoints.save(name, { position: log.placeOf(position), ordinal, put, remove: [] });
  }
  // From here on the source never starts again, and from there on the target does.
  await source.events.changeHeader({ movedTo: target.where });
  await refuseGrown(source.events, log.head);
  await target.events.changeHeader({ filling: false });
  return { log, people, files };
}

/** Refuses a target with anything of its own, unless it is half a copy, and a source that is half one or was moved elsewhere. */
async function refuseUsed(source: CopyEngines, target: CopyEngines): Promise<void> {
  const [from, to] = [await source.events.header(), await target.events.header()];
  if (from?.filling === true)
    throw new LodeError(
      'conflict',
      `What is in ${source.where} is half a copy: move what it was copied from.`,
    );
  if (from?.movedTo !== undefined && (from.movedTo !== target.where || to?.filling !== true))
    throw new LodeError('conflict', `What is in ${source.where} was moved to ${from.movedTo} already.`);
  if (to?.filling === true) return;
  const [people, files] = [await target.identity.people('', 1), await target.files.list({ limit: 1 })];
  if ((await target.events.head()) === logStart && people.length === 0 && files.length === 0) return;
  throw new LodeError('conflict', `${target.where} has data already: what is copied goes where nothing is.`);
}

/** Refuses, with `storage_failed`, identities and files of another platform: the target would never start, nor the source again. */
async function claimBoth(source: CopyEngines, target: CopyEngines): Promise<void> {
  const aggregates = createAggregates({ eventStore: source.events, clock: systemClock });
  const platformId = await platformIdIn(aggregates);
  await claimStores(source, platformId);
  await claimStores(target, platformId);
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
    },
    lines: [
      `${target.where} has ${counted(log.events, 'event')} in ${counted(log.streams, 'stream')}, ${counted(people.records, 'record')} of identities and ${counted(files.count, 'uploaded file')}, the same as ${source.where}.`,
      `Its history is ${log.digest}.`,
      `Nobody is signed in there: sessions are not copied. Of invitations ${count(people.invitations)} were.`,
      `${source.where} never starts again.`,
    ],
  };
}
