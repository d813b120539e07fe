import type { EventStore } from '#event-store';
import type { IdentityStore, KeptHead, StoresHead } from '#identity';
import { comparePositions, hasCode, logStart, systemClock, type Position, type RecordedEvent } from '#kernel';
import { explainFailure } from './failures.js';
import type { EngineSettings, HeadTolerance, LogReader, Mismatch } from './engines.js';
import type { IdentityEngine } from './identity.js';
import type { LogEngine } from './log.js';

/**
 * What a program that is killed at any moment stays far below: it keeps a head each second. By their own instants, because
 * a log that stood still for long gets its next events long after its head.
 */
export const HEAD_TOLERANCE: HeadTolerance = { logMs: 10 * 60_000, changes: 10_000 };

const GO_ON =
  'Put back what belongs together, or restore a backup (docs/how-to/restore.md); or, to go on with what is there, run `lode accept-stores`.';

/** A log to be compared with its head. */
export type HeadedLog = Pick<LogReader, 'head' | 'last' | 'header' | 'readStream' | 'readAll'>;

/** What is compared. */
export type Headed = Pick<EngineSettings, 'headTolerance'> & {
  readonly log: Pick<LogEngine, 'name' | 'nextPosition'>;
  readonly identity: Pick<IdentityEngine, 'name' | 'head' | 'headName' | 'standing'>;
};

/** Log and identities beside the head that was kept last. */
export type HeadReport = {
  /** Undefined where none is kept, or it is damaged. */
  readonly kept: StoresHead | undefined;
  /** As they are. */
  readonly found: { readonly position: Position; readonly changes: number };
  /** What doesn't fit, a sentence each; empty when all is well. */
  readonly wrong: readonly string[];
  /** Keys, passwords and the like are older than the log. */
  readonly isIdentityOld: boolean;
};

/** Compares log and identities with the head that was kept last. */
export async function compareHead(engines: Headed, written: HeadedLog): Promise<HeadReport> {
  const { identity } = engines;
  // Asked first: programs on the same servers go on, and what is read after it is no earlier.
  const known = await identity.head();
  const position = await written.head();
  const standing = await identity.standing();
  const found = { position, changes: standing?.changes ?? 0 };
  const report = { kept: undefined, found, isIdentityOld: false };
  const head = keptIn(known);
  if (head === undefined) {
    if (known.kind === 'damaged')
      return {
        ...report,
        wrong: [`${identity.headName} is damaged: it can't be told whether anything is lost.`],
      };
    const isMissing = standing?.hasHead === true;
    return {
      ...report,
      wrong: isMissing ? [`${identity.headName} is missing: it can't be told whether anything is lost.`] : [],
    };
  }
  const isIdentityOld = head.changes !== undefined && found.changes < head.changes;
  const wrong = [
    wrongPlatform(engines, head, standing?.platformId),
    await wrongLog(engines, head, position, written),
    wrongIdentity(engines, head, found.changes),
  ];
  return { kept: head, found, isIdentityOld, wrong: wrong.filter((one) => one !== undefined) };
}

/** What does not fit the head, if anything; refused by a start. */
export function headMismatch({ wrong }: Pick<HeadReport, 'wrong'>): Mismatch | undefined {
  return wrong.length === 0 ? undefined : { what: wrong.join(' '), todo: GO_ON };
}

function keptIn(known: KeptHead): StoresHead | undefined {
  return known.kind === 'head' ? known.head : undefined;
}

function wrongPlatform(
  { identity }: Headed,
  { platformId }: StoresHead,
  found: string | undefined,
): string | undefined {
  if (platformId === undefined || found === undefined || platformId === found) return undefined;
  return `${identity.headName} is of the platform ${platformId}, and ${identity.name} of the platform ${found}.`;
}

