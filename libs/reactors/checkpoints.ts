import type { Position } from '#kernel';

/** An event whose command failed, or that waits behind such a one of its key. */
export type ParkedEvent = {
  readonly position: Position;
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly key: string;
  /** 0 for one that only waits. */
  readonly attempts: number;
  /** What failed last; empty for one that only waits. */
  readonly error: string;
  /** When it failed first; ISO instant. */
  readonly since: string;
};

/** How far a reactor has got, and what it still owes of that. */
export type ReactorState = {
  readonly position: Position;
  /** The position is that of the n-th event of the log, from 1; 0 at the log's start. */
  readonly ordinal: number;
  readonly parked: readonly ParkedEvent[];
};

/** A reactor's state as of its last save. */
export type StoredReactor = ReactorState & { readonly name: string };

/** What has changed since; written whole or not at all. */
export type ReactorProgress = {
  readonly position: Position;
  readonly ordinal: number;
  readonly put: readonly ParkedEvent[];
  readonly remove: readonly Position[];
};

/**
 * Where reactors remember how far they are. It can be lost: they then begin at the start of the log, and every command
 * is found done. Every adapter passes `describeCheckpoints` in `reactors/contract`. Errors are `LodeError`s: `unavailable`,
 * `storage_full`, `storage_failed`, and `conflict` when the holder of a later lease has loaded or saved the same reactor.
 */
export interface Checkpoints {
  /** The log's start, with nothing parked, for a reactor that was never here. */
  load(reactor: string): Promise<ReactorState>;
  save(reactor: string, progress: ReactorProgress): Promise<void>;
}
