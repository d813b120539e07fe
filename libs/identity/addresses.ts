import { isIPv6 } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * What one client counts as: an IPv4 address by itself, an IPv6 address by its /64 network, since whoever has one
 * address of such a network has all of them.
 */
export function networkOf(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return address;
  const [left = '', right] = bare.toLowerCase().split('::');
  const before = left === '' ? [] : left.split(':');
  // A dotted tail stands for two groups; only their number matters for the network.
  const after =
    right === undefined || right === '' ? [] : right.replace(/:?[\d.]+\.[\d.]+$/, ':0:0').split(':');
  const gap = right === undefined ? 0 : Math.max(0, GROUPS - before.length - after.filter(Boolean).length);
  const groups = [...before, ...Array.from({ length: gap }, () => '0'), ...after.filter(Boolean)];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}
