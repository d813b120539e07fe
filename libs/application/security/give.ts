import type { CallerContext, VisitorContext } from '../access/context.js';
import type { Position } from '#kernel';
import { sentBy } from '../command.js';
import type { SecurityLog } from './log.js';
import type { SecurityObject } from './writing.js';

/**
 * Notes what the caller is about to be given: a list as a file, or as an admin what is a person's. Gives where
 * the note is in the log. Rejects with `unavailable` when that can't be written, and then it is not given.
 */
export class NoteGiven extends sentBy('visitor', 'user', 'admin')<Position> {
  constructor(
    override readonly context: CallerContext | VisitorContext,
    readonly what: { readonly type: 'ListExported' | 'PersonRead' } & SecurityObject,
  ) {
    super();
  }
}

export class NoteGivenHandler {
  constructor(private readonly parts: { readonly security: SecurityLog }) {}

  execute({ context, what: { type, ...what } }: NoteGiven): Promise<Position> {
    const session = 'session' in context ? sessionOf(context) : undefined;
    return this.parts.security.given(type, { session, client: context.client }, what);
  }
}

function sessionOf({ actor, session }: CallerContext) {
  return { userId: actor.id, role: actor.role, sessionId: session };
}
