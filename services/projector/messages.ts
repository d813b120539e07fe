import type { EnginesHandle, ModelsNotice } from '#engines';
import type { Lanes, Position, Sampling, SerializedError, Span } from '#kernel';
import type { EventPlace, FollowUp, FollowUpsRead, ReactorCommands, ReactorName } from '#reactors';
import type { Damage } from '#read-store';
import type { ParkedEvent, ParkedQuery, Replayed, RunnerHealth, RunnerReport } from '#projections';

/** What the projector's thread is started with. */
export type ProjectorData = {
  readonly engines: EnginesHandle;
  /** The traces of which it tells spans; undefined where nobody traces. */
  readonly sampling?: Sampling | undefined;
  /** Whether commands are answered in the same program: they go first then. */
  readonly isBesideCommands: boolean;
};

/** What the program says to the projector's thread. `listening` is whether anybody hears of changed documents. */
export type ToProjector =
  | { readonly kind: 'listening'; readonly listening: boolean }
  | { readonly kind: 'ask'; readonly questionId: number; readonly question: Question }
  | { readonly kind: 'stop' };

/** What is asked of the projector; each is answered. */
export type Question<Name extends ReactorName = ReactorName> =
  /** To fold these lanes from now on, which no other program does, and to end it again. */
  | { readonly what: 'lead'; readonly lanes: Lanes }
  | { readonly what: 'standBy' }
  | { readonly what: 'health' }
  | { readonly what: 'rebuild'; readonly model: string }
  | { readonly what: 'mend'; readonly damage: Damage }
  /** What read models have had of a stream that is forgotten at a position. */
  | { readonly what: 'overwrite'; readonly position: Position; readonly stream: string }
  | { readonly what: 'cancelRebuild'; readonly model: string }
  | { readonly what: 'parked'; readonly model: string; readonly asked: ParkedQuery }
  | { readonly what: 'discard'; readonly model: string; readonly eventId: string }
  /** Parked events of a stream, or of all. */
  | { readonly what: 'replay'; readonly model: string; readonly stream: string | undefined }
  /** What follows from the log by a reactor, or from one event that was read before. */
  | {
      readonly what: 'followUps';
      readonly reactor: Name;
      readonly after: Position;
      readonly limit: number;
    }
  | { readonly what: 'followUp'; readonly reactor: Name; readonly place: EventPlace };

/** The answer to each question. */
export type AnswerTo<Name extends ReactorName = ReactorName> = {
  readonly lead: null;
  readonly standBy: null;
  /** Without models while another program runs the projections. */
  readonly health: Pick<RunnerHealth, 'models'>;
  readonly rebuild: null;
  readonly mend: null;
  readonly overwrite: null;
  readonly cancelRebuild: boolean;
  readonly parked: readonly ParkedEvent[];
  readonly discard: Replayed | undefined;
  readonly replay: Replayed;
  readonly followUps: FollowUpsRead<ReactorCommands[Name]>;
  readonly followUp: FollowUp<ReactorCommands[Name]> | undefined;
};

/** What the thread says. */
export type FromProjector =
  | { readonly kind: 'report'; readonly report: RunnerReport }
  | { readonly kind: 'answer'; readonly questionId: number; readonly answer: AnswerTo[Question['what']] }
  | ({ readonly kind: 'refusal'; readonly questionId: number } & SerializedError)
  | { readonly kind: 'notice'; readonly notice: ModelsNotice }
  | ({ readonly kind: 'refused' } & SerializedError)
  /** The log has grown by something that these reactors handle; it may be told for nothing. */
  | { readonly kind: 'due'; readonly reactors: readonly string[] }
  /** Something of a trace that has ended. */
  | { readonly kind: 'span'; readonly span: Span }
  | { readonly kind: 'ready' };

/** The projector's thread as the program sees it. */
export type ProjectorThread = {
  /** Says nothing to one that has ended. */
  readonly tell: (message: ToProjector) => void;
  readonly onMessage: (listener: (message: FromProjector) => void) => void;
  /** Hears once that it has ended, and what it died of, if it died. */
  readonly onEnd: (listener: (error: Error | undefined) => void) => void;
};
