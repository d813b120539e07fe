import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { Counter, type Registry } from 'prom-client';
import { networkOf } from '#application';
import { LodeError, metric } from '#kernel';
import { refuseSocket } from './problem.filter.js';

/** How many connections are taken. */
export type ConnectionLimits = {
  /** From everywhere together. */
  readonly most: number;
  /** From one address, of IPv6 from one /64 network; never more than half of all. */
  readonly perNetwork: number;
  /** How long the head of a request may take to arrive; milliseconds. */
  readonly headMs: number;
  /** Descriptors for our own files, sockets and threads, which strangers must not use up. */
  readonly ownDescriptors: number;
};

/** How often connections are looked over for heads that are too late; milliseconds. */
export const LOOK_MS = 1_000;
/** So many connections are taken however few descriptors there are. */
const CONNECTIONS_MIN = 16;

/**
 * Bounds the connections of a server: what comes beyond is refused, from one network with an answer, and counted. Proxies
 * have the connections of everybody behind them, and count as nobody.
 */
export function limitConnections(
  server: Server,
  { most, perNetwork, ownDescriptors }: ConnectionLimits,
  proxies: readonly string[],
  registry: Registry,
): void {
  const refused = new Counter({
    ...metric('lode_connections_refused_total'),
    labelNames: ['limit'],
    registers: [registry],
  });
  for (const limit of ['all', 'network']) refused.inc({ limit }, 0);
  const taken = Math.max(CONNECTIONS_MIN, Math.min(most, descriptorsAllowed() - ownDescriptors));
  const ofNetwork = Math.min(perNetwork, Math.ceil(taken / 2));
  server.maxConnections = taken;
  server.on('drop', () => refused.inc({ limit: 'all' }));

  const isProxy = isListed(proxies);
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
    if (count <= ofNetwork) return;
    refused.inc({ limit: 'network' });
    refuseSocket(socket, new LodeError('rate_limited', 'Too many connections from your network.'));
  });
}

/** How many descriptors the process may have; where the system does not say, there is no bound to keep away from. */
export function descriptorsAllowed(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}

/** Whether an address is one of these, or in one of these networks. */
export function isListed(addresses: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const one of addresses) {
    const [address = '', bits] = one.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