async function wrongLog(
  engines: Headed,
  head: StoresHead,
  position: Position,
  written: HeadedLog,
): Promise<string | undefined> {
  const { log, identity } = engines;
  const header = await written.header();
  if (head.logId !== undefined && header !== undefined && header.logId !== head.logId)
    return `${identity.headName} is of another log: ${log.name} has the id ${header.logId}, not ${head.logId}.`;
  if (comparePositions(position, head.position) < 0) {
    const number =
      log.nextPosition === undefined ? 'the events' : `${between(position, head.position)} events`;
    return `${log.name} ends at position ${position}, but it went on to ${head.position} at ${head.last?.at ?? head.keptAt}: ${number} since then are lost.`;
  }
  if (await hasAnother(head, written))
    return `${log.name} has another event at position ${head.position} than it had at ${head.keptAt}: it is another history.`;
  return aheadBy(engines, head, written);
}

function between(from: Position, to: Position): string {
  return (BigInt(to) - BigInt(from)).toLocaleString('en');
}

/** Whether the log has another event where the head's is. One that can't be read, whoever folds it says so. */
async function hasAnother({ last }: StoresHead, written: HeadedLog): Promise<boolean> {
  if (last === undefined) return false;
  try {
    const [event] = await written.readStream(last.stream, { from: last.revision, limit: 1 });
    return event?.meta.chain !== last.chain;
  } catch (error) {
    if (hasCode(error, 'storage_failed')) return false;
    throw error;
  }
}

async function aheadBy(
  { log, identity, headTolerance: { logMs } = HEAD_TOLERANCE }: Headed,
  head: StoresHead,
  written: HeadedLog,
): Promise<string | undefined> {
  try {
    const [first] = await written.readAll(head.position, 1);
    const last = await written.last();
    if (first === undefined || last === undefined || Date.parse(last.at) - Date.parse(first.at) <= logMs)
      return undefined;
    return `${log.name} goes on from ${first.at} to ${last.at} without ${identity.headName}: that is of an older copy, or an import was cut off, which is to be done again.`;
  } catch (error) {
    if (hasCode(error, 'storage_failed')) return undefined;
    throw error;
  }
}

function wrongIdentity(
  { identity, headTolerance = HEAD_TOLERANCE }: Headed,
  head: StoresHead,
  changes: number,
): string | undefined {
  if (head.changes === undefined) return undefined;
  const lost = head.changes - changes;
  if (lost > 0)
    return `${identity.name} is as it was ${count(lost)} before ${head.keptAt}: passwords, pins, keys of people and erasures since then are lost.`;
  if (-lost > headTolerance.changes)
    return `${identity.name} has gone on by ${count(-lost)} without ${identity.headName}: that is of an older copy.`;
  return undefined;
}

function count(changes: number): string {
  return `${changes.toLocaleString('en')} change${changes === 1 ? '' : 's'}`;
}

/** Keeps how far a log and an identity store have come. */
export function headKeeper(
  events: Pick<EventStore, 'head' | 'last' | 'header'>,
  identity: Pick<IdentityStore, 'standing' | 'keepHead'>,
): (isAnew?: boolean) => Promise<void> {
  let kept: StoresHead | undefined;
  return async (isAnew = false) => {
    const position = await events.head();
    const { platformId, changes } = await identity.standing();
    const isSame = kept?.changes === changes && kept.platformId === platformId && kept.position === position;
    if (isSame && !isAnew) return;
    const end = kept?.position === position ? kept : await endOf(events);
    const head: StoresHead = {
      ...(platformId === undefined ? {} : { platformId }),
      ...end,
      changes,
      keptAt: new Date(systemClock()).toISOString(),
    };
    try {
      await identity.keepHead(head, isAnew);
    } catch (error) {
      throw explainFailure(error, 'The head');
    }
    kept = head;
  };
}

/** Where a log ends. */
export async function endOf(
  events: Pick<EventStore, 'last' | 'header'>,
): Promise<Pick<StoresHead, 'logId' | 'position' | 'last'>> {
  const [last, header] = [await events.last(), await events.header()];
  return {
    ...(header === undefined ? {} : { logId: header.logId }),
    position: last?.position ?? logStart,
    ...(last === undefined ? {} : { last: eventAt(last) }),
  };
}

function eventAt({ stream, revision, at, meta }: RecordedEvent): NonNullable<StoresHead['last']> {
  return { stream, revision, chain: meta.chain, at };
}
