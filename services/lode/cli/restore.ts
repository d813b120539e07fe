import { resolve } from 'node:path';
import { damagedBackup, openEngines, type EngineSettings, type Progress } from '#engines';
import { LodeError } from '#kernel';
import { describeFault } from '#verify';
import { checkLog } from './check-folder.js';
import { checkIdentity, damagedIdentity, damagedRows, type IdentityReport } from './check-identity.js';
import type { Call, Outcome } from './command.js';
import { withExclusiveEngines } from './folder.js';
import { readManifest, uploadedIn, type Manifest } from '../manifest.js';
import { counted } from './output.js';

/** `lode restore`. */
export async function runRestore(call: Call): Promise<Outcome> {
  const { settings, args, options, progress } = call;
  const backup = resolve(args[0] ?? '');
  const folder = settings.dataFolder;
  const { maintenance } = await openEngines(settings, 'inspect');
  maintenance.refuseUsed();
  const manifest = readManifest(backup);
  const identity = await check({ dataFolder: backup, keys: settings.keys }, manifest, progress);
  const rows = identity === undefined ? [] : damagedIdentity(identity);
  if (rows.length > 0 && options['with-damage'] !== true)
    throw new LodeError(
      'storage_failed',
      `In the backup ${rows.join('; ')}. Nothing was restored. Another backup may have it whole; with --with-damage this one is restored as it is, and whom that is about is refused.`,
    );
  await withExclusiveEngines(call, (engines) => engines.maintenance.restore(backup, progress));
  return {
    ok: true,
    facts: { folder, ...manifest, damagedRows: damagedRows(identity) },
    lines: [
      `${folder} holds ${counted(manifest.log.events, 'event')}, the identity store and ${counted(uploadedIn(manifest), 'uploaded file')}.`,
      `A new head is kept: the log ends at position ${manifest.log.head.position}.`,
      'The read models are made at the next start.',
      ...rows.map((one) => `As in the backup, ${one}.`),
    ],
  };
}

/** Makes sure that the backup is what it was when it was made. Gives what was found of identity, which may have been damaged already then. */
async function check(
  backup: EngineSettings,
  { log, files }: Manifest,
  progress: Progress,
): Promise<IdentityReport | undefined> {
  const engines = await openEngines(backup, 'inspect');
  await engines.maintenance.checkSums(files, progress);
  const [complaint] = engines.maintenance.checkStructure().flatMap(({ complaints }) => complaints);
  if (complaint !== undefined) throw damagedBackup(complaint);
  const found = await checkLog(engines, progress, log);
  const [fault] = found.faults;
  if (fault !== undefined) throw damagedBackup(describeFault(fault));
  if (found.digest !== log.digest) throw damagedBackup('its log is not the one that the manifest names');
  // Refuses one whose keys are wrapped with a key that is not at hand: it would not start.
  await (await engines.openPersonKeys()).close();
  return checkIdentity(engines, progress);
}
