import type { ClockMark, ClockMarks, ClockRequests } from '#clock';
import type { EventStore } from '#event-store';
import type { PersonKeysReader, SealKey } from '#identity';
import type { JobRun, RunByHand } from '#jobs';
import type { Position } from '#kernel';
import type { DivergedBuild } from '#projections';
import type { StoredReactor } from '#reactors';
import type { ReadStore } from '#read-store';
import type { Closable } from './closing.js';
import type { LogReader, Mismatch, ModelsSnapshot, ShownSetting, Stores } from './engines.js';
import type { Disk } from './disk.js';
import type { OpenUploads } from './files.js';
import type { FolderState, Part } from './folder-state.js';
import type { HeadReport } from './heads.js';
import type { IdentityRows } from './identity.js';
import type { LeftNotes } from './left-notes.js';

/** What reactors and jobs have kept. */
export type Remembered = {
  readonly reactors: readonly StoredReactor[];
  /** The run of each job that began last. */
  readonly lastRuns: readonly JobRun[];
};

/**
 * The engines to be looked at, beside a program that runs or without one; nothing is written. Each part is opened when it
 * is asked for, so that one that is broken hides no other, and closed by whoever asked.
 */
export type Inspection = {
  /**
   * The position that follows another in the log: where a later one comes, an event is missing. Undefined for a log whose
   * positions are not counted by ones.
   */
  readonly nextPosition: ((position: Position) => Position) | undefined;
  readonly openLog: () => Promise<LogReader>;
  readonly openPersonKeys: () => Promise<PersonKeysReader>;
  /** The keys that the identity store may be wrapped with. */
  readonly sealKeys: () => Promise<readonly SealKey[]>;
  /** What identity keeps, to be compared with its checksums; undefined where there is no identity store. */
  readonly openIdentityRows: () => Promise<IdentityRows | undefined>;
  /** How many keys of people were given up as lost. */
  readonly lostPersonKeys: () => Promise<number>;
  /** Log and identities beside the head that was kept of them. */
  readonly headReport: () => Promise<HeadReport>;
  /** Undefined while there are none that this program can read. */
  readonly openModels: () => Promise<ModelsSnapshot | undefined>;
  /** Empty read models, to fold the log into; gone when they are closed, or this program ends. */
  readonly openScratchModels: () => ReadStore;
  /** Undefined when nothing is remembered, or the next start begins it anew. */
  readonly remembered: () => Promise<Remembered | undefined>;
  /** How far the time of the log has come; undefined where that was never kept. */
  readonly clockMark: () => Promise<ClockMark | undefined>;
  /** The way to ask the program that has the folder; undefined where no program had it yet. */
  readonly openClockRequests: () => Closable<ClockRequests> | undefined;
  /** For what is given out beside the program. */
  readonly leftNotes: LeftNotes;
  readonly openUploads: () => Promise<OpenUploads>;
  /** The run of each job that began last, where a server keeps the jobs; undefined where the folder does. */
  readonly runsOnServer: (() => Promise<readonly JobRun[]>) | undefined;
  /** Of each server in use that has one. */
  readonly serverChecks: readonly ServerCheck[];
  /** Everything that doesn't fit together, the gravest first. A program that serves refuses to start then. */
  readonly mismatches: () => Promise<readonly Mismatch[]>;
  /** What a newer program wrote to the log that this one can't read, in a sentence; undefined when there is nothing. */
  readonly newerEvents: () => Promise<string | undefined>;
  readonly maintenance: Maintenance;
  readonly close: () => Promise<void>;
};

/** A look at a server that is in use. */
export type ServerCheck = {
  /** Which server, and where, as it begins a sentence. */
  readonly name: string;
  /** What looks wrong with it, beside what fails when it is used. */
  readonly check: () => Promise<readonly Mismatch[]>;
};

/** The turn to run the projections. */
export type Turn = {
  /** Rejects when another has it by now. */
  readonly lost: Promise<never>;
  readonly release: () => Promise<void>;
};

