import type { EngineSettings } from '#engines';
import type { SerializedError } from '#kernel';

/** What the program has a process of its own do. */
export type ChoreOrder = { readonly settings: EngineSettings } & (
  | { readonly chore: 'verify' }
  | {
      readonly chore: 'backup';
      /** Where nothing is yet. */
      readonly folder: string;
      /** Bytes that a backup leaves free on the disk that it goes to. */
      readonly keepFree: number;
    }
);

/** What that process says while it is at it, and once at its end. */
export type FromChore =
  | {
      readonly kind: 'progress';
      readonly step: string;
      readonly looked: number;
      readonly of: number | undefined;
    }
  /** The folder of a backup is there, and its own. */
  | { readonly kind: 'made' }
  | { readonly kind: 'done'; readonly wrong: readonly string[] }
  | ({ readonly kind: 'failed' } & SerializedError);
