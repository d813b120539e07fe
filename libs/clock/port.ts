import type { ClockMark } from './rule.js';

/** Where it is remembered how far the time has come. Every adapter passes `describeClockMarks` in `clock/contract`. */
export interface ClockMarks {
  /** The furthest mark that was kept. Throws `unavailable` when that can't be told. */
  load(): Promise<ClockMark | undefined>;
  /** Keeps a mark that is further than the one kept so far, and gives the one that is kept then. Errors as `load`. */
  save(mark: ClockMark): Promise<ClockMark>;
}

/** An operator's wish to have the clock accepted, for the program that has the data folder. */
export type ClockRequest = { readonly id: string; readonly reason: string | undefined };

/** What became of it, as JSON: whoever asks and whoever answers may be of different versions. */
export type ClockAnswer = string;

/** How a command asks the program that runs on the same folder. Each asks by itself: the last one counts. */
export type ClockRequests = {
  readonly ask: (request: ClockRequest) => void;
  /** The request that was not answered yet. */
  readonly pending: () => ClockRequest | undefined;
  readonly answer: (id: string, answer: ClockAnswer) => void;
  readonly answerOf: (id: string) => ClockAnswer | undefined;
};
