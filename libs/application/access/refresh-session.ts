import type { Tokens } from '#identity';
import { sentBy } from '../command.js';
import { admit } from './admission.js';
import type { VisitorContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import type { SignedIn } from './sign-in.js';

/**
 * Goes on with a session. Refuses with `token_missing`, `token_invalid`, `token_expired`, `too_many_attempts`,
 * `account_suspended`, `account_not_found`.
 */
export class RefreshSession extends sentBy('visitor')<SignedIn> {
  constructor(
    override readonly context: VisitorContext,
    readonly refreshToken: string | undefined,
    /** Gets the tokens before anything that can fail: the old one is used up. */
    readonly handOver: (tokens: Tokens) => void,
    /** Where it goes on, when that is at the identity door: only what began there does. */
    readonly at?: 'door',
  ) {
    super();
  }
}

export class RefreshSessionHandler {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context, refreshToken, handOver, at }: RefreshSession): Promise<SignedIn> {
    const tokens = await this.dependencies.identity.sessions.refresh(refreshToken, context.client, at);
    handOver(tokens);
    return { tokens, firstname: await admit(this.dependencies, tokens.session.userId) };
  }
}
