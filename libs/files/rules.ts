import { LodeError, randomAlphanumeric, type Random } from '#kernel';
import { fileLimits } from './port.js';

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

const INVALID_EVIDENCE = 'Please enter a valid upload payment evidence.';

/** The refusals that every adapter answers with, in the same words. */
export function fileEmpty(): LodeError {
  return new LodeError('file_empty', INVALID_EVIDENCE);
}

export function fileTypeRefused(): LodeError {
  return new LodeError('file_type', INVALID_EVIDENCE);
}

export function fileTooLarge(): LodeError {
  const limit = fileLimits.bytes / MEBIBYTE;
  return new LodeError('file_too_large', `Please choose a file of at most ${limit} MiB.`);
}

export function fileNotFound(): LodeError {
  return new LodeError('file_not_found', 'This file does not exist.');
}
