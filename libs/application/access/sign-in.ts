import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { foldEmail, type Client, type DoorSignIn, type Person, type Tokens } from '#identity';
import { hasCode, isLodeError } from '#kernel';
import { sentBy } from '../command.js';
import { admit } from './admission.js';
import type { VisitorContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { beginAttempt, noteRefusedSignIn } from './guessing.js';
import { reconcileAccess } from './reconcile.js';

/** Somebody who is signed in from now on. */
export type SignedIn = { readonly tokens: Tokens; readonly firstname: string };

/** An e-mail and the password that goes with it. */
type EmailAndPassword = { readonly email: string; readonly password: string };

/**
 * Opens a session by e-mail and password. Refuses with `invalid_credentials`, `too_many_attempts`, `account_suspended`,
 * `account_not_found`.
 */
export class SignIn extends sentBy('visitor')<SignedIn> {
  constructor(
    override readonly context: VisitorContext,
    readonly credentials: EmailAndPassword,
    /** Where the session begins, when it is at the identity door. */
    readonly at?: 'door',
  ) {
    super();
  }
}

@CommandHandler(SignIn)
export class SignInHandler implements ICommandHandler<SignIn> {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context: { client }, credentials, at }: SignIn): Promise<SignedIn> {
    const { identity } = this.dependencies;
    const { email } = credentials;
    const attempt = { account: foldEmail(email), address: client.address };
    await beginAttempt(this.dependencies, attempt, () => identity.credentials.knownByEmail(email));
    try {
      const person = await verifyPassword(this.dependencies, credentials).catch((error: unknown) => {
        if (hasCode(error, 'overloaded')) identity.attempts.notLookedAt(attempt);
        throw error;
      });
      identity.attempts.succeeded(attempt);
      await identity.ownNetworks.remember(person.userId, client.address);
      const firstname = await admit(this.dependencies, person.userId);
      const door = at === 'door' ? ({ at: 'now' } as const) : undefined;
      const tokens = await startSession(this.dependencies, person, client, door);
      return { tokens, firstname };
    } catch (error) {
      const known = await identity.credentials.knownByEmail(email);
      if (known !== undefined) await noteRefusedSignIn(this.dependencies, known.userId, client, error);
      throw error;
    }
  }
}

/** Whose password this is. */
async function verifyPassword(
  dependencies: AccessDependencies,
  { email, password }: EmailAndPassword,
): Promise<Person> {
  const { credentials } = dependencies.identity;
  try {
    return await credentials.verifyPassword(email, password);
  } catch (error) {
    // Somebody whom the log has let in again may still be kept out here, when a program was cut off between the two.
    if (!isLodeError(error) || error.code !== 'account_suspended') throw error;
    const known = await credentials.knownByEmail(email);
    if (known !== undefined) await reconcileAccess(dependencies, known.userId);
    return credentials.verifyPassword(email, password);
  }
}

/** Begins a session. One that the audit could not be told of ends before anybody has its tokens. */
export async function startSession(
  { identity, accessAudit }: AccessDependencies,
  person: Person,
  client: Client,
  door?: DoorSignIn,
): Promise<Tokens> {
  const tokens = await identity.sessions.start(person, client, door);
  try {
    await accessAudit.signedIn(tokens.session, client);
  } catch (error) {
    await identity.sessions.endSession(tokens.session.sessionId);
    throw error;
  }
  return tokens;
}
