import { BlockList } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** What a proxy says of whom it asks for: of such a request the connection's address says nothing. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a request comes from this machine, and says of no other that it is theirs. */
export function isFromHere({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  return socket.remoteAddress !== undefined && isLoopback(socket.remoteAddress);
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return loopback.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4');
}
