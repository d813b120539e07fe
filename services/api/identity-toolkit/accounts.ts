import { z } from 'zod';
import type { Client, Known, Session, Tokens } from '#identity';
import { accountStream } from '#ledger';
import type { Entrance } from '../access/entrance.js';
import { erasePerson } from '../access/erasure.js';
import { register } from '../access/registration.js';
import { accountOf } from '../access/standing.js';
import type { Trail } from '../access/trail.js';
import type { Ledger } from '../commands/ledger.js';
import type { Engines } from '../engines.js';
import { refusal, renamed } from './errors.js';
import { accessTokenIn, expiresIn, idTokenOf } from './tokens.js';

/** What the handlers stand on: Lode's own way in. */
export type Parts = {
  readonly engines: Engines;
  readonly ledger: Ledger;
  readonly trail: Trail;
  readonly entrance: Entrance;
};

/** What is asked, as it came. */
export type Asked = { readonly body: unknown; readonly client: Client };
export type Handler = (parts: Parts, asked: Asked) => Promise<object>;

/** How long after a sign-in the password may be replaced and the account deleted; milliseconds. */
export const RECENT_MS = 5 * 60 * 1_000;
const TEXT_MAX = 4_096;
const EMAIL_MAX = 254;

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
const revocation = withToken.extend({ token: z.string() });
const grant = z.object({ grant_type: text, refresh_token: text });

/** Opens an account with an e-mail and a password; names and phone are empty until the person gives them. */
export const signUp: Handler = async (parts, { body, client }) => {
  const { email, password, idToken } = read(emailAndPassword, body);
  if (idToken !== undefined || (email === undefined && password === undefined))
    throw refusal('OPERATION_NOT_ALLOWED');
  const given = credentialsOf(email, password);
  const profile = { firstname: '', lastname: '', email: given.email, phone: '' };
  const { identity } = parts.engines;
  await register({ identity, ledger: parts.ledger }, { profile, password: given.password });
  const { tokens } = await parts.entrance.signIn(given, client);
  return { kind: 'identitytoolkit#SignupNewUserResponse', ...(await signedIn(parts, tokens)) };
};

export const signInWithPassword: Handler = async (parts, { body, client }) => {
  const { email, password } = read(emailAndPassword, body);
  const { tokens, firstname } = await parts.entrance.signIn(credentialsOf(email, password), client);
  const answer = await signedIn(parts, tokens);
  return {
    kind: 'identitytoolkit#VerifyPasswordResponse',
    ...answer,
    displayName: firstname,
    registered: true,
  };
};

export const lookup: Handler = async (parts, { body }) => {
  const { session, known } = await callerOf(parts, read(withToken, body).idToken);
  const { userId } = session;
  const account = await accountOf(parts, userId);
  const profile = await parts.engines.identity.personKeys.decryptFor(userId, account.profile);
  const names = typeof profile === 'string' ? [] : [profile['firstname'], profile['lastname']];
  const displayName = names
    .filter((name): name is string => typeof name === 'string' && name !== '')
    .join(' ');
  const [opened] = await parts.engines.eventStore.readStream(accountStream(userId), { limit: 1 });
  const { email } = known;
  const user = {
    localId: userId,
    email,
    emailVerified: false,
    disabled: known.suspended,
    ...(displayName === '' ? {} : { displayName }),
    providerUserInfo: [{ providerId: 'password', federatedId: email, email, rawId: email }],
    createdAt: String(Date.parse(opened?.at ?? '')),
    lastLoginAt: String(await signedInAt(parts, session)),
  };
  return { kind: 'identitytoolkit#GetAccountInfoResponse', users: [user] };
};

/** Replaces the password of somebody who has just signed in; every other change has a route of Lode's own. */
export const updateAccount: Handler = async (parts, { body, client }) => {
  const { idToken, password, ...others } = read(update, body);
  const { session, known } = await callerOf(parts, idToken);
  if (Object.values(others).some((value) => value !== undefined)) throw refusal('OPERATION_NOT_ALLOWED');
  const answer = {
    kind: 'identitytoolkit#SetAccountInfoResponse',
    localId: session.userId,
    email: known.email,
  };
  if (password === undefined) return answer;
  await checkRecent(parts, session);
  const tokens = await parts.entrance.replacePassword(session, password, client);
  return { ...answer, ...(await signedIn(parts, tokens)) };
};

