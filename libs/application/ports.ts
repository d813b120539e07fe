import type { ClockState } from '#clock';
import type { Acknowledged, EventStore } from '#event-store';
import type { FileStore, Storage } from '#files';
import type { Identity } from '#identity';
import type { Jobs } from '#jobs';
import type { Clock, Hold, ErrorCode, LodeError, Random, Timers } from '#kernel';
import type { ProjectionFeed } from '#projections';
import type { ReactorHealth } from '#reactors';
import type { ReadStoreReader } from '#read-store';
import type { ScrubState } from '#scrub';

/** What there is to know, and to ask, of what the program does by itself. */
export type Processes = {
  readonly jobs: Pick<Jobs, 'schedules' | 'runs' | 'runNow'>;
  readonly reactors: () => readonly ReactorHealth[];
  /** Tries everything that reactors could not do again at once. */
  readonly retryReactors: () => void;
};

/** The program's own log: what whoever runs the program is to read about. */
export type ProgramLog = { readonly error: (facts: object, message: string) => void };

/** What the program has met that is not as it should be. */
export type Condition = {
  /** The look at everything that is kept, and whether this program does it. */
  readonly scrub: () => { readonly isOurs: boolean; readonly state: ScrubState };
  /** Damaged events of the log. */
  readonly damagedEvents: () => number;
  /** How long ago it was known to be kept how far log and identities have come, in milliseconds, and why it is not since then. */
  readonly head: () => { readonly ageMs: number; readonly failure: ErrorCode | undefined };
  /** Reads the identity store; rejects when it can't be read. */
  readonly identity: () => Promise<{
    readonly damagedRows: number;
    /** Why it took no change when it was last asked to; undefined when it did. */
    readonly refusal: LodeError | undefined;
  }>;
};

/** Dependencies of the application. Nothing in it knows which engines these are. */
export type Ports = {
  readonly eventStore: EventStore;
  /** What `eventStore` has acknowledged to this program. */
  readonly acknowledged: Acknowledged;
  readonly readStore: ReadStoreReader;
  readonly identity: Identity;
  readonly files: FileStore;
  readonly projections: ProjectionFeed;
  readonly processes: Processes;
  /** The time to go by, whatever the machine's clock says. */
  readonly clock: Clock;
  /** Why nothing is written just now, because the machine's clock is not accepted. */
  readonly hold: Hold;
  readonly clockState: () => ClockState;
  /** Whether the disk takes what commands write. */
  readonly hasRoom: () => boolean;
  /** Whether there is room for uploads. */
  readonly storage: Storage;
  readonly condition: Condition;
  readonly timers: Timers;
  readonly random: Random;
};
