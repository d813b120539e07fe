import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Authenticate, SecondFactorDuty } from '#application';
import { LodeError, sha256 } from '#kernel';
import { isListed } from '../http/connections.js';
import { isFromHere } from '../http/here.js';
import { bearerOf } from '../http/route.js';
import { refuseDue } from '../http/route.guard.js';
import type { ApiSettings } from '../settings.js';

/** Refuses whoever may not see how the program is in detail: causes, paths, positions and metrics. */
export type AdmitWatcher = (request: FastifyRequest) => Promise<void>;

/**
 * May watch: who has the token of the settings, an admin who is signed in and need not set up a second factor first, and who
 * asks from this machine. Behind a proxy
 * on this machine everybody's connection comes from it: a request that says that it was forwarded is nobody's from here,
 * and neither is one of a proxy that the settings name, which may say nothing.
 */
export function createAdmission(
  { watchToken, proxies }: Pick<ApiSettings, 'watchToken' | 'proxies'>,
  authenticate: Authenticate,
  mustSetUp: SecondFactorDuty,
): AdmitWatcher {
  const isProxy = isListed(proxies);
  const isToken = (given: string) => {
    if (watchToken === undefined) return false;
    // Hashes are of one length, which tells nothing of the token's.
    return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(watchToken)));
  };
  return async (request) => {
    if (isFromHere(request) && !isProxy(request.socket.remoteAddress ?? '')) return;
    const given = bearerOf(request);
    if (given !== undefined && isToken(given)) return;
    const session = await authenticate(given);
    if (session.role !== 'admin') throw new LodeError('not_permitted', 'You may not do this.');
    refuseDue(await mustSetUp(session));
  };
}
