import { codeAt, STEP_MS } from '#identity';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app shows for a secret in base 32, at an instant in milliseconds since the epoch. */
export function totpAt(secret: string, now: number): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return codeAt(Uint8Array.from(bytes), Math.floor(now / STEP_MS));
}
