import type { Session, Tokens } from '#application';
import { refusal } from './errors.js';

/** A client's id token is larger than this in no case. */
const ID_TOKEN_LENGTH_MAX = 8_192;

/** What clients read in an id token; times are seconds since the epoch. */
type Claims = {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly user_id: string;
  readonly auth_time: number;
  readonly iat: number;
  readonly exp: number;
  readonly email: string;
  readonly email_verified: boolean;
  readonly firebase: {
    readonly identities: { readonly email: readonly string[] };
    readonly sign_in_provider: 'password';
  };
  readonly role: Session['role'];
  /** Lode's own access token: the only claim that Lode looks at. */
  readonly token: string;
};

const HEADER = encode({ alg: 'none', typ: 'JWT' });

/**
 * The access token in the wrapping that these clients can parse. It is not signed, and says so: it can't be checked
 * without asking Lode, and Lode believes nothing of it but the access token inside (docs/adr/0013).
 */
export function idTokenOf(
  { session, accessToken, accessExpiresAt }: Tokens,
  person: { readonly email: string; readonly isEmailVerified: boolean; readonly signedInAt: number },
  now: number,
): string {
  const { userId, role } = session;
  const claims: Claims = {
    iss: 'lode',
    aud: 'lode',
    sub: userId,
    user_id: userId,
    auth_time: seconds(person.signedInAt),
    iat: seconds(now),
    exp: seconds(accessExpiresAt),
    email: person.email,
    email_verified: person.isEmailVerified,
    firebase: { identities: { email: [person.email] }, sign_in_provider: 'password' },
    role,
    token: accessToken,
  };
  return `${HEADER}.${encode(claims)}.`;
}

/** The access token inside an id token. Refuses with INVALID_ID_TOKEN what is none. */
export function accessTokenIn(idToken: string): string {
  const [, payload, , ...more] = idToken.length > ID_TOKEN_LENGTH_MAX ? [] : idToken.split('.');
  const token = payload === undefined || more.length > 0 ? undefined : tokenIn(payload);
  if (token === undefined) throw refusal('INVALID_ID_TOKEN');
  return token;
}

function tokenIn(payload: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (typeof claims !== 'object' || claims === null || !('token' in claims)) return undefined;
    return typeof claims.token === 'string' ? claims.token : undefined;
  } catch {
    return undefined;
  }
}

/** Whole seconds from now until a token ends, as these answers have them. */
export function expiresIn({ accessExpiresAt }: Tokens, now: number): string {
  return String(Math.max(0, seconds(accessExpiresAt - now)));
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}
