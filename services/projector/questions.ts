import { deserializeError, LodeError, plainFailure, type Timers } from '#kernel';
import type { ReactorName } from '#reactors';
import type { AnswerTo, FromProjector, Question, ToProjector } from './messages.js';

/** Questions that may wait for the projector, and how long each kind does, in milliseconds. */
const QUESTIONS_MAX = 100;
const ANSWER_MS = {
  lead: 600_000,
  standBy: 60_000,
  health: 2_000,
  rebuild: 10_000,
  mend: 60_000,
  overwrite: 600_000,
  cancelRebuild: 10_000,
  parked: 10_000,
  discard: 60_000,
  replay: 60_000,
  followUps: 30_000,
  followUp: 30_000,
} as const;

/** Questions to the projector's thread and whoever waits for their answers. */
export type Questions = {
  /** Rejects with `unavailable` when the projector does not answer in time, or has ended. */
  readonly ask: <What extends Question['what'], Name extends ReactorName>(
    question: Extract<Question<Name>, { what: What }>,
  ) => Promise<AnswerTo<Name>[What]>;
  readonly settle: (message: Extract<FromProjector, { kind: 'answer' | 'refusal' }>) => void;
  /** Rejects everything that waits, and whatever is asked until `begin`. */
  readonly end: (why: string) => void;
  /** There is a projector again that answers. */
  readonly begin: () => void;
};

type Waiting = {
  readonly resolve: (answer: AnswerTo[Question['what']]) => void;
  readonly reject: (error: LodeError) => void;
};

/** Asks by `tell`, at most so many questions at once. */
export function createQuestions(tell: (message: ToProjector) => void, timers: Timers): Questions {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let ended: string | undefined;
  return {
    ask: <What extends Question['what'], Name extends ReactorName>(
      question: Extract<Question<Name>, { what: What }>,
    ) => {
      if (ended !== undefined) return Promise.reject(over(ended));
      if (waiting.size >= QUESTIONS_MAX) return Promise.reject(silent());
      return new Promise<AnswerTo<Name>[What]>((resolve, reject) => {
        const questionId = (last += 1);
        const giveUp = timers.after(ANSWER_MS[question.what], () => {
          waiting.delete(questionId);
          reject(silent());
        });
        waiting.set(questionId, {
          resolve: (answer) => {
            giveUp();
            // What crosses a thread has no type of its own; the thread answers each question with its own answer.
            resolve(answer as AnswerTo<Name>[What]);
          },
          reject: (error) => {
            giveUp();
            reject(error);
          },
        });
        tell({ kind: 'ask', questionId, question });
      });
    },
    settle: (message) => {
      const asker = waiting.get(message.questionId);
      waiting.delete(message.questionId);
      if (message.kind === 'answer') asker?.resolve(message.answer);
      else asker?.reject(deserializeError(message));
    },
    end: (why) => {
      ended ??= why;
      for (const { reject } of waiting.values()) reject(over(why));
      waiting.clear();
    },
    begin: () => {
      ended = undefined;
    },
  };
}

function over(why: string): LodeError {
  return new LodeError('unavailable', `The projector has ended: ${why}`);
}

function silent(): LodeError {
  return plainFailure('unavailable', 'The projector does not answer.');
}
