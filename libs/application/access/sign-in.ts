import { knownAgent } from '#contracts';
import {
  boundedClient,
  foldEmail,
  type Client,
  type DoorSignIn,
  type Known,
  type PasskeyAssertion,
  type PasskeyRequest,
  type Person,
  type Session,
  type Tokens,
} from '#identity';
import { hasCode, isLodeError, LodeError, sha256 } from '#kernel';
import { sentBy } from '../command.js';
import { admit } from './admission.js';
import { callerContext, type VisitorContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { endSession } from './end-sessions.js';
import { beginAttempt, confirmPasskey, confirmSecondFactor, noteRefusedSignIn } from './guessing.js';
import { createPasswordDuty, passwordRequired } from './password-duty.js';
import { reconcileAccess } from './reconcile.js';
import { tellPerson, type TellingDependencies } from '../mail/tell.js';

/** Somebody who is signed in from now on. */
export type SignedIn = { readonly tokens: Tokens; readonly firstname: string };

/** What somebody who has shown the password shows a code or a passkey with, to be signed in: within a few minutes, and once. */
export type SecondStep = {
  readonly challenge: string;
  readonly expiresAt: number;
  /** What a passkey of theirs can sign instead. */
  readonly passkey?: PasskeyRequest;
};

/** An e-mail and the password that goes with it. */
type EmailAndPassword = { readonly email: string; readonly password: string };

/**
 * Opens a session by e-mail and password; of whoever has a second factor none before a code was shown. Refuses with `invalid_credentials`, `too_many_attempts`, `account_suspended`,
 * `account_not_found`, and at the identity door with `password_change_required` whoever has the password that an admin chose.
 */
export class SignIn extends sentBy('visitor')<SignedIn | SecondStep> {
  constructor(
    override readonly context: VisitorContext,
    readonly credentials: EmailAndPassword,
    /** Where the session begins, when it is at the identity door. */
    readonly at?: 'door',
  ) {
    super();
  }
}

/** What a sign-in goes through. */
export type SignInDependencies = AccessDependencies & TellingDependencies;

export class SignInHandler {
  constructor(private readonly dependencies: SignInDependencies) {}

  async execute({ context: { client }, credentials, at }: SignIn): Promise<SignedIn | SecondStep> {
    const { identity } = this.dependencies;
    const { email } = credentials;
    const attempt = { account: foldEmail(email), address: client.address };
    await beginAttempt(this.dependencies, attempt, () => identity.credentials.knownByEmail(email));
    try {
      const person = await verifyPassword(this.dependencies, credentials).catch(async (error: unknown) => {
        if (hasCode(error, 'overloaded')) await identity.attempts.notLookedAt(attempt);
        throw error;
      });
      await identity.attempts.succeeded(attempt);
      if (await identity.secondFactors.isOn(person.userId)) {
        await admit(this.dependencies, person.userId);
        return await this.challenge(person);
      }
      if (at === 'door' && (await createPasswordDuty(identity.credentials)(person))) throw passwordRequired();
      const door = at === 'door' ? ({ at: 'now' } as const) : undefined;
      const entered = await enter(this.dependencies, { ...person, email: foldEmail(email) }, client, door);
      // One that was switched on meanwhile ended the sessions of before it, and this one may have begun after that.
      if (!(await identity.secondFactors.isOn(person.userId))) return entered;
      const caller = callerContext(entered.tokens.session, client);
      await endSession(this.dependencies, caller, person.userId, caller.session);
      return await this.challenge(person);
    } catch (error) {
      const known = await identity.credentials.knownByEmail(email);
      if (known !== undefined) await noteRefusedSignIn(this.dependencies, known.userId, client, error);
      throw error;
    }
  }

  private async challenge(person: Person): Promise<SecondStep> {
    const { token, expiresAt } = await this.dependencies.identity.links.issue('second-step', person);
    const passkey = await this.dependencies.identity.passkeys.askFor(person.userId, token);
    return { challenge: token, expiresAt, ...(passkey && { passkey }) };
  }
}

/** What is shown at the second step: one of the two. */
export type SecondStepProof = {
  readonly challenge: string;
  readonly code?: string | undefined;
  readonly passkey?: PasskeyAssertion | undefined;
};

/**
 * The second step of a sign-in: opens the session of whoever showed the password, by a code of the second factor, a recovery
 * code or a passkey. Refuses with `challenge_invalid` (the sign-in is to be begun anew), `second_factor_wrong`, `second_factor_missing`,
 * `passkey_refused`, `passkey_missing`, `passkeys_unavailable`, `too_many_attempts`, `account_suspended`.
 */
export class FinishSignIn extends sentBy('visitor')<SignedIn> {
  constructor(
    override readonly context: VisitorContext,
    readonly step: SecondStepProof,
  ) {
    super();
  }
}

export class FinishSignInHandler {
  constructor(private readonly dependencies: SignInDependencies) {}

  async execute({ context: { client }, step }: FinishSignIn): Promise<SignedIn> {
    const { identity } = this.dependencies;
    const { challenge } = step;
    const { userId, epoch } = await identity.links.read('second-step', challenge).catch(inWords);
    const known = await identity.credentials.known(userId);
    // Whatever made links void, as a new password, makes the password that was shown void as well.
    if (known === undefined || known.epoch !== epoch) throw challengeInvalid();
    await this.confirm(known, client, step).catch(async (error: unknown) => {
      if (hasCode(error, 'second_factor_wrong') || hasCode(error, 'passkey_refused'))
        await tellOfWrongCode(this.dependencies, known, client);
      throw error;
    });
    if (!(await identity.links.spend(challenge))) throw challengeInvalid();
    try {
      return await enter(this.dependencies, known, client);
    } catch (error) {
      await noteRefusedSignIn(this.dependencies, userId, client, error);
      throw error;
    }
  }

  private async confirm(
    { userId, role }: Known,
    client: Client,
    { challenge, code, passkey }: SecondStepProof,
  ): Promise<void> {
    const { passkeys } = this.dependencies.identity;
    const actor = { kind: 'person', id: userId, role } as const;
    if (passkey === undefined) await confirmSecondFactor(this.dependencies, actor, client, code ?? '');
    else
      await confirmPasskey(this.dependencies, userId, client, () =>
        passkeys.verifyFor(userId, challenge, passkey),
      );
  }
}

/** Writes to whoever's password somebody has who shows wrong codes, once a day. */
async function tellOfWrongCode(
  dependencies: SignInDependencies,
  { userId, email }: Known,
  client: Client,
): Promise<void> {
  const day = new Date(dependencies.clock()).toISOString().slice(0, 10);
  const mailId = sha256(`wrong code ${userId} ${day}`).slice(0, 32);
  await tellPerson(dependencies, 'code-refused', { mailId, userId, email, facts: factsOf(client) });
}

/** From where somebody comes, and with what, as mails tell it. */
function factsOf(client: Client): readonly string[] {
  const { address, agent } = boundedClient(client);
  return [`Network: ${address}`, `Program: ${knownAgent(agent) ?? 'an unknown program'}`];
}

function inWords(error: unknown): never {
  throw hasCode(error, 'link_invalid') ? challengeInvalid() : error;
}

function challengeInvalid(): LodeError {
  return new LodeError(
    'challenge_invalid',
    'This sign-in took too long or was finished. Please sign in again.',
  );
}

/** Lets in whoever has shown all that was asked for. */
async function enter(
  dependencies: SignInDependencies,
  person: Person & { readonly email: string },
  client: Client,
  door?: DoorSignIn,
): Promise<SignedIn> {
  const isNewNetwork = await dependencies.identity.ownNetworks.isNew(person.userId, client.address);
  const firstname = await admit(dependencies, person.userId);
  const tokens = await startSession(dependencies, person, client, door, isNewNetwork ? 'new' : undefined);
  await knowNetwork(dependencies, tokens.session, person.email, client, isNewNetwork);
  return { tokens, firstname };
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

/**
 * Remembers from where somebody signed in, once they are written to about a network where they never did: what fails before
 * that is repeated as from a new one. Of a session that they can't be told of nobody has the tokens.
 */
async function knowNetwork(
  dependencies: SignInDependencies,
  { userId, sessionId }: Session,
  email: string,
  client: Client,
  isNew: boolean,
): Promise<void> {
  const { identity } = dependencies;
  try {
    if (isNew) {
      const mailId = sha256(`sign-in ${sessionId}`).slice(0, 32);
      await tellPerson(dependencies, 'new-network', { mailId, userId, email, facts: factsOf(client) });
    }
    await identity.ownNetworks.remember(userId, client.address);
  } catch (error) {
    await identity.sessions.endSession(sessionId);
    throw error;
  }
}

/** Begins a session. One that the audit could not be told of ends before anybody has its tokens. */
export async function startSession(
  { identity, accessAudit }: AccessDependencies,
  person: Person,
  client: Client,
  door?: DoorSignIn,
  network?: 'new',
): Promise<Tokens> {
  const tokens = await identity.sessions.start(person, client, door);
  try {
    await accessAudit.signedIn(tokens.session, client, network);
  } catch (error) {
    await identity.sessions.endSession(tokens.session.sessionId);
    throw error;
  }
  return tokens;
}
