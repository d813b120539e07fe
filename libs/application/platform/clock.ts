import {
  instantText,
  knownTime,
  type Acceptances,
  type ClockMarks,
  type ClockState,
  type KnownTime,
} from '#clock';
import type { EventStore } from '#event-store';
import { hasCode, sha256, uuidV4, type Random } from '#kernel';
import { platformDecider, platformStream, type Platform } from '#ledger';
import { OPERATOR } from '../actors.js';
import type { AccessAudit } from '../access/audit.js';
import type { Aggregates } from '../aggregates.js';
import type { Ports } from '../ports.js';
import { foundPlatform } from './found.js';
import { Query } from '../message.js';

/** Events of the platform that are read at a time. */
const PAGE = 1_000;

/** What is known of the time is told by these. */
export type TimeParts = {
  readonly log: Pick<EventStore, 'last' | 'readStream'>;
  readonly marks: Pick<ClockMarks, 'load'>;
};

/** What is known of the time of a log, by what is remembered, its last event and the clocks that were accepted. */
export async function findKnownTime({ log, marks }: TimeParts): Promise<KnownTime> {
  return knownTime(await marks.load(), await acceptancesIn(log), await lastInstant(log));
}

/** The clocks that operators have accepted so far. */
async function acceptancesIn(log: Pick<EventStore, 'readStream'>): Promise<Acceptances> {
  const { codecs, evolve, initial } = platformDecider;
  let platform: Platform = initial;
  for (let from = 0; ; from += PAGE) {
    const page = await log.readStream(platformStream, { from, limit: PAGE });
    platform = page.map((event) => codecs.decode(event)).reduce(evolve, platform);
    if (page.length < PAGE) break;
  }
  const clocks = platform.kind === 'founded' ? platform.clocks : undefined;
  if (clocks === undefined) return { count: 0, instant: undefined, ceiling: undefined };
  return { count: clocks.count, instant: Date.parse(clocks.instant), ceiling: Date.parse(clocks.ceiling) };
}

/** When the last event of the log was written; undefined for one without any, or whose last one can't be read. */
async function lastInstant(log: Pick<EventStore, 'last'>): Promise<number | undefined> {
  try {
    const last = await log.last();
    return last === undefined ? undefined : Date.parse(last.at);
  } catch (error) {
    // Whoever folds it says so; the rest of the log is as good as before.
    if (hasCode(error, 'storage_failed')) return undefined;
    throw error;
  }
}

/**
 * Accepts what the clock says, whatever was known before. A platform that is not founded is, first: the event needs its
 * stream. Refuses with `setting_invalid` to go back without a reason.
 */
export async function acceptClock(
  aggregates: Pick<Aggregates, 'platform'>,
  { wall, reference }: Pick<ClockState, 'wall' | 'reference'>,
  { reason, random }: { readonly reason: string | undefined; readonly random: Random },
): Promise<void> {
  await foundPlatform(aggregates, random);
  const commandId = uuidV4(random);
  const [instant, was] = [instantText(wall), instantText(reference)];
  await aggregates.platform.execute(
    platformStream,
    { type: 'AcceptClock', instant, was, reason },
    {
      actor: OPERATOR,
      commandId,
      requestHash: sha256(`${instant}/${was}`),
      correlationId: commandId,
      causationId: commandId,
      ...(reason === undefined ? {} : { reason }),
    },
  );
}

/** How the clock stands, and how much of people's access was not written because of it. */
export type ClockView = ClockState & {
  readonly notRecorded: number;
  /** What it says, and the latest instant that is known; ISO 8601. */
  readonly clock: string;
  readonly known: string;
};

/** How the machine's clock stands against what is known of the time. */
export class GetClock extends Query<ClockView> {}

export class GetClockHandler {
  constructor(private readonly parts: Pick<Ports, 'clockState'> & { readonly accessAudit: AccessAudit }) {}

  async execute(): Promise<ClockView> {
    const state = this.parts.clockState();
    const { wall, reference } = state;
    const notRecorded = this.parts.accessAudit.notRecorded();
    return { ...state, notRecorded, clock: instantText(wall), known: instantText(reference) };
  }
}
