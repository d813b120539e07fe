import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base32nopad, bech32, bech32m, createBase58check } from '@scure/base';
import type { WalletNetwork } from '#contracts';
import type { PaymentCurrency } from '#ledger';

/** The network that each currency's addresses are of. */
export type Networks = Readonly<Record<PaymentCurrency, WalletNetwork>>;

/** What people call each. */
export const networkNames: Readonly<Record<WalletNetwork, string>> = {
  bitcoin: 'Bitcoin',
  ethereum: 'Ethereum',
  tron: 'Tron',
  stellar: 'Stellar',
  none: 'any network',
};

/** What checks form and checksum of an address: it throws, or answers false, for one that is not of the network. */
type Check = (address: string) => boolean;

const base58check = createBase58check(sha256);

/** Base58 with a checksum over a byte for what it is of, and a hash of 20 bytes. */
function isBase58(address: string, versions: readonly number[]): boolean {
  const bytes = base58check.decode(address);
  return bytes.length === 21 && versions.includes(bytes[0] ?? -1);
}

/** BIP 173: version 0, with 20 or 32 bytes. */
function isFirstSegwit(address: string): boolean {
  const { prefix, words } = bech32.decodeUnsafe(address) ?? NO_WORDS;
  const [version, ...program] = words;
  const { length } = bech32.fromWords(program);
  return prefix === 'bc' && version === 0 && (length === 20 || length === 32);
}

/** BIP 350: versions 1 to 16, with 2 to 40 bytes. */
function isLaterSegwit(address: string): boolean {
  const { prefix, words } = bech32m.decodeUnsafe(address) ?? NO_WORDS;
  const [version = 0, ...program] = words;
  const { length } = bech32m.fromWords(program);
  return prefix === 'bc' && version >= 1 && version <= 16 && length >= 2 && length <= 40;
}

const NO_WORDS = { prefix: '', words: [] };

/** EIP-55: letters of both cases are the checksum; of one case there is none. */
function isEthereum(address: string): boolean {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1];
  if (digits === undefined) return false;
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = keccak_256(new TextEncoder().encode(lower));
  return Array.from(digits).every((digit, n) => {
    const byte = hash[n >> 1] ?? 0;
    const isUpper = (n % 2 === 0 ? byte >> 4 : byte & 15) >= 8;
    return digit === (isUpper ? digit.toUpperCase() : digit.toLowerCase());
  });
}

/** SEP-23: an account (G), or one with an id of its own for whom it is (M), with its CRC-16 behind it. */
function isStellar(address: string): boolean {
  const bytes = base32nopad.decode(address);
  const [version] = bytes;
  const isAccount = version === 6 << 3 && bytes.length === 35;
  const isMuxed = version === 12 << 3 && bytes.length === 43;
  const [low, high] = bytes.slice(-2);
  return (isAccount || isMuxed) && crc16(bytes.slice(0, -2)) === (low ?? 0) + 256 * (high ?? 0);
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc;
}

const checks: Readonly<Record<WalletNetwork, Check>> = {
  bitcoin: (address) =>
    isTrue(isFirstSegwit, address) || isTrue(isLaterSegwit, address) || isBase58(address, [0x00, 0x05]),
  ethereum: isEthereum,
  tron: (address) => isBase58(address, [0x41]),
  stellar: isStellar,
  none: () => true,
};

/** Whether an address can be one of a network, by its form and its checksum. Nobody knows whether it is anybody's. */
export function canBeOf(network: WalletNetwork, address: string): boolean {
  return isTrue(checks[network], address);
}

/** False also where the check throws, as decoders do. */
function isTrue<T>(check: (given: T) => boolean, given: T): boolean {
  try {
    return check(given);
  } catch {
    return false;
  }
}
