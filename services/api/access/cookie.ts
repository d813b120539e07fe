import type { FastifyReply, FastifyRequest } from 'fastify';
import { LodeError } from '#kernel';
import '@fastify/cookie';

const NAME = 'lode_refresh';
/** Only the routes that rotate or end a session ever see the cookie. */
const PATH = '/api/auth';
/** Over https: a browser takes a cookie of this name from this very host over https only, and for all of its paths. */
const HOST_NAME = '__Host-lode_refresh';
const HOST_PATH = '/';

const KEPT = { httpOnly: true, sameSite: 'strict' } as const;

/**
 * The refresh token that the browser keeps where no script can read it. Refuses, with `not_permitted`, a page of another
 * site that has the browser send it along: `SameSite` keeps the cookie from most, but not from other ports and subdomains.
 */
export function refreshTokenOf(request: FastifyRequest, secure: boolean): string | undefined {
  refuseOtherSites(request);
  const { [NAME]: plain, [HOST_NAME]: bound } = request.cookies;
  // A browser may still have the cookie of before https was said to be all there is.
  return secure ? (bound ?? plain) : plain;
}

function refuseOtherSites({ headers, host }: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOther =
    site === undefined
      ? origin !== undefined && hostOf(origin) !== host
      : site !== 'same-origin' && site !== 'none';
  if (isOther) {
    throw new LodeError('not_permitted', 'Only pages of this very address may go on with a session of it.');
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Hands the browser its next refresh token; `expiresAt` is in milliseconds since the epoch. */
export function setRefreshToken(
  reply: FastifyReply,
  token: string,
  expiresAt: number,
  secure: boolean,
): void {
  const expires = new Date(expiresAt);
  if (secure) {
    void reply.setCookie(HOST_NAME, token, { ...KEPT, path: HOST_PATH, secure, expires });
    void reply.clearCookie(NAME, { ...KEPT, path: PATH, secure });
  } else {
    void reply.setCookie(NAME, token, { ...KEPT, path: PATH, secure, expires });
  }
}

/** Takes the refresh token away from the browser. */
export function clearRefreshToken(reply: FastifyReply, secure: boolean): void {
  void reply.clearCookie(NAME, { ...KEPT, path: PATH, secure });
  if (secure) void reply.clearCookie(HOST_NAME, { ...KEPT, path: HOST_PATH, secure });
}
