import { z } from 'zod';
import {
  callerContext,
  EndSession,
  ErasePerson,
  GetAccountInfo,
  GetCredential,
  GetSecondFactor,
  RefreshSession,
  Register,
  ReplacePassword,
  RequestEmailVerification,
  RequestPasswordReset,
  sessionContext,
  SignIn,
  SignOut,
  visitorContext,
  type Authenticate,
  type Bus,
  type Client,
  type Known,
  type SecondFactorDuty,
  type Session,
  type SignedIn,
  type Tokens,
} from '#application';
import { emailAddress } from '#contracts';
import { hasCode, type Clock } from '#kernel';
import { refusal, renamed, type ToolkitRefusal } from './errors.js';
import { accessTokenIn, expiresIn, idTokenOf } from './tokens.js';

/** Dependencies of these routes: Lode's own commands and queries, and whose an access token is. */
export type ToolkitDependencies = {
  readonly bus: Bus;
  readonly authenticate: Authenticate;
  readonly mustSetUpSecondFactor: SecondFactorDuty;
  readonly clock: Clock;
};

/** A request, as it came. */
export type ToolkitRequest = { readonly body: unknown; readonly client: Client };
/** Answers one route. */
export type ToolkitRoute = (toolkit: ToolkitDependencies, request: ToolkitRequest) => Promise<object>;

/** How long after a sign-in the password may be replaced and the account deleted; milliseconds. */
export const RECENT_MS = 5 * 60 * 1_000;
const TEXT_MAX = 4_096;

const text = z.string().max(TEXT_MAX).optional();
const emailAndPassword = z.object({ email: text, password: text, idToken: text });
const withToken = z.object({ idToken: z.string().optional() });
const update = withToken.extend({
  password: text,
  email: z.unknown().optional(),
  displayName: z.unknown().optional(),
  photoUrl: z.unknown().optional(),
  deleteProvider: z.unknown().optional(),
  deleteAttribute: z.unknown().optional(),
  oobCode: z.unknown().optional(),
});
const wantedLink = z.object({ requestType: text, email: text, idToken: text });
const outOfBand = z.object({ oobCode: z.unknown().optional() });
const revocation = withToken.extend({ token: z.string() });
const grant = z.object({ grant_type: text, refresh_token: text });

/** Opens an account with an e-mail and a password; names and phone are empty until the person gives them. */
export const signUp: ToolkitRoute = async (toolkit, { body, client }) => {
  const { email, password, idToken } = read(emailAndPassword, body);
  if (idToken !== undefined || (email === undefined && password === undefined))
    throw refusal('OPERATION_NOT_ALLOWED');
  const given = credentialsOf(email, password);
  const profile = { firstname: '', lastname: '', email: given.email, phone: '' };
  const person = { profile, password: given.password };
  await toolkit.bus.execute(new Register(visitorContext(client), person));
  const { tokens } = await signIn(toolkit, client, given);
  return { kind: 'identitytoolkit#SignupNewUserResponse', ...(await signedIn(toolkit, tokens)) };
};

export const signInWithPassword: ToolkitRoute = async (toolkit, { body, client }) => {
  const { email, password } = read(emailAndPassword, body);
  const { tokens, firstname } = await signIn(toolkit, client, credentialsOf(email, password));
  const answer = await signedIn(toolkit, tokens);
  return {
    kind: 'identitytoolkit#VerifyPasswordResponse',
    ...answer,
    displayName: firstname,
    registered: true,
  };
};

export const lookup: ToolkitRoute = async (toolkit, { body }) => {
  const { session, known } = await callerOf(toolkit, read(withToken, body).idToken);
  const { userId } = session;
  const { name, isEmailVerified, openedAt } = await toolkit.bus.query(new GetAccountInfo(userId));
  const { email } = known;
  const user = {
    localId: userId,
    email,
    emailVerified: isEmailVerified,
    disabled: known.suspended,
    ...(name === '' ? {} : { displayName: name }),
    providerUserInfo: [{ providerId: 'password', federatedId: email, email, rawId: email }],
    createdAt: String(Date.parse(openedAt)),
    lastLoginAt: String(session.doorSignInAt),
  };
  return { kind: 'identitytoolkit#GetAccountInfoResponse', users: [user] };
};

/**
 * Replaces the password of a customer who has just signed in here; every other change has a route of Lode's own. Who asks
 * with a code from an e-mail has none of ours: Lode sends none.
 */
