import { LodeError, randomAlphanumeric, type Random } from '#kernel';
import { fileLimits } from './port.js';
import { purposeRules, type FilePurpose, type Quota } from './purposes.js';

const FILE_ID_LENGTH = 35;
const FILE_ID = /^[A-Za-z0-9]{35}$/;
const MEBIBYTE = 1024 * 1024;

/** A fresh file id. */
export function newFileId(random: Random): string {
  return randomAlphanumeric(random, FILE_ID_LENGTH);
}

/** True for a text that can be a file's id; nothing else ever becomes part of a path or key. */
export function isFileId(text: string): boolean {
  return FILE_ID.test(text);
}

/** The refusals that every adapter answers with, in the same words. */
export function fileEmpty(purpose: FilePurpose): LodeError {
  return new LodeError('file_empty', purposeRules[purpose].refusal);
}

export function fileTypeRefused(purpose: FilePurpose, options?: ErrorOptions): LodeError {
  return new LodeError('file_type', purposeRules[purpose].refusal, {}, options);
}

export function fileTooLarge(): LodeError {
  const limit = fileLimits.bytes / MEBIBYTE;
  return new LodeError('file_too_large', `Please choose a file of at most ${limit} MiB.`);
}

export function fileNotFound(): LodeError {
  return new LodeError('file_not_found', 'This file does not exist.');
}

/** Refuses with `quota_exceeded` when a person who keeps `kept` may not keep `more` bytes in one more file. */
export function checkQuota(kept: Quota, more: number, quota: Quota): void {
  if (kept.files < quota.files && kept.bytes + more <= quota.bytes) return;
  throw new LodeError(
    'quota_exceeded',
    `You keep as many files as there is room for: ${quota.files} files, ${Math.round(quota.bytes / MEBIBYTE)} MiB.`,
  );
}

/** Too many are under way. */
export function tooManyUploads(): LodeError {
  return new LodeError('overloaded', 'Too many files are being uploaded. Try again in a moment.');
}
