import type { LodeError } from '#kernel';
import type { Pending } from '../command.js';
import { contextOf, type TallyCommand, type TallyEvent } from './tally.js';

/** A command under a key that waits for its answer, and the answers that it has been given: one, when all is well. */
export type Asked = Pending<TallyCommand, TallyEvent> & { readonly answers: readonly unknown[] };

export function asked(key: string, command: TallyCommand | LodeError, body?: string): Asked {
  const answers: unknown[] = [];
  const answer = (one: unknown) => void answers.push(one);
  return { command, context: contextOf(key, body), resolve: answer, reject: answer, answers };
}
