import type { MessagePort } from 'node:worker_threads';
import type { Bell } from '#bell';
import type { ClockMarks, ClockRequests } from '#clock';
import type { LeftNotes } from './left-notes.js';
import type { EventKinds, EventStore } from '#event-store';
import type { FileStore } from '#files';
import type { IdentityStore, KeyRing, PersonKeysReader } from '#identity';
import type { Jobs, JobsOptions } from '#jobs';
import type { Lease, Leases } from '#leases';
import type { MailTransport } from '#mail';
import type { Member, Reads } from '#membership';
import type { Orders } from '#orders';
import type { Checkpoints, StoredReactor } from '#reactors';
import type { Build, BuildState, Discarded, ReadStore, ReadStoreReader } from '#read-store';
import type { StillHere } from './still-here.js';

/** One setting as it is shown: without passwords, and with where its value comes from. */
export type ShownSetting = { readonly name: string; readonly value: string; readonly source: string };

/** Where the engines are. */
export type EngineSettings = {
  /** The folder that the embedded engines keep everything in, and that a program has to itself. */
  readonly dataFolder: string;
  /** Where the log is instead: `esdb://name:password@host:2113?tls=true`. */
  readonly eventStoreUrl?: string | undefined;
  /** Where identity, read models, leases and what reactors remember are instead: `mongodb://name:password@host/lode`. */
  readonly mongodbUrl?: string | undefined;
  /** Where jobs are kept instead: `redis://name:password@host:6379/0`, or `rediss://…`. */
  readonly redisUrl?: string | undefined;
  /** A Redis that can't be reached doesn't keep the program from opening: it begins no runs of jobs. */
  readonly redisMayBeAway?: boolean;
  /** Where the contents of uploaded files are instead: `https://KEY:SECRET@host/bucket`. */
  readonly s3Url?: string | undefined;
  /** Where mails are handed over: `smtp://name:password@host:587`. Without it they wait in the identity store. */
  readonly smtpUrl?: string | undefined;
  /** The address that mails come from. */
  readonly mailFrom?: string | undefined;
  /** What people's secrets in the identity store are sealed with; nothing is unless set. */
  readonly keys?: KeyRing | undefined;
  /** What a program that serves is set to, for whoever looks while it runs. */
  readonly sources?: readonly ShownSetting[];
  /** Of each type of events the newest version that the program can read: a log with others is refused. Any when left out. */
  readonly knownKinds?: EventKinds;
  /** Whether the program may run the projections, as it tells others; it does unless set. */
  readonly projects?: boolean;
  /** The version of the program, which is kept with a log that it has to write; nothing is unless set. */
  readonly program?: string;
  /** How far log and identities may be ahead of the head that was kept last, as after a death; `HEAD_TOLERANCE` unless set. */
  readonly headTolerance?: HeadTolerance | undefined;
  /** How long MongoDB is looked for, in milliseconds; as long as its adapters say unless set. */
  readonly selectMs?: number;
};

/** How far the stores may be ahead of their head. */
export type HeadTolerance = {
  /** Between the first event after it and the last of the log, in milliseconds by the events' own instants. */
  readonly logMs: number;
  /** Changes of identities. */
  readonly changes: number;
};

/** Hears, a sentence at a time, what a person who starts a program should know: what was damaged and is made anew. */
export type Tell = (sentence: string) => void;

/** The log as those who only read it see it. */
export type LogReader = Pick<
  EventStore,
  'readStream' | 'readStreams' | 'readAll' | 'readTypes' | 'head' | 'last' | 'header' | 'kinds' | 'close'
>;

/** The stores that commands go through. */
export type Stores = {
  readonly events: EventStore;
  readonly identity: IdentityStore;
  readonly files: FileStore;
  /** What queries read; written by whoever opens it in a thread that joined, or by the command line. */
  readonly models: ReadStoreReader;
  /** How many lanes the read models have: as many programs may share the folding. */
  readonly lanes: number;
  readonly stillHere: StillHere;
  /**
   * Keeps how far log and identities have come, if that is further than what was kept. `isAnew` keeps it whatever was kept
   * before: for what changes them by intent.
   */
  readonly keepHead: (isAnew?: boolean) => Promise<void>;
  /** Closes all of them, newest first; the head is kept before. */
  readonly close: () => Promise<void>;
};

