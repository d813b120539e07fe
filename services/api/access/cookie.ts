import type { FastifyReply, FastifyRequest } from 'fastify';
import '@fastify/cookie';

const NAME = 'lode_refresh';
/** Only the routes that rotate or end a session ever see the cookie. */
const PATH = '/api/auth';

/** The refresh token that the browser keeps where no script can read it. */
export function refreshTokenOf(request: FastifyRequest): string | undefined {
  return request.cookies[NAME];
}

/** Hands the browser its next refresh token; `expiresAt` is in milliseconds since the epoch. */
export function setRefreshToken(
  reply: FastifyReply,
  token: string,
  expiresAt: number,
  secure: boolean,
): void {
  void reply.setCookie(NAME, token, {
    path: PATH,
    httpOnly: true,
    sameSite: 'strict',
    secure,
    expires: new Date(expiresAt),
  });
}

/** Takes the refresh token away from the browser. */
export function clearRefreshToken(reply: FastifyReply, secure: boolean): void {
  void reply.clearCookie(NAME, { path: PATH, httpOnly: true, sameSite: 'strict', secure });
}
