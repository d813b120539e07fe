import { createCipheriv, createDecipheriv } from 'node:crypto';
import { LodeError, type Json, type Random } from '#kernel';

/** What a reader gets in place of a person's data once the person's key is destroyed. */
export const FORGOTTEN = 'forgotten';
export type Forgotten = typeof FORGOTTEN;

/** A person's data as it is encrypted: always an object, so that it can't be taken for the marker. */
export type PersonalData = { readonly [key: string]: Json | undefined };

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = /^v1\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/;

/** `v1.<iv>.<ciphertext and tag>`, bound to the person: another person's key or id does not open it. */
export function encryptPersonalData(
  key: Uint8Array,
  userId: string,
  data: PersonalData,
  random: Random,
): string {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(userId));
  const text = Buffer.concat([
    cipher.update(JSON.stringify(data), 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return `v1.${Buffer.from(iv).toString('base64url')}.${text.toString('base64url')}`;
}

/** The data that `encryptPersonalData` was given. Throws `storage_failed` for a text that was changed or is somebody else's. */
export function decryptPersonalData(key: Uint8Array, userId: string, text: string): PersonalData {
  const [, iv, body] = FORMAT.exec(text) ?? [];
  if (iv === undefined || body === undefined) throw tampered(userId);
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.length < TAG_BYTES || bytes.toString('base64url') !== body) throw tampered(userId);
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64url'), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(userId))
    .setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    const clear = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    return JSON.parse(clear.toString('utf8')) as PersonalData;
  } catch (cause) {
    throw tampered(userId, cause);
  }
}

function tampered(userId: string, cause?: unknown): LodeError {
  const message = `The encrypted data of person ${userId} was changed or belongs to somebody else.`;
  return new LodeError('storage_failed', message, {}, { cause });
}
