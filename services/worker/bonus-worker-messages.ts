import type { BonusBatch, Tally } from '#application';
import type { EnginesHandle } from '#engines';
import type { SerializedError } from '#kernel';

/** What a thread that pays is started with. */
export type BonusWorkerData = {
  readonly engines: EnginesHandle;
  /** Memory that its states may take. */
  readonly cacheBytes: number;
  /** The program's clock. */
  readonly clock: SharedArrayBuffer;
};

/** What the program says to it. Each batch is answered. */
export type ToBonusWorker =
  | { readonly kind: 'pay'; readonly batchId: number; readonly batch: BonusBatch }
  /** Only when nothing is under way. */
  | { readonly kind: 'close' };

/** What it answers about a batch: what it came to, or what an engine failed with. */
export type FromBonusWorker =
  | { readonly kind: 'paid'; readonly batchId: number; readonly tally: Tally }
  | ({ readonly kind: 'failed'; readonly batchId: number } & SerializedError);