export const updateAccount: ToolkitRoute = async (toolkit, { body, client }) => {
  const { idToken, password, oobCode, ...others } = read(update, body);
  if (oobCode !== undefined) throw refusal('INVALID_OOB_CODE');
  const { session, known } = await callerOf(toolkit, idToken);
  if (Object.values(others).some((value) => value !== undefined)) throw refusal('OPERATION_NOT_ALLOWED');
  const answer = {
    kind: 'identitytoolkit#SetAccountInfoResponse',
    localId: session.userId,
    email: known.email,
  };
  if (password === undefined) return answer;
  checkChange(toolkit, session);
  const command = new ReplacePassword(callerContext(session, client), password, session.doorSignInAt);
  const tokens = await toolkit.bus.execute(command);
  return { ...answer, ...(await signedIn(toolkit, tokens)) };
};

/** Closes the account of a customer who has just signed in here, for ever. What is owed to them must have been paid first. */
export const deleteAccount: ToolkitRoute = async (toolkit, { body }) => {
  const { session } = await callerOf(toolkit, read(withToken, body).idToken);
  checkChange(toolkit, session);
  const { actor } = sessionContext(session);
  await toolkit.bus.execute(new ErasePerson({ actor }, session.userId));
  return { kind: 'identitytoolkit#DeleteAccountResponse' };
};

/** Ends the session of a token: an id token or a refresh token. */
export const revokeToken: ToolkitRoute = async (toolkit, { body, client }) => {
  const { idToken, token } = read(revocation, body);
  const { session } = await callerOf(toolkit, idToken);
  if (token.includes('.')) {
    const { sessionId } = await authenticated(toolkit, token);
    await toolkit.bus.execute(new EndSession(callerContext(session, client), session.userId, sessionId));
  } else await toolkit.bus.execute(new SignOut(visitorContext(client), [token], 'door'));
  return {};
};

/** The tokens that follow a refresh token, which is used up. */
export const refresh: ToolkitRoute = async (toolkit, { body, client }) => {
  const { grant_type: kind, refresh_token: token } = read(grant, body);
  if (kind !== 'refresh_token') throw refusal('INVALID_GRANT_TYPE');
  if (token === undefined || token === '') throw refusal('MISSING_REFRESH_TOKEN');
  const command = new RefreshSession(visitorContext(client), token, () => undefined, 'door');
  const { tokens } = await renamed(() => toolkit.bus.execute(command), {
    account_not_found: 'USER_NOT_FOUND',
  });
  const { idToken, refreshToken, localId, expiresIn: seconds } = await signedIn(toolkit, tokens);
  return {
    access_token: idToken,
    id_token: idToken,
    expires_in: seconds,
    token_type: 'Bearer',
    refresh_token: refreshToken,
    user_id: localId,
    project_id: 'lode',
  };
};

/** The ways in that Lode does not have: no e-mail links, no phones, no other providers, no one-time tokens. */
export const notAllowed: ToolkitRoute = async () => {
  throw refusal('OPERATION_NOT_ALLOWED');
};

/**
 * Sends the links that Lode sends: one for a new password to whoever has an e-mail, which is answered the same for one that nobody has,
 * and one to verify the own e-mail. Their pages are the site's, and where a client wants to go on from them is not looked at.
 */
export const sendOobCode: ToolkitRoute = async (toolkit, { body, client }) => {
  const { requestType, email, idToken } = read(wantedLink, body);
  const answer = { kind: 'identitytoolkit#GetOobConfirmationCodeResponse' };
  switch (requestType) {
    case 'PASSWORD_RESET': {
      const asked = emailOf(email);
      await toolkit.bus.execute(new RequestPasswordReset(visitorContext(client), asked));
      return { ...answer, email: asked };
    }
    case 'VERIFY_EMAIL': {
      const { session, known } = await callerOf(toolkit, idToken);
      if (session.role !== 'user') throw refusal('OPERATION_NOT_ALLOWED');
      await toolkit.bus.execute(new RequestEmailVerification(callerContext(session, client)));
      return { ...answer, email: known.email };
    }
    case undefined:
      throw refusal('MISSING_REQ_TYPE');
    default:
      throw refusal('OPERATION_NOT_ALLOWED');
  }
};

/** Takes the code of an e-mail, of which Lode has sent none. */
export const resetPassword: ToolkitRoute = async (_, { body }) => {
  throw refusal(read(outOfBand, body).oobCode === undefined ? 'OPERATION_NOT_ALLOWED' : 'INVALID_OOB_CODE');
};

/** A body in the shape that is read; whatever else is in it is left alone. */
function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw refusal('INVALID_ARGUMENT');
  return parsed.data;
}

