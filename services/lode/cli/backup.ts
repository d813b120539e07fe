import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BackupResult, EngineSettings, Inspection, Progress } from '#engines';
import { LodeError, systemClock } from '#kernel';
import { describeFault, type LogReport } from '#verify';
import { lodeVersion } from '../version.js';
import { checkLog } from './check-folder.js';
import { checkIdentity, damagedIdentity, damagedRows, type IdentityReport } from './check-identity.js';
import type { Call, OrderedOutcome } from './command.js';
import { withInspection } from './folder.js';
import { uploadedIn, type Manifest } from '../manifest.js';
import { noteGiven } from './note.js';
import { counted, size } from './output.js';

/** What a backup is made with: by the command, or by what the program has make one. */
type BackupCall = Pick<Call, 'args' | 'progress'> &
  Parameters<typeof noteGiven>[1] & { readonly settings: EngineSettings };

/** `lode backup`. */
export function runBackup(call: BackupCall): Promise<OrderedOutcome> {
  const { settings, args, progress } = call;
  return withInspection(settings, async (engines) => {
    const { maintenance } = engines;
    const folder = resolve(args[0] ?? '');
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw new LodeError(
        'storage_failed',
        `${folder} is not empty: a backup goes into a folder of its own.`,
      );
    }
    const noted = await noteGiven(engines, call);
    const made = await maintenance.backUp({
      to: folder,
      check: (copy) => verified(copy, progress),
      manifest: manifestOf,
      progress,
    });
    const outcome = outcomeOf(folder, made);
    return { ...outcome, facts: { ...outcome.facts, noted } };
  });
}

type Verified = {
  readonly log: LogReport;
  readonly keys: string[];
  readonly identity: IdentityReport | undefined;
};

function manifestOf({ log, keys }: Verified, files: Manifest['files']): Manifest {
  return {
    format: 1,
    version: lodeVersion(),
    madeAt: new Date(systemClock()).toISOString(),
    log: { events: log.events, streams: log.streams, head: log.head, digest: log.digest },
    keys,
    files,
  };
}

/** What can't be made again is backed up though some of it is damaged: it is all that there is. */
function outcomeOf(
  folder: string,
  { manifest, checked, damaged }: BackupResult<Verified, Manifest>,
): OrderedOutcome {
  const { log, files, keys } = manifest;
  const { identity } = checked;
  const wrong = [
    ...damaged.map(({ id, what }) => `the uploaded file ${id} ${what}`),
    ...(identity === undefined ? [] : damagedIdentity(identity)).map(
      (one) => `${one}, and so it is in the backup`,
    ),
  ];
  return {
    ok: wrong.length === 0,
    told: wrong,
    facts: {
      folder,
      ...manifest,
      damaged: damaged.map(({ id }) => id),
      damagedRows: damagedRows(identity),
      wrong,
    },
    lines: [
      `${folder} holds ${counted(log.events, 'event')}, the identity store and ${counted(uploadedIn(manifest), 'uploaded file')}: ${size(files.bytes)}.`,
      ...(keys.length === 0
        ? []
        : [
            `It can’t be restored without the key ${keys.join(', ')}, which is not in it: keep that elsewhere.`,
          ]),
      ...wrong.map((one) => `WRONG: ${one}.`),
      ...(damagedRows(identity).damaged === 0 ? [] : ['See docs/how-to/restore.md.']),
    ],
  };
}

/** What the copy holds; a copy of a log that something is wrong with is no backup. */
async function verified(copy: Inspection, progress: Progress): Promise<Verified> {
  const [complaint] = copy.maintenance.checkStructure().flatMap(({ complaints }) => complaints);
  if (complaint !== undefined) throw unfit(complaint);
  const log = await checkLog(copy, progress);
  const [fault] = log.faults;
  if (fault !== undefined) throw unfit(describeFault(fault));
  const keys = (await copy.sealKeys()).map(({ id }) => id).filter((id) => id !== '');
  return { log, keys, identity: await checkIdentity(copy, progress) };
}

function unfit(what: string): LodeError {
  return new LodeError('storage_failed', `What was copied is wrong, so this is no backup: ${what}`);
}
