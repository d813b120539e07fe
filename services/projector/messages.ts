import type { EnginesHandle } from '#engines';
import type { Position, SerializedError } from '#kernel';
import type { EventPlace, FollowUp, FollowUpsRead } from '#reactors';
import type { Replayed, RunnerHealth, RunnerReport } from '#projections';

/** What the projector's thread is started with. */
export type ProjectorData = { readonly engines: EnginesHandle };

/** What the program says to the projector's thread. `listening` is whether anybody hears of changed documents. */
export type ToProjector =
  | { readonly kind: 'listening'; readonly listening: boolean }
  | { readonly kind: 'ask'; readonly asked: number; readonly question: Question }
  | { readonly kind: 'stop' };

/** What is asked of the projector; each is answered. */
export type Question =
  | { readonly what: 'health' }
  | { readonly what: 'rebuild'; readonly model: string }
  /** Parked events of a stream, or of all. */
  | { readonly what: 'replay'; readonly model: string; readonly stream: string | undefined }
  /** What follows from the log by a reactor, or from one event that was read before. */
  | {
      readonly what: 'followUps';
      readonly reactor: string;
      readonly after: Position;
      readonly limit: number;
    }
  | { readonly what: 'followUp'; readonly reactor: string; readonly place: EventPlace };

/** The answer to each question. */
export type AnswerTo = {
  readonly health: RunnerHealth;
  readonly rebuild: null;
  readonly replay: Replayed;
  readonly followUps: FollowUpsRead<unknown>;
  readonly followUp: FollowUp<unknown> | undefined;
};

/** What the thread says. */
export type FromProjector =
  | { readonly kind: 'report'; readonly report: RunnerReport }
  | { readonly kind: 'answer'; readonly asked: number; readonly answer: AnswerTo[Question['what']] }
  | ({ readonly kind: 'refusal'; readonly asked: number } & SerializedError)
  | { readonly kind: 'discarded'; readonly reason: string; readonly movedTo: string }
  | ({ readonly kind: 'refused' } & SerializedError)
  /** The log has grown by something that these reactors handle; it may be told for nothing. */
  | { readonly kind: 'due'; readonly reactors: readonly string[] }
  | { readonly kind: 'ready' }
  | { readonly kind: 'stopped' };
