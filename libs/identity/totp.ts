import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long a code is shown, in milliseconds. */
export const STEP_MS = 30_000;
const DIGITS = 6;
/** Steps before and after the present one whose codes are taken: clocks differ, and typing takes a while. */
const STEPS_AROUND = [0, -1, 1] as const;
/** Of RFC 4648, section 6. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a secret for a step of time: RFC 6238 with SHA-1 and six digits, as every authenticator app has it. */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const at = mac.readUInt8(mac.length - 1) & 0x0f;
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step around `now` (milliseconds since the epoch) and after `lastStep` that a code is of; undefined when it is of none. */
export function stepOf(secret: Uint8Array, code: string, now: number, lastStep: number): number | undefined {
  const present = Math.floor(now / STEP_MS);
  const given = Buffer.from(code);
  return STEPS_AROUND.map((around) => present + around).find((step) => {
    const right = Buffer.from(codeAt(secret, step));
    return step > lastStep && given.length === right.length && timingSafeEqual(given, right);
  });
}

/** Bytes in the letters that authenticator apps take; without padding. */
export function base32(bytes: Uint8Array): string {
  let [text, bits, value] = ['', 0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31] ?? '';
  }
  return bits === 0 ? text : text + (BASE32[(value << (5 - bits)) & 31] ?? '');
}