function credentialsOf(email: string | undefined, password: string | undefined) {
  const given = emailOf(email);
  if (password === undefined || password === '') throw refusal('MISSING_PASSWORD');
  return { email: given, password };
}

function emailOf(email: string | undefined): string {
  if (email === undefined || email === '') throw refusal('MISSING_EMAIL');
  if (!emailAddress().safeParse(email.trim()).success) throw refusal('INVALID_EMAIL');
  return email.trim();
}

/**
 * Opens a session. These routes know no second step, and let nobody in by the password alone who has one, or needs one, nor by
 * a password that an admin chose.
 */
async function signIn(
  { bus, mustSetUpSecondFactor }: ToolkitDependencies,
  client: Client,
  credentials: ReturnType<typeof credentialsOf>,
): Promise<SignedIn> {
  const command = new SignIn(visitorContext(client), credentials, 'door');
  const outcome = await bus.execute(command).catch((error: unknown) => {
    throw hasCode(error, 'password_change_required') ? needsOwnPassword() : error;
  });
  if ('challenge' in outcome) throw hasSecondFactor();
  const { session } = outcome.tokens;
  if (await mustSetUpSecondFactor(session)) {
    await bus.execute(new EndSession(callerContext(session, client), session.userId, session.sessionId));
    throw needsSecondFactor();
  }
  return outcome;
}

function hasSecondFactor(): ToolkitRefusal {
  return refusal('OPERATION_NOT_ALLOWED', 'This account has a second factor. Sign in on the site.');
}

function needsSecondFactor(): ToolkitRefusal {
  return refusal('OPERATION_NOT_ALLOWED', 'Admins need a second factor. Sign in on the site.');
}

function needsOwnPassword(): ToolkitRefusal {
  return refusal(
    'OPERATION_NOT_ALLOWED',
    'An admin chose this password. Sign in on the site and choose your own.',
  );
}

/** What is known of somebody who may use these routes. */
async function knownOf({ bus, mustSetUpSecondFactor }: ToolkitDependencies, userId: string): Promise<Known> {
  const known = await bus.query(new GetCredential(userId));
  if (known === undefined) throw refusal('USER_NOT_FOUND');
  // A session from before there was one goes on elsewhere.
  if ((await bus.query(new GetSecondFactor(userId))).isOn) throw hasSecondFactor();
  if (await mustSetUpSecondFactor(known)) throw needsSecondFactor();
  return known;
}

/** A session that began here, by password. */
type DoorSession = Session & { readonly doorSignInAt: number };

/** Who shows an id token; whoever has none any more is told as clients understand it. */
async function callerOf(
  toolkit: ToolkitDependencies,
  idToken: string | undefined,
): Promise<{ readonly session: DoorSession; readonly known: Known }> {
  const session = await authenticated(toolkit, idToken);
  return { session, known: await knownOf(toolkit, session.userId) };
}

/** Whose id token it is. The token of a session that began elsewhere is as good here as one that is over. */
async function authenticated(
  { authenticate }: ToolkitDependencies,
  idToken: string | undefined,
): Promise<DoorSession> {
  const token = idToken === undefined || idToken === '' ? undefined : accessTokenIn(idToken);
  return atDoor(await authenticate(token, 'as stored'));
}

function atDoor(session: Session): DoorSession {
  const { doorSignInAt } = session;
  if (doorSignInAt === undefined) throw refusal('TOKEN_EXPIRED');
  return { ...session, doorSignInAt };
}

/** Refuses what changes an account, unless it is a customer's who has shown the password a moment ago. */
function checkChange({ clock }: ToolkitDependencies, { role, doorSignInAt }: DoorSession): void {
  if (role !== 'user') throw refusal('OPERATION_NOT_ALLOWED');
  if (clock() - doorSignInAt > RECENT_MS) throw refusal('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
}

async function signedIn(toolkit: ToolkitDependencies, tokens: Tokens) {
  const { clock } = toolkit;
  const { userId, doorSignInAt } = atDoor(tokens.session);
  const known = await knownOf(toolkit, userId);
  const { isEmailVerified } = await toolkit.bus.query(new GetAccountInfo(userId));
  const person = { email: known.email, isEmailVerified, signedInAt: doorSignInAt };
  return {
    localId: userId,
    email: known.email,
    idToken: idTokenOf(tokens, person, clock()),
    refreshToken: tokens.refreshToken,
    expiresIn: expiresIn(tokens, clock()),
  };
}
