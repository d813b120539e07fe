import type { BonusBatch, Tally } from '#application';
import type { EnginesHandle } from '#engines';
import type { SerializedError } from '#kernel';

/** What a thread that pays is started with. */
export type PayerData = { readonly engines: EnginesHandle };

/** What the program says to it. Each batch is answered. */
export type ToPayer =
  | { readonly kind: 'pay'; readonly number: number; readonly batch: BonusBatch }
  /** Only when nothing is under way. */
  | { readonly kind: 'close' };

/** What it answers about a batch: what it came to, or what an engine failed with. */
export type FromPayer =
  | { readonly kind: 'paid'; readonly batch: number; readonly tally: Tally }
  | ({ readonly kind: 'failed'; readonly batch: number } & SerializedError);
