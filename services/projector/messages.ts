import type { RunnerHealth, RunnerReport } from '#projections';

/** Where the projector's thread finds the log, the read models and the person keys. */
export type ProjectorFiles = {
  readonly logFile: string;
  readonly readModelsFile: string;
  readonly identityFile: string;
};

/** What the program says to the projector's thread. `listening` is whether anybody hears of changed documents. */
export type ToProjector =
  | { readonly kind: 'wake' }
  | { readonly kind: 'listening'; readonly listening: boolean }
  | { readonly kind: 'health'; readonly asked: number }
  | { readonly kind: 'stop' };

/** What the thread says. */
export type FromProjector =
  | { readonly kind: 'report'; readonly report: RunnerReport }
  | { readonly kind: 'health'; readonly asked: number; readonly health: RunnerHealth }
  | { readonly kind: 'discarded'; readonly reason: string; readonly movedTo: string }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'stopped' };
