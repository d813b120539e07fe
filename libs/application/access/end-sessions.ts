import { sentBy } from '../command.js';
import { callerContext, type AccessContext, type VisitorContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';

type Dependencies = Pick<AccessDependencies, 'identity' | 'accessAudit'>;

/** Ends the sessions that these access and refresh tokens belong to. A token of nobody is fine. */
export class SignOut extends sentBy('visitor')<void> {
  constructor(
    override readonly context: VisitorContext,
    readonly tokens: readonly (string | undefined)[],
    /** Where they are shown, when that is at the identity door: they are nobody's there unless they are of it. */
    readonly at?: 'door',
  ) {
    super();
  }
}

export class SignOutHandler {
  constructor(private readonly dependencies: Dependencies) {}

  async execute({ context: { client }, tokens, at }: SignOut): Promise<void> {
    const { identity, accessAudit } = this.dependencies;
    for (const token of tokens) {
      const ended = await identity.sessions.endSessionOf(token, at);
      if (ended === undefined) continue;
      const { userId, sessionId } = ended;
      // Whoever has the token is the person.
      const command = { type: 'RecordSessionEnd', sessionId, why: 'signed_out' } as const;
      await accessAudit.note(userId, command, callerContext(ended, client));
    }
  }
}

/** Ends one session of a person, who may be somebody else when an admin asks; says how many ended. */
export class EndSession extends sentBy('user', 'admin')<number> {
  constructor(
    override readonly context: AccessContext,
    readonly userId: string,
    readonly sessionId: string,
  ) {
    super();
  }
}

export class EndSessionHandler {
  constructor(private readonly dependencies: Dependencies) {}

  execute({ context, userId, sessionId }: EndSession): Promise<number> {
    return endSession(this.dependencies, context, userId, sessionId);
  }
}

/** Ends one session of a person, for whoever `context` says; gives how many ended. */
export async function endSession(
  { identity, accessAudit }: Dependencies,
  context: AccessContext,
  userId: string,
  sessionId: string,
): Promise<number> {
  if (!(await identity.sessions.endSession(sessionId, userId))) return 0;
  await accessAudit.note(userId, { type: 'RecordSessionEnd', sessionId, why: 'ended' }, context);
  return 1;
}

/** Ends all sessions of a person, who may be somebody else when an admin asks, but for `except`; says how many ended. */
export class EndSessions extends sentBy('user', 'admin')<number> {
  constructor(
    override readonly context: AccessContext,
    readonly userId: string,
    readonly except?: string,
  ) {
    super();
  }
}

export class EndSessionsHandler {
  constructor(private readonly dependencies: Dependencies) {}

  async execute({ context, userId, except }: EndSessions): Promise<number> {
    const { identity, accessAudit } = this.dependencies;
    const ended = await identity.sessions.endAllSessions(userId, except);
    const kept = except === undefined ? {} : { except };
    await accessAudit.note(userId, { type: 'RecordSessionsEnd', why: 'ended', ...kept }, context);
    return ended;
  }
}
