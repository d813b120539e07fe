import { timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Authenticate } from '#application';
import { LodeError, sha256 } from '#kernel';
import { isListed } from '../http/connections.js';
import { bearerOf } from '../http/route.js';
import type { ApiSettings } from '../settings.js';

/** What a proxy says of whom it asks for: of such a request the connection's address says nothing. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Refuses whoever may not see how the program is in detail: causes, paths, positions and metrics. */
export type AdmitWatcher = (request: FastifyRequest) => Promise<void>;

/**
 * May watch: who has the token of the settings, an admin who is signed in, and who asks from this machine. Behind a proxy
 * on this machine everybody's connection comes from it: a request that says that it was forwarded is nobody's from here,
 * and neither is one of a proxy that the settings name, which may say nothing.
 */
export function createAdmission(
  { watchToken, proxies }: Pick<ApiSettings, 'watchToken' | 'proxies'>,
  authenticate: Authenticate,
): AdmitWatcher {
  const isProxy = isListed(proxies);
  const isToken = (given: string) => {
    if (watchToken === undefined) return false;
    // Hashes are of one length, which tells nothing of the token's.
    return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(watchToken)));
  };
  return async (request) => {
    const isForwarded = FORWARDED.some((name) => request.headers[name] !== undefined);
    const { remoteAddress: from } = request.socket;
    if (!isForwarded && from !== undefined && isLoopback(from) && !isProxy(from)) return;
    const given = bearerOf(request);
    if (given !== undefined && isToken(given)) return;
    const { role } = await authenticate(given);
    if (role !== 'admin') throw new LodeError('not_permitted', 'You may not do this.');
  };
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return loopback.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4');
}