/** The engines for a command that changes something: while no other program has them, or beside others on servers. */
export type ExclusiveEngines = Omit<Inspection, 'maintenance'> & {
  /** Refuses, with `storage_failed`, parts that don't fit together. */
  readonly openStores: () => Promise<Stores>;
  /**
   * The same, also when they don't fit the head that was kept of them, nor the read models. Closing them keeps no head: who
   * wants them to be gone on with keeps it anew.
   */
  readonly openStoresAsTheyAre: () => Promise<Stores>;
  /**
   * The same, to seal all secrets of identity with the first key. Refuses, with `not_permitted`, while somebody else is at work
   * there who does not have that key first.
   */
  readonly openStoresToRewrap: () => Promise<Stores>;
  /** The log by itself, to be filled, whatever fits. Where it is empty it gets an empty identity store beside it. */
  readonly openLogToFill: () => Promise<EventStore>;
  /** The turn to write the read models; undefined while another program, which shares them on a server, has it. */
  readonly takeProjector: () => Promise<Turn | undefined>;
  /** The read models to be written, by whoever has that turn. */
  readonly openModelsToWrite: () => Promise<ReadStore>;
  /** How many lanes they have. */
  readonly lanes: number;
  /**
   * The builds of read models that were made from another log. Refuses, with `storage_failed`, a log and an identity store
   * that don't fit together, and with `refuse` such builds too.
   */
  readonly divergedBuilds: (options: { readonly refuse: boolean }) => Promise<readonly DivergedBuild[]>;
  /** False where the identity store is missing, or its file is empty. */
  readonly hasIdentity: () => Promise<boolean>;
  /** What is remembered of the time of the log of this id. */
  readonly openClockMarks: (logId: string) => Promise<Closable<ClockMarks>>;
  /** Keeps a job's run that somebody did by hand. */
  readonly recordRun: (run: RunByHand) => Promise<void>;
  /** Lets reactors and jobs begin anew: what they remember is of another log. */
  readonly forgetRemembered: () => Promise<void>;
  readonly maintenance: Maintenance & OfflineMaintenance;
};

/** `done` things of `what` so far, of `total` when that is known. */
export type Progress = (what: string, done: number, total?: number) => void;

/** What is wrong with the structure of a database; empty for one that is whole. */
export type FileReport = { readonly file: string; readonly complaints: readonly string[] };

/** A look at a part's structure that takes a moment at most; one that is large is left out. */
export type QuickCheck = { readonly name: string; readonly isLeftOut: boolean; readonly complaint?: string };

/** What is done to files on a disk, beside a program that runs or without one. */
export type Maintenance = {
  /** Throws what the operating system says of a folder that may not be looked into, and `unavailable` without the server. */
  readonly hasLog: () => Promise<boolean>;
  /** Whether a program that serves has the folder now. Refuses one whose restore was not finished. */
  readonly isRunning: () => boolean;
  /** What the program that runs is set to; undefined when none does that says so. */
  readonly settingsOfProgram: () => readonly ShownSetting[] | undefined;
  /** What is there, seen from outside. */
  readonly look: () => FolderState;
  readonly disk: () => Pick<Disk, 'freeBytes' | 'totalBytes'>;
  /** How often a second the disk takes 4 KiB for good. Throws `storage_failed` or `storage_full` when it takes nothing. */
  readonly fsyncRate: () => number;
  /** Goes through the structure of the databases that can't be made again, as far as they are there. */
  readonly checkStructure: () => readonly FileReport[];
  /** Undefined for a part that is missing or empty. */
  readonly checkQuickly: (part: Part) => QuickCheck | undefined;
  /** Throws `storage_failed` when the list of uploaded files can't be read; the next start makes it anew. */
  readonly checkUploadsList: () => void;
  /** Copies everything that can't be made again into an empty folder, as it is at one moment. */
  readonly backUp: <Checked, Manifest extends object>(
    options: BackupOptions<Checked, Manifest>,
  ) => Promise<BackupResult<Checked, Manifest>>;
  /** Refuses, with `storage_failed`, a folder that is a backup whose files are not those that it was made with. */
  readonly checkSums: (files: BackupFiles, progress: Progress) => Promise<void>;
  /** Refuses, with `storage_failed`, a folder that has anything in it: a restore overwrites nothing. */
  readonly refuseUsed: () => void;
};

/** What is done to them while no program has them. */
export type OfflineMaintenance = {
  /** Copies the backup in a folder to where nothing is: wholly, or the next start refuses. */
  readonly restore: (backup: string, progress: Progress) => Promise<void>;
  /** Writes the read models, if there are any, anew without what was deleted or replaced in them: after an erasure. */
  readonly compact: () => Promise<void>;
};

/** How many files a backup has, what they weigh, and the SHA-256 of their list. */
export type BackupFiles = { readonly count: number; readonly bytes: number; readonly sums: string };

export type BackupOptions<Checked, Manifest extends object> = {
  /** A folder with nothing in it; made when it isn't there. */
  readonly to: string;
  /** Looks at the copy before anything else is done. What it throws ends the backup. */
  readonly check: (copy: Inspection) => Promise<Checked>;
  /** What is written last, as JSON: a folder that has it is a whole backup. */
  readonly manifest: (checked: Checked, files: BackupFiles) => Manifest;
  readonly progress: Progress;
};

export type BackupResult<Checked, Manifest extends object> = {
  readonly manifest: Manifest;
  /** What `check` said of the copy. */
  readonly checked: Checked;
  /** Uploaded files that are not what was stored. */
  readonly damaged: readonly { readonly id: string; readonly what: string }[];
};
