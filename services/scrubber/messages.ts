import type { EngineSettings } from '#engines';
import type { SerializedError } from '#kernel';
import type { Look } from '#scrub';

/** What the program says to the process that looks. The first message is where the engines are. */
export type ToLooker =
  | { readonly kind: 'open'; readonly settings: EngineSettings }
  | { readonly kind: 'look'; readonly part: string; readonly place: string | undefined };

/** What it answers each look with. */
export type FromLooker =
  { readonly kind: 'looked'; readonly look: Look } | ({ readonly kind: 'failed' } & SerializedError);