/** Closes the account of somebody who has just signed in, for ever. What is owed to them must have been paid first. */
export const deleteAccount: Handler = async (parts, { body }) => {
  const { session } = await callerOf(parts, read(withToken, body).idToken);
  const { userId, role } = session;
  if (role !== 'user') throw refusal('OPERATION_NOT_ALLOWED');
  await checkRecent(parts, session);
  const actor = { kind: 'person', id: userId, role } as const;
  await erasePerson({ ...parts.engines, ...parts }, userId, actor);
  return { kind: 'identitytoolkit#DeleteAccountResponse' };
};

/** Ends the session of a token: an id token or a refresh token. */
export const revokeToken: Handler = async (parts, { body, client }) => {
  const { idToken, token } = read(revocation, body);
  const { session } = await callerOf(parts, idToken);
  if (token.includes('.')) {
    const { sessionId } = await authenticated(parts, token);
    const actor = { kind: 'person', id: session.userId, role: session.role } as const;
    await parts.entrance.endSession(session.userId, sessionId, {
      actor,
      session: session.sessionId,
      client,
    });
  } else await parts.entrance.signOut([token], client);
  return {};
};

/** The tokens that follow a refresh token, which is used up. */
export const refresh: Handler = async (parts, { body, client }) => {
  const { grant_type: kind, refresh_token: token } = read(grant, body);
  if (kind !== 'refresh_token') throw refusal('INVALID_GRANT_TYPE');
  if (token === undefined || token === '') throw refusal('MISSING_REFRESH_TOKEN');
  const { tokens } = await renamed(() => parts.entrance.refresh(token, client, () => undefined), {
    account_not_found: 'USER_NOT_FOUND',
  });
  const { idToken, refreshToken, localId, expiresIn: seconds } = await signedIn(parts, tokens);
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
export const notAllowed: Handler = async () => {
  throw refusal('OPERATION_NOT_ALLOWED');
};

/** A body in the shape that is read; whatever else is in it is left alone. */
function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw refusal('INVALID_ARGUMENT');
  return parsed.data;
}

function credentialsOf(email: string | undefined, password: string | undefined) {
  if (email === undefined || email === '') throw refusal('MISSING_EMAIL');
  if (!z.email().max(EMAIL_MAX).safeParse(email.trim()).success) throw refusal('INVALID_EMAIL');
  if (password === undefined || password === '') throw refusal('MISSING_PASSWORD');
  return { email: email.trim(), password };
}

/** Who shows an id token; whoever has none any more is told as clients understand it. */
async function callerOf(
  parts: Parts,
  idToken: string | undefined,
): Promise<{ readonly session: Session; readonly known: Known }> {
  const session = await authenticated(parts, idToken);
  const known = await parts.engines.identity.credentials.known(session.userId);
  if (known === undefined) throw refusal('USER_NOT_FOUND');
  return { session, known };
}

async function authenticated({ engines }: Parts, idToken: string | undefined): Promise<Session> {
  const token = idToken === undefined || idToken === '' ? undefined : accessTokenIn(idToken);
  return engines.identity.sessions.authenticate(token);
}

/** When a session began, in milliseconds since the epoch. */
async function signedInAt({ engines }: Parts, { userId, sessionId }: Session): Promise<number> {
  const sessions = await engines.identity.sessions.list(userId);
  const session = sessions.find((one) => one.sessionId === sessionId);
  if (session === undefined) throw refusal('TOKEN_EXPIRED');
  return session.createdAt;
}

async function checkRecent(parts: Parts, session: Session): Promise<void> {
  if (parts.engines.clock() - (await signedInAt(parts, session)) > RECENT_MS)
    throw refusal('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
}

async function signedIn(parts: Parts, tokens: Tokens) {
  const { clock, identity } = parts.engines;
  const { userId } = tokens.session;
  const known = await identity.credentials.known(userId);
  if (known === undefined) throw refusal('USER_NOT_FOUND');
  const person = { email: known.email, signedInAt: await signedInAt(parts, tokens.session) };
  return {
    localId: userId,
    email: known.email,
    idToken: idTokenOf(tokens, person, clock()),
    refreshToken: tokens.refreshToken,
    expiresIn: expiresIn(tokens, clock()),
  };
}
