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
  readonly jobs: Pick<Jobs, 'reach' | 'schedules' | 'runs' | 'runNow'>;
  /** Whether a program is there that runs jobs; rejects with `unavailable` when that can't be read. */
  readonly jobsCondition: () => Promise<JobsCondition>;
  /** Those that this program runs; none where another one does. */
  readonly reactors: () => readonly ReactorHealth[];
  /** How reactors that another program runs stand, as it has stored them. */
  readonly reactorsElsewhere: () => Promise<readonly ReactorHealth[]>;
  /** Has everything tried again at once that reactors could not do, by whichever program runs them. */
  readonly retryReactors: () => Promise<void>;
};

/** Whether a program is there that runs jobs. */
export type JobsCondition = {
  /** Whether this program runs them: it does nothing else, it does so beside all else, or it leaves them to others. */
  readonly runsJobs: 'only' | 'also' | 'no';
  /** Why it can't reach the store that runs are kept in; undefined while it can, and where it runs none. */
  readonly failure: LodeError | undefined;
  /** How long no program has been seen that could run them, in milliseconds: 0 while one is. */
  readonly unseenMs: number;
};

/** The program's own log: what whoever runs the program is to read about. */
export type ProgramLog = { readonly error: (facts: object, message: string) => void };

/** What the program has met that is not as it should be. */
export type Condition = {
  /** The look at everything that is kept, and whether this program does it. */
  readonly scrub: () => { readonly isOurs: boolean; readonly state: ScrubState };
  /** What a newer program has written, or made of read models, that this one can't read: of each the version. */
  readonly beyond: () => {
    readonly kinds: Readonly<Record<string, number>>;
    readonly models: Readonly<Record<string, number>>;
  };
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

/** What the program is: its version, and each of its settings as it is shown, without passwords. */
export type Program = {
  readonly version: string;
  readonly settings: readonly { readonly name: string; readonly value: string; readonly source: string }[];
  /** Milliseconds that only go forwards. */
  readonly monotonic: () => number;
};

/** Work that an admin orders of the program, which goes on beside everything else: one of each at a time. */
export type ChoreName = 'backup' | 'verify';

/** Such work as it stands, or as it ended. */
export type ChoreRun = {
  readonly state: 'running' | 'done' | 'failed' | 'canceled';
  /** ISO instants. */
  readonly begunAt: string;
  readonly endedAt: string | null;
  /** What it is at, or was at last; how much of that it has seen, and of how much where that is known. */
  readonly step: string;
  readonly looked: number;
  readonly of: number | null;
  /** What it found to be wrong, a sentence each. */
  readonly wrong: readonly string[];
  /** Why it came to no end, in words for callers. */
  readonly failure: string | null;
};

/** The newest backup that there is. */
export type LastBackup = {
  readonly name: string;
  readonly madeAt: string;
  readonly events: number;
  readonly bytes: number;
};

/** What is ordered of the program beside its work. */
export type Chores = {
  /** Where backups go, or why the program makes none. */
  readonly backups: {
    readonly way: 'folder' | 'unset' | 'servers';
    readonly folder: string | null;
    readonly last: () => Promise<LastBackup | null>;
  };
  /** The last one, or the one under way. */
  readonly run: (name: ChoreName) => ChoreRun | null;
  /** Begins one: false while one is under way, which is left to its end, and once the program stops. */
  readonly begin: (name: ChoreName) => boolean;
  /** Ends the one that began then, whatever it is at: false when it is not under way. */
  readonly cancel: (name: ChoreName, begunAt: string) => Promise<boolean>;
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
  readonly program: Program;
  readonly chores: Chores;
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