/** What a program knows of those that share its servers. */
export type Programs = {
  /** What a newer program wrote, or made of read models, that this one can't read; nothing while there is none. */
  readonly beyond: () => Reads;
  /** Those that were there at the last look, this one among them; none where there can be no other. */
  readonly members: () => readonly Member[];
};

/** The engines of a program that serves. */
export type Engines = Stores & {
  /** What this program is called among those that share its servers; empty for the only one. */
  readonly owner: string;
  /** Those that share the engines, and what they have written that this one can't read. */
  readonly programs: Programs;
  /** True when there was no folder of uploaded files, and an empty one was made. */
  readonly hasNewUploads: boolean;
  /** Whether the disk of the data folder, if anything that commands write is there, has room for more. */
  readonly hasRoom: () => boolean;
  /** The disk that has the uploaded files; undefined where they are on a server, or it does not say. */
  readonly diskOfFiles: () => { readonly freeBytes: number; readonly totalBytes: number } | undefined;
  /** Where reactors remember how far they are. A save under a lease that another has replaced is refused with `conflict`. */
  readonly openCheckpoints: (lease: Pick<Lease, 'name' | 'epoch'>) => Checkpoints;
  /** What another program that runs the reactors has stored of them; none where there is no other. */
  readonly storedReactors: () => Promise<readonly StoredReactor[]>;
  /** For what may have one active runner among all programs on the same engines. */
  readonly leases: Leases;
  /** What any of the programs wants done by whichever runs the projections or the reactors; undefined where there is one alone. */
  readonly orders: Orders | undefined;
  /** Wakes whoever waits for what another program does. */
  readonly bell: Bell;
  /** How far the time has come. */
  readonly clockMarks: ClockMarks;
  /** What commands beside the program ask of it. */
  readonly clockRequests: ClockRequests;
  /** What they have given out. */
  readonly leftNotes: LeftNotes;
  readonly createJobs: (options: JobsOptions) => Jobs;
  /** Where mails are handed over; undefined where that is nowhere. */
  readonly mail: MailTransport | undefined;
  /** A handle to post to another thread, once; `joinEngines` makes ports of it there. */
  readonly share: () => EnginesHandle;
};

declare const shared: unique symbol;

/** What `joinEngines` takes. Post it as `workerData` with `transferList: handle.transfer`; what else is in it, this library alone knows. */
export type EnginesHandle = {
  readonly transfer: MessagePort[];
  readonly [shared]: true;
};

/** What was wrong with read models when they were opened, and was mended. */
export type ModelsNotice =
  | ({ readonly kind: 'set aside' } & Discarded)
  | { readonly kind: 'indexes made again'; readonly model: string; readonly count: number };

/** The engines in another thread of the program that shared them. Each part is closed by whoever asked for it. */
export type JoinedEngines = {
  /** Reads by itself, and appends by the program's one writer where it has one. To be closed before the program closes its own. */
  readonly openEvents: () => Promise<EventStore>;
  /**
   * The read models to be written, some lanes of them or all, by one thread alone. What was wrong with them and is mended `tell`
   * hears.
   */
  readonly openModels: (tell: (notice: ModelsNotice) => void, own?: readonly number[]) => Promise<ReadStore>;
  readonly openPersonKeys: () => Promise<PersonKeysReader>;
  /** Whether queries may read a build, where they have read one of another version so far, or none. */
  readonly mayActivate: (build: Build) => Promise<boolean>;
};

/** The read models as they stood at one moment, or, on a server, beside whoever goes on writing. To be closed soon. */
export type ModelsSnapshot = Pick<ReadStoreReader, 'get' | 'getMany' | 'list' | 'close'> & {
  readonly builds: () => Promise<readonly BuildState[]>;
  readonly goesOn?: true;
};

/** Something that doesn't fit together in the data as a whole, and what to do about it. */
export type Mismatch = { readonly what: string; readonly todo: string };
