import { describe, expect, test } from '@jest/globals';
import { canBeOf } from './networks.js';

/** Addresses that are published: in BIP 173, BIP 350, EIP-55, SEP-23, and those of the first blocks and of well-known contracts. */
const good = {
  bitcoin: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ],
  ethereum: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  ],
  tron: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  stellar: [
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK',
  ],
} as const;
const networks = ['bitcoin', 'ethereum', 'tron', 'stellar'] as const;

describe.each(networks)('an address of %s', (network) => {
  test.each(good[network])('is %s, and none of another network', (address) => {
    expect(networks.filter((one) => canBeOf(one, address))).toEqual([network]);
    expect(canBeOf('none', address)).toBe(true);
  });

  test.each(good[network])('is not %s with any one character another', (address) => {
    // Where a text has no letter of both cases, nothing tells a mistyped one.
    const hasChecksum = network !== 'ethereum' || /[A-F]/.test(address);
    if (!hasChecksum) return;
    const taken = [...address].flatMap((was, n) => {
      const other = was.toLowerCase() === 'q' ? 'p' : 'q';
      const typed = was === was.toUpperCase() ? other.toUpperCase() : other;
      const mistyped = address.slice(0, n) + typed + address.slice(n + 1);
      return canBeOf(network, mistyped) ? [mistyped] : [];
    });
    expect(taken).toEqual([]);
  });
});

test.each(['', ' ', '0x', 'bc1q', 'G', 'bc1qexample0000000000000000000000000000000', 'x'.repeat(200)])(
  '%j is of no network',
  (text) => {
    expect(networks.filter((one) => canBeOf(one, text))).toEqual([]);
  },
);
